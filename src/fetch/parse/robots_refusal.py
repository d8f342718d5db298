"""Which line of a robots.txt refuses an address, for whoever wants to know why. Pure.

Protego decides and keeps no lines. So each line of our group is given to Protego alone, as all of a file: the one that
refuses the address then is the one to name.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from protego import Protego

RULES_MAX = 500
"""Lines that are tried for an address; a file with more of them is named without the line."""

_RULE = re.compile(r"\s*+d(?:is|ias)\w*+\s*+:?", re.IGNORECASE)
"""`Disallow: /x`, in the spellings that Protego takes too, such as `Dissalow`."""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A line of robots.txt that may refuse addresses: its number, from 1, its text, and the group it stands in."""

    number: int
    text: str
    group: str
    rules: Protego

    def refuses(self, url: str) -> bool:
        """Whether it refuses a URL, taken alone."""
        return not self.rules.can_fetch(url, "*")

    def __str__(self) -> str:
        return f"line {self.number}, {self.text!r} for {self.group!r}"


class RuleLines:
    """The lines of our group that may refuse, the longest first, as the longest decides (RFC 9309, 2.2.2)."""

    def __init__(self, lines: Iterable[tuple[int, str, str]]) -> None:
        """`lines`: number, text and group of each line that is a rule."""
        rules = [(number, text, group) for number, text, group in lines if _RULE.match(text)]
        rules.sort(key=lambda rule: -len(rule[1]))
        self._rules = [
            RuleLine(number, text.partition("#")[0].strip(), group, Protego.parse(f"User-agent: *\n{text}"))
            for number, text, group in (rules if len(rules) <= RULES_MAX else [])
        ]

    def refusing(self, url: str) -> RuleLine | None:
        """The longest line that refuses a URL; None where none does by itself."""
        return next((rule for rule in self._rules if rule.refuses(url)), None)
