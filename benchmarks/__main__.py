"""Run every benchmark: `python -m benchmarks`; or some: `python -m benchmarks add search`."""

from __future__ import annotations

import importlib
import itertools
import sys

NAMES = ("add", "bulk", "search", "as_of", "cold_start")


def main() -> None:
    """Run the benchmarks that the command line names, all by default."""
    named = itertools.takewhile(lambda word: not word.startswith("-"), sys.argv[1:])
    for name in list(named) or NAMES:
        print(f"\n== {name}: {importlib.import_module(f'benchmarks.{name}').__doc__}")
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
