"""`lamina rec`: items, what users did with them, and rankings."""

from __future__ import annotations

from lamina.apps.cli.lazy import Home, LazyGroup

SECTIONS: dict[str, dict[str, Home]] = {
    "Fill": {
        "import": Home("rec_import", "Import items and interactions, in the usual layouts."),
        "refresh": Home(
            "rec_refresh", "Form notes from the interactions that wait, then what users share."
        ),
    },
    "Recommend": {
        "rank": Home("rec_rank", "Put items in order for a user, with reasons."),
        "explain": Home("rec_rank", "Tell what speaks for and against one item for a user."),
        "profile": Home("rec_rank", "Tell what is known of a user: sides of their taste."),
    },
    "What users share": {
        "patterns": Home("rec_pool", "List what users share, or show one pattern."),
        "leave": Home("rec_pool", "Take a user out of what users share, from now on."),
        "enter": Home("rec_pool", "Let a user who left share again, from the next refresh on."),
        "pool-configure": Home(
            "rec_pool", "Show or set to whom patterns are told, and how they are formed."
        ),
        "pool-calibrate": Home(
            "rec_pool_upkeep",
            "Propose from which cosines on patterns are linked, and are the same.",
        ),
        "pool-measure": Home("rec_pool_upkeep", "Measure how large a pool is and how alike."),
        "pool-tidy": Home(
            "rec_pool_upkeep", "Merge patterns that say the same, and withdraw what serves nobody."
        ),
    },
    "Look after": {
        "stats": Home("rec_upkeep", "Show what the data are like, and what was made of them."),
        "configure": Home("rec_upkeep", "Show or set whom the memory may serve, and what is kept."),
        "join": Home("rec_upkeep", "Say which group a user belongs to."),
        "expire": Home(
            "rec_upkeep", "Withdraw the interactions that are older than is to be kept."
        ),
        "calibrate": Home("rec_upkeep", "Propose how near a note must be to be reconsidered."),
        "forget": Home("rec_upkeep", "Erase a user, or all of a recommender, for good."),
    },
}

rec_command = LazyGroup(
    name="rec",
    package="lamina.apps.cli",
    sections=SECTIONS,
    prefix="rec_",
    help=(
        "Recommend: items, what users did with them, and rankings with reasons.\n\n"
        "--name tells which recommender; where there is only one, it is meant. What is formed can"
        " be looked at and undone as any memory: `lamina log`, `history`, `why`, `rollback`, ..."
        " take --recommender NAME. What users share is kept beside it: `log`, `history`, `delete`,"
        " `rollback`, `export`, `forget`, ... take --pool NAME."
    ),
)
