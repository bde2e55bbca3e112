"""What the documents show is run."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUNNABLE = ("add", "search", "context", "list", "stats", "timeline", "check")


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_python_on_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    for code in blocks(page, "python"):
        exec(compile(code, str(page), "exec"), names)  # our own pages


def commands(page: Path) -> list[str]:
    shown = "".join(blocks(page, "console"))
    lines = [line.removeprefix("$ ") for line in shown.splitlines() if line.startswith("$ lamina ")]
    return [line for line in lines if line.split()[1] in RUNNABLE]


def test_the_commands_in_the_readme_run(tmp_path: Path) -> None:
    lamina = str(Path(sys.executable).with_name("lamina"))
    shown = commands(ROOT / "README.md")
    for line in shown:
        words = shlex.split(line, comments=True)
        ran = subprocess.run(
            [lamina, *words[1:]], cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ)
        )
        assert ran.returncode == 0, f"{line}: {ran.stderr}"

    assert len(shown) >= 2


def test_the_readme_and_ci_run_the_same_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert "make test" in readme
    assert "make check" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert re.search(r"^check:.*\n(\t.*\n)*\t.*MAKE.* test$", makefile, flags=re.MULTILINE)


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, *ROOT.glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_nothing_names_a_machine_or_its_tools() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\n")
    words = ["/" + "work/", "/" + "root/", "pypi" + ".org", "hugging" + "face.co"]
    for name in tracked:
        path = ROOT / name
        if name and path.suffix in {".py", ".md", ".toml", ".sql", ""} and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not [w for w in words if w in text], name


def test_the_pages_made_from_the_source_are_up_to_date() -> None:
    from scripts import reference

    stale = [
        path.name
        for path, text in reference.pages().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]

    assert stale == [], "run: python scripts/reference.py"
