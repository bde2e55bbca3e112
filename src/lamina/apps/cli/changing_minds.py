"""What the demo shows of a change of mind: then and now, how it came about, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lamina.apps.cli.opening import opened
from lamina.apps.cli.options import Where
from lamina.apps.cli.render import entries
from lamina.apps.cli.render.table import bold, dim, literal
from lamina.model import Revision, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lamina.memory import Handle

SAID = (("2025-01-10", "I live in Paris."), ("2025-06-02", "I live in Rome now."))
BETWEEN = "2025-03-01"
QUESTION = "Where does Sam live?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed(Value):
    """What was answered when."""

    now: str
    then: str
    """As of a day between the two."""
    history: tuple[Revision, ...]
    """Of what gave way."""
    undone: str
    """After the second message was rolled back."""
    restored: str
    """After that was rolled back itself."""


def run() -> Changed:
    """Say two things in a store that is thrown away, ask, and take the second one back."""
    with opened(Where(db=":memory:")) as memory:
        sam = memory.user("Sam")
        added = [sam.add(text, timestamp=day, wait=True) for day, text in SAID]
        now, then = _answer(sam), _answer(sam, BETWEEN)
        gave_way = [note.id for note in sam.list(superseded=True) if note.superseded_by]
        history = tuple(each for id_ in gave_way for each in sam.history(id_))
        back = sam.rollback(added[-1].operation or "")
        undone = _answer(sam)
        sam.rollback(back.operation.id)
        return Changed(now=now, then=then, history=history, undone=undone, restored=_answer(sam))


def render(changed: Changed) -> Iterator[RenderableType]:
    """Tell it."""
    yield bold("A change of mind: what was known when, and undone")
    for day, text in SAID:
        yield literal(f"{day} Sam: {text}")
    yield dim(f"? {QUESTION}")
    for how, told in (
        ("now", changed.now),
        (f"as of {BETWEEN}", changed.then),
        ("the second message rolled back", changed.undone),
        ("and the rollback rolled back", changed.restored),
    ):
        yield literal(f"  {how}: {told}")
    yield entries.revisions_table(changed.history)


def _answer(sam: Handle, as_of: str | None = None) -> str:
    """Return the words of what answers the question best."""
    [best] = sam.search(QUESTION, top_k=1, kinds=("message",), as_of=as_of)
    return best.text
