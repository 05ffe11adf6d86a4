"""Settings for all tests: steady examples, and one worker for all tests that compile the same game."""

from __future__ import annotations

import os
import re
import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, derandomize=True, max_examples=8, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", parent=settings.get_profile("steady"), derandomize=False, max_examples=300)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background: Ctrl-C would do nothing
    signal.signal(signal.SIGINT, signal.default_int_handler)


def group(nodeid: str) -> str:
    """What one worker runs: all tests of a game, else a test that starts processes, else a file."""
    file = nodeid.partition("::")[0]
    if match := re.search(
        r"(?:contracts/test_games|search/test_agreement)\.py::\w+\[(\w+)|games/test_(\w+)\.py", nodeid
    ):
        return match[1] or match[2]
    return nodeid if file.endswith(("test_cache.py", "test_progress.py")) else file


def pytest_xdist_make_scheduler(config, log):
    """Group as above under `--dist loadgroup`: the mark `xdist_group` does nothing since pytest 9.2."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGame(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    return ByGame(config, log)
