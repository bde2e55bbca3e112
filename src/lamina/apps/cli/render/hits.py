"""What a search found."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from lamina.apps.cli.naming import short
from lamina.apps.cli.render.holding import standing
from lamina.apps.cli.render.table import dim, literal, table
from lamina.apps.cli.render.text import brief, days, folded
from lamina.model import Hit


def hits_table(hits: Sequence[Hit], *, explain: bool = False) -> Table:
    """Return hits in their order.

    The day is enough here, and the kind where not all are messages: the text needs the room.

    Args:
        hits: Best first.
        explain: Whether each signal's share stands under the text.
    """
    kinds = any(hit.kind != "message" for hit in hits)
    columns = ("#", "When", "Who", *(("Kind",) if kinds else ()), "Text", "Relevance", "Id")
    return table(columns, (_row(n, hit, kinds, explain) for n, hit in enumerate(hits, 1)))


def signals(hit: Hit) -> str:
    """Return the signals of a hit, greatest first, such as `dense 0.31, lexical 0.12`."""
    shares = sorted(hit.signals.items(), key=lambda share: -share[1])
    return ", ".join(f"{name} {share:.2f}" for name, share in shares if share)


def _row(number: int, hit: Hit, kinds: bool, explain: bool) -> Sequence[str | Text]:
    return (
        str(number),
        folded(days(hit.began_at, hit.said_at)),
        hit.speaker or "",
        *((hit.kind,) if kinds else ()),
        _text(hit, explain),
        f"{hit.relevance:.2f}",
        dim(short(hit.id)),
    )


def _text(hit: Hit, explain: bool) -> Text:
    text = literal(brief(hit.text))
    if told := "; ".join(standing(hit)):
        text.append_text(dim(f" ({told})"))
    for note in hit.kin:
        text.append_text(dim(f"\nbeside it, of other times: {brief(note.text)}"))
    if explain:
        text.append_text(dim(f"\n{signals(hit)}"))
        for entry in hit.event:
            if entry.text != hit.text:
                text.append_text(dim(f"\n{entry.kind}: {entry.text}"))
    return text
