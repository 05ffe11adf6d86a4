"""`mcrave.match`: two players, as many games as wanted, and who is stronger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcrave.arena.referee import Bench
from mcrave.arena.results import MatchResult
from mcrave.arena.running import CPU, Listener, Manning, Order, Run, check_players
from mcrave.arena.schedule import Contest, contest, text_of
from mcrave.arena.sprt import Sprt
from mcrave.arena.store import MEMORY, Store
from mcrave.errors import Error
from mcrave.games import Game
from mcrave.games import game as game_of


def match(
    game: str | Game,
    a: str,
    b: str,
    games: int = 100,
    *,
    seed: int = 1,
    workers: int = 1,
    device: str = CPU,
    opening: int = 0,
    sprt: tuple[float, float] | None = None,
    db: str | Path = MEMORY,
) -> MatchResult:
    """Let two players play, with alternating seats; the same seed gives the same games, whatever the number of workers.

    Every second game has the seats exchanged; with `opening=n` both begin with the same n random moves. `sprt=(0, 20)`
    stops as soon as it is clear whether `a` is 0 or 20 Elo better. With `db` the games are kept in a file, and those
    that are in it already are not played again. `device="cuda"` plays thousands of games at once on a GPU. Ctrl-C
    returns the result so far.

    >>> import mcrave
    >>> m = mcrave.match("mnk", a="uct@50", b="random", games=20, seed=1)
    >>> m.games, m.rate > 0.7, m.interval[0] < m.rate < m.interval[1], m.elo.value > 0
    (20, True, True, True)
    """
    rules = game_of(game)
    test = None if sprt is None else Sprt(*sprt)
    order = Order(contest(rules, [a, b], seed=seed, opening=opening), games, test)
    with Store(db) as store:
        return play_match(order, store, Manning(workers, device=device), rules=rules)


def play_match(
    order: Order,
    store: Store,
    manning: Manning,
    *,
    rules: Game | None = None,
    listener: Listener | None = None,
) -> MatchResult:
    """Play what the store lacks of an order, and return the result."""
    (result,) = play_orders([order], store, manning, rules=rules, listener=listener)
    return result


def play_orders(
    orders: Sequence[Order],
    store: Store,
    manning: Manning,
    *,
    rules: Game | None = None,
    listener: Listener | None = None,
) -> list[MatchResult]:
    """Play what the store lacks of several orders; their results, with `complete=False` after Ctrl-C."""
    for order in orders:
        if order.games < 1:
            raise Error(f"a match needs at least 1 game, not {order.games}")
    bench = Bench()
    games = [rules] if rules is not None else [game_of(text) for text in {order.contest.game for order in orders}]
    for game in games:
        bench.add_game(text_of(game), game)
    run = Run(orders, store, listener)
    complete = True
    try:
        if any(_is_open(run, order.contest) for order in orders):
            manning.check()
            if manning.device == CPU:
                for order in orders:
                    check_players(order.contest, bench)
            crew = manning.crew(bench, games, orders, store)
            try:
                run.play(crew)
            finally:
                crew.close()
    except KeyboardInterrupt:
        complete = False
    finally:
        bench.close()
    return [
        MatchResult(order.contest, store.records(order.contest, run.length(order.contest.key)), order.test, complete)
        for order in orders
    ]


def _is_open(run: Run, contest: Contest) -> bool:
    """Whether there is something left to play."""
    wanted = run.length(contest.key)
    return len([number for number in run.done[contest.key] if number < wanted]) < wanted
