"""The results file: nothing lost, nothing doubled, and a clear line for a file that is none."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from mcrave.arena.records import Record
from mcrave.arena.schedule import contest
from mcrave.arena.store import APPLICATION, VERSION, Store
from mcrave.errors import Error
from tests.cli.terminal import ENVIRONMENT, ROOT

C = contest("mnk", ["uct@10", "random"])


def record(number, moves="a1 b2", **fields):
    values = {"versions": "v", "machine": "m", "thinking": (0.5, 0.25), "finished": "2020-01-01 00:00:00"} | fields
    return Record(C.key, number, number * 7, C.seats(number), (1.0, 0.0), "rules", moves=moves, **values)


def test_what_goes_in_comes_out(tmp_path):
    path = tmp_path / "r.db"
    records = [record(2), record(0, note='it\'s "odd"; ∞'), record(1)]
    with Store(path) as store:
        assert store.add(C, records) == 3
    with Store(path, must_exist=True) as store:
        assert store.records(C) == sorted(records, key=lambda r: r.number)
        assert store.records(C, 2) == [r for r in store.records(C) if r.number < 2]
        assert store.contests() == [C]
        assert store.numbers(C) == {0, 1, 2}


def test_no_game_counts_twice(tmp_path):
    with Store(tmp_path / "r.db") as store:
        assert store.add(C, [record(0, "a1"), record(1)]) == 2
        assert store.add(C, [record(0, "b2"), record(2)]) == 1
        assert [r.moves for r in store.records(C)] == ["a1", "a1 b2", "a1 b2"]


def test_a_batch_is_all_or_nothing(tmp_path):
    with Store(tmp_path / "r.db") as store:
        broken = Record(C.key, 1, 0, (0, 1), (1.0, 0.0), None)  # type: ignore[arg-type]
        store.add(C, [record(5)])
        with pytest.raises(Error):
            store.add(C, [record(0), broken])
        assert store.numbers(C) == {5}


def test_durable_settings(tmp_path):
    """A write-ahead log that is on the disk before a transaction counts as done."""
    store = Store(tmp_path / "r.db")
    assert store._one("PRAGMA journal_mode") == "wal"
    assert store._one("PRAGMA synchronous") == 2
    assert (store._one("PRAGMA application_id"), store._one("PRAGMA user_version")) == (APPLICATION, VERSION)
    store.close()


def test_plain_sql_can_read_it(tmp_path):
    with Store(tmp_path / "r.db") as store:
        store.add(C, [record(0), record(1)])
    rows = sqlite3.connect(tmp_path / "r.db").execute("SELECT score, versions, machine, moves FROM results").fetchall()
    assert rows == [(1.0, "v", "m", "a1 b2"), (0.0, "v", "m", "a1 b2")]


# ------------------------------------------------------------------------------------------- files that are none


def refused(path, **options) -> str:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(Error) as caught:
        Store(path, **options)
    assert before is None or path.read_bytes() == before, "what is not ours is not touched"
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_not_a_database(tmp_path):
    path = tmp_path / "r.db"
    path.write_text("These are my holiday notes, and not a results file at all. " * 50)
    assert refused(path) == f"{path} is not a results file of mcrave"


def test_a_database_of_somebody_else(tmp_path):
    path = tmp_path / "r.db"
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE games (name TEXT)")
    assert refused(path) == f"{path} is not a results file of mcrave"


def test_another_version(tmp_path):
    path = tmp_path / "r.db"
    Store(path).close()
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA user_version = 9")
    base.close()
    assert refused(path) == f"{path} is a results file of version 9; this mcrave reads version {VERSION}"


def test_a_damaged_file(tmp_path):
    path = tmp_path / "r.db"
    with Store(path) as store:
        store.add(C, [record(n, moves=f"a{n} " * 200) for n in range(200)])
    data = bytearray(path.read_bytes())
    assert len(data) > 60_000
    data[8192:40_000] = b"\xa5" * (40_000 - 8192)
    path.write_bytes(data)
    assert "is damaged" in refused(path)
    path.write_bytes(data[:5000])
    assert "is damaged" in refused(path)


def test_places_that_cannot_be(tmp_path):
    assert refused(tmp_path) == f"{tmp_path} is a folder, not a results file"
    assert refused(tmp_path / "no" / "r.db") == f"there is no folder {tmp_path / 'no'}"
    assert refused(tmp_path / "r.db", must_exist=True) == f"there is no file {tmp_path / 'r.db'}"
    assert not (tmp_path / "r.db").exists()


def test_an_empty_file_becomes_one(tmp_path):
    (tmp_path / "r.db").touch()
    with Store(tmp_path / "r.db") as store:
        assert store.add(C, [record(0)]) == 1


# ------------------------------------------------------------------------------------------- a full disk


def test_a_full_disk(tmp_path):
    path = tmp_path / "r.db"
    with Store(path) as store:
        pages = store._one("PRAGMA page_count") + 8
        store._base.execute(f"PRAGMA max_page_count = {pages}")
        written = 0
        line = ""
        while not line and written < 1000:
            try:
                written += store.add(C, [record(written, "a1 " * 500)])
            except Error as error:
                line = str(error)
        assert line == f"cannot write to {path}: the disk is full; the games written so far are kept"
        assert written > 3
    with Store(path) as store:
        assert store.numbers(C) == set(range(written))
        assert store.add(C, [record(written)]) == 1


FILL = """
import resource, signal, sys
from mcrave.arena.store import Store
from mcrave.errors import Error
from tests.arena.test_store import C, record
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
number = 0
try:
    while number < 10_000:
        store.add(C, [record(number, "a1 " * 500)])
        number += 1
except Error as error:
    print(number, error)
"""


def test_a_write_that_fails_half_way(tmp_path):
    """The system refuses to let the file grow, as on a full disk: what was said to be written is there."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] != 0
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(tmp_path / "r.db")], capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT
    )
    written, _, line = done.stdout.partition(" ")
    assert line.startswith(f"cannot write to {tmp_path / 'r.db'}: "), done.stderr
    with Store(tmp_path / "r.db") as store:
        assert store.numbers(C) == set(range(int(written)))
        assert int(written) > 10


# ------------------------------------------------------------------------------------------- several writers

WRITE = """
import sys
from mcrave.arena.store import Store
from tests.arena.test_store import C, record
with Store(sys.argv[1]) as store:
    for number in range(int(sys.argv[2]), 120, int(sys.argv[3])):
        store.add(C, [record(number, moves=sys.argv[2])])
"""


def test_processes_write_to_one_file(tmp_path):
    """Two have the same games, one has every second: each game is there once, from the one who was first."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path / "r.db"), *spec], cwd=ROOT, env=ENVIRONMENT)
        for spec in (("0", "1"), ("0", "1"), ("1", "2"))
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    with Store(tmp_path / "r.db") as store:
        assert [r.number for r in store.records(C)] == list(range(120))
        assert store._one("PRAGMA integrity_check") == "ok"


def test_a_writer_waits_for_another(tmp_path):
    path = tmp_path / "r.db"
    with Store(path) as store:
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.3, lambda: other.execute("COMMIT"))
        timer.start()
        assert store.add(C, [record(0)]) == 1
        timer.join()
        other.close()


def test_many_make_a_file_at_once(tmp_path):
    """Whoever comes while another makes the tables waits, and finds them."""
    together, complaints = threading.Barrier(6), []

    def open_all(_):
        for number in range(40):
            together.wait()
            try:
                Store(tmp_path / f"{number}.db").close()
            except Error as error:
                complaints.append(str(error))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(open_all, range(6)))
    assert complaints == []
    assert Store(tmp_path / "39.db", must_exist=True).contests() == []
