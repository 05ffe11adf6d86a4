"""The parameters of a player by optimisation over matches: noisy trials, and fresh games for the winner.

A template is a player's text with ranges in it: `uct(c=[0.1..1.5])+mogo@1000`.
"""

from mcrave.tuning.optimiser import Optimiser, Trial
from mcrave.tuning.running import Tuning, TuningResult, tune
from mcrave.tuning.template import Choice, Parameter, Range, Template

__all__ = ["Choice", "Optimiser", "Parameter", "Range", "Template", "Trial", "Tuning", "TuningResult", "tune"]
