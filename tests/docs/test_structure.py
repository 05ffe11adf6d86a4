"""What must hold for all files of the project."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MOST_LINES = 500
HERE = re.compile(r"(?<![\w.])/(?:work|root|home)/")


def project_files() -> list[Path]:
    """All files that belong to the project: tracked, or not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0 or not listed.stdout:
        return [path for folder in ("src", "tests", "docs") for path in (ROOT / folder).rglob("*.py")]
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_file_is_short_and_documented(path):
    text = path.read_text()
    assert len(text.splitlines()) <= MOST_LINES
    assert ast.get_docstring(ast.parse(text)), "a module says in its docstring what it is for"


def test_no_paths_of_one_machine():
    found = []
    for path in project_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found += [f"{relative(path)}:{n}: {line}" for n, line in enumerate(text.splitlines(), 1) if HERE.search(line)]
    found = [line for line in found if "HERE = re.compile" not in line]
    assert not found, "\n".join(found)
