"""Taking times and telling them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import numpy as np


def timed(action: Callable[[], object]) -> float:
    """Return how many milliseconds `action` takes."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def table(rows: Iterable[tuple[str, list[float]]]) -> dict[str, float]:
    """Print p50 and p95 of each row of milliseconds; return the p50 of each."""
    medians = {}
    print(f"{'':44}{'p50 ms':>10}{'p95 ms':>10}{'n':>8}")
    for name, times in rows:
        p50, p95 = np.percentile(times, [50, 95])
        medians[name] = float(p50)
        print(f"{name:44}{p50:10.3f}{p95:10.3f}{len(times):8}")
    return medians


def verdict(what: str, value: float, target: str) -> None:
    """Print a ratio beside what is aimed at."""
    print(f"{what}: {value:.2f} (target {target})")


def quartiles(values: Iterable[float]) -> str:
    """Return the least, the quartiles and the greatest of some values, for people."""
    told = np.percentile(list(values) or [0], [0, 25, 50, 75, 100])
    return " / ".join(f"{value:.0f}" for value in told)
