"""What was found of pools, as rows of tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Rows = list[Sequence[str]]
STOOD = ("patterns", "linked", "unlinked", "near_twins")
"""How a pool stands after a pass."""


def tables(found: Mapping[str, Any]) -> Iterator[Rows]:
    """Yield tables, each with a head."""
    for where, variants in found["variants"].items():
        yield list(_variants(where, variants))
    doubts = list(_doubts(next(iter(found["variants"].values()), {})))
    if len(doubts) > 1:
        yield doubts
    yield list(_orders(found["orders"]))
    yield list(_contamination(found))


def _variants(where: str, variants: Mapping[str, Mapping[str, Any]]) -> Iterator[Sequence[str]]:
    yield (
        f"pools, candidates: {where}", "H@1", "N@5", "n", "full better by, N@5",
        "pass", "patterns", "linked", "unlinked", "near twins",
    )  # fmt: skip
    for name, of in variants.items():
        lost = f"{of['lost']:+.3f} [{of['lost_low']:+.3f}, {of['lost_high']:+.3f}]"
        told = (f"{of['H@1']:.3f}", f"{of['N@5']:.3f}", f"{of['n']:.0f}", lost)
        for turn, each in enumerate(of["passes"], 1):
            shown = (name, *told) if turn == 1 else ("",) * 5
            yield (*shown, str(turn), *(_number(each[column]) for column in STOOD))


def _doubts(variants: Mapping[str, Mapping[str, Any]]) -> Iterator[Sequence[str]]:
    """Yield what speaks against the encoder; pools are the same for all candidates."""
    yield ("pools", "doubts")
    for name, of in variants.items():
        yield from ((name, each) for each in of.get("doubts", ()))


def _number(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _orders(orders: Mapping[str, Mapping[str, float]]) -> Iterator[Sequence[str]]:
    yield ("orders of users, N@5", "orders", "mean", "deviation", "least", "greatest")
    for where, of in orders.items():
        told = (f"{of[name]:.3f}" for name in ("mean", "deviation", "least", "greatest"))
        yield (where, f"{of['orders']:.0f}", *told)


def _contamination(found: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    yield (
        "done by so many alone", f"patterns of theirs (told from {found['least']} on)",
        "told to others", "to who does it, too", "patterns with words of theirs",
        "words told to others", "to who does it, too",
    )  # fmt: skip
    for one in found["contamination"]:
        yield (
            str(one["users"]), str(one["patterns"]), f"{one['others']:.1%}", f"{one['alike']:.1%}",
            str(one["words"]), f"{one['words_others']:.1%}", f"{one['words_alike']:.1%}",
        )  # fmt: skip
