"""Features of Go moves: what plain rules find."""

from __future__ import annotations

from collections import Counter

import numpy as np

from mcrave.features.moves import CLASSES, GROUPS, OFFSETS, PATTERNS, list_features, name_of
from mcrave.games._patterns import codes, symmetries
from tests.oracles.go_walks import Walk, walks
from tests.oracles.plain_patterns import PlainFeatures

BOARDS = ("go(size=6)", "go(rows=2,cols=14)", "go(rows=1,cols=16)", "go(size=9)")  # one type of state


def test_every_group_has_the_level_that_plain_rules_find():
    seen: Counter[tuple[str, int]] = Counter()
    drawings: dict[int, str] = {}
    for number, walk in enumerate(walks(BOARDS, "uniform()", 2)):
        if number % 4:
            continue  # plain rules take their time
        twin = PlainFeatures(walk.plain, walk.last)
        twin.before = walk.point(int(walk.states[0].before))
        found = np.zeros((walk.game.max_moves(), len(GROUPS)), np.int32)
        moves = np.zeros(walk.game.max_moves(), np.int32)
        n = list_features(CLASSES, walk.rules, walk.states, found, moves)
        assert {walk.point(int(move)) for move in moves[:n]} == twin.wanted()
        for move, row in zip(moves[:n], found[:n], strict=True):
            expected = twin.features(walk.point(int(move)))
            pattern = drawings.setdefault(int(row[0]), str(expected.pop("pattern")))
            assert pattern == twin.drawing(walk.point(int(move)))
            levels = dict(zip(GROUPS, (row - OFFSETS[:-1]).tolist(), strict=True))
            del levels["pattern"]
            assert levels == expected, walk.game.render(walk.states[0])
            seen.update(levels.items())
    assert len(set(drawings.values())) == len(drawings), "two numbers for one pattern"
    assert len(drawings) > 200
    assert {(name, 1) for name in GROUPS[1:]} <= set(seen)
    assert seen["self_atari", 2] > 5
    assert seen["capture", 2] > 5


def test_the_last_two_moves_are_known():
    walk = Walk("go(size=6)")
    for move in ((0, 0), (2, 3), None, (4, 4)):
        earlier = walk.last
        walk.play(walk.number(move))
        assert (walk.point(int(walk.states[0].last)), walk.point(int(walk.states[0].before))) == (move, earlier)


def test_patterns_are_shared_over_symmetries():
    """By Burnside's lemma there are 954 patterns without an edge; all others touch one."""
    for drawing in ("XO.X.#.O#", "...X.OX.O", "###X.O..."):
        assert len({int(CLASSES[code]) for turned in symmetries(drawing) for code in codes(turned)}) == 1
    colours = np.arange(1 << 16)[:, None] >> (2 * np.arange(8)) & 3
    inner = np.unique(CLASSES[(colours != 3).all(axis=1)])
    fixed = [3**8, 3**2, 3**4, 3**2, 3**5, 3**5, 3**5, 3**5]  # turns by 0, 90, 180, 270 degrees, then mirrors
    assert len(inner) == sum(fixed) // 8 == 954
    assert PATTERNS > 954
    assert name_of(0) == "pattern 0"
