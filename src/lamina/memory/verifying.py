"""Looking for what was erased, in the bytes of the store's files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

from lamina.identity import message_ids
from lamina.memory import write
from lamina.memory.write import Given
from lamina.model import Scope, Value
from lamina.recall.analysis import terms
from lamina.work import indexing
from lamina.work.engine import Engine

PIECE, MOST_PIECES = 256, 16
"""Bytes of a long text or vector that are looked for at a time, and how many such pieces, spread
over it: a store may keep what is long in several places."""
SHORTEST = 4
"""Bytes of a term or name that is looked for: shorter ones occur by chance."""

Sort = Literal["text", "term", "vector", "id", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Value):
    """Something of what was asked for that is in the store's files."""

    sort: Sort
    """`text`: the words whole, also as JSON writes them; `term`: one word as it is indexed;
    `vector`: the numbers that stand for the text; `id`: of the message; `name`: of its owner."""
    of: str
    """The word, text or name itself."""
    occurrences: int
    used_by_others: bool
    """Whether somebody who is not erased has it too, or the store itself, so that it may be
    theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification(Value):
    """What is left of what was to be erased."""

    clean: bool
    """Whether nothing was found but what others use as well."""
    findings: tuple[Finding, ...]
    looked_for: int
    """Byte strings; what is long is looked for in pieces."""
    unpurged: int
    """Erasures whose bytes have not been purged yet: `compact` does so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Needle:
    sort: Sort
    of: str
    data: bytes


def verify(engine: Engine, given: Given | Sequence[Given], scope: Scope | None) -> Verification:
    """Look for texts, and for what is derived from them, in the bytes of the store's files.

    Args:
        engine: Whose store it is.
        given: Texts, or messages as they were given to `add`: of one with a time or a key the id
            is looked for too, if the scope is named.
        scope: Whose they were; its name is looked for too.

    Raises:
        BadInput: There is nothing to look for, or a message is none.
    """
    needles = _needles(engine, given, scope)
    counts = engine.store.occurrences([needle.data for needle in needles])
    found = {needle: count for needle, count in zip(needles, counts, strict=True) if count}
    findings = _findings(found, _used(engine, list(found), scope))
    return Verification(
        clean=all(finding.used_by_others for finding in findings),
        findings=findings,
        looked_for=len(needles),
        unpurged=engine.store.counts().get("unpurged", 0),
    )


def _findings(found: Mapping[_Needle, int], used: set[_Needle]) -> tuple[Finding, ...]:
    """Return what was found, a text's pieces together."""
    whole: dict[tuple[Sort, str], list[_Needle]] = {}
    for needle in found:
        whole.setdefault((needle.sort, needle.of), []).append(needle)
    return tuple(
        Finding(
            sort=sort,
            of=of,
            occurrences=sum(found[piece] for piece in pieces),
            used_by_others=used.issuperset(pieces),
        )
        for (sort, of), pieces in whole.items()
    )


def _needles(engine: Engine, given: Given | Sequence[Given], scope: Scope | None) -> list[_Needle]:
    """Return what to look for, each once."""
    drafts = write.read(given, _defaults(engine, scope))
    needles: list[_Needle] = []
    for draft in drafts:
        needles += _written("text", draft.text)
        needles += _terms(draft.text)
        shown = [draft.text, indexing.turn(draft).shown]
        vectors = engine.encoder.encode(shown).astype("<f4")
        needles += [n for row in vectors for n in _pieces("vector", draft.text, row.tobytes())]
    if scope is not None:
        timed = [draft for draft in drafts if draft.timed or draft.key is not None]
        ids = message_ids(scope, timed)
        needles += [n for id_ in ids for n in _pieces("id", id_, id_.encode())]
        needles += [n for n in _written("name", scope.id) if len(n.data) >= SHORTEST]
    return list(dict.fromkeys(needles))


def _defaults(engine: Engine, scope: Scope | None) -> write.Defaults:
    return write.Defaults(
        scope=scope or Scope("", "user", "user"),
        session="default",
        timestamp=None,
        key=None,
        infer=True,
        now=engine.clock.now(),
    )


def _written(sort: Sort, text: str) -> Iterator[_Needle]:
    """Yield a text as it is stored, and as it stands in JSON."""
    yield from _pieces(sort, text, _bytes(text))
    yield from _pieces(sort, text, json.dumps(text)[1:-1].encode())


def _terms(text: str) -> Iterator[_Needle]:
    for term in dict.fromkeys(terms(text)):
        if len(_bytes(term)) >= SHORTEST:
            yield from _pieces("term", term, _bytes(term))


def _pieces(sort: Sort, of: str, data: bytes) -> Iterator[_Needle]:
    """Yield bytes whole if they are few, else pieces that are spread over them."""
    starts = range(0, max(1, len(data) - PIECE + 1), PIECE)
    for start in starts[:: -(-len(starts) // MOST_PIECES)]:
        yield _Needle(sort=sort, of=of, data=data[start : start + PIECE])


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _used(engine: Engine, found: Sequence[_Needle], erased: Scope | None) -> set[_Needle]:
    """Return those that the store has of itself, or of others than who was to be erased."""
    wanted = [needle for needle in found if needle.sort in ("text", "term", "name")]
    own = _bytes("\n".join(engine.store.own_words())) if wanted else b""
    used = {needle for needle in wanted if needle.data in own}
    for scope in engine.store.scopes() if wanted else ():
        if scope == erased:
            continue
        held = engine.store.dump(scope)
        words = "\x00".join(_strings((scope, held)))
        texts = [*(m.text for m in held.messages), *(n.text for n in held.revisions)]
        indexed = {term for text in texts for term in terms(text)}
        used |= {n for n in wanted if n.data in _bytes(words) or n.of in indexed}
    return used


def _strings(value: Any) -> Iterator[str]:
    """Yield every text that a value holds, however deep."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for each in fields(value):
            yield from _strings(getattr(value, each.name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for item in value:
            yield from _strings(item)
