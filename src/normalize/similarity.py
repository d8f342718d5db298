"""Whether two wordings are one take: measured rules, each with its threshold."""

from typing import Literal, NamedTuple

from rapidfuzz.fuzz import ratio

from normalize.grams import containment

NEAR_RATIO = 82.0
"""Two skeletons are one take from here on. Measured: distinct real reviews reach 54, edited ones stay above 82."""

PREFIX_SHARE = 0.93
"""A skeleton shorter than this share of another may be that one cut off: then only the common length is compared."""

PREFIX_MIN = 60
"""Characters a cut-off skeleton must have left; below, sibling tools share openings."""

EXCERPT_CONTAINMENT = 0.6
EXCERPT_GRAMS = 10
"""An excerpt shares this much of the shorter text's grams, and at least so many."""

UNKNOWN_CONTAINMENT = 0.8
UNKNOWN_SAMPLED = 2
"""Where a wording's tool is not known, it may be a sibling tool's: so much must be shared, and so many samples."""


class Likeness(NamedTuple):
    """How a wording compares with another; `similarity` is 0 to 1. `is_strict`: holds even for an unknown tool."""

    kind: Literal["near", "prefix"]
    similarity: float
    is_strict: bool


class Form(NamedTuple):
    """A wording in the forms it is compared in."""

    skeleton: str
    grams: frozenset[int]
    samples: frozenset[int]


def compare(one: Form, other: Form) -> Likeness | None:
    """The likeness of two wordings of one tool, None where they are two takes."""
    short, long = sorted((one, other), key=lambda form: len(form.skeleton))
    shared = len(one.grams & other.grams)
    held = containment(one.grams, other.grams)
    is_strict = held >= UNKNOWN_CONTAINMENT and len(one.samples & other.samples) >= UNKNOWN_SAMPLED
    whole = ratio(one.skeleton, other.skeleton, score_cutoff=NEAR_RATIO)
    if whole:
        return Likeness("near", whole / 100, is_strict)
    if PREFIX_MIN <= len(short.skeleton) < PREFIX_SHARE * len(long.skeleton):
        cut = ratio(short.skeleton, long.skeleton[: len(short.skeleton)], score_cutoff=NEAR_RATIO)
        if cut:
            return Likeness("prefix", cut / 100, is_strict)
    if held >= EXCERPT_CONTAINMENT and shared >= EXCERPT_GRAMS:
        return Likeness("near", held, is_strict)
    return None
