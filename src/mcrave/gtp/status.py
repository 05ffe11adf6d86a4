"""The end of a game: which stones are dead, which live in seki, and what the score is.

A chain is dead if playouts rarely leave it standing. What then is in seki follows from the board without the dead
stones: a region of a few empty points that both players' stones touch, and on either side of it a group that is shut in
and does not live by eyes of its own. Groups are chains that share territory. Their eyes are not read out: two regions
of territory, or one of `LARGE` points, count as life.

On the ends of 60 games that GNU Go 3.8 played against itself at level 1 on 9×9, `mogo()` playouts led to its
verdict about all dead stones, all stones in seki and the score in 58, `uniform()` ones in 57; `DEAD` was chosen by
the first 30.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mcrave.sgf import Board, point_number

DEAD = -0.1  # a chain is dead if its points are its own less than this in the mean, of -1 to 1
SHARED = 4  # points that a region between two groups in seki has at the most
LARGE = 4  # points of territory that are enough for life

Chain = tuple[str, ...]
Points = Mapping[str, float]


class Region(NamedTuple):
    """Empty points that are connected, and the chains around them by player."""

    points: frozenset[int]
    chains: tuple[frozenset[Chain], frozenset[Chain]]


def chains(board: Board, player: int) -> list[Chain]:
    """A player's stones, those that are connected together.

    >>> from mcrave.games.go import Go
    >>> chains(Board.set_up(Go(size=5), ["A1", "A2", "C3"]), 0)
    [('C3',), ('A2', 'A1')]
    """
    found: dict[int, list[str]] = {}
    state = board.position.state[0]
    for name in board.stones(player):
        place = point_number(board.game, name)
        found.setdefault(int(state.chain[place]), []).append(name)
    return [tuple(names) for names in found.values()]


def dead_chains(board: Board, player: int, owned: Points) -> list[Chain]:
    """The player's chains that are rarely left standing."""
    sign = 1 if player == 0 else -1
    return [chain for chain in chains(board, player) if sign * sum(owned[p] for p in chain) / len(chain) < DEAD]


def without_dead(board: Board, owned: Points) -> Board:
    """The board with the dead stones taken off."""
    gone = {name for player in (0, 1) for chain in dead_chains(board, player, owned) for name in chain}
    return Board.set_up(board.game, set(board.stones(0)) - gone, set(board.stones(1)) - gone, board.to_move)


def statuses(board: Board, owned: Points) -> dict[str, list[Chain]]:
    """Every chain by its status, `alive`, `dead` or `seki`, Black's first."""
    dead = [chain for player in (0, 1) for chain in dead_chains(board, player, owned)]
    in_seki = seki_stones(without_dead(board, owned))
    found: dict[str, list[Chain]] = {"alive": [], "dead": dead, "seki": []}
    for chain in (*chains(board, 0), *chains(board, 1)):
        if chain not in dead:
            found["seki" if in_seki.intersection(chain) else "alive"].append(chain)
    return found


def final_score(board: Board, owned: Points) -> float:
    """Black's area minus White's and komi, dead stones taken off.

    >>> from mcrave.games.go import Go
    >>> board = Board.set_up(Go(size=3, komi=0.5), ["B1", "B2", "B3"], ["A3"])
    >>> final_score(board, dict.fromkeys(board.game.points().values(), 0.9))
    8.5
    """
    return float(board.game.score(without_dead(board, owned).position.state[0]))


def score_text(score: float) -> str:
    """As GTP writes it.

    >>> score_text(3.5), score_text(-0.5), score_text(0.0)
    ('B+3.5', 'W+0.5', '0')
    """
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


# ------------------------------------------------------------------------------------------- seki


def seki_stones(board: Board) -> set[str]:
    """The stones that live in seki, on a board without dead stones.

    >>> from mcrave.games.go import Go
    >>> inner, outer = {"B1", "C1", "D1"}, {"A3", "B3", "C3", "D3", "E3", "F3", "G3", "G2", "G1"}
    >>> board = Board.set_up(Go(size=7), ["A2", "B2", "C2", "D2", "E2", "F2", "F1"], inner | outer)
    >>> sorted(seki_stones(board))
    ['A2', 'B1', 'B2', 'C1', 'C2', 'D1', 'D2', 'E2', 'F1', 'F2']
    """
    found = regions(board)
    weak = [{chain for group in groups(found, player) for chain in group} for player in (0, 1)]
    stones: set[str] = set()
    for region in found:
        sides = [region.chains[player] & weak[player] for player in (0, 1)]
        if len(region.points) <= SHARED and all(sides):
            stones |= {name for side in sides for chain in side for name in chain}
    return stones


def groups(found: list[Region], player: int) -> list[set[Chain]]:
    """A player's groups that may be in seki: shut in, and without two eyes for certain."""
    loose = {chain: {chain} for region in found for chain in region.chains[player]}
    own = [region for region in found if region.chains[player] and not region.chains[1 - player]]
    for region in own:
        joined = set().union(*(loose[chain] for chain in region.chains[player]))
        for chain in joined:
            loose[chain] = joined
    open_to_all = [region for region in found if all(region.chains) and len(region.points) > SHARED]
    every = {id(group): group for group in loose.values()}.values()

    def lives(group: set[Chain]) -> bool:
        eyes = [len(region.points) for region in own if region.chains[player] & group]
        has_room = any(region.chains[player] & group for region in open_to_all)
        return has_room or len(eyes) >= 2 or max(eyes, default=0) >= LARGE

    return [group for group in every if not lives(group)]


def regions(board: Board) -> list[Region]:
    """The empty regions of a board."""
    width, colours = board.game.cols + 1, board.position.state[0].color
    owner = {
        point_number(board.game, name): (player, chain)
        for player in (0, 1)
        for chain in chains(board, player)
        for name in chain
    }
    left = {place for place in board.game.points() if colours[place] == 0}
    found = []
    while left:
        edge = [left.pop()]
        inside, around = set(edge), (set[Chain](), set[Chain]())
        while edge:
            place = edge.pop()
            for near in (place - width, place - 1, place + 1, place + width):
                if near in left:
                    left.remove(near)
                    inside.add(near)
                    edge.append(near)
                elif near in owner:
                    player, chain = owner[near]
                    around[player].add(chain)
        found.append(Region(frozenset(inside), (frozenset(around[0]), frozenset(around[1]))))
    return found
