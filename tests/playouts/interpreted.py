"""Checks that look into playout policies while they run, without the compiler: every kernel is plain Python then.

`NUMBA_DISABLE_JIT=1 python -W error -m tests.playouts.interpreted check_mast`
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from typing import Any

import numpy as np

import mcrave
from mcrave.games import Game, Position, base
from mcrave.games._hexboard import HexGame, board
from mcrave.kernel.rng import below, stream, uniform
from mcrave.playouts._moves import CODES, COUNT, HEAD, SIMULATIONS, SUM, WIDTH, WORTH
from mcrave.search import loop
from mcrave.specs import lowered, parse
from tests.playouts.watching import (
    EYES,
    Simulation,
    assert_drawn,
    assert_table,
    candidates,
    drawn,
    random_position,
    table,
    watched,
)


def check_mast() -> None:
    """Every play counts, in the tree and below; the tree's part of a simulation is not forgotten."""
    for game in ("mnk", "go3(size=2)", "breakthrough(rows=4,cols=3)", "go(size=3)"):
        search, seen = watched(game, "uct()", "mast(tau=0.3)", 40)
        assert len(seen) == 40
        assert max(len(simulation.who) - len(simulation.chosen) for simulation in seen) > 1
        assert_table(search, seen, False, lambda mean: math.exp((mean - 1) / 0.3))
        search, seen = watched(game, "uct()", "mast(mode=epsilon)", 30)
        assert_table(search, seen, False, lambda mean: mean)
    repeated = [simulation for simulation in seen if len(set(simulation.code)) < len(simulation.code)]
    assert repeated, "Go without a second play on a point"


def check_softmax() -> None:
    """A move counts once a simulation, and a new root starts from nothing."""
    for game in ("go3(size=2)", "go(size=3)"):
        search, seen = watched(game, "uct()", "softmax(tau=0.3)", 40)
        assert any(len(set(s.code)) < len(s.code) for s in seen)
        assert_table(search, seen, True, lambda mean: math.exp((mean - 1) / 0.3))
        search.run(search.game.start().play(int(search.game.start().moves[0])), simulations=7)
        assert search._memories[0][SIMULATIONS] == 7
        assert max(n for n, _, _ in table(search).values()) <= 7


def check_mercy() -> None:
    """A playout goes on until one side is too many stones ahead or the game is over, and counts as it says."""
    mercies = 0
    for text, mercy, margin in (("go(size=5,komi=2.5)", 0.8, 0.0), ("go(rows=4,cols=6,komi=0)", 0.0, 0.1)):
        points, komi = mcrave.game(text).rows * mcrave.game(text).cols, mcrave.game(text).komi
        playout = f"mogo(mercy={mercy},margin={margin})"
        for form in ("{}", "disputed(after=5,playout={})"):
            search, seen = watched(text, "uct()", form.format(playout), 25)
            for simulation in seen:
                boards = [state["color"] for state in simulation.states]
                leads = [int((board == 1).sum()) - int((board == 2).sum()) - komi for board in boards]
                start, end, over = leads[0], leads[-1], simulation.states[-1]["passes"] == 2
                gains = [lead - start if lead > 0 else start - lead for lead in leads]
                far = [min(abs(lead), 2 * gain) > mercy * points**0.5 for lead, gain in zip(leads, gains, strict=True)]
                if mercy:
                    assert not any(far[:-1])  # `disputed` shows the end alone
                    assert over or far[-1] or form != "{}"
                if mercy and not over:
                    mercies += 1
                    assert simulation.results == [float(end > 0), float(end < 0)]
                else:
                    score = search.game.score(simulation.states[-1])
                    won = 0.5 if score == 0 else float(score > 0)
                    share = min(max(0.5 + score / points, 0.0), 1.0)
                    assert abs(simulation.results[0] - ((1 - margin) * won + margin * share)) < 1e-12
                    assert abs(sum(simulation.results) - 1) < 1e-12
    assert mercies > 20


def check_mercy_waits_for_gains() -> None:
    """Whoever has many stones on the board from the start is not yet the winner: they may be dead."""
    rows = "X X X X X X X|X X X X X X O|X X X X X O .|X X X X X O .|X X X X X O .|X X X X X O O|. X X X X X O"
    position = mcrave.game("go(size=7,komi=7.5)").parse(rows.replace("|", "\n") + "\nO to move")
    search = mcrave.Search(position.game, tree="uct()", playout="mogo(mercy=1)", seed=1, memory="1MB")
    report = search.run(position, simulations=40)
    assert report.best == "A1"
    assert report.moves[0].value > 0.9


def cells(position: Position) -> list[int]:
    """The diagram, row by row from the top."""
    return position.game._grid().read(str(position))[0]


def predicate_numbers(game: Game) -> dict[int, tuple[int, int]]:
    """For each predicate the cell of the diagram and the mark that it is about."""
    if game.name == "domineering":
        return {cell: (cell, 0) for cell in range(game.rows * game.cols)}
    if isinstance(game, HexGame):
        return {
            2 * int(place) + player: (cell, player + 1)
            for cell, place in enumerate(board(game)[0])
            for player in (0, 1)
        }
    numbers = {}
    rows, cols = (8, 8) if game.name == "gdl_checkers" else (game.rows, game.cols)
    for row in range(rows):
        for col in range(cols):
            cell = row * cols + col
            on_stones = (row + 1) * (cols + 1) + col + 1
            place = {
                "go": on_stones,
                "go3": on_stones,
                "atarigo": on_stones,
                "nogo": on_stones,
                "othello": 8 * row + col,
                "lines_of_action": 8 * row + col,
                "checkers": 8 * row + col,
                "connect_four": col * (rows + 1) + rows - 1 - row,
            }.get(game.name, cell)
            marks = {"amazons": 3, "checkers": 4, "gdl_checkers": 4}.get(game.name, game.players)
            for mark in range(marks):
                numbers[{"go3": 4}.get(game.name, marks) * place + mark] = cell, mark + 1
    return numbers


WITH_PREDICATES = (
    "mnk",
    "go(size=3)",
    "go3(size=3)",
    "othello(size=4)",
    "connect_four(rows=4,cols=4)",
    "breakthrough(rows=4,cols=3)",
    "knightthrough(size=5)",
    "domineering(rows=3,cols=4)",
    "clobber(rows=3,cols=4)",
    "hex(size=3,swap=true)",
    "y(size=4)",
    "havannah(size=3)",
    "atarigo(size=3)",
    "nogo(size=3)",
    "lines_of_action(size=5)",
    "checkers(size=4)",
    "checkers(size=6)",
    "gdl_checkers",
    "amazons(size=4)",
)


def check_predicates() -> None:
    """Predicates are piece-at-cell, and `change` names what a move changes, captures in Go excepted."""
    for text in WITH_PREDICATES:
        game = mcrave.game(text)
        rules, numbers = lowered(game), predicate_numbers(game)
        assert max(numbers) < base.predicates(rules)
        for seed in range(6):
            position = random_position(game, (0, 1, 3, 6, 9, 12)[seed], seed)
            state, before = position.state[0], cells(position)
            for i in range(base.predicates(rules)):
                expected = i in numbers and before[numbers[i][0]] == numbers[i][1]
                assert bool(base.predicate(rules, state, i)) == expected, (text, i, str(position))
            for move in position.moves.tolist():
                after = cells(position.play(move))
                wanted = {2 * i for i, (cell, mark) in numbers.items() if after[cell] == mark != before[cell]}
                if game.name not in ("go", "go3", "atarigo"):
                    wanted |= {2 * i + 1 for i, (cell, mark) in numbers.items() if before[cell] == mark != after[cell]}
                named: list[int] = []
                while not named or named[-1] >= 0:
                    named.append(int(base.change(rules, state, move, len(named))))
                assert sorted(named[:-1]) == sorted(wanted), (text, str(position), move)


def check_past() -> None:
    """Both statistics of every predicate, from the states that playouts went through."""
    for text in ("mnk", "go3(size=2)", "breakthrough(rows=4,cols=3)"):
        search, seen = watched(text, "uct()", "past()", 30)
        game, memory = search.game, search._memories[0]
        count = base.predicates(lowered(game))
        held = np.zeros((2 * count, 1 + game.players))
        for simulation in seen:
            for record in simulation.states:
                holding = np.array([bool(base.predicate(lowered(game), record, i)) for i in range(count)])
                line = np.array([1.0, *simulation.results])
                held[0::2][holding] += line
                held[1::2][~holding] += line
        start = HEAD + count
        assert not memory[2]
        assert not memory[HEAD:start].any()
        found = memory[start : start + held.size].reshape(held.shape)
        assert np.allclose(found, held, rtol=0, atol=1e-9)
        assert (found[0::2, 0] + found[1::2, 0] == sum(len(s.states) for s in seen)).all()
        for combine in ("mean", "max"):
            position = random_position(game, 2, 1)
            weights = {
                move: math.exp(plain_promise(position, move, held, combine) / 0.1) for move in candidates(position)
            }
            expected = {move: weight / sum(weights.values()) for move, weight in weights.items()}
            assert_drawn(drawn(f"past(tau=0.1,combine={combine},least=3)", position, memory), expected)


def plain_promise(position: Position, move: int, held: Any, combine: str) -> float:
    """V(p,a) of PAST with least = 3."""
    rules, named = lowered(position.game), []
    while not named or named[-1] >= 0:
        named.append(int(base.change(rules, position.state[0], move, len(named))))
    rows = [(i, held[i][0], held[i][1 + position.to_move]) for i in named[:-1] if held[i][0] >= 3]
    if combine == "max":
        return max((w / n for i, n, w in rows if i % 2 == 0), default=0.5)
    return sum(w for _, _, w in rows) / sum(n for _, n, _ in rows) if rows else 0.5


def check_past_without_predicates() -> None:
    """Then it is MAST."""
    reports = []
    for playout in ("past(tau=0.3)", "mast(tau=0.3)"):
        search, _ = watched("nim(heaps=2-3)", "uct()", playout, 60)
        reports.append((search._memories[0].tolist()[HEAD:], search._rngs[0][0].state))
    assert reports[0] == reports[1]


def check_candidates() -> None:
    """They are what `random_move` draws, for games with and without a list of their own."""
    for text in ("go(size=3)", "go3(size=3)", "go(size=5)", "atarigo(size=3)", "mnk", "nim(heaps=2-3)"):
        game = mcrave.game(text)
        for seed in range(6):
            position = random_position(game, 4 * seed, seed)
            assert_support(position)
    assert_support(mcrave.game("go(size=5)").parse(EYES))
    assert 0 in mcrave.game("go(size=5)").parse(EYES).moves


def assert_support(position: Position) -> None:
    rng, out = stream(1)[0], np.zeros(position.game.max_moves(), np.int32)
    found = {int(base.random_move(lowered(position.game), position.state[0], rng, out)) for _ in range(600)}
    listed = candidates(position)
    assert sorted(listed) == sorted(found), str(position)


def filled(playout: str, game: Game, seed: int) -> Any:
    """A memory with random statistics for most moves."""
    memory = np.zeros(parse(playout, "playout").memory_size(game))
    memory[CODES] = game.codes()
    rng = np.random.default_rng(seed)
    rows = memory[HEAD : HEAD + WIDTH * game.codes() * game.players].reshape(-1, WIDTH)
    rows[:, COUNT] = rng.integers(0, 4, len(rows))
    rows[:, SUM] = rng.integers(0, 4, len(rows)) / 3 * rows[:, COUNT]
    return memory


def check_distributions() -> None:
    """Draws against the formulas, and uniform playouts as the limit of high temperature."""
    positions = [
        mcrave.game("go(size=5)").parse(EYES),
        random_position(mcrave.game("go3(size=3)"), 4, 1),
        random_position(mcrave.game("breakthrough(rows=4,cols=3)"), 1, 1),
    ]
    for position in positions:
        game, moves = position.game, candidates(position)
        rules, state = lowered(game), position.state[0]
        entries = {m: HEAD + WIDTH * (position.to_move * game.codes() + base.code(rules, state, m)) for m in moves}
        memory = filled("mast()", game, 2)
        means = {
            m: memory[entry + SUM] / memory[entry + COUNT] if memory[entry + COUNT] else None
            for m, entry in entries.items()
        }
        for tau in (0.05, 0.3, math.inf):
            for playout, unknown in ((f"mast(tau={tau},untried=0.8)", 0.8), (f"softmax(tau={tau})", 0.5)):
                for m, entry in entries.items():
                    memory[entry + WORTH] = math.exp((means[m] - 1) / tau) if means[m] is not None else 0.0
                weights = {m: math.exp((unknown if q is None else q) / tau) for m, q in means.items()}
                expected = {m: weight / sum(weights.values()) for m, weight in weights.items()}
                assert_drawn(drawn(playout, position, memory), expected)
        for entry in entries.values():
            memory[entry + WORTH] = memory[entry + SUM] / memory[entry + COUNT] if memory[entry + COUNT] else 0.0
        values = {m: 0.2 if q is None else q for m, q in means.items()}
        top = [m for m in moves if values[m] == max(values.values())]
        expected = {m: 0.3 / len(moves) + (0.7 / len(top) if m in top else 0.0) for m in moves}
        assert_drawn(drawn("mast(mode=epsilon,epsilon=0.3,untried=0.2)", position, memory), expected)
        if len(top) > 1:
            assert_drawn(
                drawn("mast(mode=epsilon,epsilon=0,untried=0.2)", position, memory), {m: 1 / len(top) for m in top}
            )
    assert any(len(candidates(p)) < len(p.moves) for p in positions), "no position with an eye"


def check_pool_rave() -> None:
    """The pools hold the best AMAF moves of the right nodes, and are drawn from with probability p."""
    sizes: Counter[int] = Counter()

    def look(search, tree, scratch, in_tree):
        game = search.game
        spec, codes, memory = search.playout, game.codes(), scratch.memory
        for player in range(game.players):
            nodes = [int(scratch.node[t]) for t in range(in_tree)]
            nodes = [i for i in nodes if tree.nodes[i].player == player and tree.nodes[i].visits >= spec.visits]
            wanted: list[int] = []
            if nodes:
                view = tree.nodes[nodes[-1]]
                moves = []
                for edge in range(view.first, view.first + view.count):
                    code = int(tree.code[edge])
                    if tree.an.size:
                        n, w = tree.an[edge], tree.aw[edge]
                    else:
                        at = (nodes[-1] * game.players + player) * codes + code
                        n, w = tree.table_n[at], tree.table_w[at]
                    if n >= spec.least:
                        moves.append((-w / n, len(moves), code))
                wanted = [code for _, _, code in sorted(moves)[: spec.k]]
            marks = memory[HEAD + player * codes : HEAD + (player + 1) * codes]
            assert sorted(np.flatnonzero(marks)) == sorted(wanted)
            pool = memory[HEAD + game.players * codes :].reshape(game.players, -1)[player]
            assert pool[0] == len(wanted)
            assert pool[1 : 1 + len(wanted)].tolist() == wanted
            sizes[len(wanted)] += 1

    for game in ("mnk", "go3(size=2)"):
        for tree in ("rave()", "grave(ref=5)"):
            sizes.clear()
            search, _ = watched(game, tree, "pool_rave(p=0.7,k=3,visits=10,least=2)", 90, look)
            assert min(sizes[0], sizes[3]) > 0, sizes
    search, _ = watched("mnk", "rave()", "pool_rave(p=0.7,k=3,visits=10,least=2)", 200)
    position = search.game.start()
    memory = search._memories[0]
    pool = np.flatnonzero(memory[HEAD : HEAD + 9]).tolist()
    assert len(pool) == 3
    for taken in ([], [pool[0]], pool):
        text = "\n".join("".join("O" if 3 * r + c in taken else "." for c in range(3)) for r in range(3))
        position = search.game.parse(text.replace("\n", " / "))
        moves, inside = candidates(position), [m for m in pool if m not in taken]
        expected = {
            m: 1 / len(moves) if not inside else 0.3 / len(moves) + (0.7 / len(inside) if m in inside else 0)
            for m in moves
        }
        assert_drawn(drawn("pool_rave(p=0.7,k=3)", position, memory), expected)


def check_ordered() -> None:
    """The order is sorted, disturbed as the schedule says, and played from the top, each move once."""
    states: list[Any] = []

    def look(search, tree, scratch, in_tree):
        game, memory = search.game, scratch.memory
        players, codes = game.players, game.codes()
        root = tree.nodes[scratch.node[0]]
        p = max(search.playout.floor, 1 - root.visits / search.playout.anneal)
        rng = states[-1] if states else stream(3)[0]
        worth = lambda player, code: table_mean(memory, player * codes + code)  # noqa: E731
        lists = memory[HEAD + WIDTH * players * codes :]
        for player in range(players):
            order = lists[player * codes : (player + 1) * codes].astype(int).tolist()
            ranks = lists[(players + player) * codes : (players + player + 1) * codes].astype(int).tolist()
            assert sorted(order) == list(range(codes))
            values = [worth(player, code) for code in order]
            assert values == sorted(values, reverse=True)
            for i in range(codes):
                if uniform(rng) < p:
                    j = i + below(rng, codes - i)
                    order[i], order[j] = order[j], order[i]
            assert [order.index(code) for code in range(codes)] == ranks
        assert rng.state == scratch.rng[0].state
        best.append(lists[players * codes : 2 * players * codes].reshape(players, codes).copy())

    for game in ("mnk", "go3(size=2)", "breakthrough(rows=4,cols=3)"):
        for schedule in ("anneal=40", "anneal=20,floor=0.3"):
            best: list[Any] = []
            states.clear()
            old = loop.learn

            def after(spec, rules, scratch, plies, old=old):
                old(spec, rules, scratch, plies)
                states.append(scratch.rng[0].copy())

            loop.learn = after
            try:
                search, seen = watched(game, "uct()", f"ordered({schedule})", 60, look)
            finally:
                loop.learn = old
            assert_table(search, seen, True, lambda mean: mean)
            for simulation, ranks in zip(seen, best, strict=True):
                assert_played_in_order(search.game, simulation, ranks)


def table_mean(memory: Any, entry: int) -> float:
    row = memory[HEAD + WIDTH * entry : HEAD + WIDTH * (entry + 1)]
    return row[SUM] / row[COUNT] if row[COUNT] else 0.5


def assert_played_in_order(game: Game, simulation: Simulation, ranks: Any) -> None:
    rules, made = lowered(game), set()
    out = np.zeros(game.max_moves(), np.int32)
    for state, move in zip(simulation.states, simulation.chosen, strict=False):
        player = int(base.to_move(rules, state))
        listed = out[: base.candidates(rules, state, out)].tolist()
        fresh = [m for m in listed if (player, int(base.code(rules, state, m))) not in made]
        if fresh:
            assert move == min(fresh, key=lambda m: ranks[player][base.code(rules, state, m)])
        made.add((player, int(base.code(rules, state, move))))


def check_truncated() -> None:
    """No playout is longer than the depth, and those that are cut get their evaluation."""
    for text, inner in (
        ("othello(size=4)", "mast()"),
        ("go3(size=3)", "softmax()"),
        ("breakthrough(rows=5,cols=3)", "past()"),
    ):
        for evaluation in ("estimate", "outcome", "even"):
            playout = f"truncated(depth=3,evaluation={evaluation},playout={inner})"
            search, seen = watched(text, "uct()", playout, 60)
            rules, cut, ended = lowered(search.game), 0, 0
            for simulation in seen:
                last = simulation.states[-1]
                over = bool(base.is_over(rules, last))
                assert len(simulation.chosen) == 3 or (over and len(simulation.chosen) < 3)
                cut, ended = cut + (not over), ended + over
                kind = base.outcome if over or evaluation == "outcome" else base.estimate
                for player, result in enumerate(simulation.results):
                    wanted = 0.5 if evaluation == "even" and not over else kind(rules, last, player)
                    assert result == wanted
            assert cut > 0
    counted, _ = watched("mnk", "uct()", "truncated(depth=0,evaluation=even)", 5, expand_after=10)
    assert counted.run(counted.game.start(), simulations=5).value == 0.5


def check_estimates() -> None:
    """Shares of area, discs and pieces, between 0 and 1, one in all."""
    shares = {
        "othello(size=4)": (".... / .XX. / .XO. / ....", [0.75, 0.25]),
        "breakthrough(rows=4,cols=3)": ("BB. / .B. / W.. / WW.", [0.5, 0.5]),
        "knightthrough(rows=4,cols=3)": ("BB. / .B. / ... / W..", [0.25, 0.75]),
        "go(size=3,komi=1.5)": (".X. / .X. / .X.", [0.5 + 0.5 * 7.5 / 9, 0.5 - 0.5 * 7.5 / 9]),
        "go(size=3,komi=20)": (".X. / .X. / .X.", [0.0, 1.0]),
        "go3(size=3)": ("XXX / ... / O#.", [3 / 5, 1 / 5, 1 / 5]),
        "mnk": ("XX. / ... / O..", [0.5, 0.5]),
    }
    for text, (diagram, expected) in shares.items():
        position = mcrave.game(text).parse(diagram)
        found = [base.estimate(lowered(position.game), position.state[0], p) for p in range(position.game.players)]
        assert np.allclose(found, expected), (text, found)
    empty = mcrave.game("go3(size=3)").start()
    assert base.estimate(lowered(empty.game), empty.state[0], 0) == 1 / 3
    for text in ("go(size=5)", "go3(size=3)", "othello(size=6)", "breakthrough(size=6)"):
        for seed in range(5):
            position = random_position(mcrave.game(text), 5 * seed, seed)
            rules, state = lowered(position.game), position.state[0]
            before = str(position)
            values = [base.estimate(rules, state, p) for p in range(position.game.players)]
            assert min(values) >= 0.0
            assert abs(sum(values) - 1.0) < 1e-12
            assert position.game.render(state) == before


CHECKS = [name for name in dir() if name.startswith("check_")]

if __name__ == "__main__":
    globals()[sys.argv[1]]()
