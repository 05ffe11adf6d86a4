"""MoGo's playout rules written again in the plainest way: try every move and look at the board after it."""

from __future__ import annotations

from mcrave.games._patterns import DRAWN
from tests.oracles.plain_go import EMPTY, PlainGo

Point = tuple[int, int]
Board = dict[Point, str]

SPACES = {  # eye spaces with their vital point #
    3: ["*#*", "*#/.*"],
    4: ["*#*/.*."],
    5: [".*./*#*/.*.", "**./*#*"],
    6: [".**/*#*/.*."],
}
ANY = "XO.#"
MEANING = {"X": "X", "O": "O", ".": ".", "#": "#", "?": ANY, "x": "O.#", "o": "X.#"}
SWAP = str.maketrans("XOxo", "OXox")


class PlainMogo:
    """A position seen by MoGo's rules; `last` is the opponent's last move, or None."""

    def __init__(self, game: PlainGo, last: Point | None, least: int = 0) -> None:
        self.game, self.last, self.least = game, last, least
        self.mine = game.symbols[game.turn]
        self.other = game.symbols[1 - game.turn]
        self.after: dict[Point, tuple[Board, int]] = {}
        for point in game.points:
            found = game.try_stone(point)
            if found is not None and point != game.ko:
                self.after[point] = found

    # What a board looks like.

    def chain(self, board: Board, point: Point) -> set[Point]:
        """The stones connected to one."""
        chain, todo = {point}, [point]
        while todo:
            for q in self.game.neighbours(todo.pop()):
                if board[q] == board[point] and q not in chain:
                    chain.add(q)
                    todo.append(q)
        return chain

    def liberties(self, board: Board, point: Point) -> set[Point]:
        """The liberties of its chain."""
        return {q for p in self.chain(board, point) for q in self.game.neighbours(p) if board[q] == EMPTY}

    def around(self, point: Point) -> list[Point]:
        """The eight points around one, on the board or not."""
        row, col = point
        return [(row + i, col + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]

    def corners(self, point: Point) -> list[Point]:
        """The diagonal ones of them."""
        row, col = point
        return [(row + i, col + j) for i in (-1, 1) for j in (-1, 1)]

    def own_next_to_last(self) -> list[Point]:
        """One own stone next to the last move for each side on which there is any."""
        assert self.last is not None
        return [q for q in self.game.neighbours(self.last) if self.game.board[q] == self.mine]

    # The rules.

    def saves(self, ladders: bool = False) -> set[Point]:
        """Moves that bring an own chain in atari at the last move to two liberties."""
        chains = [q for q in self.own_next_to_last() if len(self.liberties(self.game.board, q)) == 1]
        return {p for stone in chains for p in self.saves_of(stone, ladders)}

    def saves_of(self, stone: Point, ladders: bool) -> set[Point]:
        """Those that save one chain."""
        found = {p for p, (after, _) in self.after.items() if len(self.liberties(after, stone)) >= 2}
        if ladders and self.is_caught(self.game.board, stone):
            found -= self.liberties(self.game.board, stone)
        return found

    def captures(self) -> set[Point]:
        """Moves that capture anything."""
        return {p for p, (_, taken) in self.after.items() if taken}

    def is_eye(self, point: Point) -> bool:
        """Whether a playout takes a point for an own eye."""
        board = self.game.board
        if any(board[q] != self.mine for q in self.game.neighbours(point)):
            return False
        corners = self.corners(point)
        enemies = sum(board.get(q) == self.other for q in corners)
        return enemies < (2 if all(q in board for q in corners) else 1)

    def is_self_atari(self, point: Point, least: int) -> bool:
        """Whether a legal move captures nothing and leaves its chain of so many stones with one liberty."""
        after, taken = self.after[point]
        return not taken and len(self.liberties(after, point)) == 1 and len(self.chain(after, point)) >= least

    def wanted(self) -> set[Point]:
        """What a random move is drawn from."""
        return {p for p in self.after if not self.is_eye(p) and not (self.least and self.is_self_atari(p, self.least))}

    def patterns(self) -> set[Point]:
        """Wanted points around the last move where a pattern holds; self-atari of a single stone is refused too."""
        assert self.last is not None
        near = [p for p in self.around(self.last) if p in self.after]
        matching = {p for p in near if self.matches(p)}
        return {p for p in matching & self.wanted() if not (self.least and self.is_self_atari(p, 1))}

    def matches(self, point: Point) -> bool:
        """Whether one of the drawn patterns holds for the player to move."""
        row, col = point
        seen = {self.mine: "X", self.other: "O", EMPTY: ".", None: "#"}
        return pattern_holds([[seen[self.game.board.get((row + i, col + j))] for j in (-1, 0, 1)] for i in (-1, 0, 1)])

    def capture_last(self) -> set[Point]:
        """The move that takes the chain of the last move."""
        assert self.last is not None
        return {p for p, (after, _) in self.after.items() if after[self.last] == EMPTY}

    def nakade(self) -> set[Point]:
        """Vital points of small eye spaces of the opponent at the last move."""
        found: set[Point] = set()
        assert self.last is not None
        for start in self.game.neighbours(self.last):
            if self.game.board[start] == EMPTY:
                region, border = self.game.region(start)
                if border <= {self.other}:
                    found |= vital(region)
        return found

    def two_liberties(self, ladders: bool = False) -> set[Point]:
        """Attack the last move's chain of two liberties, or bring an own one of two liberties to three."""
        assert self.last is not None
        board, found = self.game.board, set()
        attacked = self.liberties(board, self.last)
        if len(attacked) == 2:
            found |= {p for p in attacked if p in self.after and not self.is_eye(p) and not self.is_self_atari(p, 1)}
            fatal = {p for p in found if not self.after[p][1] and self.is_caught(self.after[p][0], self.last)}
            found = fatal if ladders and fatal else found
        for stone in self.own_next_to_last():
            ways = self.liberties(board, stone)
            for p in ways if len(ways) == 2 else ():
                if p in self.after and not self.is_eye(p):
                    after, taken = self.after[p]
                    if taken or len(self.liberties(after, p)) >= 3:
                        found.add(p)
        return found

    def eye_repairs(self) -> set[Point]:
        """Diagonals of own eyes away from the edge of which the last move was the first to be taken."""
        assert self.last is not None
        board, found = self.game.board, set()
        for eye in self.corners(self.last):
            corners = self.corners(eye)
            if board.get(eye) != EMPTY or any(q not in board for q in corners):
                continue
            own = all(board[q] == self.mine for q in self.game.neighbours(eye))
            if own and sum(board[q] == self.other for q in corners) == 1:
                found |= {q for q in corners if board[q] == EMPTY}
        return found & self.wanted() if found else found

    def is_caught(self, board: Board, stone: Point) -> bool:
        """Whether a chain in atari is lost if it runs: see `mcrave.games._ladders`."""
        me = board[stone]
        other = "XO".replace(me, "")
        (way,) = self.liberties(board, stone)
        for q in {q for p in self.chain(board, stone) for q in self.game.neighbours(p)}:
            if board[q] == other and len(self.liberties(board, q)) == 1:
                return False
        if any(board[q] == other and self.liberties(board, q) == {way} for q in self.game.neighbours(way)):
            return False
        after = board | {way: me}
        ways = self.liberties(after, stone)
        if len(ways) != 2:
            return len(ways) < 2
        for p in ways:
            (left,) = ways - {p}
            if sum(after[q] == EMPTY and q != p for q in self.game.neighbours(left)) >= 3:
                continue
            if any(after[q] == me and self.liberties(after, q) == {p} for q in self.game.neighbours(p)):
                continue
            hunted = after | {p: other}
            if self.liberties(hunted, p) and self.is_caught(hunted, stone):
                return True
        return False

    def candidates(self, options: tuple[str, ...] = ()) -> set[Point | None]:
        """The moves of the first rule that has any; None is pass."""
        if self.last is not None:
            stages = {
                "save": lambda: self.saves("ladders" in options),
                "capture_first": self.capture_last,
                "nakade": self.nakade,
                "two_liberties": lambda: self.two_liberties("ladders" in options),
                "eye_shape": self.eye_repairs,
                "pattern": self.patterns,
            }
            for name, stage in stages.items():
                if (name in ("save", "pattern") or name in options) and (moves := stage()):
                    return set(moves)
        return set(self.captures() or self.wanted() or {None})


def turns(drawn: list[list[str]]) -> list[list[list[str]]]:
    """Eight symmetries of a square."""
    found = []
    for _ in range(4):
        drawn = [list(row) for row in zip(*drawn[::-1], strict=True)]
        found += [drawn, [row[::-1] for row in drawn]]
    return found


def pattern_holds(grid: list[list[str]]) -> bool:
    """Whether one of the drawn patterns holds in the middle of three rows, for X to play."""
    for block in DRAWN.strip().split("\n\n"):
        title, *rows = block.splitlines()
        drawn = [line.split() for line in rows]
        sides = [drawn] if "X to play" in title else [drawn, [[c.translate(SWAP) for c in r] for r in drawn]]
        for side in sides:
            if any(fits(turned, grid) for turned in turns(side)):
                return True
    return False


def fits(drawn: list[list[str]], grid: list[list[str]]) -> bool:
    """Whether what stands around a point is what is drawn."""
    places = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    return all(grid[i][j] in MEANING[drawn[i][j]] for i, j in places)


def vital(region: set[Point]) -> set[Point]:
    """The vital point of an eye space, by comparing it with drawings."""
    for text in SPACES.get(len(region), ()):
        cells = [(i, j, c) for i, row in enumerate(text.split("/")) for j, c in enumerate(row) if c != "."]
        for flip in range(8):
            turned = {}
            for i, j, c in cells:
                a, b = (j, i) if flip & 1 else (i, j)
                turned[(-a if flip & 2 else a, -b if flip & 4 else b)] = c
            top, left = min(i for i, _ in turned), min(j for _, j in turned)
            row, col = min(i for i, _ in region), min(j for _, j in region)
            placed = {(i - top + row, j - left + col): c for (i, j), c in turned.items()}
            if set(placed) == region:
                return {p for p, c in placed.items() if c == "#"}
    return set()
