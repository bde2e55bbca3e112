"""The root command: what there is, without importing it until it is called."""

from __future__ import annotations

import click

from lamina import __version__
from lamina.apps.cli.lazy import Home, LazyGroup
from lamina.apps.cli.safely import Safely

_PACKAGE = "lamina.apps.cli"
_SECTIONS: dict[str, dict[str, Home]] = {
    "Start": {
        "demo": Home(
            "demo",
            "See a conversation remembered, and things recommended, with no key and no network.",
        ),
        "import": Home("importing", "Import conversations from a file, and form memory from them."),
        "add": Home("adding", "Store one message, word for word."),
    },
    "Recall": {
        "search": Home("recalling", "Find what matters to a query, with its evidence."),
        "context": Home(
            "recalling", "Print a block of memories for a prompt: what matters and fits."
        ),
        "ask": Home("recalling", "Answer a question from memory, with a language model."),
        "timeline": Home("recalling", "Tell the story of a topic, oldest first."),
    },
    "Recommend": {
        "rec": Home(
            "recommending", "Recommend: items, what users did with them, and rankings with reasons."
        ),
    },
    "Look closely": {
        "list": Home("reading", "List notes, latest said first, or messages."),
        "get": Home("reading", "Show one note or message."),
        "history": Home("reading", "Show every revision of a note, and what caused it."),
        "why": Home("reading", "Show what a note rests on, down to the messages."),
        "log": Home("logbook", "List what changed memory, latest first."),
        "diff": Home("logbook", "Show what rolling an operation back would change."),
    },
    "Change": {
        "update": Home("changing", "Change the words of a note; no extraction overrides it."),
        "delete": Home("changing", "Withdraw a note or message; nothing is erased."),
        "rollback": Home("changing", "Undo an operation; what was built on it is withdrawn."),
        "quarantine": Home("changing", "Set a note or message aside: kept, but found by nobody."),
        "release": Home("changing", "Take back the quarantine of a note or message."),
    },
    "Erase": {
        "forget": Home(
            "erasing", "Erase all of a user, conversation, space, recommender or pool, for good."
        ),
        "compact": Home("erasing", "Overwrite what is left of erased memory in the file."),
        "verify-erasure": Home("erasing", "Look in the store's files for what was erased."),
    },
    "Share and move": {
        "grant": Home("sharing", "Let a user or an agent read a shared space, or write in it."),
        "revoke": Home("sharing", "Take from a user or an agent what it was granted."),
        "grants": Home("sharing", "List who may do what in a shared space."),
        "export": Home("moving", "Write all of one memory as text, to be imported elsewhere."),
        "backup": Home("moving", "Copy the whole store to a file, while others use it."),
    },
    "Look after": {
        "process": Home("upkeep", "Form memory from all that waits."),
        "stats": Home("upkeep", "Show how much there is, what waits, and what it took."),
        "check": Home("upkeep", "Check that all parts of the store agree."),
        "expire": Home("tidying", "Withdraw what was last said before a moment."),
        "merge": Home("tidying", "Make one note of those that say the same."),
        "sweep": Home("tidying", "Put what nothing links to beside its kin of other times."),
        "reencode": Home("upkeep", "Make all vectors anew, with another encoder."),
    },
    "More": {
        "eval": Home("evaluating", "Measure recall, answers and recommendations on public data."),
        "completion": Home("completing", "Print the script that completes commands in a shell."),
    },
}


class Root(Safely, LazyGroup):
    """`lamina`: fails with one line, and imports a command only when it is called."""


root = Root(
    name="lamina",
    package=_PACKAGE,
    sections=_SECTIONS,
    help="Structured, evolving memory for agents that talk and agents that recommend.",
    epilog=(
        "Every command takes --db (default: LAMINA_DB, else memory.db) and --json."
        " Exit codes: 0 done, 1 failed, 2 wrong call, 130 interrupted."
    ),
)
click.version_option(__version__, prog_name="lamina")(root)
