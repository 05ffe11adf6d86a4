"""What the experiments of Gelly & Silver have in common: MoGo on 9×9 against GNU Go at level 10, and Eq. 19."""

from __future__ import annotations

GO = "go(size=9)"
GNUGO = "gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko --capture-all-dead"
GAMES = 2300
K = 1000  # of the hand-selected schedule, from where on Figure 5 is at its best

BY_MOVE = ",by_move=true"
AS_PRINTED = "Eq. 19 as printed, with N(s)"

NOTES = (
    "Eq. 19 is read with N(s,a) in place of N(s). So the best of our points of Figure 5 (k = 100 and 300) win as much "
    "as the paper's best; as the equation is printed, none that was played does (other readings, there).",
    "MoGo's default policy of that time is `mogo()` here; details of its patterns are not published.",
    "The paper has GNU Go 3.7.10. Ours is the one that is installed; the results file holds its version.",
    "Komi is 7.5; the paper does not give it. All stones that stay on the board count as alive.",
    "The most visited move is played, and every move begins with an empty tree; the paper tells neither.",
)
NO_NUMBERS = "The points of the figure are not printed as numbers; only what the text says about them is compared."
SCHEDULE = f"§5.4 tells that the hand-selected schedule (Eq. 19) was used, but not its k; {K:,} is Figure 5's best."


def hand(k: str | int = K) -> str:
    """MC–RAVE with the hand-selected schedule of Eq. 19, as it is read here.

    >>> hand(300)
    'mc_rave(schedule=hand(k=300,by_move=true))'
    """
    return f"mc_rave(schedule=hand(k={k}{BY_MOVE}))"
