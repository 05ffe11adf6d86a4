"""Results on disk: one SQLite file, a row for every finished game.

A game is written in one transaction as soon as it is finished, and the transaction is on the disk before the next one
begins (write-ahead log, `synchronous=FULL`): a killed process or a power cut costs the games in flight at most. The
contest's key and the number of the game are the primary key, so that no game counts twice, whoever writes it.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mcrave.arena import packed
from mcrave.arena.records import Adjourned, Record
from mcrave.arena.schedule import Contest
from mcrave.errors import Error

APPLICATION = 0x6D637276  # "mcrv", in the header of the file
VERSION = 1
PATIENCE = 60.0  # seconds to wait for another process that is writing
MEMORY = ":memory:"
TRIALS = """
CREATE TABLE IF NOT EXISTS trials (
  tuning   TEXT NOT NULL,        -- hash of what is tuned, and how
  number   INTEGER NOT NULL,     -- from 0
  trial    TEXT NOT NULL,        -- the values tried, the player, and which games of which contest, as JSON
  PRIMARY KEY (tuning, number)
) WITHOUT ROWID"""

ADJOURNED = """
CREATE TABLE IF NOT EXISTS adjourned (
  contest  TEXT NOT NULL,
  number   INTEGER NOT NULL,
  code     TEXT NOT NULL,        -- which sources played so far: others might go on otherwise
  game     TEXT NOT NULL,        -- the rest, as JSON
  PRIMARY KEY (contest, number)
) WITHOUT ROWID"""

TAKE_ADJOURNED = """
INSERT INTO adjourned SELECT ?1, ?2, ?3, ?4
WHERE NOT EXISTS (SELECT 1 FROM games WHERE contest = ?1 AND number = ?2) ON CONFLICT DO NOTHING"""

TABLES = """
CREATE TABLE contests (
  key      TEXT PRIMARY KEY,     -- hash of the configuration
  config   TEXT NOT NULL         -- the configuration, as JSON
) WITHOUT ROWID;
CREATE TABLE places (
  id       INTEGER PRIMARY KEY,
  versions TEXT NOT NULL,        -- of Python, mcrave, Numba, NumPy and the GTP engines
  machine  TEXT NOT NULL,
  UNIQUE (versions, machine)
);
CREATE TABLE games (
  contest  TEXT NOT NULL REFERENCES contests,
  number   INTEGER NOT NULL,     -- from 0
  seed     INTEGER NOT NULL,
  seats    TEXT NOT NULL,        -- which player of the contest sat where, as JSON
  outcome  TEXT NOT NULL,        -- the result of each seat, as JSON
  score    REAL NOT NULL,        -- the result of the contest's first player
  ending   TEXT NOT NULL,        -- rules, cap, agreed, resigned, or the reason of a forfeit
  loser    INTEGER NOT NULL,     -- the seat that resigned or forfeited, else -1
  note     TEXT NOT NULL,        -- what happened at a forfeit
  moves    TEXT NOT NULL,        -- names with spaces between
  thinking TEXT NOT NULL,        -- seconds of each seat, as JSON
  slowest  REAL NOT NULL,        -- seconds of the slowest move
  wall     REAL NOT NULL,        -- seconds from the first to the last move
  finished TEXT NOT NULL,        -- UTC
  place    INTEGER NOT NULL REFERENCES places,
  PRIMARY KEY (contest, number)
) WITHOUT ROWID;
CREATE VIEW results AS
  SELECT games.*, contests.config, places.versions, places.machine
  FROM games JOIN contests ON games.contest = contests.key JOIN places ON games.place = places.id;
"""


class Store:
    """An open results file.

    >>> from mcrave.arena.schedule import contest
    >>> store, c = Store(), contest("nim", ["random", "random"])
    >>> record = Record(c.key, 0, 7, (0, 1), (1.0, 0.0), "rules", moves="1-1")
    >>> store.add(c, [record, record])
    1
    >>> store.records(c) == [record], store.numbers(c)
    (True, {0})
    """

    def __init__(self, path: str | Path = MEMORY, *, must_exist: bool = False, read_only: bool = False) -> None:
        """Open a file, or make it; without a path the results are kept in memory.

        With `read_only` the file must exist, and not a byte of it is changed; others may write to it meanwhile. A
        packed file (`games.db.xz`) can be read only.
        """
        self.path = str(path)
        if self.path != MEMORY:
            _check_place(Path(path), must_exist or read_only)
        if packed.is_packed(path):
            if not (must_exist or read_only):
                raise Error(f"{path} is packed; games cannot be added. `mcrave results merge` makes a plain file of it")
            with self._told():
                self._base = packed.opened(path)
                self._open(read_only=True)
            return
        place = f"{Path(path).absolute().as_uri()}?mode=ro" if read_only else self.path
        with self._told():
            self._base = sqlite3.connect(place, timeout=PATIENCE, isolation_level=None, uri=read_only)
        try:
            with self._told():
                self._open(read_only)
        except BaseException:
            self._base.close()
            raise

    def _open(self, read_only: bool) -> None:
        self._base.execute("BEGIN")  # at one moment, as another process may be making the tables
        empty = self._one("SELECT count(*) FROM sqlite_master") == 0
        version = self._one("PRAGMA user_version")
        application = self._one("PRAGMA application_id")
        self._base.execute("COMMIT")
        if not empty or application or version or read_only:
            self._check(application, version)
        if read_only:
            return
        self._write_ahead()
        self._base.execute("PRAGMA synchronous = FULL")
        if not (application or version):
            self._create()

    def _write_ahead(self) -> None:
        """Switch to the write-ahead log; SQLite itself does not wait here for another process that is reading."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._base.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
            time.sleep(0.01)

    def _check(self, application: int, version: int) -> None:
        if application != APPLICATION:
            raise Error(f"{self.path} is not a results file of mcrave")
        if version != VERSION:
            raise Error(f"{self.path} is a results file of version {version}; this mcrave reads version {VERSION}")
        if (said := self._one("PRAGMA quick_check(1)")) != "ok":
            raise Error(f"{self.path} is damaged: {' '.join(said.split())}")

    def _create(self) -> None:
        """The tables, unless another process was faster."""
        with self._transaction():
            if self._one("PRAGMA application_id") != APPLICATION:
                for statement in TABLES.split(";"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                self._base.execute(f"PRAGMA user_version = {VERSION}")

    def add(self, contest: Contest, records: Iterable[Record]) -> int:
        """Write finished games of a contest; those that are there already stay. Returns how many were new."""
        added = 0
        with self._told(), self._transaction():
            adjourned = self._has_adjourned()
            self._base.execute(
                "INSERT INTO contests VALUES (?, ?) ON CONFLICT DO NOTHING", (contest.key, contest.to_json())
            )
            for record in records:
                place = (record.versions, record.machine)
                self._base.execute(
                    "INSERT INTO places (versions, machine) VALUES (?, ?) ON CONFLICT (versions, machine) DO NOTHING",
                    place,
                )
                row = (*_row(record), *place)
                added += self._base.execute(
                    "INSERT INTO games SELECT ?,?,?,?,?,?,?,?,?,?,?,?,?,?, id FROM places"
                    " WHERE versions = ? AND machine = ? ON CONFLICT (contest, number) DO NOTHING",
                    row,
                ).rowcount
                if adjourned:
                    self._base.execute(
                        "DELETE FROM adjourned WHERE contest = ? AND number = ?", (contest.key, record.number)
                    )
        return added

    def numbers(self, contest: Contest) -> set[int]:
        """The numbers of the games that are finished."""
        with self._told():
            rows = self._base.execute("SELECT number FROM games WHERE contest = ?", (contest.key,))
            return {number for (number,) in rows}

    def records(self, contest: Contest, most: int | None = None) -> list[Record]:
        """The finished games by number; with `most`, only those with numbers below it."""
        with self._told():
            rows = self._base.execute(
                "SELECT contest, number, seed, seats, outcome, ending, loser, note, moves, thinking, slowest, wall,"
                " finished, versions, machine FROM results WHERE contest = ? AND number < ? ORDER BY number",
                (contest.key, 2**62 if most is None else most),
            )
            return [_record(row) for row in rows]

    def contests(self) -> list[Contest]:
        """All contests, in the order of their first games."""
        with self._told():
            rows = self._base.execute(
                "SELECT config FROM contests LEFT JOIN games ON contest = key"
                " GROUP BY key ORDER BY min(finished), config"
            )
            return [Contest.from_json(config) for (config,) in rows]

    def add_all(self, other: Store) -> int:
        """Write the games of another file to this one, adjourned ones too; returns how many finished ones were new."""
        new = sum(self.add(contest, records) for contest in other.contests() if (records := other.records(contest)))
        with other._told():
            broken_off = other._base.execute("SELECT * FROM adjourned").fetchall() if other._has_adjourned() else []
        if broken_off:
            with self._told(), self._transaction():
                self._base.execute(ADJOURNED)
                self._base.executemany(TAKE_ADJOURNED, broken_off)
        return new

    def pack(self, path: str | Path) -> int:
        """Write everything to a packed file; returns how many bytes that takes."""
        with self._told():
            return packed.pack(self._base, path)

    def add_trial(self, tuning: str, number: int, trial: str) -> None:
        """Write down what a tuning tries, before its games; a number that is there already stays."""
        with self._told(), self._transaction():
            self._base.execute(TRIALS)  # files without a tuning have no such table
            self._base.execute("INSERT INTO trials VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (tuning, number, trial))

    def trials(self, tuning: str) -> list[str]:
        """What a tuning has tried, by number."""
        with self._told():
            if not self._one("SELECT count(*) FROM sqlite_master WHERE name = 'trials'"):
                return []
            rows = self._base.execute("SELECT trial FROM trials WHERE tuning = ? ORDER BY number", (tuning,))
            return [trial for (trial,) in rows]

    def adjourn(self, contests: Iterable[str], games: Iterable[Adjourned], code: str) -> None:
        """Write down games of these contests that were broken off, in place of those that were there."""
        with self._told(), self._transaction():
            self._base.execute(ADJOURNED)
            for key in contests:
                self._base.execute("DELETE FROM adjourned WHERE contest = ?", (key,))
            rows = [(each.contest, each.number, code, json.dumps(each[2:])) for each in games]
            self._base.executemany("INSERT INTO adjourned VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def adjourned(self, contest: str, code: str) -> list[Adjourned]:
        """Games of a contest that were broken off by the same sources."""
        with self._told():
            if not self._has_adjourned():
                return []
            rows = self._base.execute(
                "SELECT number, game FROM adjourned WHERE contest = ? AND code = ?", (contest, code)
            )
            return [Adjourned.from_fields([contest, number, *json.loads(text)]) for number, text in rows]

    def _has_adjourned(self) -> bool:
        return bool(self._one("SELECT count(*) FROM sqlite_master WHERE name = 'adjourned'"))

    def close(self) -> None:
        """Close the file; what was added is on the disk already."""
        with suppress(sqlite3.Error):
            self._base.close()

    def __enter__(self) -> Store:
        """For `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def _one(self, query: str) -> Any:
        return self._base.execute(query).fetchone()[0]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite complains of, in a line."""
        try:
            yield
        except sqlite3.Error as error:
            raise Error(_complaint(self.path, error)) from None
        except (json.JSONDecodeError, TypeError, KeyError) as error:
            raise Error(f"{self.path} is damaged: {error}") from None


def _complaint(path: str, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a results file of mcrave"
    if code == sqlite3.SQLITE_CORRUPT:
        return f"{path} is damaged: {error}"
    if code == sqlite3.SQLITE_FULL:
        return f"cannot write to {path}: the disk is full; the games written so far are kept"
    if code == sqlite3.SQLITE_IOERR:
        return f"cannot write to {path}: {error} (a full disk, or a limit on the size of files?); older games are kept"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"cannot write to {path}: another process has been writing for {PATIENCE:.0f} s"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return f"cannot write to {path}: {error}"
    return f"{path} cannot be used: {error}"


def _check_place(path: Path, must_exist: bool) -> None:
    if path.is_dir():
        raise Error(f"{path} is a folder, not a results file")
    if must_exist and not path.exists():
        raise Error(f"there is no file {path}")
    if not path.parent.is_dir():
        raise Error(f"there is no folder {path.parent}")


def _row(record: Record) -> tuple[object, ...]:
    return (
        record.contest,
        record.number,
        record.seed,
        json.dumps(record.seats),
        json.dumps(record.outcome),
        record.score(),
        record.ending,
        record.loser,
        record.note,
        record.moves,
        json.dumps(record.thinking),
        record.slowest,
        record.wall,
        record.finished,
    )


def _record(row: tuple[object, ...]) -> Record:
    values = list(row)
    for column in (3, 4, 9):
        values[column] = tuple(json.loads(str(values[column])))
    return Record(*values)  # type: ignore[arg-type]
