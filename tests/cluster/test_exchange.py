"""What workers tell each other adds up exactly, whatever is late, lost or dropped. No Ray here."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcrave
from mcrave import Search
from mcrave.cluster import coordinator as coordinating
from mcrave.cluster.ledger import Ledger, Totals
from mcrave.cluster.statistics import VISITS, Nodes
from mcrave.errors import Error
from mcrave.search.teams import Budget
from mcrave.trees.compact import keep

from .pools import team

GAME = "mnk(size=3,length=3)"
TREES = ["uct", "mc_rave", "grave(ref=5)"]


class Site:
    """A tree with its books."""

    def __init__(self, number: int, tree: str, prior: str) -> None:
        self.number, self.message = number, 0
        self.search = Search(GAME, tree=tree, prior=prior, seed=number + 1, memory="2MB")
        self.position = self.search.game.start()
        self.ledger, self.own = Ledger(), 0

    @property
    def nodes(self) -> Nodes:
        return Nodes(self.search, self.position)

    def think(self, simulations: int) -> None:
        self.search.think(self.position, Budget(simulations))
        self.own += simulations

    def tell(self):
        self.message += 1
        return self.number, self.message, self.ledger.tell(self.nodes, 0.05, 3, self.message)


def check_settled(sites: list[Site], totals: Totals, books: Nodes) -> None:
    """Everybody has told and heard everything: then all know the same about what is shared, and nothing twice."""
    assert totals.sums[()][VISITS] == sum(site.own for site in sites)
    for path, sums in totals.sums.items():
        node = books.find(path)
        prior = books.prior(path)
        assert np.allclose(books.read(node), prior + sums, rtol=1e-12)
        assert sums[VISITS] == round(sums[VISITS])
        own = np.zeros_like(sums)
        for site in sites:
            account = site.ledger.accounts.get(path)
            if account is None:
                continue
            assert np.allclose(account.foreign + account.settled, sums, atol=1e-9)
            own += account.settled
            unsaid = site.nodes.read(site.nodes.find(path)) - account.accounted
            assert (unsaid > -1e-9).all()
            known = site.nodes.read(site.nodes.find(path))
            assert np.allclose(known, prior + account.foreign + account.settled + unsaid, atol=1e-9)
        assert np.allclose(own, sums, atol=1e-9), "the sum of what each has told is the total"


@given(data=st.data(), tree=st.sampled_from(TREES), prior=st.sampled_from(["even()", "even(m=3,c=2)"]))
def test_books_balance_in_any_order(data: st.DataObject, tree: str, prior: str) -> None:
    """Three sites search, tell, and hear totals that are late and out of step."""
    sites = [Site(number, tree, prior) for number in range(3)]
    totals, local = Totals(), Search(GAME, tree=tree, prior=prior, memory="2MB")
    books = Nodes(local, local.game.start())
    totals.put_all(books)
    post: list[tuple] = []  # told, not counted yet; in order for each site
    published = [({}, {})]
    for _ in range(data.draw(st.integers(5, 25))):
        site = data.draw(st.sampled_from(sites))
        step = data.draw(st.sampled_from(["think", "tell", "count", "hear", "publish"]))
        if step == "think":
            site.think(data.draw(st.integers(1, 60)))
        elif step == "tell":
            post.append(site.tell())
        elif step == "count" and post:
            totals.add(books, *post.pop(0))
        elif step == "publish":
            published.append(({p: v.copy() for p, v in totals.sums.items()}, dict(totals.counted)))
        elif step == "hear":  # the newest, or what came before it again
            sums, counted = published[-1]
            site.ledger.hear(site.nodes, sums, counted.get(site.number, 0))
    for site in sites:
        site.think(1)
        post.append(site.tell())
    for message in post:
        totals.add(books, *message)
    for _ in range(2):  # what was shared by others only is told in the second round
        for site in sites:
            site.ledger.hear(site.nodes, totals.sums, totals.counted.get(site.number, 0))
        for site in sites:
            totals.add(books, *site.tell())
    for site in sites:
        site.ledger.hear(site.nodes, totals.sums, totals.counted[site.number])
    check_settled(sites, totals, books)


def test_one_site_alone_hears_nothing_new() -> None:
    """What comes back is its own: the tree stays as it is."""
    site, totals, local = Site(0, "grave", "even()"), Totals(), Search(GAME, tree="grave", memory="2MB")
    books = Nodes(local, local.game.start())
    for _ in range(5):
        site.think(100)
        before = {path: site.nodes.read(node) for path, node in site.nodes.upper(0.0, 9)}
        totals.add(books, *site.tell())
        site.ledger.hear(site.nodes, totals.sums, site.message)
        after = {path: site.nodes.read(node) for path, node in site.nodes.upper(0.0, 9)}
        assert before.keys() == after.keys()
        assert all((before[path] == after[path]).all() for path in before)
    assert totals.sums[()][VISITS] == 500


def test_dropped_messages_are_told_again_after_a_move() -> None:
    """A message on its way while the root moves on is lost, but nothing that it told."""
    site, totals, local = Site(0, "mc_rave", "even()"), Totals(), Search(GAME, tree="mc_rave", memory="2MB")
    books = Nodes(local, local.game.start())
    site.think(300)
    site.tell()  # never arrives
    move = int(site.position.moves[4])
    visits = site.nodes.visits(site.nodes.find((move,)))
    site.search.advance(move)
    site.ledger.advance(move, 0)
    site.position = site.position.play(move)
    books = Nodes(local, site.position)
    totals.add(books, *site.tell())
    assert totals.sums[()][VISITS] == visits > 10


def test_a_node_that_was_dropped_and_made_again() -> None:
    """A tree that recycles its memory forgets shared nodes; from the totals they come back, once."""
    site, totals, local = Site(0, "uct", "even()"), Totals(), Search(GAME, memory="2MB")
    books = Nodes(local, local.game.start())
    site.think(400)
    totals.add(books, *site.tell())
    keep(site.nodes.tree, 2, 0, 100)  # drops all but the root's best children
    assert sum(1 for _ in site.nodes.upper(0.05, 3)) < len(totals.sums)
    site.think(50)
    totals.add(books, *site.tell())
    site.ledger.hear(site.nodes, totals.sums, site.message)
    site.think(50)
    totals.add(books, *site.tell())
    assert totals.sums[()][VISITS] == 500
    for path, sums in totals.sums.items():
        assert sums[VISITS] <= 500
        assert sums[VISITS] == site.nodes.visits(site.nodes.find(path))


# ------------------------------------------------------------------------------------------ the coordinator


@pytest.mark.parametrize("tree", ["uct", "mc_rave", "grave"])
def test_a_run_counts_every_simulation_once(tree: str) -> None:
    """Four workers, 2,000 simulations: the root has exactly these; a second run goes on."""
    crew, pool = team(GAME, "ray(workers=4)", tree=tree)
    start = mcrave.game(GAME).start()
    report = crew.run(start, Budget(2000), None)
    assert report.simulations == 2000
    assert crew.totals.sums[()][VISITS] == 2000
    assert sum(move.visits for move in report.moves) == 2000 - 4  # each worker's first visit makes its root
    assert crew.reader(start).tree.nodes.visits[0] == 2000
    assert len(pool.workers) == 4
    again = crew.run(start, Budget(500), None)
    assert again.simulations == 500
    assert crew.totals.sums[()][VISITS] == 2500
    assert report.moves[0].move == "b2"


def test_workers_know_of_each_other() -> None:
    """After some exchanges a worker's root has seen more than its own part."""
    crew, pool = team(GAME, "ray(workers=3)", tree="mc_rave")
    crew.run(mcrave.game(GAME).start(), Budget(3000), None)
    for worker in pool.workers.values():
        root = worker._ledger.accounts[()]
        assert root.foreign[VISITS] > 500
        assert root.foreign[VISITS] + root.settled[VISITS] <= 3000


def test_a_lost_worker_is_replaced_and_its_part_stays() -> None:
    crew, pool = team(GAME, "ray(workers=3)", tree="grave", lose={4, 7})
    report = crew.run(mcrave.game(GAME).start(), Budget(2000), None)
    assert report.simulations == 2000 == crew.totals.sums[()][VISITS]
    assert crew.losses == 2
    assert len(pool.workers) == 3
    assert max(pool.workers) == 5
    assert {worker for worker, last in crew.totals.counted.items() if last} > set(pool.workers) - {5}


def test_a_late_worker_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its order is done by another; the totals are exact."""
    monkeypatch.setattr(coordinating, "PATIENCE", 0.1)
    crew, pool = team(GAME, "ray(workers=2,rate=50)", delay={3})
    report = crew.run(mcrave.game(GAME).start(), Budget(500), None)
    assert report.simulations == 500 == crew.totals.sums[()][VISITS]
    late = {-worker for worker in pool.delay if worker < 0}
    assert len(late) == 1
    assert late <= set(pool.dropped), "on a busy machine others may be late, too"
    assert crew.losses == len(pool.dropped)
    assert len(pool.workers) == 2


def test_workers_that_only_fail_are_given_up() -> None:
    crew, _ = team(GAME, "ray(workers=2)", lose=set(range(100)))
    with pytest.raises(Error, match="fail one after the other: killed by the test"):
        crew.run(mcrave.game(GAME).start(), Budget(500), None)


def test_a_game_is_followed() -> None:
    """After each move the subtree is kept by all, and the totals still add up."""
    crew, _ = team(GAME, "ray(workers=2,share=0.01,depth=6)")
    position = mcrave.game(GAME).start()
    while not position.is_over:
        before = crew.totals.sums[()][VISITS] if () in crew.totals.sums else 0
        report = crew.run(position, Budget(1000), None)
        assert report.simulations == 1000
        assert crew.totals.sums[()][VISITS] >= before + 1000
        assert crew.reader(position).tree.nodes.visits[0] == crew.totals.sums[()][VISITS]
        position = position.play(report.best)
        crew.advance(report.best)
        if not position.is_over:
            assert crew.totals.sums[()][VISITS] > 0, "something of the tree is kept"
    assert position.outcome(0) == 0.5


def test_another_position_begins_anew() -> None:
    crew, _ = team(GAME, "ray(workers=2)")
    start = mcrave.game(GAME).start()
    crew.run(start, Budget(300), None)
    winning = start.game.parse("XX. / OO. / ...")
    report = crew.run(winning, Budget(300), None)
    assert report.best == "c3"
    assert crew.totals.sums[()][VISITS] == 300
    crew.reset(5)
    assert crew.run(winning, Budget(200), None).simulations == 200
    assert crew.totals.sums[()][VISITS] == 200


def test_superko_takes_moves_away_from_a_root() -> None:
    """The layout of the root changes with the move that leads there: everybody begins anew."""
    game = mcrave.game("go(size=3)")
    so_far = "B1 C2 C3 B3 A2 A3 A1 C1 pass C3 B2 C1 A3 C2 C3 C2 C1 pass B3"
    crew, _ = team(str(game), "ray(workers=2,share=0.001,depth=2)")
    position = game.position(so_far.split())
    crew.run(position, Budget(200), None)
    move = position.number("C2")
    known = crew.totals.sums[(move,)].size
    crew.advance(move)
    position = position.play(move)
    assert known == 2 + 2 * (len(position.moves) + 1), "one move was legal in the tree that superko forbids here"
    assert crew.run(position, Budget(100), None).simulations == 100
    assert crew.totals.sums[()][VISITS] == 100


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"parallel": "ray(share=0)"}, "ray needs share from 0.001 to 1"),
        ({"parallel": "ray(workers=-1)"}, "ray needs workers from 0"),
        ({"parallel": "ray(rate=0)"}, "ray needs rate from 0.1 to 100 exchanges a second"),
        ({"parallel": "ray()", "transpositions": "edge"}, "transpositions=edge is for one tree"),
        ({"parallel": "ray()", "options": mcrave.search.Options(solve=1)}, "ray(...) exchanges counts and means"),
    ],
)
def test_bad_input(arguments: dict, text: str) -> None:
    with pytest.raises(Error) as error:
        Search(GAME, **arguments)
    assert str(error.value).startswith(text)
