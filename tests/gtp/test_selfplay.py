"""Some games of the engine against itself; `selfplay.py` plays as many as one likes."""

from __future__ import annotations

from tests.gtp.selfplay import Setting, _complaint, run, settings
from tests.oracles.plain_go import PlainGo


def test_games_without_a_mistake():
    counts = run(settings(20, seed=3, sizes=[2, 3, 4, 5], seconds=600), "mc_rave@30", sample=4)
    assert counts["games"] == 20
    assert counts["moves"] > 100
    assert counts["wrong"] == 0


def test_the_referee_notices_mistakes():
    setting, referee = Setting(3, 3, 0.5, 0, 1), PlainGo(3, 3)
    referee.play((1, 1))
    assert _complaint(referee, setting, "= A1") == ""
    assert _complaint(referee, setting, "= B2") == "B2 is illegal"
    assert _complaint(referee, setting, "= Z9") == "Z9 is illegal"
    assert _complaint(referee, setting, "= a good move") == "'a good move' is no move"
    assert _complaint(referee, setting, "? cannot") == "genmove was answered by '? cannot'"
