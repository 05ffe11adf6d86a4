"""`mcrave doctor`: what is installed, compiled, reachable."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from mcrave.cli import _options
from mcrave.machine import usable_cores


class Finding(NamedTuple):
    """One line of the report."""

    name: str
    found: bool
    what: str
    """The version or place, or how to get it."""


PROGRAMS = {
    "gnugo": "plays against our Go in the tests: apt-get install gnugo",
    "chromium": "tests the web page: apt-get install chromium",
    "nvidia-smi": "a GPU plays thousands of games at once: needs an NVIDIA driver",
}
PACKAGES = {
    "pyspiel": ("open_spiel", "the other side of rule tests and benchmarks: pip install 'mcrave[peers]'"),
    "aiohttp": ("aiohttp", "the web page: pip install 'mcrave[web]'"),
    "ray": ("ray", "clusters: pip install 'mcrave[cluster]'"),
    "optuna": ("optuna", "mcrave tune: pip install 'mcrave[tune]'"),
    "numba_cuda": ("numba-cuda", "kernels on a GPU: pip install 'mcrave[gpu]'"),
}


def doctor(json: _options.Json = False, seed: _options.Seed = None) -> None:
    """Tell what is installed, what compiles, and how to get what is missing.

    Examples:
      mcrave doctor
      mcrave doctor --json
    """
    findings = [*_machine(), *_cache(), *_compiler(1 if seed is None else seed), *_optional()]
    if json:
        from json import dumps

        print(dumps({f.name: {"found": f.found, "what": f.what} for f in findings}, indent=2))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for finding in findings:
        if finding.found:
            table.add_row(Text("✓", "green"), finding.name, Text(finding.what))
        else:
            table.add_row(Text("–", "yellow"), finding.name, Text(f"missing; {finding.what}", "dim"))
    Console(highlight=False).print(table)


def _machine() -> list[Finding]:
    found = [
        Finding("mcrave", True, _version("mcrave") or "from source"),
        Finding("python", True, f"{platform.python_version()} at {sys.executable}"),
    ]
    found += [Finding(name, True, _version(name) or "?") for name in ("numpy", "numba", "llvmlite")]
    return [*found, Finding("processor", True, f"{_processor()}, {usable_cores()} of {os.cpu_count()} cores usable")]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _cache() -> list[Finding]:
    from mcrave.kernel import cache

    files = [path for path in cache.root().rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    writable = cache.folder().is_relative_to(cache.root())
    advice = f"{cache.root()} cannot be written, so every start compiles anew; set MCRAVE_CACHE_DIR"
    return [Finding("compiled code", writable, f"{cache.root()}, {size:.1f} MB" if writable else advice)]


def _compiler(seed: int) -> list[Finding]:
    import mcrave
    from mcrave.kernel.jit import INTERPRETED
    from mcrave.playouts import sample

    start = mcrave.game("mnk").start()
    sample(start, 1, seed)
    began = time.perf_counter()
    count = 100 if INTERPRETED else 20_000
    sample(start, count, seed)
    rate = count / (time.perf_counter() - began)
    how = "interpreted (NUMBA_DISABLE_JIT is set)" if INTERPRETED else "compiled"
    return [Finding("kernels", True, f"{how}: {rate:,.0f} random games of tic-tac-toe a second")]


def _optional() -> list[Finding]:
    found = []
    for program, advice in PROGRAMS.items():
        place = shutil.which(program) or shutil.which(program, path="/usr/games")
        found.append(Finding("gpu" if program == "nvidia-smi" else program, place is not None, place or advice))
    for module, (package, advice) in PACKAGES.items():
        there = find_spec(module) is not None
        found.append(Finding(package, there, (_version(package) or "installed") if there else advice))
    return found


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
