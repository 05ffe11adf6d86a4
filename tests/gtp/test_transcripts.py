"""Stored dialogues for every command, compared exactly.

A line that begins with `> ` is what the engine is told, the lines below it are what it answers. After a change that is
meant, `python -m tests.gtp.test_transcripts` writes the answers anew; read the difference.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mcrave.gtp import Session
from mcrave.gtp.registry import commands
from tests.gtp.dialogue import QUICK, ask

HOME = Path(__file__).parent / "transcripts"
FILES = sorted(HOME.glob("*.gtp"))
SIGN = "> "
VARYING = {"version": r"(?<== )\S+", "cputime": r"(?<== )[0-9.]+"}


def requests(text: str) -> list[str]:
    return [line.removeprefix(SIGN) for line in text.splitlines() if line.startswith(SIGN)]


def played(lines: list[str], folder: Path) -> str:
    """The dialogue with the engine's answers; `HOME` is the folder of the transcripts, `TMP` an empty one."""
    session = Session(QUICK)
    parts = []
    for line in lines:
        (reply,) = ask(session, line.replace("HOME", str(HOME)).replace("TMP", str(folder)))
        reply = reply.replace(str(HOME), "HOME").replace(str(folder), "TMP")
        if line in VARYING:
            reply = re.sub(VARYING[line], "VARYING", reply)
        parts.append(f"{SIGN}{line}\n{reply}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path) -> None:
    text = path.read_text()
    assert played(requests(text), tmp_path) == text


def test_every_command_has_a_transcript() -> None:
    said = {line.split()[0] for path in FILES for line in requests(path.read_text())}
    assert set(commands()) - said == set()


if __name__ == "__main__":
    import tempfile

    for path in FILES:
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(played(requests(path.read_text()), Path(folder)))
