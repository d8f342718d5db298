"""Reservations of text and data mining: TDMRep, a final report of a W3C community group of 10 May 2024. Pure.

A meta element, a header or `/.well-known/tdmrep.json` reserves. They count in this order.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from verdicts.corpus.text import BrokenDocument, parse_json

if TYPE_CHECKING:
    from protego import Protego

FILE = "/.well-known/tdmrep.json"

RULES_MAX = 1_000
"""The most rules read of a file."""

EVERYWHERE = frozenset({"/", "/*", "*"})

_VALUES = {"1": True, "0": False}
"""Section 4.1: another value counts as none. Some files have it as text."""


class Tdm(NamedTuple):
    """Whether mining is reserved, and the address of the policy; None for what is not stated."""

    is_reserved: bool | None = None
    policy: str | None = None

    def before(self, other: "Tdm") -> "Tdm":
        """Adds the values of the other statement that this one lacks (section 5.7)."""
        is_reserved = other.is_reserved if self.is_reserved is None else self.is_reserved
        return Tdm(is_reserved, self.policy or other.policy)


NO_TDM = Tdm()


class TdmRule(NamedTuple):
    """A rule of a file. `location` is a pattern of paths as in robots.txt."""

    location: str
    tdm: Tdm

    def matches(self, url: str) -> bool:
        return self.location in EVERYWHERE or not _compile_pattern(self.location).can_fetch(url, "*")


def read_tdm(values: Mapping[str, str]) -> Tdm:
    """The statement in the values of `tdm-reservation` and `tdm-policy`."""
    policy = values.get("tdm-policy", "").strip() or None
    return Tdm(_VALUES.get(values.get("tdm-reservation", "").strip()), policy)


def parse_tdm_file(body: bytes) -> tuple[TdmRule, ...]:
    """The rules of a file in order, without rules that lack a path or a value. Empty if it is not an array."""
    try:
        rules = parse_json(body, FILE)
    except BrokenDocument:
        return ()
    read = (_read_rule(rule) for rule in rules[:RULES_MAX]) if isinstance(rules, list) else ()
    return tuple(rule for rule in read if rule is not None)


def _read_rule(rule: object) -> TdmRule | None:
    if not isinstance(rule, dict) or not isinstance(location := rule.get("location"), str):
        return None
    values = {name: str(value) for name, value in rule.items() if isinstance(value, str | int)}
    location, tdm = location.split("#", maxsplit=1)[0].strip(), read_tdm(values)
    return None if tdm.is_reserved is None or not location.isprintable() or not location else TdmRule(location, tdm)


def find_rule(rules: Iterable[TdmRule], url: str) -> Tdm:
    """The first rule of the file that matches an address (section 5.1)."""
    return next((rule.tdm for rule in rules if rule.matches(url)), NO_TDM)


@lru_cache(maxsize=RULES_MAX)
def _compile_pattern(location: str) -> "Protego":
    """Section 5.1: patterns match as Google's in robots.txt."""
    # Imported late: few who read the state have such rules.
    from protego import Protego  # noqa: PLC0415

    return Protego.parse(f"User-agent: *\nDisallow: {location}")
