"""Searches with every playout policy as a few lines of text, to compare the interpreter with compiled code.

`NUMBA_DISABLE_JIT=1 python -W error -m tests.playouts.digest`
"""

from __future__ import annotations

import hashlib

import mcrave

MOGO = [f"{option}=true" for option in ("capture_first", "nakade", "two_liberties", "eye_shape", "ladders")]
CASES = [
    ("go3(size=3)", "uct()", "mast()"),
    ("breakthrough(rows=4,cols=3)", "uct()", "past(combine=mean)"),
    ("nim(heaps=2-3)", "uct()", "past()"),
    ("mnk", "rave()", "pool_rave(k=3,visits=5,least=1)"),
    ("nim(heaps=2-3)", "uct()", "ordered(anneal=60)"),
    ("mnk", "uct()", "softmax()"),
    ("mnk", "uct()", "truncated(depth=4,playout=mast())"),
    ("go(size=4)", "uct()", f"mogo({','.join(MOGO)},fill_board=2,proximity=0.5,heed=0.8,mercy=0.6,margin=0.1)"),
    ("go(size=4)", "uct()", "urgency()"),
    ("go(size=4)", "uct()", "patterns()"),
    ("go(size=4)", "uct()", "balanced()"),
    ("atarigo(size=4)", "uct()", "captures()"),
    ("atarigo(size=4)", "uct()", "captures(save=true)"),
    ("atarigo(size=5)", "uct()", "captures(save=true,patterns=true)"),
    ("atarigo(size=4)", "uct()", "captures(avoid_self_atari=1)"),
    ("atarigo(size=4)", "uct()", "captures(avoid_self_atari=2)"),
    ("go3(size=4)", "uct()", "reflex()"),
    ("othello(size=4)", "uct()", "disputed(settled=0.7,after=10,tries=2)"),
]


def digest(game: str, tree: str, playout: str) -> str:
    """Two positions searched one after the other: the visits, the values, and every bit the policy remembers."""
    search = mcrave.Search(game, tree=tree, playout=playout, seed=7, memory="1MB")
    position, parts = search.game.start(), []
    for _ in range(2):
        report = search.run(position, simulations=60)
        parts.append(" ".join(f"{move.move}:{move.visits}:{move.value!r}" for move in report.moves))
        position = position.play(str(report.best))
    hashed = hashlib.blake2b("\n".join(parts).encode() + search._memories[0].tobytes(), digest_size=8).hexdigest()
    return f"{game} {tree} {playout} {hashed}"


if __name__ == "__main__":
    for case in CASES:
        print(digest(*case), flush=True)
