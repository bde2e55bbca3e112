"""Why an item is ranked where it is, in a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "alike": "like what the user did lately",
        "alike_last": "like what the user did last",
        "words": "shares words with the user's latest items",
        "words_last": "shares words with the user's last item",
        "words_liked": "shares words with what the user liked",
        "kinds": "in categories that the user chose lately",
        "numbers": "close to the user's latest items in numbers such as the year",
        "together": "chosen by others who chose the user's latest items",
        "neighbours": "chosen by others whose history is like the user's",
        "near": "chosen by others about when they chose the user's latest items",
        "following": "chosen by others soon after the user's latest items",
        "season": "chosen by others about then",
        "in_season": "chosen about then rather than at other times",
        "esteem": "rated higher than most",
        "popularity": "chosen by others",
        "linked": "linked with the user's notes",
        "asked_for": "close in meaning to what is asked for",
        "asked_words": "has words of what is asked for",
        "chat": "close to what the user said in conversation",
        "shared_kinds": "in the categories of what users like this one do",
        "shared_moves": "in the categories that such users move to",
        "shared_meaning": "close in meaning to what users like this one do",
        "members": "chosen by those who share the user's patterns and items",
        "members_next": "chosen by others right after they did as the user did",
    }
)
"""Each signal of a ranking in words, where it speaks for an item; constraints are told by their own
names."""
BY_MANY: Mapping[str, str] = MappingProxyType(
    {
        "shared_kinds": "in the categories of what many users share",
        "shared_moves": "in the categories that many users move to",
        "shared_meaning": "close in meaning to what many users share",
        "members_next": "chosen by others right after they did what many users share",
    }
)
"""The same where patterns were not looked up by what the user did, of which nothing is known."""
MOST_REASONS = 3
"""Told of one item."""


def reason(
    signals: Mapping[str, float],
    keeps: Sequence[str] = (),
    breaks: Sequence[str] = (),
    *,
    by_many: bool = False,
) -> str:
    """Return which constraints an item keeps and breaks, and what speaks for it most, in words.

    Args:
        signals: What each adds to the score, the greatest first.
        keeps: Constraints.
        breaks: Constraints.
        by_many: Whether patterns speak by what many do alone, not by what the user did.
    """
    words = {**REASONS, **BY_MANY} if by_many else REASONS
    asked = [
        f"{what} {', '.join(told)}" for what, told in (("keeps", keeps), ("breaks", breaks)) if told
    ]
    said = [words[name] for name, share in signals.items() if share > 0 and name in words]
    return "; ".join([*asked, *said[:MOST_REASONS]])
