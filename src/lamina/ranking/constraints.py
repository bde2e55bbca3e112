"""What an instruction asks of items: "in the north", "not horror", "under 20", 便宜.

Words are those of the items' own categories, tags and attributes; see `lamina.ranking.bounds` for
numbers. What no item tells of is no constraint. An item that does not tell is not held against.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lamina.items import Item
from lamina.ranking.bounds import KIN, YEARS, Bound, bounds
from lamina.ranking.wording import Said, folded

CATEGORY, TAG = "category", "tag"
SAME: tuple[tuple[str, ...], ...] = (
    ("cheap", "inexpensive", "budget", "affordable", "low", "便宜", "平价", "实惠"),
    ("expensive", "pricey", "luxury", "high", "昂贵", "高档", "贵"),
    ("moderate", "mid-range", "medium", "适中", "中等"),
    ("north", "northern", "北", "北部", "北边"),
    ("south", "southern", "南", "南部", "南边"),
    ("east", "eastern", "东", "东部", "东边"),
    ("west", "western", "西", "西部", "西边"),
    ("centre", "center", "central", "city centre", "市中心", "中心"),
    ("horror", "scary", "恐怖", "恐怖片"),
    ("comedy", "funny", "喜剧", "搞笑"),
    ("romance", "romantic", "爱情", "浪漫"),
    ("action", "动作"),
    ("drama", "剧情"),
    ("animation", "animated", "动画"),
    ("children", "kids", "儿童"),
    ("documentary", "纪录片"),
    ("war", "战争"),
    ("sci-fi", "science fiction", "科幻"),
    ("thriller", "惊悚"),
    ("crime", "犯罪"),
    ("fantasy", "奇幻"),
    ("mystery", "悬疑"),
    ("musical", "音乐剧", "歌舞"),
)  # fmt: skip
"""Words that say the same of an item, in English and Chinese."""
PRICED: Mapping[str, bool] = MappingProxyType({"cheap": True, "expensive": False})
"""Where prices are numbers: whether the lowest third is meant, or the highest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How items stand to what is asked for: k constraints, c items."""

    said: tuple[str, ...]
    """Shape (k,): each constraint, in the words of the instruction or of the items."""
    stands: NDArray[np.int8]
    """Shape (k, c): 1 keeps it, -1 breaks it, 0 does not tell."""

    @property
    def broken(self) -> NDArray[np.int64]:
        """Return how many constraints each item breaks, shape (c,)."""
        return np.asarray((self.stands < 0).sum(axis=0), dtype=np.int64)

    @property
    def fits(self) -> NDArray[np.float64]:
        """Return which share of the constraints each item keeps, shape (c,), in [0, 1]."""
        return np.asarray((self.stands > 0).sum(axis=0) / max(len(self.said), 1), dtype=np.float64)


def kept(instruction: str, items: Sequence[Item]) -> Kept:
    """Return how items stand to an instruction."""
    found = [] if not instruction.strip() else [*_numbers(instruction, items)]
    if instruction.strip():
        found += _words(Said(instruction), items)
    told = [(said, stands) for said, stands in found if stands.any()]
    return Kept(
        said=tuple(said for said, _ in told),
        stands=np.array([s for _, s in told], dtype=np.int8).reshape(len(told), len(items)),
    )


Found = tuple[str, NDArray[np.int8]]


def _numbers(instruction: str, items: Sequence[Item]) -> Iterator[Found]:
    numbers = _by_name(items)
    for bound in bounds(folded(instruction)):
        name = _meant(bound, numbers)
        if name is not None:
            stands = [
                0 if value is None else 1 if bound.keeps(value) else -1 for value in numbers[name]
            ]
            yield f"{name}: {bound.said}", np.array(stands, dtype=np.int8)


def _by_name(items: Sequence[Item]) -> dict[str, list[float | None]]:
    """Return the numbers that items tell, by the name of the attribute."""
    found: dict[str, list[float | None]] = {}
    for at, item in enumerate(items):
        for name, value in item.attributes.items():
            if (number := _number(value)) is not None:
                found.setdefault(name, [None] * len(items))[at] = number
    return found


def _number(value: Any) -> float | None:
    """Return what an attribute says as a number, if it does; of a date its year."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < float("inf") else None
    match = re.fullmatch(r"[$€£¥]?\s*(\d+(?:\.\d+)?)\s*\D*|(\d{4})-\d\d.*", value.strip())
    return None if match is None else float(match[1] or match[2])


def _meant(bound: Bound, numbers: Mapping[str, Sequence[float | None]]) -> str | None:
    """Return the attribute that a range speaks of: by its kind, else the only one it can be."""
    if bound.kind:
        kin = [name for name in numbers if any(k in folded(name) for k in KIN[bound.kind])]
        if kin or bound.kind != "year":
            return kin[0] if kin else None
        return next((name for name, values in numbers.items() if _years(values)), None)
    priced = [name for name in numbers if any(k in folded(name) for k in KIN["price"])]
    rest = [name for name, values in numbers.items() if not _years(values)]
    return priced[0] if priced else rest[0] if len(rest) == 1 else None


def _years(values: Iterable[float | None]) -> bool:
    told = [value for value in values if value is not None]
    return all(YEARS[0] <= value <= YEARS[1] for value in told)


def _words(said: Said, items: Sequence[Item]) -> list[Found]:
    told = [_told(item) for item in items]
    vocabulary: dict[str, set[str]] = {}
    for each in told:
        for field, values in each.items():
            vocabulary.setdefault(field, set()).update(values)
    found: list[Found] = []
    for field, every in vocabulary.items():
        wanted = {value for value in every if _said(said, value) is True}
        unwanted = {value for value in every if _said(said, value) is False}
        found += _stand(field, wanted, unwanted, told, said.either)
    return found + _priced(said, items, vocabulary)


def _told(item: Item) -> dict[str, tuple[str, ...]]:
    """Return what an item says in words, folded: its categories, tags, and attributes by name."""
    found = {
        name: tuple(folded(str(one)) for one in _texts(value))
        for name, value in item.attributes.items()
    }
    found = {name: values for name, values in found.items() if values}
    for field, values in ((CATEGORY, item.categories), (TAG, item.tags)):
        if values:
            found[field] = tuple(map(folded, values))
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str) and _number(value) is None:
        yield value
    elif isinstance(value, list | tuple):
        yield from (one for one in value if isinstance(one, str))


def _said(said: Said, value: str) -> bool | None:
    """Whether a value is asked for (True), refused (False), or not spoken of."""
    names = next((same for same in SAME if value in same), (value,))
    heard = [found for name in names if (found := said.of(name)) is not None]
    return None if not heard else all(heard)


def _stand(
    field: str,
    wanted: set[str],
    unwanted: set[str],
    told: Sequence[Mapping[str, tuple[str, ...]]],
    either: bool,
) -> Iterator[Found]:
    """Yield a constraint for all that is wanted of one field or, of categories, for each."""
    apart = field in (CATEGORY, TAG) and not either
    groups = [{value} for value in sorted(wanted)] if apart else [wanted] if wanted else []
    lacking = 0 if field == TAG else -1
    for group in groups:
        stands = [
            0 if field not in each else 1 if group & set(each[field]) else lacking for each in told
        ]
        yield f"{field}: {' or '.join(sorted(group))}", np.array(stands, dtype=np.int8)
    for value in sorted(unwanted):
        stands = [0 if field not in each else -1 if value in each[field] else 1 for each in told]
        yield f"{field}: not {value}", np.array(stands, dtype=np.int8)


def _priced(said: Said, items: Sequence[Item], vocabulary: Mapping[str, set[str]]) -> list[Found]:
    """Return "cheap" and "expensive" where no item says so in words, but prices are numbers."""
    words = {value for values in vocabulary.values() for value in values}
    numbers = _by_name(items)
    names = [name for name in numbers if any(k in folded(name) for k in KIN["price"])]
    found: list[Found] = []
    for word, low in PRICED.items():
        names_of = next(same for same in SAME if word in same)
        asked = _said(said, word)
        if asked is None or not names or words & set(names_of):
            continue
        values = np.array([np.nan if v is None else v for v in numbers[names[0]]])
        edge = np.nanquantile(values, 1 / 3 if low else 2 / 3)
        keeps = (values <= edge if low else values >= edge) == asked
        stands = np.where(np.isnan(values), 0, np.where(keeps, 1, -1)).astype(np.int8)
        found.append((f"{names[0]}: {'' if asked else 'not '}{word}", stands))
    return found
