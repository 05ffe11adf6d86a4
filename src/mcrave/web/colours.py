"""Colours that the colour-blind can tell apart: blue against orange (Okabe and Ito), and cividis for amounts."""

from __future__ import annotations

CIVIDIS = ((0, 34, 78), (66, 78, 108), (124, 123, 120), (188, 175, 111), (254, 232, 56))
BAD, EVEN, GOOD = (213, 94, 0), (238, 236, 228), (0, 114, 178)
WOOD, LINE, PAPER, SHADE, HEXES = "#e3b667", "#5b4320", "#efe3c8", "#d3b98a", "#eadfc6"
STONES = {
    "dark": ("#1b1d21", "#000"),
    "light": ("#fbfbf8", "#6b6b66"),
    "third": ("#e06a00", "#7a3a00"),
    "": ("#7d6a4d", "#4a3d29"),
}
MARKER = "#d6336c"
VISITS = "#00447c"
FRAME = "#fff"  # around a marker, so that it is seen on every colour

Rgb = tuple[float, ...]


def _between(first: Rgb, second: Rgb, part: float) -> Rgb:
    return tuple(a + (b - a) * part for a, b in zip(first, second, strict=True))


def _hex(colour: Rgb) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour)


def amount(share: float) -> str:
    """The colour of an amount from 0 to 1.

    >>> amount(0.0), amount(1.0)
    ('#00224e', '#fee838')
    """
    place = min(max(share, 0.0), 1.0) * (len(CIVIDIS) - 1)
    low = min(int(place), len(CIVIDIS) - 2)
    return _hex(_between(CIVIDIS[low], CIVIDIS[low + 1], place - low))


def worth(value: float) -> str:
    """The colour of a value: orange lost, grey even, blue won.

    >>> worth(0.0), worth(0.5), worth(1.0)
    ('#d55e00', '#eeece4', '#0072b2')
    """
    value = min(max(value, 0.0), 1.0)
    return _hex(_between(BAD, EVEN, 2 * value) if value < 0.5 else _between(EVEN, GOOD, 2 * value - 1))


def ink(colour: str) -> str:
    """Black or white, whichever can be read on a colour.

    >>> ink("#fee838"), ink("#00224e")
    ('#111', '#fff')
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#111" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#fff"
