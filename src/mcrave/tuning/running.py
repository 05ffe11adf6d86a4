"""Tuning as a run that can be stopped and goes on: trials are matches, and all of them are in the results file."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from mcrave.arena import Contest, Manning, MatchResult, Order, Store, contest, play_match
from mcrave.arena.running import Listener
from mcrave.arena.store import MEMORY
from mcrave.errors import Error
from mcrave.games import Game
from mcrave.games import game as game_of
from mcrave.kernel.rng import stream
from mcrave.tuning.optimiser import Optimiser, Trial
from mcrave.tuning.template import Template, Value

FRESH = 1 << 40  # names the random streams of the last match, which no trial has


@dataclass(frozen=True)
class Tuning:
    """What is tuned, and against whom; a seed and these make a run what it is.

    >>> tuning = Tuning.of("mnk", "uct(c=[0.1..1.5])@50", games=10)
    >>> tuning.contest.players[1], tuning.games
    ('uct@50', 10)
    """

    template: str
    contest: Contest
    """Game, opponent, openings and seed; its first player is exchanged for the one on trial."""
    games: int
    """Of each trial."""

    @staticmethod
    def of(game: str | Game, template: str, opponent: str = "", *, games: int = 20, **settings: Any) -> Tuning:
        """Read the texts; the opponent is the template at its defaults if none is named."""
        player = Template(template)
        other = opponent or player.default()
        if "[" in other:
            raise Error(f"the opponent '{other}' must be fixed, without ranges")
        played = contest(game, [other, other], **settings)
        pairs = len(replace(played, players=("one", *played.players[1:])).seatings)
        if games < 1 or games % pairs:
            raise Error(f"a trial needs a multiple of {pairs} games, every seat as often as the others, not {games}")
        return Tuning(player.text, played, games)

    @property
    def key(self) -> str:
        """A hash of all this."""
        text = json.dumps([self.template, self.contest.to_json(), self.games])
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def trial_of(self, player: str) -> Contest:
        """The matches of a player; equal ones have the same openings, so that luck is the same for all."""
        return replace(self.contest, players=(player, *self.contest.players[1:]))

    def fresh(self, player: str) -> Contest:
        """A match with games that no trial has."""
        seed = int(stream(self.contest.seed, FRESH)[0].state) >> 1
        return replace(self.trial_of(player), seed=seed)


class Attempt(NamedTuple):
    """A trial as it is written down: its values, and the games `first` to `first + games` of its player."""

    values: Mapping[str, Value]
    player: str
    first: int
    games: int

    def to_json(self, tuning: Tuning) -> str:
        """For the results file, with the key of the contest."""
        return json.dumps({**self._asdict(), "contest": tuning.trial_of(self.player).key})

    @staticmethod
    def from_json(text: str) -> Attempt:
        """What `to_json` wrote."""
        said = json.loads(text)
        return Attempt(*(said[field] for field in Attempt._fields))


@dataclass(frozen=True)
class TuningResult:
    """All trials that were finished, which is best, and what fresh games say about it."""

    tuning: Tuning
    attempts: Sequence[Attempt]
    trials: Sequence[Trial]
    estimates: Sequence[float]
    """The rate at each trial, by what is near it, too."""
    best: int
    """The number of the best trial; -1 without any."""
    fresh: MatchResult | None
    """The best one's games that had no part in the choice."""
    complete: bool
    """False if Ctrl-C came first."""

    @property
    def player(self) -> str:
        """The best one's text."""
        return self.attempts[self.best].player if self.trials else ""

    @property
    def values(self) -> dict[str, Value]:
        """The best one's values."""
        return dict(self.attempts[self.best].values) if self.trials else {}

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "game": self.tuning.contest.game,
            "template": self.tuning.template,
            "opponent": self.tuning.contest.players[1],
            "seed": self.tuning.contest.seed,
            "complete": self.complete,
            "key": self.tuning.key,
            "trials": [
                {**attempt._asdict(), "points": trial.points, "estimate": estimate}
                for attempt, trial, estimate in zip(self.attempts, self.trials, self.estimates, strict=True)
            ],
            "best": {"player": self.player, "values": self.values} if self.trials else None,
            "fresh": self.fresh.as_dict() if self.fresh is not None else None,
        }


OnTrial = Callable[[int, Attempt, Trial], None]
"""Hears of finished trials: number, what was tried, and what came of it."""


def tune(
    game: str | Game,
    template: str,
    opponent: str = "",
    *,
    trials: int = 50,
    games: int = 20,
    fresh: int = 200,
    opening: int = 2,
    seed: int = 1,
    workers: int = 1,
    db: str | Path = MEMORY,
) -> TuningResult:
    """Find good values for the ranges in a player's text by matches against a fixed opponent.

    Every trial plays `games` games; then the best one plays `fresh` games more, which had no part in its choice: their
    rate alone is honest. The same seed gives the same trials. With `db` all is kept in a file, and a run that was
    stopped goes on.

    >>> result = tune("mnk", "uct(c=[0.1..1.5])@[2..30]", "random", trials=3, games=4, fresh=4)
    >>> len(result.trials), result.fresh.games, sorted(result.values)
    (3, 4, ['budget', 'c'])
    """
    rules = game_of(game)
    tuning = Tuning.of(rules, template, opponent, games=games, seed=seed, opening=opening)
    with Store(db) as store:
        return run(tuning, store, Manning(workers), trials, fresh, rules=rules)


def run(
    tuning: Tuning,
    store: Store,
    manning: Manning,
    trials: int,
    fresh: int,
    *,
    rules: Game | None = None,
    listener: Listener | None = None,
    on_trial: OnTrial | None = None,
) -> TuningResult:
    """Play what the store lacks of so many trials and of the last match."""
    if trials < 1:
        raise Error(f"tuning needs at least 1 trial, not {trials}")
    template = Template(tuning.template)
    optimiser = Optimiser(template.parameters, tuning.contest.seed)
    written = [_read(store, number, text) for number, text in enumerate(store.trials(tuning.key))]
    attempts: list[Attempt] = []
    played: Counter[str] = Counter()

    def match(wanted: Contest, games: int) -> MatchResult:
        return play_match(Order(wanted, games), store, manning, rules=rules, listener=listener)

    def step(number: int) -> bool:
        """One trial; whether it was finished."""
        if number < len(written):
            attempt = written[number]
        else:
            values = optimiser.ask()
            player = template.fill(values)
            attempt = Attempt(values, player, played[player], tuning.games)
            store.add_trial(tuning.key, number, attempt.to_json(tuning))
        result = match(tuning.trial_of(attempt.player), attempt.first + attempt.games)
        if result.complete:
            attempts.append(attempt)
            played[attempt.player] += attempt.games
            optimiser.tell(Trial(attempt.values, sum(result.scores[attempt.first :]), attempt.games))
            if on_trial is not None:
                on_trial(number, attempt, optimiser.trials[-1])
        return result.complete

    last = None
    try:
        complete = all(step(number) for number in range(trials))
        if complete and fresh:
            last = match(tuning.fresh(attempts[optimiser.best()[0]].player), fresh)
            complete = last.complete
    except KeyboardInterrupt:  # between games; what was finished is in the store
        complete = False
    return _result(tuning, optimiser, attempts, last, complete)


def _read(store: Store, number: int, text: str) -> Attempt:
    try:
        return Attempt.from_json(text)
    except (ValueError, KeyError, TypeError):
        raise Error(f"{store.path} is damaged: trial {number} of a tuning cannot be read") from None


def _result(
    tuning: Tuning, optimiser: Optimiser, attempts: Sequence[Attempt], fresh: MatchResult | None, complete: bool
) -> TuningResult:
    trials = tuple(optimiser.trials)
    attempts = attempts[: len(trials)]
    estimates = optimiser.estimates() if trials else []
    best = optimiser.best()[0] if trials else -1
    return TuningResult(
        tuning, tuple(attempts), trials, estimates, best, fresh if fresh and fresh.games else None, complete
    )
