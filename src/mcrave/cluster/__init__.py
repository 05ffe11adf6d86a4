"""One search on many machines (MoGo Titan's scheme; Gelly & Silver §6): the form `ray(workers, …)`.

Read in this order:

- `statistics`: what a node knows, as one vector, and how to find nodes by the moves that lead to them;
- `ledger`: who has counted what, so that nothing is counted twice;
- `worker`: searches its own tree, and gives and takes what is known about its upper part;
- `coordinator`: adds up what the workers give, hands the sums out, replaces workers, and answers on time;
- `actors`: workers as Ray actors; `connecting`: how Ray is reached.

Only the last two know Ray.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcrave.search import Search
    from mcrave.search.parallel import RayParallel
    from mcrave.search.teams import Team


def open_team(search: Search, form: RayParallel) -> Team:
    """The workers of a cluster for this search; they are called with the first run."""
    from mcrave.cluster.actors import Actors
    from mcrave.cluster.coordinator import Coordinator

    return Coordinator(search.twin(search.memory), form, lambda: Actors(search, form))
