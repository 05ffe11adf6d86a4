"""What can be said of the connection without Ray."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from mcrave.cluster.connecting import Apart


def test_what_ray_says_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its threads print on the output whatever they are told: an answer in JSON must stay one."""
    answers, errors = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", Apart(answers))
    monkeypatch.setattr(sys, "stderr", errors)
    thread = threading.Thread(target=print, args=("a node is dead",), name="ray_listen_error_messages")
    thread.start()
    thread.join()
    print('{"best": "e5"}')
    assert answers.getvalue() == '{"best": "e5"}\n'
    assert errors.getvalue() == "a node is dead\n"
    assert sys.stdout.isatty() is False
