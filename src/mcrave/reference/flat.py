"""Monte-Carlo simulation (Gelly & Silver §2.3): no tree, every move sampled equally often."""

from __future__ import annotations

from mcrave.reference.protocol import Move, Rng, State, random_move


def monte_carlo(state: State, simulations: int, rng: Rng) -> dict[Move, float]:
    """The Monte-Carlo value Q(s,a) of every move (Eq. 3): the mean outcome of random games that begin with it.

    >>> import random
    >>> from mcrave.reference.example import TicTacToe
    >>> values = monte_carlo(TicTacToe("XX.OO...."), 500, random.Random(1))
    >>> max(values, key=values.get), values[2]
    (2, 1.0)
    """
    moves = state.legal_moves()
    n = dict.fromkeys(moves, 0)
    w = dict.fromkeys(moves, 0.0)
    for i in range(simulations):
        move = moves[i % len(moves)]
        n[move] += 1
        w[move] += play_out(state.play(move), rng).outcome(state.to_move)
    return {move: w[move] / n[move] if n[move] else 0.5 for move in moves}


def play_out(state: State, rng: Rng) -> State:
    """The end of a random game.

    >>> import random
    >>> from mcrave.reference.example import TicTacToe
    >>> play_out(TicTacToe("XOXXO.O.X"), random.Random(1)).outcome(0)
    0.5
    """
    while not state.is_over:
        state = state.play(random_move(state, rng))
    return state
