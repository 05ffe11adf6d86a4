"""Who may talk to the server: a check of Host and Origin, a token for other machines, headers for the browser."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit

COOKIE = "mcrave_token"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass
class Guard:
    """The checks for an address that the server listens on; `token` is empty where none is needed."""

    host: str
    token: str = field(default="", repr=False)

    @classmethod
    def of(cls, host: str) -> Guard:
        """A token is made where other machines reach the server."""
        return cls(host, "" if is_loopback(host) else secrets.token_urlsafe(18))

    def host_ok(self, header: str) -> bool:
        """Whether the Host header can be ours: a page of another name that resolves to this machine cannot read it.

        >>> Guard("127.0.0.1").host_ok("127.0.0.1:8080"), Guard("127.0.0.1").host_ok("evil.example:8080")
        (True, False)
        """
        name = _name(f"http://{header}")
        return bool(name) and (bool(self.token) or is_loopback(name))

    def origin_ok(self, origin: str | None, host: str) -> bool:
        """Whether a websocket was opened by our own page.

        >>> guard = Guard("127.0.0.1")
        >>> guard.origin_ok("http://127.0.0.1:80", "127.0.0.1:80"), guard.origin_ok("http://x.example", "127.0.0.1:80")
        (True, False)
        """
        return origin is not None and origin in (f"http://{host}", f"https://{host}")

    def token_ok(self, given: str | None) -> bool:
        """Whether this is the token, if one is needed."""
        return not self.token or hmac.compare_digest(self.token.encode(), (given or "").encode("utf-8", "replace"))


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
