"""A game on the page: its positions so far, where one looks, who sits where, and what was thought of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode

from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.games.go import Go
from mcrave.web.boards import LINES, layout, pieces, side_name
from mcrave.web.limits import MOST_MOVES, Allowed, replayed, short

HUMAN = "human"
OPPONENT = "grave@1.5s"
MOST_LINK = 20_000


@dataclass
class Table:
    """One game.

    >>> import mcrave
    >>> table = Table.new("mnk", mcrave.game("mnk"), ["human", "human"])
    >>> table.play("b2"); table.play("a1"); table.go_to(1)
    >>> str(table.position.history()), table.is_live, len(table.line)
    ("['b2']", False, 3)
    """

    text: str
    game: Game
    seats: list[str]
    start: Position
    line: list[Position] = field(default_factory=list)
    """All positions from the start on; those behind `at` can be gone through again."""
    at: int = 0
    values: dict[int, float] = field(default_factory=dict)
    """By the number of moves made: what the first player could expect."""
    resigned: int | None = None

    def __post_init__(self) -> None:
        """Begin at the start."""
        self.line = self.line or [self.start]

    @classmethod
    def new(cls, text: str, game: Game, seats: list[str]) -> Table:
        """A game at its start."""
        return cls(text, game, seats, game.start())

    @property
    def position(self) -> Position:
        """Where one looks."""
        return self.line[self.at]

    @property
    def is_live(self) -> bool:
        """Whether one looks at the last position."""
        return self.at == len(self.line) - 1

    @property
    def is_over(self) -> bool:
        """Whether nothing can be played any more at the end of the line."""
        return self.line[-1].is_over or self.resigned is not None

    @property
    def moves(self) -> list[str]:
        """The names of all moves, those that were taken back included."""
        return [before.name(after.last_move) for before, after in zip(self.line, self.line[1:], strict=False)]

    def play(self, move: str | int) -> None:
        """Make a move where one looks; what stood behind it is dropped."""
        if self.at >= MOST_MOVES:
            raise Error(f"this game has {MOST_MOVES} moves; it ends here")
        after = self.position.play(move)
        known = self.line[self.at + 1] if not self.is_live else None
        if known is None or known.last_move != after.last_move:
            del self.line[self.at + 1 :]
            self.values = {ply: value for ply, value in self.values.items() if ply <= self.at}
            self.line.append(after)
            self.resigned = None
        self.at += 1

    def go_to(self, at: int) -> None:
        """Look at the position after so many moves."""
        self.at = min(max(at, 0), len(self.line) - 1)

    def undo(self) -> None:
        """Back to where a person is to move; one move where nobody or everybody is one."""
        at = self.at - 1
        while at > 0 and HUMAN in self.seats and self.seats[self.line[at].to_move] != HUMAN:
            at -= 1
        self.resigned = None
        self.go_to(at)

    def redo(self) -> None:
        """Forward in the same way."""
        at = self.at + 1
        while at < len(self.line) - 1 and HUMAN in self.seats and self.seats[self.line[at].to_move] != HUMAN:
            at += 1
        self.go_to(at)

    def truncate(self) -> None:
        """Drop what was taken back, so that the game goes on from here."""
        del self.line[self.at + 1 :]
        self.resigned = None

    def resign(self) -> None:
        """The player to move gives up."""
        if not self.is_over and self.is_live:
            self.resigned = self.position.to_move

    # ------------------------------------------------------------------------------------ result

    def result(self) -> str:
        """How the game ended; empty if it goes on.

        >>> import mcrave
        >>> table = Table.new("go(size=3)", mcrave.game("go(size=3,komi=0.5)"), ["human", "human"])
        >>> for move in ("B2", "pass", "pass"): table.play(move)
        >>> table.result()
        'Black wins by 8.5 points'
        """
        end, game = self.line[-1], self.game
        if self.resigned is not None:
            winners = [side_name(game, seat) for seat in range(game.players) if seat != self.resigned]
            return f"{side_name(game, self.resigned)} resigns: {' and '.join(winners)} win{'s'[: len(winners) == 1]}"
        if not end.is_over:
            return ""
        results = [end.outcome(seat) for seat in range(game.players)]
        first = [side_name(game, seat) for seat in range(game.players) if results[seat] == max(results)]
        if len(first) == game.players:
            return "A draw"
        if isinstance(game, Go):
            return f"{first[0]} wins by {abs(float(game.score(end.state[0]))):g} points"
        return f"{first[0]} wins" if len(first) == 1 else f"{' and '.join(first)} share the win"

    def counts(self) -> list[str]:
        """For each player, what is worth telling: captured stones, or the number of pieces."""
        marks, shape = pieces(self.position), layout(self.game)
        standing = [sum(mark.seat == seat for mark in marks.values()) for seat in range(self.game.players)]
        if shape.look != LINES:
            return [f"{count} on the board" if count else "" for count in standing]
        first = pieces(self.start)
        lost = [sum(mark.seat == seat for mark in first.values()) - count for seat, count in enumerate(standing)]
        for before, after in zip(self.line[: self.at], self.line[1 : self.at + 1], strict=True):
            lost[before.to_move] += before.name(after.last_move).lower() != "pass"
        return [f"{count} captured" if count else "" for count in lost]

    # ------------------------------------------------------------------------------------ links

    def link(self) -> str:
        """Everything as the text behind the # of an address, which `from_link` reads."""
        parts = {"game": self.text, "seats": "~".join(self.seats)}
        if self.start != self.game.start():
            parts["start"] = str(self.start).replace("\n", "/")
        if len(self.line) > 1:
            parts["moves"] = ".".join(self.moves)
        if not self.is_live:
            parts["at"] = str(self.at)
        if self.resigned is not None:
            parts["resigned"] = str(self.resigned)
        return urlencode(parts, safe="()=,.@~+-/")

    @classmethod
    def from_link(cls, link: str, allowed: Allowed) -> Table:
        """The game of a link; an `Error` says what is wrong with it.

        >>> table = Table.from_link("game=mnk(size=4)&moves=b2.a1&at=1", Allowed())
        >>> str(table.game), table.moves, table.at, table.seats
        ('mnk(size=4)', ['b2', 'a1'], 1, ['human', 'grave@1.5s'])
        """
        fields = {name: values[-1] for name, values in parse_qs(short(link, MOST_LINK), max_num_fields=16).items()}
        text = fields.get("game", "go(size=9)").replace(" ", "+")
        game = allowed.game(text)
        start = game.parse(fields["start"]) if "start" in fields else game.start()
        given = fields.get("seats", "").replace(" ", "+").split("~") if fields.get("seats") else []
        seats = seats_for(game, given, allowed)
        return cls.of(
            text,
            game,
            seats,
            start,
            fields.get("moves", "").split("."),
            fields.get("at", ""),
            fields.get("resigned", ""),
        )

    @classmethod
    def of(
        cls,
        text: str,
        game: Game,
        seats: list[str],
        start: Position,
        moves: list[str],
        at: str = "",
        resigned: str = "",
    ) -> Table:
        """A game that was played before."""
        table = cls(text, game, seats, start)
        for move in replayed(start, [move for move in moves if move]):
            table.play(move)
        if at.isascii() and at.isdigit():
            table.go_to(int(at[:6]))
        if resigned in map(str, range(game.players)):
            table.resigned = int(resigned)
        return table


def seats_for(game: Game, given: list[str], allowed: Allowed) -> list[str]:
    """Who sits where: as given, and else a person first and engines after."""
    seats = [*given, *([HUMAN, OPPONENT, OPPONENT][len(given) :])][: game.players]
    seats += [OPPONENT] * (game.players - len(seats))
    for text in seats:
        if text != HUMAN:
            allowed.player(text)
    return seats
