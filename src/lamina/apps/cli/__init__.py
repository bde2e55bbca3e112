"""The command line: argv into values, a call of the memory, and back."""

from __future__ import annotations

import sys
import warnings


def main() -> None:
    """Run `lamina` on the arguments of this process."""
    from lamina.apps.cli.root import root

    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # libraries warn their users, who are us, not those of ours
    root.main(prog_name="lamina")
