"""What a user can get wrong. Every message is one line: what was wrong, and what would be right."""

from __future__ import annotations


class Error(ValueError):
    """Any mistake in what mcrave was given; the command line prints it and exits with code 2."""


class SpecError(Error):
    """A text or a constructor call that names no valid game, policy, … or field."""


class IllegalMove(Error):
    """A move that the rules do not allow here."""


class DiagramError(Error):
    """A drawn position that cannot be read."""


class KernelError(Error):
    """A game, policy or playout whose code does not fit its contract or does not compile."""


class LimitError(Error):
    """A computation that would need more than it was allowed."""
