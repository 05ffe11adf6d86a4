"""The palette as the colour-blind see it: what must be told apart keeps its distance."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

import mcrave.web
from mcrave.web import colours

# Machado, Oliveira and Fernandes 2009, severity 1.0: what dichromats see, in linear RGB.
SIGHTS = {
    "all colours": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# Ottosson 2020: from linear RGB to cones to OKLab, in which 0.02 is about what one can just tell apart.
CONES = [[0.4122215, 0.5363325, 0.0514460], [0.2119035, 0.6806995, 0.1073970], [0.0883025, 0.2817188, 0.6299787]]
OKLAB = [[0.2104543, 0.7936178, -0.0040720], [1.9779985, -2.4285922, 0.4505937], [0.0259040, 0.7827718, -0.8086758]]

STEPS = [0.0, 0.25, 0.5, 0.75, 1.0]
GROUNDS = [colours.WOOD, colours.SHADE, colours.HEXES, "#f6ecd6"]
STYLE = (Path(mcrave.web.__file__).parent / "static" / "style.css").read_text()

Colour = np.ndarray


def rgb(text: str) -> Colour:
    digits = text.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    return np.array([int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)])


def oklab(colour: Colour, sight: str) -> Colour:
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(SIGHTS[sight]) @ linear, 0.0, 1.0)
    return np.array(OKLAB) @ np.cbrt(np.array(CONES) @ seen)


def distance(one: Colour, other: Colour, sight: str) -> float:
    return float(np.linalg.norm(oklab(one, sight) - oklab(other, sight)))


def variable(name: str) -> list[Colour]:
    """A colour of the style, light and dark."""
    return [rgb(found) for found in re.findall(rf"--{name}: (#\w+);", STYLE)]


def test_the_measure():
    """Black and white are 1 apart for everybody; red and green of one lightness are so for the colour-blind only."""
    for sight in SIGHTS:
        assert distance(rgb("#000"), rgb("#fff"), sight) == pytest.approx(1.0, abs=1e-3)
    red, green = rgb("#c05040"), rgb("#5f7a1f")
    assert distance(red, green, "all colours") > 0.15
    assert distance(red, green, "deuteranopia") < 0.06


@pytest.mark.parametrize("sight", SIGHTS)
def test_neighbouring_steps(sight):
    """A quarter of the scale makes a difference, of amounts and of values, and of visits on every board."""
    for scale in (colours.amount, colours.worth):
        shown = [rgb(scale(step)) for step in STEPS]
        assert min(distance(a, b, sight) for a, b in pairwise(shown)) > 0.12
    for ground in GROUNDS:  # as `views.see.heat` lays visits over the board
        shown = [rgb(ground) + (rgb(colours.VISITS) - rgb(ground)) * (0.08 + 0.85 * step) for step in STEPS]
        assert min(distance(a, b, sight) for a, b in pairwise(shown)) > 0.05


@pytest.mark.parametrize("sight", SIGHTS)
def test_won_and_lost(sight):
    assert distance(rgb(colours.worth(0.0)), rgb(colours.worth(1.0)), sight) > 0.2
    assert distance(rgb(colours.worth(0.25)), rgb(colours.worth(0.75)), sight) > 0.1


@pytest.mark.parametrize("sight", SIGHTS)
def test_players(sight):
    """Three players, on every board; and the mark of the last move with its frame on their stones."""
    stones = [rgb(colours.STONES[who][0]) for who in ("dark", "light", "third")]
    assert min(distance(a, b, sight) for a, b in combinations(stones, 2)) > 0.3
    for stone in stones:
        marks = [rgb(colours.MARKER), rgb(colours.FRAME)]
        assert max(distance(stone, mark, sight) for mark in marks) > 0.2
    assert min(distance(stone, rgb(colours.WOOD), sight) for stone in stones) > 0.12
    assert distance(rgb(colours.MARKER), rgb(colours.FRAME), sight) > 0.3


@pytest.mark.parametrize("sight", SIGHTS)
def test_ours_and_theirs(sight):
    """In the plots of the results, light and dark."""
    ours, theirs = variable("ours"), variable("theirs")
    assert len(ours) == len(theirs) == 2
    assert min(distance(a, b, sight) for a, b in zip(ours, theirs, strict=True)) > 0.12
