"""The command line: argv into values, a call of the memory, and back."""

from __future__ import annotations

import gc
import sys
import warnings

COLLECT_AFTER = 200_000
"""New objects between looks for garbage: imports make many that never die, and going through them
time and again is a tenth of what a short command takes."""


def main() -> None:
    """Run `lamina` on the arguments of this process."""
    gc.set_threshold(COLLECT_AFTER)
    from lamina.apps.cli.root import root

    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # libraries warn their users, who are us, not those of ours
    root.main(prog_name="lamina")
