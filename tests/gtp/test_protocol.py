"""Requests of any kind get well-formed replies, and what fails changes nothing."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcrave.gtp import Session, Settings, serve
from mcrave.gtp.protocol import MOST_BYTES, Reply, parse_request, split_lines
from mcrave.gtp.registry import commands
from tests.gtp.dialogue import QUICK, ask, converse, replies_in


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"name", ("", "name", ())),
        (b"  12   play\tb  D4\r", ("12", "play", ("b", "D4"))),
        (b"play b D4 # the best move", ("", "play", ("b", "D4"))),
        (b"na\x00\x07me\x7f", ("", "name", ())),
        (b"99999999999999999999999999999 name", ("9" * 29, "name", ())),
        (b"12", ("12", "", ())),
        (b"-1 name", ("", "-1", ("name",))),
        (b"\xff\xfe", ("", "\N{REPLACEMENT CHARACTER}" * 2, ())),
        ("１ name".encode(), ("", "１", ("name",))),
    ],
)
def test_requests(line, found):
    request = parse_request(line)
    assert (request.number, request.command, request.arguments) == found


@pytest.mark.parametrize("line", [b"", b"   ", b"\t\r", b"# interrupt", b"\x00\x01", b"  # 1 name"])
def test_no_requests(line):
    assert parse_request(line) is None


@given(data=st.binary(max_size=300), cuts=st.lists(st.integers(1, 20), max_size=30))
def test_lines_do_not_depend_on_how_the_bytes_arrive(data, cuts):
    pieces = io.BytesIO(data)
    sizes = iter(cuts)
    whole = [(line, False) for line in data.split(b"\n")]
    if not whole[-1][0]:
        whole.pop()
    assert list(split_lines(lambda size: pieces.read(next(sizes, 7)))) == whole


def test_what_a_reply_says_has_no_empty_line():
    said: list[str] = []
    Reply(said.append, "3").succeed("\n\na\n\n\n b\x00\t\n")
    reply = Reply(said.append, "")
    reply.say("one\n\n")
    reply.fail("too late to fail")
    Reply(said.append, "").fail("no\n\nway")
    assert "".join(said) == "=3\na\n b\n\n=\none\n\n? no\nway\n\n"


def test_a_line_of_ten_megabytes():
    """It is answered once, the next one as if nothing had been; memory does not grow with the line."""

    class Endless(io.RawIOBase):
        left = 10 << 20

        def read(self, size=-1):
            if self.left <= 0:
                return tail.read(size)
            self.left -= size
            return b"x" * size

    tail = io.BytesIO(b"\n5 name\n" + b"7" * (MOST_BYTES + 1) + b" name\n6 name")
    said: list[str] = []
    session = Session(QUICK)
    tracemalloc.start()
    serve(session, Endless().read, said.append)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    signs = [(sign, text) for sign, _, text in replies_in("".join(said))]
    assert signs == [("?", "line too long"), ("=", "mcrave"), ("?", "line too long"), ("=", "mcrave")]
    assert peak < 4 << 20


def test_the_end_of_the_input_ends_the_session():
    assert converse(b"") == ""
    assert converse(b"name\nquit\nname\n") == "= mcrave\n\n=\n\n"
    assert converse(b"1 name\n2 na") == "=1 mcrave\n\n?2 unknown command\n\n"
    assert converse(b"1 boardsize 5\n2 lz-analyze b 10", QUICK._replace(analysis=0)).startswith("=1\n\n=2\ninfo move ")


def _arguments() -> st.SearchStrategy[str]:
    words = ["b", "w", "black", "A1", "c3", "B2", "E5", "pass", "resign", "allow", "avoid", "A1:B2,pass", "ownership"]
    numbers = ["-1", "0", "2", "5", "7.5", "1e99", "nan", "true"]
    return st.one_of(st.sampled_from(words + numbers), st.text(min_size=1, max_size=8))


HARMLESS = sorted(set(commands()) - {"quit", "printsgf", "loadsgf"})  # these end, write or read what is not ours


@st.composite
def _lines(draw) -> bytes:
    number = draw(st.sampled_from(["", "", "1 ", "000 ", "123456789012345678901234567890 "]))
    words = [draw(st.sampled_from(HARMLESS)), *draw(st.lists(_arguments(), max_size=5))]
    line = (number + " ".join(words)).encode()
    return draw(st.sampled_from([line, line, line, line[: len(line) // 2]]))


@settings(max_examples=60)
@given(lines=st.lists(_lines(), min_size=1, max_size=12))
def test_commands_with_any_arguments(lines):
    """One reply each, with its number; the state is the same object after a failure, and the board is still sound."""
    session = Session(QUICK)
    ask(session, "boardsize 3")
    for line in lines:
        request = parse_request(line)
        if request is None:
            continue
        if request.command in ("boardsize", "rectangular_boardsize") and any(w > "5" for w in request.arguments):
            continue  # other sizes compile other searches
        before = session.state
        reply = ask(session, line.decode("utf-8", "replace").replace("\n", " "))[0]
        assert reply.startswith((f"={request.number}", f"?{request.number}"))
        if reply.startswith("?"):
            assert session.state is before
            assert "internal error" not in reply
        assert ask(session, "showboard", "name")[1] == "= mcrave"


@settings(max_examples=60)
@example(data=b"\n\n\r\n=1\n? x\n\n")
@given(data=st.binary(max_size=400))
def test_random_bytes(data):
    found = replies_in(converse(data + b"\n77 name\n"))
    assert found[-1] == ("=", "77", "mcrave")
    asked = [parse_request(line) for line in data.split(b"\n")]
    assert len(found) == 1 + sum(request is not None for request in asked)


def test_an_error_of_our_own_is_told_and_harmless(monkeypatch, capsys):
    session = Session(QUICK)
    ask(session, "boardsize 5")

    def play_and_fail(session, *_):
        session.state = session.state.with_rules(1.0, session.state.rules)
        raise ZeroDivisionError

    monkeypatch.setattr("mcrave.gtp.session.Session.play", play_and_fail)
    before = session.state
    assert ask(session, "4 play b D4") == ["?4 internal error: ZeroDivisionError"]
    assert session.state is before
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_settings_that_cannot_be():
    from mcrave.errors import Error

    for bad in ("gp", "random", "uct@0"):
        with pytest.raises(Error):
            Session(Settings(player=bad))
