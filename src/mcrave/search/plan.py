"""What a search is made of, as kernels see it: its specs, what changes the loop, and scratch memory.

Every part that can be left out is a spec of its own, and what it does is dispatched on its class: so a search compiles
only what it uses. `Off` stands for a part that is left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mcrave.games import Position
from mcrave.kernel import new
from mcrave.specs import Spec
from mcrave.trees.late import words


class Off(Spec):
    """A part that is left out."""


class Plan(NamedTuple):
    """The specs of a search."""

    rules: Any
    policy: Any
    playout: Any
    prior: Any
    options: Any  # see `Limits`
    amaf: Any  # where AMAF statistics are kept, see `amaf`
    recording: Any  # whether anybody reads which moves were played, see `playouts.base`
    squares: Any  # see `extras`
    shares: Any
    backup: Any  # what a parent reads of a position, see `backups`
    graph: Any  # whether positions reached by several paths share a node, see `graph`
    proofs: Any  # see `proofs`
    pruning: Any  # see `pruning`
    threads: Any  # see `threads`
    ownership: Any  # see `ownership`
    bans: Any  # see `bans`


class Limits(NamedTuple):
    """Numbers that the loop itself reads."""

    expand_after: int
    playouts: int  # from every leaf
    full_width: int
    widen_from: float
    widen_power: float


class Scratch(NamedTuple):
    """Memory that a simulation uses and nobody reads afterwards, but for the random stream and `owned`."""

    rng: Any  # the random stream
    root: Any  # the root's state
    work: Any  # the state being played on
    leaf: Any  # the state at the leaf, for a second playout from there
    moves: Any  # int32, room for a list of legal moves
    root_moves: Any  # the root's legal moves, superko considered
    node: Any  # the node at each ply in the tree
    edge: Any  # the edge taken there, -1 at a new node
    who: Any  # the player at each ply of the simulation
    code: Any  # the move code at each ply
    scores: Any  # room for the scores of a node's moves
    n: Any  # room for counts and sums of a node's moves
    w: Any
    an: Any  # room for AMAF counts of a node's moves, and their sums
    aw: Any
    seen: Any  # per player and code: how often it counts as played below the node being updated
    listed: Any  # which of those are 1.0
    bits: Any  # the same as bits, see `trees.late`
    spare: Any  # room for a table
    results: Any  # the outcome for each player
    memory: Any  # what the playout policy learnt
    owned: Any  # per player and point, and nobody: at the end of how many simulations it was theirs
    banned: Any  # per player and code: the first plies in which the move is left out
    kept: Any  # a thread's copies of the nodes near the root, see `hot`
    stock: Any  # a thread's room for nodes to come, see `threads`


def new_scratch(position: Position, moves: int, **parts: Any) -> Scratch:
    """Scratch memory for simulations from a position, with room for a list of so many moves; `parts` has the rest."""
    game = position.game
    plies, branching, entries = game.max_plies() + 1, game.max_moves(), game.players * game.codes()
    return Scratch(
        root=position.state,
        work=new(game.state_type()),
        leaf=new(game.state_type()),
        moves=np.zeros(moves, np.int32),
        root_moves=position.moves.copy(),
        node=np.zeros(plies + 1, np.int32),
        edge=np.zeros(plies + 1, np.int32),
        who=np.zeros(plies, np.int32),
        code=np.zeros(plies, np.int32),
        scores=np.zeros(branching),
        n=np.zeros(branching),
        w=np.zeros(branching),
        an=np.zeros(branching),
        aw=np.zeros(branching),
        seen=np.zeros(entries),
        listed=np.zeros(plies + 1, np.int32),
        bits=np.zeros(words(entries), np.uint64),
        spare=np.zeros(2 * entries),
        results=np.zeros(game.players),
        **parts,
    )
