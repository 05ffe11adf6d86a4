"""How Ray is reached (the extra `mcrave[cluster]`): on this machine, or at the address of a cluster."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from mcrave.errors import Error

LOCAL = "local"
KNOCK = 10.0  # seconds
TRIES = 3  # on a busy machine a part of Ray may take too long to start, and all of it ends


def connect(address: str = "", processors: int | None = None) -> Any:
    """Connect to a cluster, or start Ray on this machine for `local`, with so many processors; returns `ray` itself.

    Without an address, `RAY_ADDRESS` is used, or this machine. A connection that there is already is kept.
    """
    address = address or os.environ.get("RAY_ADDRESS", LOCAL)
    if address == LOCAL:
        # Without this, Ray takes 127.0.0.1 for "the address others reach me by", and listens to everybody.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        import ray
    except ImportError:
        raise Error("a search or match on a cluster needs Ray: pip install 'mcrave[cluster]'") from None
    if ray.is_initialized():
        return ray
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address == LOCAL:
        # Its own, even if somebody else runs one here; its services listen on this machine only.
        options |= {
            "address": LOCAL,
            "num_cpus": processors,
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
        }
        options |= {"runtime_env": {"env_vars": {"PYTHONPATH": _python_path()}}}
    else:
        _knock(address)
        options |= {"address": address}
    for left in range(TRIES if address == LOCAL else 1, 0, -1):
        try:
            ray.init(**options)
            break
        except Exception as error:
            if left == 1:
                raise Error(f"cannot reach Ray at '{address}': {first_line(error)}") from None
            ray.shutdown()
    if not isinstance(sys.stdout, Apart):
        sys.stdout = Apart(sys.stdout)
    return ray


class Apart:
    """An output without what Ray says in between of nodes that come and go: that goes to the errors.

    Ray prints it by a thread of its own, whatever its settings, and would break an answer in JSON or GTP.
    """

    def __init__(self, output: Any) -> None:
        """Stand for this output."""
        self._output = output

    def write(self, text: str) -> int:
        """Pass on what is ours."""
        of_ray = threading.current_thread().name.startswith("ray_")
        return int((sys.stderr if of_ray else self._output).write(text))

    def __getattr__(self, name: str) -> Any:
        """Be the output in everything else."""
        return getattr(self._output, name)


def first_line(error: BaseException) -> str:
    r"""What an error says, in one line.

    >>> first_line(ValueError("no\nreally")), first_line(ValueError())
    ('no', 'ValueError')
    """
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _python_path() -> str:
    """Where the workers find this package, too."""
    home = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])


def _knock(address: str) -> None:
    """See whether somebody listens there: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK).close()
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Error(f"cannot reach Ray at '{address}': {reason}") from None
