"""Checkers of general game playing against a plain twin, and its special rules on drawn positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

import mcrave
from mcrave.errors import DiagramError, SpecError

Cell = tuple[str, int]
FILES = "abcdefgh"
OWNER = {"wp": "white", "wk": "white", "bp": "black", "bk": "black"}
SYMBOLS = {"wp": "w", "wk": "W", "bp": "b", "bk": "B"}
WHITE = ("a2", "b1", "c2", "d1", "e2", "f1", "g2", "h1", "b3", "d3", "f3", "h3")
BLACK = ("a8", "c8", "e8", "g8", "b7", "d7", "f7", "h7", "a6", "c6", "e6", "g6")


class Plain:
    """The game as its description tells it: a piece by cell, a count of pieces, a counter of steps."""

    def __init__(self) -> None:
        self.cells: dict[Cell, str] = {(name[0], int(name[1])): "wp" for name in WHITE}
        self.cells |= {(name[0], int(name[1])): "bp" for name in BLACK}
        self.count = {"white": 12, "black": 12}
        self.control, self.step = "white", 1

    @property
    def opponent(self) -> str:
        return "black" if self.control == "white" else "white"

    def reached(self, piece: str, cell: Cell, distance: int) -> Iterator[tuple[Cell, Cell]]:
        """The cells at a distance, each with the one half-way (or itself)."""
        ranks = {"wp": (1,), "bp": (-1,)}.get(piece, (1, -1))
        column, rank = FILES.index(cell[0]), cell[1]
        for up in ranks:
            for right in (-1, 1):
                x, y = column + distance * right, rank + distance * up
                if 0 <= x < 8 and 1 <= y <= 8:
                    yield (FILES[x], y), (FILES[column + right], rank + up)

    def jumps(self, piece: str, cell: Cell) -> Iterator[Cell]:
        """Where one jump leads on the board as it stands before the move."""
        for end, over in self.reached(piece, cell, 2):
            if end not in self.cells and OWNER.get(self.cells.get(over, "")) == self.opponent:
                yield end

    def legal(self) -> dict[str, list[Cell]]:
        """The cells of each move, by its name."""
        steps, jumps = list[list[Cell]](), list[list[Cell]]()
        for start, piece in self.cells.items():
            if OWNER[piece] != self.control:
                continue
            steps += [[start, end] for end, _ in self.reached(piece, start, 1) if end not in self.cells]
            for one in self.jumps(piece, start):
                jumps.append([start, one])
                for two in self.jumps(piece, one):
                    if two == start:
                        continue
                    jumps.append([start, one, two])
                    jumps += [[start, one, two, three] for three in self.jumps(piece, two) if three != one]
        names = [("-", path) for path in steps] + [("x", path) for path in jumps]
        return {sign.join(f"{x}{y}" for x, y in path): path for sign, path in names}

    def play(self, path: list[Cell]) -> int:
        """Make a move; how many pieces it took."""
        taken = 0
        for (x1, y1), (x2, y2) in pairwise(path):
            if abs(y2 - y1) == 2:
                middle = FILES[(FILES.index(x1) + FILES.index(x2)) // 2], (y1 + y2) // 2
                del self.cells[middle]  # fails if it was taken before
                taken += 1
        piece = self.cells.pop(path[0])
        if (piece, path[-1][1]) in (("wp", 8), ("bp", 1)):
            piece = piece[0] + "k"
        self.cells[path[-1]] = piece
        self.count[self.opponent] -= taken
        self.control = self.opponent
        self.step += 1
        return taken

    def terminal(self, moves: dict[str, list[Cell]]) -> bool:
        return not moves or 0 in self.count.values() or self.step == 102

    def goal(self) -> float:
        """White's."""
        white, black = self.count["white"], self.count["black"]
        return 0.5 if white == black else float(white > black)

    def diagram(self) -> str:
        rows = [
            " ".join([str(y), *(SYMBOLS.get(self.cells.get((x, y), ""), ".") for x in FILES)]) for y in range(8, 0, -1)
        ]
        turn = f"{self.control[0]} to move"
        note = f", after {self.step - 1} move{'s' * (self.step > 2)}" if self.step > 1 else ""
        return "\n".join([*rows, "  " + " ".join(FILES), turn + note])


def plain_count(path: list[list[Cell]], depth: int) -> int:
    plain = Plain()
    for move in path:
        plain.play(move)
    moves = plain.legal()
    return len(moves) if depth == 1 else sum(plain_count([*path, move], depth - 1) for move in moves.values())


def board(*rows, footer="w to move", game="gdl_checkers"):
    """A position, given by the rows from the top that are not empty: `"5 . b"` is row 5, filled with dots."""
    lines = {int(row[0]): row[1:].replace(" ", "").ljust(8, ".") for row in rows}
    return mcrave.game(game).parse("\n".join([*(lines.get(y, "." * 8) for y in range(8, 0, -1)), footer]))


def test_same_games_as_the_plain_twin():
    """A third of the games is uniform, in another jumps are sought, the longest first, in the last they are shunned."""
    taken, crowned, stuck, results = [0] * 4, 0, 0, set()
    for seed in range(150):
        dice, plain, position = random.Random(seed), Plain(), mcrave.game("gdl_checkers").start()
        while True:
            moves = plain.legal()
            over = plain.terminal(moves)
            assert str(position) == plain.diagram()
            assert position.to_move == ("white", "black").index(plain.control)
            assert position.is_over == over
            if over:
                break
            assert sorted(position.legal_moves()) == sorted(moves)
            names = sorted(moves)
            if seed % 3 and dice.random() < 0.8:
                names = [max(names, key=lambda n: (n.count("x") * (1 if seed % 3 == 1 else -1), dice.random()))]
            name = dice.choice(names)
            taken[plain.play(moves[name])] += 1
            position = position.play(name)
        assert (position.outcome(0), position.outcome(1)) == (plain.goal(), 1 - plain.goal())
        crowned += any(piece in ("wk", "bk") for piece in plain.cells.values())
        stuck += not moves and 0 not in plain.count.values()
        results.add(plain.goal())
    assert min(taken) > 5
    assert crowned > 100
    assert stuck > 10
    assert results == {0.0, 0.5, 1.0}


def test_same_moves_as_the_plain_twin_on_random_boards():
    """A few pieces against many, kings above all, whose jumps turn back; and one move on."""
    dice, triple = random.Random(1), 0
    cells = [(x, y) for i, x in enumerate(FILES) for y in range(1, 9) if (i + y) % 2 == 0]
    for _ in range(4000):
        plain = Plain()
        plain.count = {"white": dice.randint(1, 4), "black": dice.randint(1, 12)}
        pieces = [owner[0] + dice.choice("pkk") for owner, n in plain.count.items() for _ in range(n)]
        plain.cells = dict(zip(dice.sample(cells, len(pieces)), pieces, strict=True))
        plain.cells |= {cell: piece[0] + "k" for cell, piece in plain.cells.items() if cell[1] in (1, 8)}
        plain.control = dice.choice(("white", "white", "black"))
        position = mcrave.game("gdl_checkers").parse(plain.diagram())
        moves = plain.legal()
        assert position.is_over == plain.terminal(moves)
        if not position.is_over:
            assert sorted(position.legal_moves()) == sorted(moves)
            triple += sum(name.count("x") == 3 for name in moves)
            name = dice.choice(sorted(moves))
            plain.play(moves[name])
            assert str(position.play(name)) == plain.diagram()
    assert triple > 100


def test_same_counts_as_the_plain_twin():
    """By sequences of moves from the start."""
    start = mcrave.game("gdl_checkers").start()
    for depth in range(1, 5):
        assert mcrave.perft(start, depth) == plain_count([], depth)


def test_nobody_has_to_jump():
    position = board("4 . . b", "3 . w")
    assert sorted(position.legal_moves()) == ["b3-a4", "b3xd5"]
    after = position.play("b3d5")
    assert (after.is_over, after.outcome(0), after.outcome(1)) == (True, 1.0, 0.0)


def test_a_man_may_stop_after_each_of_three_jumps():
    position = board("8 . . . . . . B", "7 . b", "5 . b", "3 . b", "2 w")
    assert sorted(position.legal_moves()) == ["a2xc4", "a2xc4xa6", "a2xc4xa6xc8"]
    once = position.play("a2xc4").play("g8-h7")
    assert sorted(once.legal_moves()) == ["c4-d5", "c4xa6", "c4xa6xc8"]
    assert position.play("a2-c4-a6-c8") == board("8 . . W . . . B", footer="b to move, after 1 move")


def test_a_triple_jump_changes_five_predicates():
    """A man leaves and arrives as a king; three are taken, one of them a king."""
    position = board("8 . . . . . . B", "7 . b", "5 . B", "3 . b", "2 w")
    game, move = position.game, position.number("a2xc4xa6xc8")
    found = [int(type(game).change(game, position.state[0], move, i)) for i in range(6)]
    places = {name: 8 * (8 - int(name[1])) + FILES.index(name[0]) for name in ("c8", "a2", "b7", "b5", "b3")}
    numbers = [4 * place + 2 * (name in ("c8", "b5")) + (name[0] == "b") for name, place in places.items()]
    assert found == [2 * numbers[0], *(2 * number + 1 for number in numbers[1:]), -1]


def test_men_are_crowned_where_a_move_ends():
    assert board("8 . . . . . . B", "7 . b", "5 . b", "4 w").play("a4xc6xa8") == board(
        "8 W . . . . . B", footer="b to move, after 1 move"
    )
    assert board("8 . . . . . . B", "7 . b", "6 w").play("a6xc8") == board(
        "8 . . W . . . B", footer="b to move, after 1 move"
    )
    assert board("8 . . . . . . B", "2 w . b", footer="b to move").play("c2-d1") == board(
        "8 . . . . . . B", "2 w", "1 . . . B", footer="w to move, after 1 move"
    )


def test_men_do_not_jump_backwards():
    assert sorted(board("4 . . . . w", "3 . . . b").legal_moves()) == ["e4-d5", "e4-f5"]
    assert "e4xc2" in board("4 . . . . W", "3 . . . b").legal_moves()


def test_a_king_does_not_come_back_to_its_cell():
    ring = board("5 . . . b . b", "4 . . W", "3 . . . b . b")
    one_way, other_way = "c4xe6xg4xe2", "c4xe2xg4xe6"
    jumps = [name[:end] for name in (one_way, other_way) for end in (5, 8, 11)]
    assert sorted(ring.legal_moves()) == sorted(["c4-b3", "c4-b5", *jumps])


def test_there_is_no_fourth_jump():
    position = board("8 . . . . . . W", "7 . . . . . b", "5 . . . b", "3 . . . b . b")
    assert sorted(position.legal_moves()) == ["g8-h7", "g8xe6", "g8xe6xc4", "g8xe6xc4xe2"]


def test_who_is_stuck_wins_with_more_pieces():
    stuck = board("8 b . b . b", "7 . b . w", "6 w . w", "5 . w", "4 w")
    assert (stuck.is_over, stuck.outcome(0), stuck.outcome(1)) == (True, 1.0, 0.0)
    fewer = board("8 . . b", "7 . b", "6 w")
    assert (fewer.is_over, fewer.outcome(0), fewer.outcome(1)) == (True, 0.0, 1.0)


def test_who_has_no_pieces_has_lost():
    for turn in "wb":
        alone = board("2 w", footer=f"{turn} to move")
        assert (alone.is_over, alone.outcome(0), alone.outcome(1)) == (True, 1.0, 0.0)


def test_the_game_ends_after_101_moves():
    last = board("8 . . . . . . B", "1 . W", footer="w to move, after 100 moves")
    assert not last.is_over
    end = last.play("b1-a2")
    assert str(end).endswith("b to move, after 101 moves")
    assert (end.is_over, end.outcome(0), end.outcome(1)) == (True, 0.5, 0.5)
    short = board("8 . . . . . . B", "4 w", "1 . W", footer="b to move, after 2 moves", game="gdl_checkers(moves=3)")
    assert (short.game.max_plies(), short.play("g8-h7").outcome(0)) == (3, 1.0)


def test_moves_made_and_pieces_tell_positions_apart():
    rows = ("8 . . . . . . B", "2 w", "1 . W")
    keys = {board(*rows, footer=f"{turn} to move, after {n} moves").key for turn in "wb" for n in (0, 2, 4)}
    assert len(keys) == 6
    man, king = (board("8 . . . . . . B", f"2 {piece}").number("a2-b3") for piece in "wW")
    assert man != king


@pytest.mark.parametrize(
    ("rows", "footer", "line"),
    [
        (("1 w",), "w to move", "a piece stands on the dark cell a1"),
        (("8 w",), "w to move", "the man on a8 must be a king: it is on its last row"),
        (("1 . b",), "w to move", "the man on b1 must be a king: it is on its last row"),
        (("2 w",), "w to move, after 102 moves", "the game ends after 101 moves, not 102"),
        (
            ("3 . B . B . B . B", "2 B . B . B . B", "1 . B . B . B . B", "4 B"),
            "w to move",
            "b has 13 pieces, and 12 at the most in a game",
        ),
    ],
)
def test_bad_diagrams(rows, footer, line):
    with pytest.raises(DiagramError) as caught:
        board(*rows, footer=footer)
    assert str(caught.value) == line


@pytest.mark.parametrize("moves", [0, 10_000])
def test_bad_limits(moves):
    with pytest.raises(SpecError, match=f"gdl_checkers ends after 1 to 9999 moves, not {moves}"):
        mcrave.game(f"gdl_checkers(moves={moves})")
