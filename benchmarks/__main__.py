"""Run every benchmark: `python -m benchmarks`; or some: `python -m benchmarks add search`."""

from __future__ import annotations

import importlib
import sys

NAMES = ("add", "bulk", "search", "as_of", "cold_start")


def main() -> None:
    """Run the benchmarks that the command line names, all by default."""
    for name in sys.argv[1:] or NAMES:
        print(f"\n== {name}: {importlib.import_module(f'benchmarks.{name}').__doc__}")
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
