"""What a page is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from mcrave.web.markup import Html

if TYPE_CHECKING:
    from mcrave.web.session import Session

Message = Mapping[str, Any]
Handler = Callable[[Message], None]


class Page:
    """One of the pages of a session.

    A region is an element by its id; the session sends those that changed. A region whose id begins with that of
    another one and a dash is inside it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    gentle: ClassVar[frozenset[str]] = frozenset()
    """Wishes that change only what is shown, so that a search goes on meanwhile."""

    def __init__(self, session: Session) -> None:
        """Pages live as long as their session."""
        self.session = session

    def handlers(self) -> dict[str, Handler]:
        """What is done for each wish."""
        return {}

    def regions(self) -> dict[str, Html]:
        """Everything that is shown; the first region is `main`, the frame of the others."""
        raise NotImplementedError

    def work(self) -> bool:
        """Think for a while, if there is something to think about; False if there is not."""
        return False

    def halt(self) -> None:
        """Think no more: it went wrong."""

    def refresh(self) -> float | None:
        """Seconds after which the page should be shown anew although nobody did anything."""
        return None


def text_of(message: Message, key: str, default: str = "") -> str:
    """A text of a message; anything else is the default."""
    value = message.get(key, default)
    return value if isinstance(value, str) else default


def number_of(message: Message, key: str, default: int = 0) -> int:
    """A whole number of a message."""
    value = message.get(key, default)
    if (
        isinstance(value, str)
        and len(value) < 8
        and value.removeprefix("-").isascii()
        and value.removeprefix("-").isdigit()
    ):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9 else default
