"""The compiled search and its plain twin side by side: run both on the same random stream, compare the whole trees.

`NUMBA_DISABLE_JIT=1 python -m tests.reference.side_by_side "nim(heaps=2-3-4)" 60 6` compares every policy there.
"""

from __future__ import annotations

import math
import sys

import numpy as np

import mcrave
from mcrave import reference, specs
from mcrave.reference import graph, playouts, policies, priors, schedules
from mcrave.reference.position import Stream, from_position
from mcrave.search.options import AMAF_RULES
from mcrave.trees.late import settle

SCHEDULES = {
    "hand": lambda s: schedules.hand(s.k, s.by_move),
    "min_mse": lambda s: schedules.min_mse(s.bias),
    "min_mse_value": lambda s: schedules.min_mse_value(s.bias),
    "learnt": lambda s: schedules.learnt(s.level, s.slope, s.curve, s.rest),
    "bias": lambda s: schedules.cazenave(s.bias),
    "fixed": lambda s: schedules.fixed(s.weight),
}
POLICIES = {
    "monte_carlo": lambda p: policies.uct(p.ucb1) if p.ucb1 else policies.evenly(),
    "greedy": lambda p: policies.greedy(p.urgency),
    "uct": lambda p: policies.uct(p.c, p.urgency),
    "ucb1_tuned": lambda p: policies.ucb1_tuned(p.c),
    "puct": lambda p: policies.puct(p.c, p.urgency),
    "crazy_stone": lambda p: policies.crazy_stone(p.floor),
    "amaf": lambda p: policies.amaf(),
    "rave": lambda p: policies.rave(p.bias, p.urgency),
    "mc_rave": lambda p: policies.mc_rave(twin(p.schedule, SCHEDULES)),
    "uct_rave": lambda p: policies.uct_rave(p.c, twin(p.schedule, SCHEDULES)),
    "mogo_abc": lambda p: policies.mogo_abc(p.k, p.rise, p.g),
    "grave": lambda p: policies.grave(p.ref, p.bias, p.urgency),
}
PRIORS = {
    "even": lambda p: priors.even(p.m, p.c),
    "grandfather": lambda p: priors.grandfather(p.m, p.c, p.amaf),
    "shuffled": lambda p: priors.even(),
}
PLAYOUTS = {
    "uniform": lambda p: playouts.Uniform(),
    "mast": lambda p: playouts.Mast(p.tau, p.epsilon if p.mode == "epsilon" else 0.0, p.untried),
}
CONFIGURATIONS = [
    ("even()", 0),
    ("grandfather(m=10,c=3)", 2),
    ("even(m=5,c=2)", 0),
    ("even()", 2),
    ("grandfather(m=10,c=3)", 0),
    ("even(m=5,c=2)", 2),
]


def twin(spec, table):
    """What stands for a spec in the reference."""
    return table[spec.name](spec)


VALUES = {"state": graph.state_mean, "full": graph.recomputed_mean}
BACKUPS = {"max": lambda b: graph.best, "mean_max": lambda b: graph.mixed(b.k)}


def reference_search(search: mcrave.Search) -> reference.Search:
    """The same search in plain Python."""
    extra, kind = {}, reference.Search
    if search.transpositions != "off" or search.options.backup.name != "mean":
        kind, backup = graph.GraphSearch, search.options.backup
        value = twin(backup, BACKUPS) if backup.name != "mean" else VALUES.get(search.transpositions)
        extra = {"shared": search.transpositions != "off", "value": value}
    depth = {"monte_carlo": 0}.get(search.tree.name, getattr(search.tree, "depth", 1 << 30))
    return kind(
        policy=twin(search.tree, POLICIES),
        prior=twin(search.prior, PRIORS),
        order=priors.shuffled if search.prior.name == "shuffled" else priors.in_turn,
        playout=twin(search.playout, PLAYOUTS),
        expand_after=search.options.expand_after,
        amaf=next((name for name in AMAF_RULES if getattr(search.options, name)), "once"),
        depth=depth,
        longest=search.game.max_plies() + 1,
        **extra,
    )


def compare(game, tree, prior="even()", expand_after=0, seed=1, simulations=200, position=None, **parts):
    """Run both and assert that every node of both trees agrees; return the number of nodes."""
    search = mcrave.Search(game, tree, prior=prior, expand_after=expand_after, memory="8MB", seed=seed, **parts)
    position = position or search.game.start()
    search.run(position, simulations=simulations)
    root = reference_search(search).run(from_position(position), simulations, Stream(seed))
    nodes = compare_trees(search, root, f"{game} {tree} {prior} {expand_after=} {seed=} {parts}")
    assert nodes == search._tree.used[0]
    return nodes


def compare_trees(search: mcrave.Search, root: reference.Node, what: str) -> int:
    """Walk both trees; return the number of nodes."""
    arrays = search._tree
    settle(arrays, search.game.players)
    todo, met = [(0, root, ())], {}
    while todo:
        index, node, path = todo.pop()
        if index in met:
            assert met[index] is node, f"{what}: the positions behind {list(path)} are one node in one tree alone"
            continue
        met[index] = node
        found, wanted = kernel_node(search, index), reference_node(search, node)
        assert found.keys() == wanted.keys()
        for key in wanted:
            assert same(found[key], wanted[key]), (
                f"{what}: {key} differs at the node behind {list(path)}: kernel {found[key]}, reference {wanted[key]}"
            )
        first = arrays.nodes[index].first
        for i, move in enumerate(node.codes):
            child = int(arrays.child[first + i])
            assert (child >= 0) == (move in node.children), f"{what}: only one has a node behind {[*path, move]}"
            if child >= 0:
                todo.append((child, node.children[move], (*path, move)))
    return len(met)


def same(a, b) -> bool:
    return len(a) == len(b) and all(math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-12) for x, y in zip(a, b))


def kernel_node(search, index) -> dict[str, list]:
    """The statistics of a node of the compiled search."""
    arrays, game = search._tree, search.game
    view = arrays.nodes[index]
    run = slice(int(view.first), int(view.first + view.count))
    found = {
        "player, visits, prior": [view.player, view.visits, view.given],
        "moves": arrays.move[run],
        "codes": arrays.code[run],
        "N(s,a)": arrays.n[run],
        "sum of outcomes": arrays.w[run],
    }
    if arrays.an.size:
        found |= {"AMAF counts": arrays.an[run], "AMAF sums": arrays.aw[run]}
    if arrays.squares.size:
        found |= {"squares": arrays.squares[run]}
    if arrays.share.size:
        found |= {"P(s,a)": arrays.share[run]}
    if arrays.table_n.size:
        entries = game.players * game.codes()
        table = slice(index * entries, (index + 1) * entries)
        found |= {"AMAF counts of all": arrays.table_n[table], "AMAF sums of all": arrays.table_w[table]}
    return {key: np.asarray(value).tolist() for key, value in found.items()}


def reference_node(search, node: reference.Node) -> dict[str, list]:
    """The same of the reference."""
    arrays, game = search._tree, search.game
    moves = list(node.codes)
    own = [(node.player, code) for code in node.codes.values()]
    every = [(player, code) for player in range(game.players) for code in range(game.codes())]
    found = {
        "player, visits, prior": [node.player, node.visits, node.given],
        "moves": moves,
        "codes": list(node.codes.values()),
        "N(s,a)": [node.n[move] for move in moves],
        "sum of outcomes": [node.w[move] for move in moves],
    }
    if arrays.an.size:
        found |= {"AMAF counts": [node.amaf_n[play] for play in own]}
        found |= {"AMAF sums": [node.amaf_w[play] for play in own]}
    if arrays.squares.size:
        found |= {"squares": [node.squares[move] for move in moves]}
    if arrays.share.size:
        whole = sum(node.h.values())
        found |= {"P(s,a)": [node.h[move] / whole if whole else 1 / len(moves) for move in moves]}
    if arrays.table_n.size:
        found |= {"AMAF counts of all": [node.amaf_n[play] for play in every]}
        found |= {"AMAF sums of all": [node.amaf_w[play] for play in every]}
    return found


def library_policies() -> list[str]:
    """The tree policies of mcrave itself; a test may have loaded others from files."""
    return [name for name in specs.names("tree") if specs.find(name, "tree").__module__.startswith("mcrave.policies.")]


def all_policies() -> list[str]:
    """Every registered tree policy, those with a schedule with each one."""
    found = []
    for name in library_policies():
        spec = specs.parse(f"{name}()", "tree")
        if hasattr(spec, "schedule"):
            found += [f"{name}(schedule={schedule}())" for schedule in specs.names("schedule")]
        else:
            found.append(f"{name}()")
    return found


def main(game: str, simulations: int, configurations: int) -> None:
    """Compare every policy on a game, with so many configurations of prior and expansion each."""
    known = CONFIGURATIONS
    for i, tree in enumerate(all_policies()):
        for j in range(configurations):
            prior, expand_after = known[(i + j) % len(known)]
            print(compare(game, tree, prior, expand_after, seed=i + j, simulations=simulations), game, tree, prior)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
