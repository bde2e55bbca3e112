"""Taking one part into a pool: what it is near to, and what both gates make of that."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lamina.ports import Failure
from lamina.strategies.amem4rec.config import AMEM4RecConfig, Taus
from lamina.strategies.amem4rec.decision import Action, decide, narrowed
from lamina.strategies.amem4rec.leaks import leaked_anew
from lamina.strategies.amem4rec.merging import merge, weight
from lamina.strategies.amem4rec.patterns import Patterns
from lamina.strategies.amem4rec.stages import (
    LASTING,
    Abstraction,
    Candidate,
    Forming,
    Judging,
    Linked,
)

SIMILAR = "says much the same"
"""Why what the gate of meaning was not asked about is linked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One window of one user in general terms, to be taken in."""

    id: str
    user: str
    said: Abstraction
    names: tuple[str, ...] = ()
    """What nothing that is shared may say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formed:
    """What is to be done with a part."""

    action: Action
    """By similarity alone."""
    stores: bool
    """Whether it becomes a pattern of its own, linked with those of `linked`."""
    linked: tuple[Linked, ...] = ()
    """Patterns that both gates found it to belong to, most similar first."""
    evolves: bool = True
    """Whether the linked take it in, each with its merged text and counted; else they are only
    linked with the new pattern."""
    near: tuple[tuple[str, float], ...] = ()
    """Ids and cosines of what was retrieved, most similar first."""
    refused: int = 0
    """How many passed the gate of similarity and are not linked."""
    failure: Failure | None = None
    """Why it is not known yet; then nothing is to be done, and the part waits."""


def form(
    part: Part,
    vector: NDArray[np.float32],
    patterns: Patterns,
    stages: Forming,
    config: AMEM4RecConfig,
    taus: Taus,
    exclude: Collection[str] = (),
) -> Formed:
    """Return what is to be done with a part; nothing is changed.

    Without the gate of similarity all that is retrieved is a candidate. Without the gate of meaning
    no model is asked: all candidates are linked, with what both say. Where patterns do not evolve,
    links are made, nothing is revised, and the part is always stored. "update" of which nothing
    agrees stores: nothing is lost.

    The method stores a part of "update and store" whatever it says. Here it is not stored where a
    pattern that takes it in says the very same, before or after: it would be its twin word for
    word.

    Args:
        part: The new one.
        vector: Of what it says, shape (dim,), unit length.
        patterns: What is there.
        stages: What judges and merges.
        config: How the method works.
        taus: The thresholds, as they are for an empty pool.
        exclude: Ids of patterns that this part supports already.
    """
    now = narrowed(taus, len(patterns)) if config.narrows else taus
    near = tuple(patterns.nearest(vector, config.k, exclude))
    action = decide([cosine for _, cosine in near], now, config)
    if action == "store":
        return Formed(action=action, stores=True, evolves=config.evolves, near=near)
    passed = [pair for pair in near if not config.similarity_gate or pair[1] >= now.low]
    candidates = _candidates(passed, patterns, config)
    linked = _linked(part, candidates, stages, config)
    if isinstance(linked, Failure):
        return Formed(action=action, stores=False, near=near, failure=linked)
    repeats = _repeats(part, candidates, linked)
    return Formed(
        action=action,
        stores=not config.evolves or not linked or (action != "update" and not repeats),
        linked=linked,
        evolves=config.evolves,
        near=near,
        refused=len(candidates) - len(linked),
    )


def _candidates(
    passed: list[tuple[str, float]], patterns: Patterns, config: AMEM4RecConfig
) -> tuple[Candidate, ...]:
    standing = patterns.standing([id_ for id_, _ in passed])
    return tuple(
        Candidate(
            pattern=each,
            similarity=cosine,
            weight=weight(each.evolution_count, config) if config.evolves else 0.0,
        )
        for each, (_, cosine) in zip(standing, passed, strict=True)
    )


def _linked(
    part: Part, candidates: tuple[Candidate, ...], stages: Forming, config: AMEM4RecConfig
) -> tuple[Linked, ...] | Failure:
    """Return which candidates the part belongs to, in their order, each once.

    None, where asking again later would not mend a failure: the part is stored, as if nothing
    agreed.
    """
    if not config.semantic_gate:
        return tuple(_merged(part, each) for each in candidates)
    judged = stages.judge(Judging(new=part.said, candidates=candidates, names=part.names))
    if isinstance(judged, Failure):
        return () if judged.reason in LASTING else judged
    agreed: Mapping[str, Linked] = {each.id: each for each in reversed(judged)}
    found = (_admitted(part, each, agreed.get(each.pattern.id)) for each in candidates)
    return tuple(each for each in found if each is not None)


def _repeats(part: Part, candidates: tuple[Candidate, ...], linked: tuple[Linked, ...]) -> bool:
    """Whether a pattern that takes a part in says just what the part says; keywords aside."""
    before = {each.pattern.id: each.pattern.said for each in candidates}
    says = (said for each in linked for said in (before[each.id], each.merged) if said)
    return any(said.shown == part.said.shown for said in says)


def _merged(part: Part, candidate: Candidate) -> Linked:
    old = candidate.pattern
    said = merge(old.said, part.said, candidate.weight) if candidate.weight else None
    proposed = Linked(id=old.id, reason=SIMILAR, merged=said)
    return _admitted(part, candidate, proposed) or replace(proposed, merged=None)


def _admitted(part: Part, candidate: Candidate, linked: Linked | None) -> Linked | None:
    """Return a link as it counts; none whose words tell a name that neither of the two told.

    Settled words stay, and so do those that the merged text only repeats.
    """
    if linked is None or linked.merged is None:
        return linked
    old, said = candidate.pattern.said.words, linked.merged.words
    if not candidate.weight or said == old:
        return replace(linked, merged=None)
    before = "\n".join((*old, *part.said.words))
    return None if leaked_anew("\n".join(said), before, part.names) else linked
