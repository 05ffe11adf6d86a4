"""Play the same random games here and in OpenSpiel, and compare at every step."""

from __future__ import annotations

import random
from collections.abc import Callable

import pyspiel

import mcrave
from mcrave import Position


def play_side_by_side(
    ours: str,
    theirs: str,
    action: Callable[[Position, int], int],
    games: int,
    seed: int = 1,
) -> int:
    """Assert equal legal moves, turn and result along random games; return how many plies were compared.

    `action` translates one of our moves into OpenSpiel's number for it.
    """
    game, other = mcrave.game(ours), pyspiel.load_game(theirs)
    dice = random.Random(seed)
    plies = 0
    for _ in range(games):
        position, state = game.start(), other.new_initial_state()
        while not state.is_terminal():
            assert not position.is_over, f"{ours} is over, OpenSpiel's is not:\n{position}\n{state}"
            assert position.to_move == state.current_player(), f"{position}\n{state}"
            actions = {action(position, move): move for move in position.moves.tolist()}
            assert len(actions) == len(position.moves), f"two moves share an action in\n{position}"
            assert sorted(actions) == sorted(state.legal_actions()), (
                f"legal moves differ\n{position}\nours only: {set(actions) - set(state.legal_actions())}\n"
                f"theirs only: {set(state.legal_actions()) - set(actions)}\n{state}"
            )
            chosen = dice.choice(sorted(actions))
            position = position.play(actions[chosen])
            state.apply_action(chosen)
            plies += 1
        assert position.is_over, f"OpenSpiel's game is over, {ours} is not:\n{position}\n{state}"
        results = [2 * position.outcome(player) - 1 for player in range(game.players)]
        assert results == list(state.returns()), f"{position}\n{state}"
    return plies
