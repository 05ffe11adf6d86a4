"""`mcrave play` as the page's command: what it prints, and what it says to bad input."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request

import pytest

from mcrave.cli import run
from tests.web.serving import serving


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--terminal", "--port", "0"], "give either --terminal or options of the page"),
        (["--results", "no-such.db"], "there is no results file no-such.db"),
        (["--no-browser", "--game", "nonsense"], "unknown game 'nonsense'"),
        (["--no-browser", "--players", "human,nonsense"], "unknown player 'nonsense'"),
        (["--no-browser", "--game", "mnk", "--moves", "z9"], "illegal move 'z9'"),
        (["--port", "99999"], "65535"),
        (["--host", "256.1.1.1", "--port", "0"], "cannot listen at 256.1.1.1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_is_one_line(options, told, capsys):
    assert run(["play", *options]) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert err.count("\n") == 1
    assert out == ""


def test_a_port_that_is_taken(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["play", "--game", "mnk", "--port", str(port)]) == 2
    assert f"cannot listen at 127.0.0.1 port {port}" in capsys.readouterr().err


def test_other_machines_need_the_token():
    """The warning, the token in the address, and the refusal without it."""
    with serving("--game", "mnk", "--host", "0.0.0.0") as server:
        token = server.address.partition("?token=")[2]
        assert len(token) >= 20
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(server.origin)
        assert refused.value.code == 403
        refused.value.close()
        with urllib.request.urlopen(f"{server.origin}/static/app.js?token={token}") as answer:
            assert answer.status == 200
        said = server.end()
    assert "warning: 0.0.0.0 can be reached from other machines" in said
