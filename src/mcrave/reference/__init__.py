"""The algorithms again, in the plainest Python: what to read first, and what the compiled search is tested against.

It works on any object with the few methods named in `protocol.py`. Reading order, with the papers beside it:

1. `example.py`    tic-tac-toe, as such an object
2. `flat.py`       Monte-Carlo simulation (Gelly & Silver §2.3)
3. `tree.py`       a node, and the backup of one simulation (Eq. 4–6, 13–17)
4. `mcts.py`       one simulation after another (Algorithms 1 and 2)
5. `policies.py`   what is maximised in the tree: greedy MCTS, UCT, RAVE, MC–RAVE, UCT–RAVE, GRAVE, …
6. `schedules.py`  how much AMAF values weigh (§4.5–4.6)
7. `priors.py`     what a new node starts with (§5)
8. `playouts.py`   how games are finished: uniformly at random, MAST, PAST
9. `graph.py`      transpositions, and backups other than the mean
10. `td.py`        temporal-difference learning, and local shapes (§3.4)

`openspiel.py` and `position.py` wrap OpenSpiel's states and mcrave's own positions.

>>> import random
>>> from mcrave.reference.example import TicTacToe
>>> search = Search(policies.mc_rave(schedules.min_mse(0.1)))
>>> search.run(TicTacToe("XX.OO...."), 300, random.Random(1)).most_visited()
2
"""

from mcrave.reference import playouts, policies, priors, schedules
from mcrave.reference.flat import monte_carlo
from mcrave.reference.mcts import Search
from mcrave.reference.protocol import State
from mcrave.reference.tree import Node, backup

__all__ = ["Node", "Search", "State", "backup", "monte_carlo", "playouts", "policies", "priors", "schedules"]
