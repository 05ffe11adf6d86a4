"""Features of Go moves written again in the plainest way: try the move and look at the board after it."""

from __future__ import annotations

from tests.oracles.plain_go import EMPTY
from tests.oracles.plain_mogo import PlainMogo, Point, turns

Levels = dict[str, object]


class PlainFeatures(PlainMogo):
    """A position whose moves are described; `before` is the mover's own last move, or None."""

    before: Point | None = None

    def features(self, point: Point) -> Levels:
        """The level of every group; a pattern is the smallest of its eight drawings."""
        board, (after, taken) = self.game.board, self.after[point]
        neighbours = self.game.neighbours(point)
        own = [q for q in neighbours if board[q] == self.mine]
        enemies = [q for q in neighbours if board[q] == self.other and after[q] == self.other]
        liberties = len(self.liberties(after, point))
        exposed = not taken and liberties == 1
        saved = [q for q in own if len(self.liberties(board, q)) == 1 and not exposed]
        saved_at_last = [q for q in saved if self.last and self.chain(board, q) & set(self.game.neighbours(self.last))]
        return {
            "pattern": self.drawing(point),
            "capture": min(taken, 2),
            "extension": int(bool(saved)),
            "self_atari": min(len(self.chain(after, point)), 2) if exposed else 0,
            "atari": int(any(len(self.liberties(after, q)) == 1 for q in enemies)),
            "contiguity": int(self.last is not None and point in self.around(self.last)),
            "escape": int(bool(saved_at_last)),
            "recapture": int(self.last is not None and after[self.last] == EMPTY),
            "border": self.line(point),
            "last": distance(point, self.last),
            "before": distance(point, self.before),
        }

    def drawing(self, point: Point) -> str:
        """What stands around a point, turned so that the text is the smallest."""
        row, col = point
        seen = {self.mine: "X", self.other: "O", EMPTY: ".", None: "#"}
        grid = [[seen[self.game.board.get((row + i, col + j))] for j in (-1, 0, 1)] for i in (-1, 0, 1)]
        return min("/".join("".join(line) for line in turned) for turned in turns(grid))

    def line(self, point: Point) -> int:
        """1 at the edge, to 4; 0 further in."""
        rows, cols = (max(p[i] for p in self.game.points) for i in (0, 1))
        found = 1 + min(point[0], point[1], rows - point[0], cols - point[1])
        return found if found <= 4 else 0


def distance(p: Point, q: Point | None) -> int:
    """Its level."""
    if q is None:
        return 0
    rows, cols = abs(p[0] - q[0]), abs(p[1] - q[1])
    return min(rows + cols + max(rows, cols), 17) - 1
