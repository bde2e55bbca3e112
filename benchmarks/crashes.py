"""Fifty kills at random moments of adds, extractions, consolidations, rollbacks and erasures."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.acceptance.killing import Killer

KILLS = int(os.environ.get("KILLS", "50"))


def main() -> None:
    """Kill, finish the work that is left, and tell what was under way and what is to be zero."""
    with tempfile.TemporaryDirectory() as folder:
        killer = Killer(Path(folder) / "memory.db", seed=KILLS)
        for number in range(KILLS):
            killer.kill(number)
        killer.finish()
    toll = killer.toll
    print(f"kills: {KILLS}; calls acknowledged: {toll.acknowledged}; model calls: {toll.asked}")
    for what, often in toll.killed_during.most_common():
        print(f"  killed during {what:12}{often:6}")
    print(f"acknowledged but lost, or half done: {len(toll.lost)} (target 0) {toll.lost[:3]}")
    print(f"inconsistencies: {len(toll.inconsistent)} (target 0) {toll.inconsistent[:3]}")
    print(f"model replies paid twice: {toll.paid_twice} (target 0)")


if __name__ == "__main__":
    main()
