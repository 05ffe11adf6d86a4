"""Every example in the documentation runs: docstrings of all modules, README.md, docs/*.md."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import mcrave

ROOT = Path(__file__).parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(module.name for module in pkgutil.walk_packages(mcrave.__path__, "mcrave."))
PAGES = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if path.exists()]


def compiled_too(module) -> list[doctest.DocTest]:
    """The tests of a module; those of compiled and dispatched kernels, which doctest passes over, included."""
    finder = doctest.DocTestFinder()
    found = {test.name: test for test in finder.find(module, module.__name__)}
    for name, value in vars(module).items():
        function = getattr(value, "py_func", value)
        if getattr(function, "__module__", None) == module.__name__ and getattr(function, "__doc__", None):
            for test in finder.find(function, f"{module.__name__}.{name}", module, vars(module)):
                found.setdefault(test.name, test)
    return [test for test in found.values() if test.examples]


@pytest.mark.parametrize("name", ["mcrave", *MODULES])
def test_docstrings(name):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("mcrave"):
            raise
        pytest.skip(f"needs {error.name}")
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    said: list[str] = []
    for test in compiled_too(module):
        runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page):
    said: list[str] = []
    parser = doctest.DocTestParser()
    test = parser.get_doctest(page.read_text(), {"__name__": "__main__"}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_examples_of_kernels_are_found():
    from mcrave.games import base
    from mcrave.kernel import bits

    assert "mcrave.kernel.bits.nth" in {test.name for test in compiled_too(bits)}
    assert "mcrave.games.base.Game" in {test.name for test in compiled_too(base)}
