"""Putting items in order for a user; see `Recommender.rank`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from lamina.errors import BadInput, NotFound, shown
from lamina.items import Fallback, Item, Method, Ranked, Ranking
from lamina.memory.lending import Facts
from lamina.memory.pooling.retrieving import LookedUp
from lamina.memory.recommending import judging, telling
from lamina.memory.recommending.grounds import Grounds, grounds
from lamina.memory.recommending.reasons import reason
from lamina.memory.write import identifier, name, whole
from lamina.model import At, Scope
from lamina.ranking import linked, order
from lamina.ranking.extractive import Scored, score
from lamina.ranking.weights import Kind
from lamina.work import keeping
from lamina.work.engine import Engine

TOLD = 100
"""Items, the first, that tell their evidence."""
NOTHING_YET = "nothing that many users share is known yet"
NOTHING_THEN = "nothing that many users share was known by then"
"""Why an item is where it is by patterns alone, where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a call to `rank` asks for."""

    user: str
    candidates: Sequence[str] | None = None
    instruction: str = ""
    top_k: int | None = None
    at: At | None = None
    explain: bool = False
    chat: Facts = ()
    """What the user lets serve here of their conversations."""
    kind: Kind | None = None
    """Which weights; `None`: `catalogue` for all items, `shortlist` for those that were given."""
    fallback: Fallback = "extractive"
    """How what a model left out is put in order."""
    method: Method = "lamina"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Explained:
    """How items are explained where this was asked for and that was looked up."""

    wanted: Wanted
    found: LookedUp

    def reason(
        self, signals: Mapping[str, float], keeps: tuple[str, ...], breaks: tuple[str, ...]
    ) -> str:
        """Return why an item is where it is; by patterns alone also that there are none."""
        said = reason(signals, keeps, breaks, by_many=self.found.by_many)
        if self.wanted.method != "amem4rec" or self.found.patterns:
            return said
        past = self.wanted.at is not None and self.wanted.at.as_of is not None
        nothing = NOTHING_THEN if past else NOTHING_YET
        return "; ".join(filter(None, (said, nothing)))


def item(engine: Engine, scope: Scope, id_: str, at: At | None) -> Item:
    """Return an item as it was described last, by then. Raises `NotFound`, `BadInput`."""
    found = engine.store.described(scope, [identifier(id_)], at=at)
    if id_ not in found:
        raise NotFound(f"no item here has the id {id_!r:.60}")
    return keeping.item(found[id_])


def rank(engine: Engine, scope: Scope, wanted: Wanted) -> Ranking:
    """Return all known candidates, best first; nothing is written, nothing waited for."""
    known = grounds(engine, scope, wanted.at)
    wanted = _checked(wanted)
    given = _given(known, wanted)
    places = [linked.places(known.graph).items[id_] for id_ in given.ids]
    found = known.looked_up(wanted.user, wanted.method)
    scored = _scored(known, wanted, places, found)
    best = scored.order(given.ids, wanted.user)
    by_id = dict(zip(given.ids, range(len(given.ids)), strict=True))
    judged = judging.judge(
        known,
        judging.Shortlist(
            user=wanted.user,
            instruction=wanted.instruction,
            given=given.ids,
            best=tuple(given.ids[at] for at in best),
            fallback=wanted.fallback,
            chat=wanted.chat,
            found=found,
            method=wanted.method,
        ),
    )
    explained = _Explained(wanted=wanted, found=found)
    kept = list(judged.ids) if judged else [given.ids[at] for at in best]
    kept.sort(key=lambda id_: int(scored.kept.broken[by_id[id_]]))
    told = kept if wanted.top_k is None else kept[: wanted.top_k]
    ranking = Ranking(
        user=wanted.user,
        items=tuple(
            _ranked(known, scored, by_id[id_], places[by_id[id_]], judged, explained)
            for id_ in told
        ),
        instruction=wanted.instruction,
        as_of=None if wanted.at is None else wanted.at.as_of,
        duplicates=given.duplicates,
        unknown=given.unknown,
        pending=known.pending,
        cold=scored.cold,
        patterns=found.patterns,
    )
    if judged:
        ranking = judged.told(ranking)
    return _with_evidence(known, wanted, ranking) if wanted.explain else ranking


def _checked(wanted: Wanted) -> Wanted:
    for what, given, known in (
        ("fallback", wanted.fallback, get_args(Fallback)),
        ("method", wanted.method, get_args(Method)),
    ):
        if given not in known:
            raise BadInput(f"{what} must be one of {', '.join(known)}, not {given!r:.40}")
    top_k = None if wanted.top_k is None else whole("top_k", wanted.top_k)
    instruction(wanted.instruction)
    return replace(wanted, user=name("the user's id", wanted.user), top_k=top_k)


def instruction(given: object) -> str:
    """Return what a user asks for, if it is a text. Raises `BadInput`."""
    if not isinstance(given, str):
        raise BadInput(f"an instruction is a text, not {shown(given)}; leave it out for none")
    return given


def _given(known: Grounds, wanted: Wanted) -> order.Given:
    """Return the candidates that are known by then, each once.

    Raises:
        BadInput: They are no list of ids.
    """
    ids, stand = known.graph.items, known.known
    if wanted.candidates is None:
        stand = stand.copy()
        stand[known.own(wanted.user)] = False
        return order.Given(
            ids=tuple(ids[at] for at in np.flatnonzero(stand).tolist()), duplicates=0, unknown=()
        )
    if isinstance(wanted.candidates, str | bytes):
        raise BadInput("candidates are a list of ids, not a text")
    asked = [identifier(id_) for id_ in wanted.candidates]
    places = linked.places(known.graph).items
    return order.given(asked, {id_: at for id_ in asked if _stands(stand, at := places.get(id_))})


def _stands(stand: NDArray[np.bool_], at: int | None) -> bool:
    """Whether an item is known, by its place."""
    return at is not None and bool(stand[at])


def _scored(known: Grounds, wanted: Wanted, places: Sequence[int], found: LookedUp) -> Scored:
    chat = np.stack([vector for _, vector in wanted.chat]) if wanted.chat else None
    asked = known.asked(wanted.user, places, wanted.instruction, chat)
    kind = wanted.kind or ("catalogue" if wanted.candidates is None else "shortlist")
    return score(
        asked,
        kind,
        instruction=wanted.instruction,
        patterns=found.told,
        alone=wanted.method == "amem4rec",
    )


def _ranked(
    known: Grounds,
    scored: Scored,
    at: int,
    place: int,
    judged: judging.Judged | None,
    explained: _Explained,
) -> Ranked:
    described = known.item(place)
    signals: Mapping[str, float] = scored.signals(at) if explained.wanted.explain else {}
    keeps, breaks = scored.kept.told(at, 1), scored.kept.told(at, -1)
    ranked = Ranked(
        item=described.id,
        title=described.title,
        score=float(scored.scores[at]),
        rationale=explained.reason(signals, keeps, breaks),
        signals=signals,
        keeps=keeps,
        breaks=breaks,
    )
    return judged.marked(ranked) if judged else ranked


def _with_evidence(known: Grounds, wanted: Wanted, ranking: Ranking) -> Ranking:
    """Return a ranking whose first items tell their evidence."""
    first = ranking.items[:TOLD]
    signals = {each.item: each.signals for each in first}
    found = telling.evidence(known, wanted.user, signals, wanted.chat, patterns=ranking.patterns)
    if wanted.method == "amem4rec":
        named = {pattern.id for pattern in ranking.patterns}
        found = {
            id_: tuple(each for each in told if each.id in named) for id_, told in found.items()
        }
    told = [replace(each, evidence=found[each.item]) for each in first]
    return replace(ranking, items=(*told, *ranking.items[TOLD:]))
