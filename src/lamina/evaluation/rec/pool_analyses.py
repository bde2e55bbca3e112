"""All that is asked of pools beside how good rankings are: variants, orders, contamination."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lamina.evaluation.progress import Told, nobody
from lamina.evaluation.rec import canaries, pool_variants
from lamina.evaluation.rec.pool_variants import ablations, of_users, orders, sensitivity
from lamina.evaluation.rec.pools import Making
from lamina.evaluation.rec.remembering import Remembered
from lamina.evaluation.rec.runs import Plan
from lamina.evaluation.rec.scoring import lesson
from lamina.evaluation.rec.sharing import LEAST
from lamina.evaluation.rec.splits import leave_last_out


def run(
    making: Making,
    remembered: Remembered,
    plan: Plan,
    *,
    groups: Mapping[str, frozenset[str]],
    told: Told = nobody,
) -> dict[str, Any]:
    """Return what was found, JSON-ready.

    Args:
        making: How pools are made, of the log of those who are asked about.
        remembered: Memory of all.
        plan: What is run.
        groups: Users, by name, whose questions are reported apart as well.
        told: Told how far it has come.
    """
    grounds = of_users(making, remembered.graph, remembered.catalogue)
    taus = making.config.taus(making.encoder.space.id)
    variants = (*ablations(), *sensitivity(taus), *orders())
    found = pool_variants.run(grounds, plan, variants, groups=groups, told=told)
    told("contamination", 0, 1)
    every = lesson(making.log, leave_last_out(making.log, seed=plan.seed).test[0], plan.seed)
    return {
        "users": len(making.log.users),
        "taus": list(taus),
        "variants": found,
        "orders": pool_variants.spread(found),
        "least": LEAST,
        "contamination": [one.to_dict() for one in canaries.contamination(making, every)],
    }
