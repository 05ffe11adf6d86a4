"""Go written again in the plainest way: a dictionary of stones, flood fill, a set of earlier positions."""

from __future__ import annotations

EMPTY = "."


class PlainGo:
    """A game of Go, or of three-colour Go with three symbols."""

    def __init__(self, rows: int, cols: int, symbols: str = "XO", superko: str = "positional") -> None:
        self.points = [(row, col) for row in range(rows) for col in range(cols)]
        self.board = dict.fromkeys(self.points, EMPTY)
        self.symbols, self.superko = symbols, superko
        self.turn = self.passes = 0
        self.ko: tuple[int, int] | None = None
        self.seen = {self.situation()}

    def situation(self) -> tuple[object, ...]:
        """What superko compares."""
        stones = tuple(self.board.values())
        return (stones, self.turn) if self.superko == "situational" else (stones,)

    def neighbours(self, point: tuple[int, int]) -> list[tuple[int, int]]:
        """The points next to a point."""
        row, col = point
        around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        return [p for p in around if p in self.board]

    def region(self, start: tuple[int, int]) -> tuple[set[tuple[int, int]], set[str]]:
        """The connected points of the colour of `start`, and the colours around them."""
        color, region, border, todo = self.board[start], {start}, set(), [start]
        while todo:
            for q in self.neighbours(todo.pop()):
                if self.board[q] != color:
                    border.add(self.board[q])
                elif q not in region:
                    region.add(q)
                    todo.append(q)
        return region, border

    def try_stone(self, point: tuple[int, int]) -> tuple[dict[tuple[int, int], str], int] | None:
        """The board after a stone and how many stones it captured, or None if it is suicide or occupied."""
        if self.board[point] != EMPTY:
            return None
        before, mine = dict(self.board), self.symbols[self.turn]
        self.board[point] = mine
        dead = set()
        for q in self.neighbours(point):
            if self.board[q] not in (EMPTY, mine) and EMPTY not in self.region(q)[1]:
                dead |= self.region(q)[0]
        captured = len(dead)
        self.board.update(dict.fromkeys(dead, EMPTY))
        after, alive = self.board, EMPTY in self.region(point)[1]
        self.board = before
        return (after, captured) if alive else None

    def legal(self) -> set[tuple[int, int] | None]:
        """The legal points, and None for pass."""
        moves: set[tuple[int, int] | None] = {None}
        for point in self.points:
            found = self.try_stone(point)
            if found is None or point == self.ko:
                continue
            kept, self.board, self.turn = (self.board, self.turn), found[0], (self.turn + 1) % len(self.symbols)
            repeated = self.superko != "simple" and self.situation() in self.seen
            self.board, self.turn = kept
            if not repeated:
                moves.add(point)
        return moves

    def play(self, point: tuple[int, int] | None) -> None:
        """Play a legal move."""
        self.ko = None
        if point is None:
            self.passes += 1
        else:
            found = self.try_stone(point)
            assert found is not None
            before = self.board
            self.board, captured = found
            self.passes = 0
            chain, _ = self.region(point)
            liberties = {q for p in chain for q in self.neighbours(p) if self.board[q] == EMPTY}
            if captured == 1 and len(chain) == 1 and len(liberties) == 1:
                self.ko = next(p for p in self.points if before[p] != EMPTY and self.board[p] == EMPTY)
        self.turn = (self.turn + 1) % len(self.symbols)
        self.seen.add(self.situation())

    def areas(self) -> list[int]:
        """Stones plus the empty points that reach only that colour, for each player."""
        totals = dict.fromkeys(self.symbols, 0)
        for point in self.points:
            owner = {self.board[point]} if self.board[point] != EMPTY else self.region(point)[1]
            if len(owner) == 1:
                totals[owner.pop()] += 1
        return [totals[symbol] for symbol in self.symbols]
