"""Players with ranges in their text.

| written | tried |
| --- | --- |
| `[0.1..1.5]` | numbers between both |
| `[1e-6..0.1 log]` | numbers between both, evenly over their logarithm |
| `[10..500]`, `[10..500 log]` | whole numbers, as both ends are written without a point |
| `[mogo()|uniform()]` | these, in no order |
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from mcrave.errors import SpecError
from mcrave.players import parse_player

Value = int | float | str
DIGITS = 4  # of a number that is tried: more would say more than any match can tell
RANGE = re.compile(r"\s*([^\s\[\]|]+?)\s*\.\.\s*([^\s\[\]|]+)(\s+log)?\s*")
WRITE = "write [0.1..1.5], [1..100], [1e-6..0.1 log] or [mogo()|uniform()]"


class Range(NamedTuple):
    """Numbers from `low` to `high`, whole ones if both are."""

    low: int | float
    high: int | float
    log: bool = False

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are meant."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def rounded(self, value: Value) -> Value:
        """A value in a few digits, within the range.

        >>> Range(0.1, 1.5).rounded(0.123456), Range(0.12345, 1.5).rounded(0.12345), Range(1, 9).rounded(7)
        (0.1235, 0.1235, 7)
        >>> Range(0.33336, 1.0).rounded(0.33336), Range(0.33331, 1.0).rounded(0.33331)
        (0.3334, 0.33331)
        """
        return value if self.whole else min(max(float(f"{value:.{DIGITS}g}"), self.low), self.high)

    def text(self, value: Value) -> str:
        """A value as it stands in the player's text.

        >>> Range(0.1, 1.5).text(0.123456), Range(1, 9).text(7)
        ('0.1235', '7')
        """
        return f"{self.rounded(value)!r}"

    def place(self, value: Value) -> float:
        """Where a value stands between both ends, from 0 to 1.

        >>> Range(1, 100, log=True).place(10)
        0.5
        """
        low, high, at = (math.log(x) if self.log else float(x) for x in (self.low, self.high, float(value)))
        return (at - low) / (high - low)

    def ends(self) -> tuple[Value, ...]:
        """What must make a player if all between is to make one."""
        return self.low, self.high

    def __str__(self) -> str:
        """As it is written."""
        return f"[{self.low}..{self.high}{' log' if self.log else ''}]"


class Choice(NamedTuple):
    """One of several texts."""

    texts: tuple[str, ...]

    def rounded(self, value: Value) -> Value:
        """The same."""
        return value

    def text(self, value: Value) -> str:
        """The text itself."""
        return str(value)

    def ends(self) -> tuple[Value, ...]:
        """All of them."""
        return self.texts

    def __str__(self) -> str:
        """As it is written."""
        return f"[{'|'.join(self.texts)}]"


class Parameter(NamedTuple):
    """What is tuned: its name, its values, and where it stands in the text."""

    name: str
    values: Range | Choice
    start: int
    end: int


class Template:
    """A player's text with ranges.

    >>> template = Template("uct(c=[0.1..1.5])+[mogo()|uniform()]@200")
    >>> [str(parameter.name) for parameter in template.parameters]
    ['c', 'part 2']
    >>> template.fill({"c": 0.5, "part 2": "uniform()"})
    'uct(c=0.5)@200'
    >>> template.default()
    'uct+mogo@200'
    """

    def __init__(self, text: str) -> None:
        """An `Error` says what is wrong with the text, or with a player at one end of a range."""
        self.text = text.strip()
        found = [_parameter(self.text, start, end) for start, end in _brackets(self.text)]
        if not found:
            raise SpecError(f"player '{self.text}' has nothing to tune; {WRITE} in place of a value")
        self.parameters = _named_apart(self.text, found)
        low = {parameter.name: parameter.values.ends()[0] for parameter in self.parameters}
        for parameter in self.parameters:
            for value in parameter.values.ends():
                self.fill(low | {parameter.name: value})

    def fill(self, values: Mapping[str, Value]) -> str:
        """The player with these values, in its one form."""
        text = self.text
        for parameter in reversed(self.parameters):
            inner = parameter.values.text(values[parameter.name])
            text = text[: parameter.start] + inner + text[parameter.end :]
        return str(parse_player(text))

    def default(self) -> str:
        """The player that does not name what is tuned: the defaults of its parts; of other choices the first."""
        text = self.text
        for parameter in reversed(self.parameters):
            start, end, inner = parameter.start, parameter.end, ""
            depth = text[:start].count("(") - text[:start].count(")")
            if depth > 0:
                start, end = _whole_item(text, start, end)
            elif isinstance(parameter.values, Choice):
                inner = parameter.values.texts[0]
            else:
                raise SpecError(f"{parameter.values} of '{self.text}' has no default; name an opponent")
            text = text[:start] + inner + text[end:]
        return str(parse_player(text))

    def __str__(self) -> str:
        """The text."""
        return self.text


def _brackets(text: str) -> list[tuple[int, int]]:
    """Where ranges begin and end."""
    found, start = [], -1
    for i, char in enumerate(text):
        if char == "[" and start < 0:
            start = i
        elif char == "]" and start >= 0:
            found.append((start, i + 1))
            start = -1
        elif char in "[]":
            raise SpecError(f"the brackets in '{text}' do not match; {WRITE}")
    if start >= 0:
        raise SpecError(f"the brackets in '{text}' do not match; {WRITE}")
    return found


def _parameter(text: str, start: int, end: int) -> Parameter:
    before = text[:start].rstrip()
    name = "player" if not before else f"part {before.count('+') + 1}"
    if match := re.search(r"(\w+)\s*=$", before):
        name = match[1]
    elif before.endswith("@"):
        name = "budget"
    elif before.endswith(("(", ",")):
        name = "value"
    return Parameter(name, _values(text[start + 1 : end - 1]), start, end)


def _values(inner: str) -> Range | Choice:
    """What stands in the brackets."""
    if match := RANGE.fullmatch(inner):
        low, high = _number(match[1]), _number(match[2])
        if low is not None and high is not None:
            return _checked(Range(low, high, bool(match[3])), inner)
    texts = tuple(part.strip() for part in inner.split("|"))
    if "|" not in inner or "" in texts:
        raise SpecError(f"cannot read the range [{inner}]; {WRITE}")
    if len(set(texts)) < len(texts):
        raise SpecError(f"in [{inner}], '{Counter(texts).most_common(1)[0][0]}' stands twice")
    return Choice(texts)


def _checked(values: Range, inner: str) -> Range:
    if not (math.isfinite(values.low) and math.isfinite(values.high)):
        raise SpecError(f"the range [{inner}] has no end")
    if not values.low < values.high:
        raise SpecError(f"the range [{inner}] holds at most one number: the lower one comes first")
    if values.log and not values.low > 0:
        raise SpecError(f"the range [{inner}] begins at {values.low}, and log needs numbers above 0")
    return values if values.whole else Range(float(values.low), float(values.high), values.log)


def _number(text: str) -> int | float | None:
    """A number; whole if it is written so."""
    try:
        return int(text) if re.fullmatch(r"[+-]?\d{1,15}", text) else float(text)
    except ValueError:
        return None


def _named_apart(text: str, found: list[Parameter]) -> list[Parameter]:
    """Two of one name are told apart by the part they belong to, and at last by a number."""
    often = Counter(parameter.name for parameter in found)
    longer = [
        parameter._replace(name=f"{_owner(text, parameter.start)}.{parameter.name}")
        if often[parameter.name] > 1
        else parameter
        for parameter in found
    ]
    seen: Counter[str] = Counter()
    result = []
    for parameter in longer:
        seen[parameter.name] += 1
        count = seen[parameter.name]
        result.append(parameter if count == 1 else parameter._replace(name=f"{parameter.name} {count}"))
    return result


def _owner(text: str, start: int) -> str:
    """The name before the parenthesis that a place stands in."""
    depth = 0
    for i in range(start - 1, -1, -1):
        depth += (text[i] == ")") - (text[i] == "(")
        if depth < 0:
            match = re.search(r"(\w+)\s*$", text[:i])
            return match[1] if match else "player"
    return "player"


def _whole_item(text: str, start: int, end: int) -> tuple[int, int]:
    """From where to where `field=value` stands, with one comma beside it."""
    first = max(text.rfind(",", 0, start), text.rfind("(", 0, start))
    if text[first] == ",":
        return first, end
    rest = re.match(r"\s*,", text[end:])
    return first + 1, end + (rest.end() if rest else 0)
