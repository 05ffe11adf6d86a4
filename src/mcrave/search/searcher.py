"""`Search`: a game, a tree policy, a playout policy, a prior and a choice, with memory and a random stream."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import numpy as np

from mcrave.errors import Error
from mcrave.games import Game, Position
from mcrave.games import game as game_of
from mcrave.kernel import alone
from mcrave.kernel.rng import stream
from mcrave.playouts.base import Playout, Recording, records
from mcrave.policies.base import AMAF, SHARES, SQUARES, TABLES, TreePolicy, needs, reference
from mcrave.priors.base import Prior
from mcrave.priors.even import Even
from mcrave.search.amaf import ONCE, EdgeAmaf, LateTableAmaf, TableAmaf
from mcrave.search.backups import Backup, Mean, RecomputedMean, StateMean
from mcrave.search.bans import Bans, ban_table
from mcrave.search.choices import Choice, default_choice
from mcrave.search.extras import Shares, Squares
from mcrave.search.graph import Graph
from mcrave.search.hot import Hot, HotEdgeAmaf, HotLateTableAmaf, HotTableAmaf, kept_length
from mcrave.search.leaves import simulate_leaves
from mcrave.search.loop import simulate, take_part
from mcrave.search.options import Mode, Options
from mcrave.search.ownership import Ownership, empty_counts, shares
from mcrave.search.parallel import LeafParallel, Parallel, TreeParallel, chosen_parallel
from mcrave.search.plan import Limits, Off, Plan, Scratch, new_scratch
from mcrave.search.proofs import Proofs
from mcrave.search.pruning import Pruning
from mcrave.search.reading import TreeReader
from mcrave.search.report import Report
from mcrave.search.teams import Batch, Budget, Progress, Team, decision_every
from mcrave.search.threads import SharedEdgeAmaf, SharedSquares, SharedTableAmaf, Threads, give_back
from mcrave.specs import lowered, parse
from mcrave.trees.arena import EDGES, NODES, Tree, new_tree
from mcrave.trees.compact import keep, keep_moves
from mcrave.trees.late import record_room
from mcrave.trees.storage import fill_tree, read_tree, save_tree
from mcrave.units import parse_memory

SMALL = 1 << 20  # bytes of a tree of one node
SLICE = 0.05  # seconds between looks at the clock
DEFAULTS = Options()


class Search:
    """A search with its tree; it can be run again and again, and follows a game by `advance`.

    >>> import mcrave
    >>> search = mcrave.Search("mnk(size=3,length=3)", tree="mc_rave()", seed=1)
    >>> report = search.run(search.game.parse("XX. / OO. / ..."), simulations=500)
    >>> report.best
    'c3'
    >>> report.simulations, report.moves[0].move
    (500, 'c3')
    """

    def __init__(
        self,
        game: str | Game,
        tree: str | TreePolicy = "uct()",
        playout: str | Playout = "uniform()",
        prior: str | Prior = "even()",
        choice: str | Choice | None = None,
        transpositions: Mode = "off",
        *,
        options: Options = DEFAULTS,
        expand_after: int | None = None,
        threads: int = 1,
        parallel: str | Parallel | None = None,
        memory: str | int = "256MB",
        when_full: Literal["stop", "recycle"] = "stop",
        seed: int = 1,
    ) -> None:
        """Put the parts together; memory is taken when the first run starts.

        The move is chosen by most visits unless `choice` says otherwise; flat Monte-Carlo, which visits all moves
        alike, goes by value. `options` change the loop itself (see `Options`); `expand_after` is one of them. When the
        memory is full, `stop` goes on without new nodes, and `recycle` drops the least visited half of the tree.
        `threads=2` is `parallel="tree(threads=2)"`; see `mcrave.search.parallel` for the other forms.
        """
        self.game: Game = game_of(game)
        self.tree: TreePolicy = _spec(tree, "tree")
        self.playout: Playout = _spec(playout, "playout")
        self.prior: Prior = _spec(prior, "prior")
        self.choice: Choice = default_choice(self.tree) if choice is None else _spec(choice, "choice")
        self.options = options if expand_after is None else options._replace(expand_after=expand_after)
        if self.playout.reads_owners:
            self.options = self.options._replace(ownership=1)
        self.options.check(self.game.players, transpositions, self.game.name)
        self.transpositions = transpositions
        self.parallel = chosen_parallel(parallel, threads, transpositions)
        if when_full not in ("stop", "recycle"):
            raise Error(f"when_full must be stop or recycle, not {when_full!r}")
        self.when_full = when_full
        self.seed = seed
        self.memory = parse_memory(memory)
        self.beside_others = False  # whether other searches run in threads of this process
        self._crew = self.parallel.threads if isinstance(self.parallel, TreeParallel | LeafParallel) else 1
        self._rngs = [stream(seed, *path) for path in _paths(self._crew)]
        self._memories = [alone(np.zeros(self.playout.memory_size(self.game))) for _ in self._rngs]
        self._owned = [empty_counts(self.game) if self.options.ownership else np.zeros((1, 1)) for _ in self._rngs]
        self._banned: Any = np.zeros((1, 0), np.int32)
        self._pool: ThreadPoolExecutor | None = None
        self._needs = needs(lowered(self.tree))
        self.playout.check(self.game, bool(self._needs & (AMAF | TABLES)))
        self.prior.check(self.game)
        self._tree: Tree | None = None
        self._root: Position | None = None
        self._stopped = False
        self._team: Team | None = self.parallel.team(self)
        self._batch: Batch | None = self.parallel.batch(self)

    def run(
        self,
        position: Position,
        simulations: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        *,
        early_stop: bool = False,
        on_progress: Progress | None = None,
        most: int | None = None,
    ) -> Report:
        """Search a position until one of the budgets is used up; Ctrl-C or `stop` ends it with what it has.

        A search that already has this position as its root goes on with its tree. With `early_stop` it ends once
        the most visited move cannot be overtaken any more; of a number of simulations, it looks after every
        sixteenth. `on_progress` is called about twenty times a second with the simulations and seconds so far. With
        `most` the report tells of so many of the most visited moves alone: on a large board, telling of all takes
        some milliseconds.
        """
        self._check(position, simulations, seconds, nodes)
        if position.is_over:
            return Report(str(self.game), None, [], position.outcome(position.to_move), [], 0, 0.0, 0)
        budget = Budget(simulations, seconds, nodes, early_stop)
        if self._team is not None:
            return self._team.run(position, budget, on_progress, most)
        done, taken = self.think(position, budget, on_progress)
        return self.reader(position).report(done, taken, most)

    def prepare(self, position: Position) -> None:
        """Make the tree, and compile: so that `run` begins to think at once."""
        self._simulate(self._plan(), self._tree_for(position), self._scratches(position), 0)

    def think(self, position: Position, budget: Budget, on_progress: Progress | None = None) -> tuple[int, float]:
        """What `run` does before it reports: returns simulations and seconds."""
        simulations, seconds, nodes, early_stop = budget
        tree = self._tree_for(position)
        plan, scratches = self._plan(), self._scratches(position)
        self._simulate(plan, tree, scratches, 0)  # compiling is not thinking time
        each = self.parallel.at_once if isinstance(self.parallel, LeafParallel) else 1
        look = decision_every(simulations) if early_stop and simulations and seconds is None else 0
        done, batch, started = 0, 16, time.perf_counter()
        self._stopped = False
        try:
            while not self._stopped:
                left = min(batch, look - done % look if look else max(64, done // 4)) if early_stop else batch
                taken = time.perf_counter() - started
                if seconds is not None and done:  # no more than the time that is left seems good for
                    left = min(left, round((seconds - taken) * done / taken))
                left = max(each, left - left % each)  # whole leaves, so that the numbers do not depend on the time
                left = left if simulations is None else min(left, simulations - done)
                late = seconds is not None and done > 0 and taken >= seconds
                if left <= 0 or late or tree.used[NODES] >= (nodes or 2**62):
                    break
                self._simulate(plan, tree, scratches, left)
                done += left
                batch = _next_batch(batch, time.perf_counter() - started - taken)
                if self.when_full == "recycle" and self._is_full(tree):
                    give_back(tree, [each.stock for each in scratches])
                    self._recycle(tree)
                if on_progress is not None:
                    on_progress(done, time.perf_counter() - started)
                looks = early_stop and (not look or done // look > (done - left) // look)
                if looks and self._is_decided(tree, done, time.perf_counter() - started, simulations, seconds):
                    break
        except KeyboardInterrupt:
            if done == 0:
                raise
        finally:
            give_back(tree, [each.stock for each in scratches])
        return done, time.perf_counter() - started

    def playouts(self, position: Position, count: int) -> dict[str, list[float]]:
        """Who owns each point at the end of so many playouts from the position itself, as in `Report.owners`.

        No tree, and nothing that this search holds is touched: the same position always gives the same answer.

        >>> import mcrave
        >>> from mcrave.search import Options
        >>> search = mcrave.Search("go(size=5)", tree="mc_rave()", options=Options(ownership=1))
        >>> alive = search.game.parse(".XO.O / XXOO. / .XO.O / XXOOO / .XO.O")
        >>> owners = search.playouts(alive, 100)
        >>> owners["A1"], owners["D1"]
        ([1.0, 0.0], [0.0, 1.0])
        """
        owned, memory = empty_counts(self.game), np.zeros_like(self._memories[0])
        plan = self._plan()._replace(ownership=Ownership())
        plan = plan._replace(options=plan.options._replace(playouts=count))
        scratch = self._scratch(position, stream(self.seed), memory, owned)
        simulate(plan, self._new_tree(SMALL), scratch, 1)
        return shares(self.game, [owned])

    def _simulate(self, plan: Plan, tree: Tree, scratches: list[Scratch], count: int) -> None:
        """So many simulations, by all threads together; several playouts from one leaf are several simulations."""
        if self._batch is not None:
            self._batch.simulate(plan, tree, scratches[0], count)
            return
        if len(scratches) > 1:
            self._pool = self._pool or ThreadPoolExecutor(len(scratches), "mcrave")
        if plan.options.playouts > 1:
            simulate_leaves(plan, tree, scratches, self._pool, count)
            return
        if len(scratches) == 1:
            simulate(plan, tree, scratches[0], count)
            return
        if tree.used[NODES] == 0:  # the root is made by one
            take_part(plan, tree, scratches[0], np.full(1, min(count, 1)))
            count -= min(count, 1)
        if count > 0:
            assert self._pool is not None
            left = np.full(1, count)
            for job in [self._pool.submit(take_part, plan, tree, own, left) for own in scratches]:
                job.result()

    def twin(self, memory: int, parallel: str | Parallel | None = None) -> Search:
        """Another search of the same parts."""
        parts = (self.game, self.tree, self.playout, self.prior, self.choice, self.transpositions)
        rest = {"options": self.options, "when_full": self.when_full, "seed": self.seed}
        return Search(*parts, parallel=parallel, memory=memory, **rest)  # type: ignore[arg-type]

    def stop(self) -> None:
        """End a run that goes on in another thread, within a twentieth of a second."""
        self._stopped = True
        if self._team is not None:
            self._team.stop()

    def close(self) -> None:
        """Let the helpers go, if there are any (workers of a cluster); the next run would call them again."""
        if self._team is not None:
            self._team.close()

    def advance(self, move: str | int) -> None:
        """Make a move at the root; its subtree is kept, the rest is dropped."""
        if self._team is not None:
            self._team.advance(move)
            return
        if self._root is None or self._tree is None:
            raise Error("there is no tree yet: run the search before advance")
        number = self._root.number(move)
        root, tree = self._tree.nodes[0], self._tree
        edges = range(root.first, root.first + root.count)
        child = next((int(tree.child[edge]) for edge in edges if tree.move[edge] == number), -1)
        self._root = self._root.play(number)
        if child < 0 or self._banned.any():  # what is left out depends on the distance from the root
            self._empty_tree()
        else:
            self._forget_owners()
            self._keep_below(child)

    def stay(self) -> None:
        """Keep the whole tree: compiles what `advance` needs, so that no later call has to wait for that."""
        if self._team is None and self._root is not None:
            self._keep_below(0)

    def _keep_below(self, node: int) -> None:
        assert self._tree is not None
        assert self._root is not None
        keep(self._tree, self.game.players, node, 0)
        keep_moves(self._tree, self._root.moves)
        if self._tree.nodes[0].count < len(self._root.moves):  # a pass, now that superko forbids all else
            self._empty_tree()

    def ban(self, banned: Mapping[tuple[int, int], int]) -> None:
        """Leave moves out of the tree from now on: (player, code) -> in how many plies from the root on.

        An empty mapping ends it; before the first run it lets the search be compiled so that later calls cost no time.
        When anything changes, the tree is made anew.

        >>> import mcrave
        >>> search = mcrave.Search("mnk(size=3,length=3)")
        >>> start = search.game.start()
        >>> search.ban({(0, int(move)): 1 for move in start.moves if start.name(move) != "a1"})
        >>> [move.move for move in search.run(start, simulations=50).moves]
        ['a1']
        """
        if self._team is not None:
            self._team.ban(banned)
        table = ban_table(self.game, banned)
        if not np.array_equal(table, self._banned):
            self._banned, self._root = table, None

    def reset(self, seed: int | None = None) -> None:
        """Forget the tree and what the playouts learnt; with a seed, the random stream begins anew, else it goes on."""
        self._root = None
        for memory in self._memories:
            memory[:] = 0.0
        if seed is not None:
            self.seed = seed
            self._rngs = [stream(seed, *path) for path in _paths(self._crew)]
        if self._team is not None:
            self._team.reset(seed)

    def save(self, path: str | Path) -> None:
        """Write the tree to a `.npz` file."""
        if self._root is None or self._tree is None:
            raise Error("there is no tree yet: run the search before save")
        about = self._texts() | {"moves": self._root.history(), "start": str(_first(self._root))}
        save_tree(path, self._tree, self.game.players, about)

    def load(self, path: str | Path) -> Position:
        """Read a tree that a search with the same parts wrote; returns the position at its root."""
        about, parts = read_tree(path)
        for part, text in self._texts().items():
            if about.get(part) != text:
                raise Error(f"{path} is a tree of {part} {about.get(part)}, but this search has {text}")
        position = self.game.parse(about["start"])
        for move in about["moves"]:
            position = position.play(move)
        tree = self._empty_tree()
        fill_tree(path, tree, parts)
        self._root = position
        return position

    def reader(self, position: Position | None = None) -> TreeReader:
        """What the tree holds, for reports; of several trees, the first."""
        if self._team is not None:
            return self._team.reader(position)
        position = position or self._root
        if position is None or self._tree is None:
            raise Error("there is no tree yet: run the search first")
        owned = self._owned if self.options.ownership else []
        return TreeReader(self.game, self.tree, self.choice, self._tree, position, self._backup() != Mean(), owned)

    def _check(self, position: Position, simulations: int | None, seconds: float | None, nodes: int | None) -> None:
        if position.game != self.game:
            raise Error(f"this search is for {self.game}, but the position is of {position.game}")
        if simulations is None and seconds is None and nodes is None:
            raise Error("give a budget: simulations=1000, seconds=2.0 or nodes=10000")
        for name, budget in (("simulations", simulations), ("seconds", seconds), ("nodes", nodes)):
            if budget is not None and not budget > 0:
                raise Error(f"{name} must be above 0, not {budget}")

    def _texts(self) -> dict[str, str]:
        return {"game": str(self.game), "tree": str(self.tree), "prior": str(self.prior)}

    def _plan(self) -> Plan:
        options, needed, off = self.options, self._needs, Off()
        shared = self._crew > 1
        hot = shared and self._may_be_hot()
        edge = HotEdgeAmaf if hot else SharedEdgeAmaf if shared else EdgeAmaf
        amaf = edge(options.rule) if needed & AMAF else self._tables(hot) if needed & TABLES else off
        playouts = self.parallel.playouts if isinstance(self.parallel, LeafParallel) else 1
        return Plan(
            lowered(self.game),
            lowered(self.tree),
            self.playout.loaded(self.game),
            self.prior.loaded(self.game),
            options=Limits(options.expand_after, playouts, options.full_width, options.widen_from, options.widen_power),
            amaf=amaf,
            recording=Recording() if amaf != off or records(lowered(self.playout)) else off,
            squares=(SharedSquares() if shared else Squares()) if needed & SQUARES else off,
            shares=Shares() if needed & SHARES else off,
            backup=self._backup(),
            graph=Graph() if self.transpositions != "off" else off,
            proofs=Proofs() if options.solve else off,
            pruning=Pruning(options.prune_from) if options.prune_from else off,
            threads=self._threads(hot) if shared else off,
            ownership=Ownership() if options.ownership else off,
            bans=Bans() if self._banned.size else off,
        )

    def _tables(self, hot: bool) -> TableAmaf:
        """What keeps GRAVE's tables: late, unless somebody else reads them or a prior begins them."""
        rule, entries = self.options.rule, self.game.players * self.game.codes()
        half = record_room(entries, self.game.players)
        most = min(2 * half, int(reference(lowered(self.tree))))
        others = self.playout.reads_tree or self.prior != Even() or getattr(self.parallel, "device", "cpu") != "cpu"
        if most > 0 and rule == ONCE and not others and (hot or self._crew == 1):
            return (HotLateTableAmaf if hot else LateTableAmaf)(rule, most, half)
        return (HotTableAmaf if hot else SharedTableAmaf if self._crew > 1 else TableAmaf)(rule)

    def _may_be_hot(self) -> bool:
        """Whether threads may keep numbers of their own for some nodes: what is set, not added, allows none."""
        plain = self._backup() == Mean() and not self.options.solve and not self._needs & SQUARES
        return plain and isinstance(self.parallel, TreeParallel)

    def _threads(self, hot: bool) -> Threads:
        virtual = getattr(self.parallel, "virtual_loss", 0.0)
        is_visit = int(virtual == 1.0)
        return Hot(virtual, is_visit, self._crew) if hot else Threads(virtual, is_visit)

    def _backup(self) -> Backup:
        means: dict[str, Backup] = {"state": StateMean(), "full": RecomputedMean()}
        return self.options.backup if self.options.backup != Mean() else means.get(self.transpositions, Mean())

    def _empty_tree(self) -> Tree:
        if self._tree is None:
            self._tree = self._new_tree(self.memory)
        self._tree.slots[:] = -1
        self._tree.used[:] = 0
        self._forget_owners()
        return self._tree

    def _new_tree(self, memory: int) -> Tree:
        return new_tree(
            memory,
            self._needs,
            self.game.max_moves(),
            self.game.players * self.game.codes(),
            with_prior=self.prior != Even(),
            with_proof=bool(self.options.solve),
            with_slots=self.transpositions != "off",
        )

    def _forget_owners(self) -> None:
        for owned in self._owned:
            owned[:] = 0.0

    def _tree_for(self, position: Position) -> Tree:
        same = self._root is not None and self._root.key == position.key and self._root == position
        if self._tree is None or not same or not np.array_equal(self._root.moves, position.moves):  # type: ignore[union-attr]
            self._empty_tree()
        self._root = position
        assert self._tree is not None
        return self._tree

    def _is_full(self, tree: Tree) -> bool:
        branching = self.game.max_moves()
        return bool(tree.used[NODES] >= len(tree.nodes) - 1 or tree.used[EDGES] + branching > tree.move.size)

    def _recycle(self, tree: Tree) -> None:
        """Drop the less visited half of the nodes."""
        visits = tree.nodes.visits[: tree.used[NODES]]
        keep(tree, self.game.players, 0, int(np.median(visits)) + 1)

    def _is_decided(self, tree: Tree, done: int, taken: float, simulations: int | None, seconds: float | None) -> bool:
        """Whether the runner-up could not catch up even if it got all simulations that are left."""
        left = [simulations - done] if simulations is not None else []
        if seconds is not None:
            left.append(round((seconds - taken) * done / max(taken, 1e-9)))
        root = tree.nodes[0]
        edges = slice(root.first, root.first + root.count)
        visits = np.sort(tree.n[edges] - tree.given[edges] if tree.given.size else tree.n[edges])
        return bool(left) and (visits.size < 2 or bool(visits[-1] - visits[-2] > min(left)))

    def _scratches(self, position: Position) -> list[Scratch]:
        """Memory for every thread."""
        every = [self._scratch(position, *own) for own in zip(self._rngs, self._memories, self._owned, strict=True)]
        return [_apart(each) for each in every] if self._crew > 1 or self.beside_others else every

    def _scratch(self, position: Position, rng: Any, memory: Any, owned: Any) -> Scratch:
        entries, branching = self.game.players * self.game.codes(), self.game.max_moves()
        own = entries if self._needs & TABLES else branching if self._needs & AMAF else 0
        hot = self._crew > 1 and self._may_be_hot()
        return new_scratch(
            position,
            max(branching, self.prior.room(self.game)),
            rng=rng,
            memory=memory,
            owned=owned,
            banned=self._banned,
            kept=np.zeros(kept_length(branching, own) if hot else 0),
            stock=np.zeros(4 if self._crew > 1 else 0, np.int64),
        )


def _apart(scratch: Scratch) -> Scratch:
    """Let a thread's memory lie in cache lines of its own; what outlives a run does so already, or is only read."""
    lasting = ("rng", "root", "memory", "owned", "banned")
    return scratch._replace(**{part: alone(getattr(scratch, part)) for part in Scratch._fields if part not in lasting})


def _paths(count: int) -> list[tuple[int, ...]]:
    """The names of the random streams of so many threads; the first is that of a single one."""
    return [(), *((number,) for number in range(1, count))]


def _spec(value: Any, kind: str) -> Any:
    return parse(value, kind) if isinstance(value, str) else value


def _first(position: Position) -> Position:
    while position.parent is not None:
        position = position.parent
    return position


def _next_batch(batch: int, taken: float) -> int:
    """So many simulations that the clock is looked at about every `SLICE` seconds."""
    return max(1, min(4 * batch, int(batch * SLICE / max(taken, 1e-9)), 1 << 20))
