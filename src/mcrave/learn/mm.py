"""Ratings of move features by minorisation–maximisation, as a run that can be stopped and goes on (Coulom 2007)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mcrave.errors import Error
from mcrave.features import ratings, weights
from mcrave.features.moves import GROUPS, LIGHT, OFFSETS
from mcrave.learn.choices import Decisions
from mcrave.learn.minorise import count_wins, log_likelihood, multiply, rescale, share_out

SETS = {"light": LIGHT, "full": len(GROUPS)}
"""The groups of features that are fitted together: those for playouts, and all, for the tree."""


class Step(NamedTuple):
    """What a sweep over all groups led to."""

    sweep: int
    likelihood: float
    """Mean logarithm of the probability of a chosen move."""


class Fit:
    """Ratings that are being fitted to decisions.

    `prior` is the weight of what Coulom adds to keep ratings finite: one game won and one lost by each feature against
    a rating of 1. The first level of every group but the pattern, which means that there is nothing to say, keeps the
    rating 1.

    >>> features = np.array([[1], [2], [1], [2], [1], [2]], np.int16)
    >>> fit = Fit(Decisions(features, np.array([0, 2, 4, 6]), np.array([0, 2, 5])), groups=1, prior=0.0)
    >>> for _ in range(60):
    ...     step = fit.sweep()
    >>> round(float(fit.gamma[1] / fit.gamma[2]), 6)  # chosen twice as often
    2.0
    """

    def __init__(self, decisions: Decisions, groups: int, prior: float = 1.0) -> None:
        """All ratings are 1."""
        if not decisions.number:
            raise Error("there is no decision to learn from")
        if not 0.0 <= prior < 1e6:
            raise Error(f"the prior must be a number of games from 0 on, not {prior:g}")
        self.decisions, self.groups, self.prior = decisions, groups, prior
        self.gamma = np.ones(int(OFFSETS[groups]))
        self.sweeps = 0
        self.curve: list[float] = []
        self._wins = np.zeros(self.gamma.size)
        self._strength = np.zeros(len(decisions.features))
        count_wins(decisions.features, decisions.chosen, groups, self._wins)

    def sweep(self) -> Step:
        """Let every group take a step; the likelihood returned is that before them."""
        features, starts, _ = self.decisions
        gamma = self.gamma.copy()  # kept only when all of it is done: Ctrl-C leaves the old ones
        multiply(features, self.groups, gamma, self._strength)
        likelihood = self._likelihood()
        for group in range(self.groups):
            shares = np.zeros(gamma.size)
            share_out(features, group, starts, gamma, self._strength, shares)
            part = slice(int(OFFSETS[group]) + (group > 0), int(OFFSETS[group + 1]))
            change = np.ones(gamma.size)
            won = self._wins[part] + self.prior
            met = shares[part] + 2.0 * self.prior / (1.0 + gamma[part])
            change[part] = np.where(met > 0.0, won / np.where(met > 0.0, met, 1.0), gamma[part]) / gamma[part]
            gamma[part] *= change[part]
            rescale(features, group, change, self._strength)
        self.gamma = gamma
        self.sweeps += 1
        self.curve.append(likelihood / self.decisions.number)
        return Step(self.sweeps, self.curve[-1])

    def objective(self) -> float:
        """What never falls: the logarithm of the likelihood, what the prior adds included."""
        multiply(self.decisions.features, self.groups, self.gamma, self._strength)
        free = np.ones(self.gamma.size, bool)
        free[OFFSETS[1 : self.groups]] = False
        gamma = self.gamma[free]
        return self._likelihood() + self.prior * float((np.log(gamma) - 2.0 * np.log1p(gamma)).sum())

    def _likelihood(self) -> float:
        return float(log_likelihood(self.decisions.starts, self.decisions.chosen, self._strength)[0])


class Prediction(NamedTuple):
    """How well ratings tell what is chosen."""

    likelihood: float
    """Mean logarithm of the probability of a chosen move."""
    first: float
    """How often it had the highest probability; of equal ones each counts its share."""


def predict(gamma: Any, decisions: Decisions) -> Prediction:
    """How well ratings tell decisions that they were not fitted to."""
    strength = np.zeros(len(decisions.features))
    multiply(decisions.features, int(np.searchsorted(OFFSETS, len(gamma))), gamma, strength)
    total, first = log_likelihood(decisions.starts, decisions.chosen, strength)
    return Prediction(total / max(decisions.number, 1), first / max(decisions.number, 1))


class Training:
    """Both sets of ratings, fitted one after the other, and the file that they are kept in."""

    def __init__(self, decisions: Decisions, about: dict[str, Any], prior: float = 1.0) -> None:
        """`about` says where the decisions come from."""
        self.about = {**about, "prior": prior, "decisions": decisions.number, "data": decisions.fingerprint()}
        self.fits = {name: Fit(decisions, groups, prior) for name, groups in SETS.items()}

    def save(self, path: str | Path) -> None:
        """The ratings, and how far they are."""
        about = {
            "kind": ratings.KIND,
            **self.about,
            "sweeps": {name: fit.sweeps for name, fit in self.fits.items()},
            "curve": {name: [round(point, 6) for point in fit.curve] for name, fit in self.fits.items()},
        }
        weights.write(path, about, {name: fit.gamma for name, fit in self.fits.items()})

    def resume(self, path: str | Path) -> None:
        """Go on with what `save` wrote, if it is of the same data and settings."""
        about, arrays = weights.read(path, ratings.KIND)
        ratings.check(path, arrays)
        for name in ("size", "prior", "data"):
            if about.get(name) != self.about.get(name):
                raise Error(
                    f"{path} is of a run with {name}={about.get(name)}, not {self.about.get(name)}; "
                    f"choose another file by --out"
                )
        for name, fit in self.fits.items():
            try:
                fit.sweeps, fit.curve = int(about["sweeps"][name]), list(about["curve"][name])
            except (KeyError, TypeError, ValueError):
                raise Error(f"{path} cannot be gone on with: it does not say how many sweeps were made") from None
            fit.gamma[:] = arrays[name]
