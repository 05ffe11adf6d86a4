"""HTML and SVG from Python; every text is escaped on its way in, so that no user's text can become markup."""

from __future__ import annotations

import re
from html import escape
from typing import Any


class Html(str):
    """Markup that is safe as it stands."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: Any) -> Html:
    """An element. Attributes that are None or False are left out; `class_` is class, `data_do` is data-do.

    >>> tag("b", "1 < 2", tag("br"), class_="x", data_do='a"b', hidden=False)
    '<b class="x" data-do="a&quot;b">1 &lt; 2<br></br></b>'
    """
    said = "".join(
        _attribute(key, value) for key, value in attributes.items() if value is not None and value is not False
    )
    return Html(f"<{name}{said}>{join(*children)}</{name}>")


def breakable(text: str) -> Html:
    """A long text of ours, which may be broken where a part of it ends.

    >>> breakable("uct(c=0.4)+mogo@100")
    'uct(c=0.4)<wbr>+mogo<wbr>@100'
    """
    return Html(re.sub(r"(?<=,)|(?=[+@])", "<wbr>", escape(text)))


def empty(name: str, /, **attributes: Any) -> Html:
    """An element of HTML that has no end, as `input`."""
    return Html(tag(name, **attributes).removesuffix(f"</{name}>"))


def join(*children: object) -> Html:
    """Texts and elements one after another; lists are walked, None and False are nothing."""
    return Html("".join(_text(child) for child in children))


def _text(child: object) -> str:
    if child is None or child is False:
        return ""
    if isinstance(child, Html):
        return child
    if isinstance(child, list | tuple):
        return join(*child)
    return escape(str(child))


def _attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    shown = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f' {name}="{escape(shown)}"'
