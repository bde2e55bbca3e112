"""The rules that the house keeps, held by machine."""

import ast
import importlib
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lamina

ROOT = Path(__file__).parents[1]
SOURCE = sorted((ROOT / "src" / "lamina").rglob("*.py"))
HEAVY = ("numpy", "onnxruntime", "tokenizers", "pydantic", "pydantic_ai", "rich")


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function of a file and how many lines it has without its docstring."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            yield f"{path}:{node.name}", (node.end_lineno or 0) - body[0].lineno + 1


def test_public_names_are_pinned_sorted_and_importable() -> None:
    assert sorted(lamina.__all__) == lamina.__all__
    assert all(getattr(lamina, name) is not None for name in lamina.__all__)


def test_importing_lamina_and_its_command_line_loads_nothing_heavy() -> None:
    code = f"import sys, lamina, lamina.apps.cli; print([m for m in {HEAVY} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"


def test_every_module_can_be_imported() -> None:
    for path in SOURCE:
        dotted = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        importlib.import_module(dotted.removesuffix(".__init__"))


def test_files_are_short() -> None:
    assert [p for p in SOURCE if len(p.read_text(encoding="utf-8").splitlines()) > 400] == []


def test_functions_are_small() -> None:
    lines = {name: length for path in SOURCE for name, length in functions(path)}

    assert [name for name, length in lines.items() if length > 60] == []
    assert statistics.median(lines.values()) <= 8
    assert statistics.quantiles(lines.values(), n=10)[-1] <= 30


def test_no_module_is_a_drawer_for_everything() -> None:
    drawers = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}

    assert [p for p in SOURCE if p.stem in drawers or p.stem.endswith(("_v2", "_v3"))] == []


def test_only_the_edges_catch_everything() -> None:
    """An adapter may, if it must, but then only to raise an error of ours from it."""
    edges = ("apps", "work/worker.py")
    catching = [
        str(path.relative_to(ROOT / "src" / "lamina"))
        for path in SOURCE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
        and not ("adapters" in path.parts and isinstance(node.body[-1], ast.Raise))
    ]

    assert [path for path in catching if not path.startswith(edges)] == []


def test_every_error_says_something_and_stands_in_the_tree() -> None:
    from lamina import errors

    classes = [c for c in vars(errors).values() if isinstance(c, type)]

    assert all(str(c()) for c in classes if issubclass(c, errors.LaminaError))
    assert [c.__name__ for c in classes if c.__name__ not in (errors.__doc__ or "")] == []


def test_every_error_is_raised_somewhere() -> None:
    """A documented error that nobody raises is a promise that is not kept."""
    from lamina import errors

    text = "\n".join(p.read_text(encoding="utf-8") for p in SOURCE if p.name != "errors.py")
    leaves = [
        c.__name__ for c in vars(errors).values() if isinstance(c, type) and not c.__subclasses__()
    ]

    assert [name for name in leaves if name not in text] == []
