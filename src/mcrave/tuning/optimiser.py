"""What to try next, and what was best, where every trial is a few games and so mostly noise.

The next trial comes from Optuna's tree-structured Parzen estimator (Bergstra et al. 2011). It is asked with random
numbers that follow from seed and number of the trial alone, so that a run that was stopped asks what an unbroken
one does.

The best is not the trial with the most points: of many equal ones that is the luckiest. Trials near each other tell
about each other. With places x from 0 to 1 in d dimensions, the rate at a trial is estimated by

    r(x) = (Σ k(x, xᵢ) pointsᵢ + a r̄) / (Σ k(x, xᵢ) gamesᵢ + a),   k(x, y) = exp(−|x − y|² / 2h²),

(Nadaraya 1964, Watson 1964), where `a` games at the mean rate r̄ of all trials pull what is hardly known towards it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mcrave.errors import Error
from mcrave.kernel.rng import stream
from mcrave.tuning.template import Choice, Parameter, Range, Value

WIDTH = 0.1  # h, for one parameter
PULL = 10.0  # a, games
FIRST = 8  # trials at random for each parameter before the estimator begins
Values = Mapping[str, Value]


class Trial(NamedTuple):
    """Values, and what they scored."""

    values: Values
    points: float
    games: int

    @property
    def rate(self) -> float:
        """Points a game."""
        return self.points / self.games


class Optimiser:
    """Asks for trials, and is told how they went.

    >>> optimiser = Optimiser([Parameter("x", Range(0.0, 1.0), 0, 0)], seed=1)
    >>> values = optimiser.ask()
    >>> optimiser.tell(Trial(values, points=6.0, games=10))
    >>> optimiser.best() == (0, 0.6)
    True
    """

    def __init__(self, parameters: Sequence[Parameter], seed: int) -> None:
        """Nothing is known yet."""
        self._optuna = _optuna()
        self.parameters, self.seed = parameters, seed
        self.trials: list[Trial] = []
        self._ranges = {parameter.name: self._distribution(parameter.values) for parameter in parameters}

    def ask(self) -> dict[str, Value]:
        """What to try next; it depends on the seed and on what was told, and on nothing else."""
        sampler = self._optuna.samplers.TPESampler(
            seed=int(stream(self.seed, len(self.trials))[0].state) >> 32,
            n_startup_trials=FIRST * len(self.parameters),
            multivariate=True,
        )
        study = self._optuna.create_study(direction="maximize", sampler=sampler)
        for values, points, games in self.trials:
            known = {"params": dict(values), "distributions": self._ranges, "value": points / games}
            study.add_trial(self._optuna.trial.create_trial(**known))
        found = study.ask(self._ranges).params
        return {parameter.name: parameter.values.rounded(found[parameter.name]) for parameter in self.parameters}

    def tell(self, trial: Trial) -> None:
        """What came of a trial."""
        self.trials.append(trial)

    def best(self) -> tuple[int, float]:
        """The number of the trial whose surroundings did best, and the rate that is estimated there."""
        rates = self.estimates()
        number = max(range(len(rates)), key=lambda i: (rates[i], -i))
        return number, rates[number]

    def estimates(self) -> list[float]:
        """r(x) at every trial."""
        games = sum(trial.games for trial in self.trials)
        mean = sum(trial.points for trial in self.trials) / games
        places = [self._place(trial.values) for trial in self.trials]
        width = WIDTH * math.sqrt(len(self.parameters))
        found = []
        for place in places:
            near = [math.exp(-(math.dist(place, other) ** 2) / (2 * width * width)) for other in places]
            points = sum(k * trial.points for k, trial in zip(near, self.trials, strict=True))
            weight = sum(k * trial.games for k, trial in zip(near, self.trials, strict=True))
            found.append((points + PULL * mean) / (weight + PULL))
        return found

    def _place(self, values: Values) -> list[float]:
        """Numbers from 0 to 1; different choices are far from each other."""
        place: list[float] = []
        for parameter in self.parameters:
            value = values[parameter.name]
            if isinstance(parameter.values, Choice):
                place += [float(value == text) for text in parameter.values.texts]
            else:
                place.append(parameter.values.place(value))
        return place

    def _distribution(self, values: Range | Choice) -> Any:
        kinds = self._optuna.distributions
        if isinstance(values, Choice):
            return kinds.CategoricalDistribution(values.texts)
        if values.whole:
            return kinds.IntDistribution(int(values.low), int(values.high), log=values.log)
        return kinds.FloatDistribution(values.low, values.high, log=values.log)


def _optuna() -> Any:
    """Optuna, with its own reports silenced."""
    try:
        import optuna
    except ImportError:
        raise Error("tuning needs Optuna: pip install 'mcrave[tune]'") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
