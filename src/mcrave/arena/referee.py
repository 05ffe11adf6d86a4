"""One game: who moves, when it is over, who forfeits and why."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import NamedTuple

from mcrave.arena.records import AGREED, CAP, RESIGNED, RULES, Adjourned, Record, machine, versions
from mcrave.arena.schedule import PASS, Contest, player_seed
from mcrave.errors import Error, IllegalMove
from mcrave.games import Game, Position
from mcrave.games import game as game_of
from mcrave.players import Forfeit, GtpPlayer, Player, Resigned, SearchPlayer, parse_player

MOST_PLAYERS = 12  # that are kept ready; each holds the memory of a search or a process


class Bench:
    """Players that are ready: made once, kept from game to game."""

    def __init__(self) -> None:
        """Nobody yet."""
        self.interrupted = False
        """Set by a signal: a search takes Ctrl-C as its own, so the referee must be told separately."""
        self._games: dict[str, Game] = {}
        self._players: dict[tuple[Game, str, int], Player] = {}

    def game(self, text: str) -> Game:
        """The rules."""
        if text not in self._games:
            self._games[text] = game_of(text)
        return self._games[text]

    def add_game(self, text: str, game: Game) -> None:
        """Rules that stand in no file."""
        self._games[text] = game

    def seated(self, game: Game, texts: list[str]) -> list[Player]:
        """The players with these texts; who sits twice has two copies."""
        found = []
        for seat, text in enumerate(texts):
            key = (game, text, texts[:seat].count(text))
            player = self._players.pop(key, None) or _ready(game, text)
            self._players[key] = player  # the last used stand at the end
            found.append(player)
        for key in list(self._players)[: max(0, len(self._players) - max(MOST_PLAYERS, len(texts)))]:
            self._players.pop(key).close()
        return found

    def close(self) -> None:
        """Send everybody home."""
        while self._players:
            self._players.popitem()[1].close()


def _ready(game: Game, text: str) -> Player:
    player = parse_player(text)
    player.prepare(game)
    if isinstance(player, SearchPlayer):
        player.compile(game)
    return player


class _End(NamedTuple):
    """How a game ended."""

    outcome: tuple[float, ...]
    ending: str
    loser: int = -1
    note: str = ""


def play_game(contest: Contest, number: int, bench: Bench, adjourned: Adjourned | None = None) -> Record:
    """Play one game of a contest, or finish one that was broken off.

    >>> from mcrave.arena.schedule import contest
    >>> record = play_game(contest("nim(heaps=1-2)", ["random", "random"], seed=3), 0, Bench())
    >>> record.ending, sum(record.outcome)
    ('rules', 1.0)
    """
    game = bench.game(contest.game)
    seats = contest.seats(number)
    players = bench.seated(game, [contest.players[player] for player in seats])
    start = contest.start(game, number)
    for move in adjourned.moves if adjourned is not None else ():
        start = start.play(move)
    return _Game(contest, number, players, bench, adjourned).play(start)


class _Game:
    """A game that is being played."""

    def __init__(
        self, contest: Contest, number: int, players: list[Player], bench: Bench, before: Adjourned | None = None
    ) -> None:
        self.contest, self.number, self.players, self.bench = contest, number, players, bench
        self.seed = contest.game_seed(number)
        self.thinking = [0.0] * len(players)
        self.sure = [0] * len(players)  # moves in a row at which a player was sure: above 0 of a win, below of a loss
        self.slowest = 0.0
        self.plies = contest.opening
        self.before = before
        if before is not None:
            self.thinking, self.slowest = list(before.thinking), before.slowest
            self.plies += len(before.moves)

    def play(self, position: Position) -> Record:
        """From the opening, or from where it was broken off, to the end."""
        began = time.perf_counter() - sum(self.thinking)
        try:
            end = self._set_up(position.game) or self._end(position)
            while end is None:
                position, end = self._move(position)
        except BaseException:
            self.bench.close()  # nobody is left in the middle of a game
            raise
        return Record(
            contest=self.contest.key,
            number=self.number,
            seed=self.seed,
            seats=self.contest.seats(self.number),
            outcome=end.outcome,
            ending=end.ending,
            loser=end.loser,
            note=end.note,
            moves=" ".join(position.history()),
            thinking=tuple(round(seconds, 6) for seconds in self.thinking),
            slowest=round(self.slowest, 6),
            wall=round(time.perf_counter() - began, 6),
            finished=datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"),
            versions=_versions(self.players),
            machine=machine(),
        )

    def _set_up(self, game: Game) -> _End | None:
        for seat, player in enumerate(self.players):
            try:
                player.new_game(player_seed(self.seed, seat), self.contest.seconds)
            except Forfeit as failure:
                return self._forfeit(seat, failure.reason, str(failure))
            except Error as failure:  # a program that could be started before
                return self._forfeit(seat, "crash", str(failure))
            if self.before is not None and isinstance(player, SearchPlayer):  # nobody else's games are adjourned
                player.go_on(self.before.streams[seat])
        return None

    def _move(self, position: Position) -> tuple[Position, _End | None]:
        """Ask the player whose turn it is."""
        seat = position.to_move
        began = time.perf_counter()
        try:
            move = self.players[seat].choose(position)
        except Resigned:
            return position, self._lost(seat, RESIGNED)
        except Forfeit as failure:
            return position, self._forfeit(seat, failure.reason, str(failure))
        except Exception as failure:
            return position, self._forfeit(seat, "crash", f"{type(failure).__name__}: {failure}")
        finally:
            taken = time.perf_counter() - began
            self.thinking[seat] += taken
            self.slowest = max(self.slowest, taken)
        if self.bench.interrupted:
            raise KeyboardInterrupt
        if self.contest.seconds and taken > self.contest.seconds:
            return position, self._forfeit(seat, "time", f"{taken:.3f} s for a move, {self.contest.seconds:g} allowed")
        try:
            position = position.play(move)
        except IllegalMove as failure:
            return position, self._forfeit(seat, "illegal move", str(failure))
        self.plies += 1
        self._note_estimate(seat)
        return position, self._end(position)

    def _end(self, position: Position) -> _End | None:
        if position.is_over:
            return _End(outcome_of(position), RULES)
        moves = self.contest.agree[1]
        if moves and len(self.players) == 2:
            for winner in (0, 1):
                if self.sure[winner] >= moves and self.sure[1 - winner] <= -moves:
                    return self._lost(1 - winner, AGREED)._replace(loser=-1)
        cap = self.contest.cap or position.game.max_plies()
        if self.plies >= cap:
            return _End(scored(position), CAP)
        return None

    def _note_estimate(self, seat: int) -> None:
        """Count for how many moves in a row a player was sure of the same result."""
        if not self.contest.agree[1]:
            return
        estimate, limit = self.players[seat].estimate, self.contest.agree[0]
        before = self.sure[seat]
        if estimate is None or limit < estimate < 1 - limit:
            self.sure[seat] = 0
        elif estimate >= 1 - limit:
            self.sure[seat] = max(before, 0) + 1
        else:
            self.sure[seat] = min(before, 0) - 1

    def _lost(self, seat: int, ending: str, note: str = "") -> _End:
        """A seat gets nothing, the others share."""
        share = 1.0 / (len(self.players) - 1)
        return _End(tuple(0.0 if i == seat else share for i in range(len(self.players))), ending, seat, note)

    def _forfeit(self, seat: int, reason: str, note: str) -> _End:
        return self._lost(seat, reason, " ".join(note.split()))


def outcome_of(position: Position) -> tuple[float, ...]:
    """The result of each seat of a game that is over."""
    return tuple(position.outcome(player) for player in range(position.game.players))


def scored(position: Position) -> tuple[float, ...]:
    """A game that took too long: where there is a pass, all pass and the rules count; else it is a draw."""
    players = position.game.players
    for _ in range(players + 1):
        passing = next((move for move in position.moves.tolist() if position.name(move).lower() == PASS), None)
        if passing is None:
            break
        position = position.play(passing)
        if position.is_over:
            return outcome_of(position)
    return (1.0 / players,) * players


def _versions(players: list[Player]) -> str:
    engines = sorted({player.version for player in players if isinstance(player, GtpPlayer) and player.version})
    return ", ".join([versions(), *engines])
