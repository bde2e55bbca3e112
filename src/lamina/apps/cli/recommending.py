"""`lamina rec`: items, what users did with them, and rankings."""

from __future__ import annotations

from lamina.apps.cli.lazy import Home, LazyGroup

SECTIONS: dict[str, dict[str, Home]] = {
    "Fill": {
        "import": Home("rec_import", "Import items and interactions, in the usual layouts."),
        "refresh": Home("rec_upkeep", "Form notes from the interactions that wait."),
    },
    "Recommend": {
        "rank": Home("rec_rank", "Put items in order for a user, with reasons."),
        "explain": Home("rec_rank", "Tell what speaks for and against one item for a user."),
        "profile": Home("rec_rank", "Tell what is known of a user: sides of their taste."),
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
        " take --recommender NAME."
    ),
)
