"""Whether two wordings are one take: measured rules, the cheap ones first."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from rapidfuzz.fuzz import ratio

from normalize.dedup.shingles import containment, grams
from normalize.dedup.thresholds import FoldRules

PROBES = 8
PROBE = 12
"""Runs of letters that are looked for before two texts are compared, and their length.

Most takes of a night are new, and this says so in two microseconds; a search costs a fiftieth of word grams. That edits
hit all eight of a text that is 0.82 alike takes one in every thirty letters.
"""


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
    if holds(long, probes(short)):
        ours, theirs = _grams(one.text), _grams(other.text)
        if len(ours & theirs) >= rules.excerpt_grams:
            held = containment(ours, theirs)
            if held >= rules.excerpt_containment:
                return Likeness("excerpt", held)
    return Likeness("grey", whole) if whole else None


def probes(skeleton: str) -> Sequence[str]:
    """Runs of letters from all over a text: three edited words leave most of them as they are."""
    step = max((len(skeleton) - PROBE) // (PROBES - 1), 1)
    return [skeleton[at : at + PROBE] for at in range(0, step * PROBES, step)]


def holds(letters: str, runs: Sequence[str]) -> bool:
    """Whether one of the runs is there."""
    for run in runs:  # noqa: SIM110 - a generator costs three times the search
        if run in letters:
            return True
    return False


_grams = lru_cache(maxsize=8_192)(grams)
