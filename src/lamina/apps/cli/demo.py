"""`lamina demo`: a conversation over months and a small catalogue, before your eyes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from lamina.apps.cli.options import Where
from lamina.apps.cli.output import answer

if TYPE_CHECKING:
    from rich.console import RenderableType

OWN = Path(__file__).with_name("demo.json")
"""Invented, in LoCoMo's schema, with a topic beside its questions."""


@click.command("demo")
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=OWN,
    help="A LoCoMo file to show instead of the invented conversation.",
)
@click.option(
    "--conversation", metavar="ID", help="Which conversation of FILE. Default: the first."
)
@click.option("--db", metavar="PATH", help="Keep it in this store. Default: a temporary one.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
def demo_command(file: Path, conversation: str | None, db: str | None, as_json: bool) -> None:
    """See a conversation remembered, and things recommended, with no key and no network.

    The conversation is imported into a store that is thrown away, or into --db to go on with.
    """
    from lamina.apps.cli import changing_minds, rec_sharing, rec_showing, showing

    with _place(Where(db=db, as_json=as_json)) as place:
        shown = showing.run(place, showing.script(file, conversation))
    changed = changing_minds.run()
    recommended, shared = rec_showing.run(), rec_sharing.run()

    def render() -> Iterable[RenderableType]:
        yield from showing.render(shown)
        yield from changing_minds.render(changed)
        yield from rec_showing.render(recommended)
        yield from rec_sharing.render(shared)
        yield from showing.further(shown, db)

    told = {
        **shown.to_dict(),
        "changed": changed.to_dict(),
        "recommended": recommended.to_dict(),
        "shared": shared.to_dict(),
    }
    answer(as_json, told, render)


@contextmanager
def _place(where: Where) -> Iterator[Where]:
    if where.db is not None:
        yield where
        return
    with TemporaryDirectory(prefix="lamina-demo-") as folder:
        yield replace(where, db=str(Path(folder) / "memory.db"))
