"""Write the reference pages that are made from the source: settings, errors, the Python face.

Run it after a change of a setting, an error or a docstring: `python scripts/reference.py`.
A test fails while a page is out of date.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lamina
from lamina import errors, settings

PAGES = Path(__file__).parents[1] / "docs" / "reference"
MADE = "<!-- Made by scripts/reference.py; do not edit. -->"
FACE = ("open", "Memory", "Tenant", "Handle", "Recommender", "Pool")
VALUES = tuple(n for n in lamina.__all__ if n not in (*FACE, "LaminaError", "Settings"))


def settings_page() -> str:
    """Return the table of settings."""
    rows = [
        f"| `{s.variable}` | `{s.toml}` | {f'`{s.default}`' if s.default else ''} |"
        f" {s.description.replace('|', chr(92) + '|')} |"
        for s in settings.documented()
    ]
    return "\n".join(
        [
            f"{MADE}\n\n# Settings\n",
            "The environment goes before the file, the file before the defaults. The file is the",
            f"one that `{settings.CONFIG}` names, else `{settings.FILE}` in the current folder.",
            "Keys of providers are also read from their own variables: "
            + ", ".join(f"`{v}`" for names in settings.PROVIDER_KEYS.values() for v in names)
            + ". `LAMINA_DEBUG` shows tracebacks on the command line.\n",
            "| variable | key in the file | default | what it does |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def errors_page() -> str:
    """Return the error tree and what each error says by default."""
    classes = [c for c in vars(errors).values() if isinstance(c, type)]
    tree = (errors.__doc__ or "").partition("\n\n")[2].rstrip()
    rows = [f"| `{c.__name__}` | {inspect.getdoc(c)} |" for c in classes]
    return "\n".join(
        [
            f"{MADE}\n\n# Errors\n",
            "All are in `lamina.errors`. The command line prints them in one line and exits with",
            "2 for a wrong call (`BadInput`, `NotFound`) and with 1 for a failure.\n",
            f"```\n{tree}\n```\n",
            "| error | what it says |",
            "| --- | --- |",
            *rows,
            "",
        ]
    )


def python_page() -> str:
    """Return the face in Python: every public class, its verbs and their docstrings."""
    parts = [f"{MADE}\n\n# The Python face\n"]
    told: set[Any] = set()
    for name in FACE:
        thing = getattr(lamina, name)
        if inspect.isclass(thing):
            parts += [f"## {name}\n", f"{inspect.getdoc(thing)}\n", *_verbs(name, thing, told)]
        else:
            parts += [f"## lamina.{name}\n", *_verb(f"lamina.{name}", thing)]
    parts.append("## Values\n")
    for name in VALUES:
        parts += [f"### {name}\n", f"{inspect.getdoc(getattr(lamina, name))}\n", *_fields(name)]
    return "\n".join(parts)


def _verbs(name: str, thing: type, told: set[Any]) -> Iterator[str]:
    """Yield the verbs of a class, inherited ones too, but for those that were told already."""
    verbs = {verb: each for base in reversed(thing.__mro__) for verb, each in vars(base).items()}
    for verb, function in verbs.items():
        if inspect.isfunction(function) and not verb.startswith("_") and function not in told:
            told.add(function)
            yield from _verb(f"{name}.{verb}", function)


def _verb(title: str, function: Callable[..., Any]) -> Iterator[str]:
    signature = str(inspect.signature(function)).replace("self, ", "").replace("self", "")
    shown = signature.replace("'", "")
    yield f"### {title}\n\n```\n{title}{shown}\n```\n\n```text\n{inspect.getdoc(function)}\n```\n"


def _fields(name: str) -> Iterator[str]:
    thing = getattr(lamina, name)
    for field in getattr(thing, "__dataclass_fields__", {}).values():
        yield f"- `{field.name}`: `{field.type}`"
    yield ""


def pages() -> dict[Path, str]:
    """Return every page that is made here, by where it lies."""
    return {
        PAGES / "settings.md": settings_page(),
        PAGES / "errors.md": errors_page(),
        PAGES / "python.md": python_page(),
    }


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
