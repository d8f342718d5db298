"""Whether two wordings are one take: measured rules, the cheap ones first."""

from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from rapidfuzz.fuzz import ratio

from normalize.grams import containment, grams
from normalize.thresholds import FoldRules

_PROBE = 12
"""Letters looked for before word grams are made: a plain search costs a fiftieth of them."""


class Form(Protocol):
    """A wording in the forms it is compared in: letters alone, and as published."""

    @property
    def skeleton(self) -> str: ...
    @property
    def text(self) -> str: ...


class Likeness(NamedTuple):
    """How a wording compares with another; `similarity` is 0 to 1.

    `excerpt` counts only where both are known to be of one tool; `grey` is too alike to pass over, too unlike to join.
    """

    kind: Literal["near", "prefix", "excerpt", "grey"]
    similarity: float


def compare(one: Form, other: Form, rules: FoldRules) -> Likeness | None:
    """The likeness of two wordings of one tool, None where they are two takes."""
    short, long = one.skeleton, other.skeleton
    if len(short) > len(long):
        short, long = long, short
    whole = ratio(short, long, score_cutoff=100 * rules.grey_ratio) / 100
    if whole >= rules.near_ratio:
        return Likeness("near", whole)
    if rules.prefix_min <= len(short) < rules.prefix_share * len(long):
        cut = ratio(short, long[: len(short)], score_cutoff=100 * rules.near_ratio) / 100
        if cut:
            return Likeness("prefix", cut)
    if _may_be_excerpt(short, long):
        ours, theirs = _grams(one.text), _grams(other.text)
        if len(ours & theirs) >= rules.excerpt_grams:
            held = containment(ours, theirs)
            if held >= rules.excerpt_containment:
                return Likeness("excerpt", held)
    return Likeness("grey", whole) if whole else None


def _may_be_excerpt(short: str, long: str) -> bool:
    """Whether one of four probes is there: an excerpt has the other text's letters in long runs."""
    step = len(short) // 4
    return (
        short[:_PROBE] in long
        or short[step : step + _PROBE] in long
        or short[2 * step : 2 * step + _PROBE] in long
        or short[3 * step : 3 * step + _PROBE] in long
    )


_grams = lru_cache(maxsize=8_192)(grams)
