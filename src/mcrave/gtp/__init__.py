"""The Go engine behind the Go Text Protocol, version 2 (https://www.lysator.liu.se/~gunnar/gtp/).

Read in this order: `protocol` (lines and replies), `session` (what a command may change), `commands/` (one file for
each group), `engine` (thinking), `clock` (for how long), `defaults` (how it plays).
"""

from mcrave.gtp.serving import serve
from mcrave.gtp.session import Session, Settings

__all__ = ["Session", "Settings", "serve"]
