"""What a data set is read into, sorted."""

from dataclasses import dataclass
from pathlib import Path

from lamina.formats.recommending import Fault, Layout, detect
from lamina.items import Interaction, Item


@dataclass
class Taken:
    layout: Layout
    items: list[Item]
    interactions: list[Interaction]
    faults: list[str]


def take(path: Path, layout: Layout | None = None) -> Taken:
    """Read all of a data set."""
    found = detect(path, layout)
    read = list(found.read())
    return Taken(
        found.layout,
        [each for each in read if isinstance(each, Item)],
        [each for each in read if isinstance(each, Interaction)],
        [str(each) for each in read if isinstance(each, Fault)],
    )


def write(folder: Path, name: str, *lines: str, encoding: str = "utf-8") -> Path:
    """Write a file of lines and return it."""
    path = folder / name
    path.write_bytes("".join(f"{line}\n" for line in lines).encode(encoding))
    return path
