"""What an instruction asks of items: "in the north", "not horror", "under 20", 便宜.

Words are those of the items' own categories, tags and attributes; see `lamina.ranking.bounds` for
numbers. What no item tells of is no constraint. An item that does not tell is not held against.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lamina.ranking.bounds import KIN, Bound, bounds
from lamina.ranking.vocabulary import CATEGORY, TAG, Vocabulary
from lamina.ranking.wording import Said, folded

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
    ("sci-fi", "sci fi", "scifi", "science fiction", "科幻"),
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
        """Return how well each item stands, shape (c,): how many it keeps, less k for each broken.

        So what breaks fewest stands highest, and of equals what keeps most.
        """
        kept = (self.stands > 0).sum(axis=0)
        return np.asarray(kept - len(self.said) * self.broken, dtype=np.float64)

    def told(self, place: int, stand: int) -> tuple[str, ...]:
        """Return the constraints to which an item stands so: 1 it keeps them, -1 it breaks them."""
        rows = zip(self.said, self.stands[:, place], strict=True)
        return tuple(said for said, each in rows if each == stand)


def kept(instruction: str, vocabulary: Vocabulary, candidates: Sequence[int]) -> Kept:
    """Return how some items stand to an instruction.

    Args:
        instruction: In English or Chinese.
        vocabulary: What all items say, which tells what words and numbers mean.
        candidates: The items' places.
    """
    found: list[Found] = []
    if instruction.strip():
        found += _numbers(instruction, vocabulary, candidates)
        found += _words(Said(instruction), vocabulary, candidates)
    told = [(said, stands) for said, stands in found if stands.any()]
    return Kept(
        said=tuple(said for said, _ in told),
        stands=np.array([s for _, s in told], dtype=np.int8).reshape(len(told), len(candidates)),
    )


Found = tuple[str, NDArray[np.int8]]


def _numbers(
    instruction: str, vocabulary: Vocabulary, candidates: Sequence[int]
) -> Iterator[Found]:
    for bound in bounds(folded(instruction)):
        name = _meant(bound, vocabulary)
        if name is not None:
            values = [vocabulary.numbers[name][at] for at in candidates]
            stands = [0 if value is None else 1 if bound.keeps(value) else -1 for value in values]
            yield f"{name}: {bound.said}", np.array(stands, dtype=np.int8)


def _meant(bound: Bound, vocabulary: Vocabulary) -> str | None:
    """Return the attribute that a range speaks of: by its kind, else the only one it can be."""
    numbers, years = vocabulary.numbers, vocabulary.years
    if bound.kind:
        kin = _of_kind(bound.kind, vocabulary)
        if kin or bound.kind != "year":
            return kin
        return next((name for name in numbers if name in years), None)
    rest = [name for name in numbers if name not in years]
    return _of_kind("price", vocabulary) or (rest[0] if len(rest) == 1 else None)


def _of_kind(kind: str, vocabulary: Vocabulary) -> str | None:
    found = (name for name in vocabulary.numbers if any(k in folded(name) for k in KIN[kind]))
    return next(found, None)


def _words(said: Said, vocabulary: Vocabulary, candidates: Sequence[int]) -> list[Found]:
    asked: dict[str, dict[str, bool]] = {}
    for field, value in vocabulary.spoken_of(said, SAME):
        if (wanted := _said(said, value)) is not None:
            asked.setdefault(field, {})[value] = wanted
    told = [vocabulary.told[at] for at in candidates]
    found: list[Found] = []
    for field, values in asked.items():
        found += _stand(field, values, told, said.either)
    return found + _priced(said, vocabulary, candidates)


def _said(said: Said, value: str) -> bool | None:
    """Whether a value is asked for (True), refused (False), or not spoken of."""
    names = next((same for same in SAME if value in same), (value,))
    heard = [found for name in names if (found := said.of(name)) is not None]
    return None if not heard else all(heard)


def _stand(
    field: str,
    asked: Mapping[str, bool],
    told: Sequence[Mapping[str, tuple[str, ...]]],
    either: bool,
) -> Iterator[Found]:
    """Yield a constraint for all that is wanted of one field or, of categories, for each."""
    wanted = sorted(value for value, want in asked.items() if want)
    apart = field in (CATEGORY, TAG) and not either
    groups = [{value} for value in wanted] if apart else [set(wanted)] if wanted else []
    lacking = 0 if field == TAG else -1
    for group in groups:
        stands = [
            0 if field not in each else 1 if group & set(each[field]) else lacking for each in told
        ]
        yield f"{field}: {' or '.join(sorted(group))}", np.array(stands, dtype=np.int8)
    for value in sorted(value for value, want in asked.items() if not want):
        stands = [0 if field not in each else -1 if value in each[field] else 1 for each in told]
        yield f"{field}: not {value}", np.array(stands, dtype=np.int8)


def _priced(said: Said, vocabulary: Vocabulary, candidates: Sequence[int]) -> list[Found]:
    """Return "cheap" and "expensive" where no item says so in words, but prices are numbers."""
    name = _of_kind("price", vocabulary)
    found: list[Found] = []
    for word, low in PRICED.items():
        same = next(each for each in SAME if word in each)
        asked = _said(said, word)
        if asked is None or name is None or vocabulary.says(same):
            continue
        every = np.array([np.nan if v is None else v for v in vocabulary.numbers[name]])
        edge = np.nanquantile(every, 1 / 3 if low else 2 / 3)
        values = every[list(candidates)]
        keeps = (values <= edge if low else values >= edge) == asked
        stands = np.where(np.isnan(values), 0, np.where(keeps, 1, -1)).astype(np.int8)
        found.append((f"{name}: {'' if asked else 'not '}{word}", stands))
    return found
