"""The command line: argv into values, a call of the memory, and back."""

from __future__ import annotations


def main() -> None:
    """Run `lamina` on the arguments of this process."""
    from lamina.apps.cli.root import root

    root.main(prog_name="lamina")
