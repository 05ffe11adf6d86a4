"""Minorisation–maximisation for products of ratings: the kernels (Coulom 2007; Hunter 2004).

In every decision one of several moves is chosen. The strength of a move is the product of the ratings γ of its
features, one of each group, and it is chosen with probability strength / Σ strengths. With wins W_i, the number of
chosen moves with feature i, the likelihood rises, or stays, with every step

    γ_i ← W_i / Σ_j (C_ij / E_j),

E_j being the sum of all strengths in decision j, and C_ij that of the moves with feature i, each without its factor
γ_i. All features of a group may take the step at once, since no move has two of them.
"""

from __future__ import annotations

import math

import numpy as np

from mcrave.kernel import entry


@entry
def multiply(features, groups, gamma, strength):
    """The strength of every move, by the first groups of its features."""
    for row in range(features.shape[0]):
        product = 1.0
        for group in range(groups):
            product *= gamma[np.uintp(features[row, group])]
        strength[row] = product


@entry
def count_wins(features, chosen, groups, wins):
    """W: how many chosen moves have each feature."""
    for i in range(chosen.shape[0]):
        for group in range(groups):
            wins[features[chosen[i], group]] += 1.0


@entry
def log_likelihood(starts, chosen, strength):
    """The sum of the logarithms of the probabilities of what was chosen, and how often it had the highest."""
    total, first = 0.0, 0.0
    for i in range(chosen.shape[0]):
        everything, above, equal = 0.0, 0, 0
        for row in range(starts[i], starts[i + 1]):
            everything += strength[row]
            above += int(strength[row] > strength[chosen[i]])
            equal += int(strength[row] == strength[chosen[i]])
        total += math.log(strength[chosen[i]] / everything)
        first += 1.0 / equal if above == 0 else 0.0
    return total, first


@entry
def share_out(features, group, starts, gamma, strength, shares):
    """Add Σ_j C_ij / E_j of every feature of a group."""
    for i in range(starts.shape[0] - 1):
        everything = 0.0
        for row in range(starts[i], starts[i + 1]):
            everything += strength[row]
        for row in range(starts[i], starts[i + 1]):
            feature = np.uintp(features[row, group])
            shares[feature] += strength[row] / gamma[feature] / everything


@entry
def rescale(features, group, change, strength):
    """Bring the strengths to the new ratings of a group."""
    for row in range(features.shape[0]):
        strength[row] *= change[np.uintp(features[row, group])]
