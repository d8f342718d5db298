"""Whether two texts are one take: measured rules, the cheap ones first."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol
from zlib import crc32

from rapidfuzz.fuzz import ratio

from verdicts.normalize.dedup.thresholds import Thresholds
from verdicts.normalize.parse.text import words

PROBES = 8
PROBE_LENGTH = 12
"""Number and length of the substrings that are searched for before two texts are compared.

Most takes of a day are new, and the search rules out a match in two microseconds, a fiftieth of what shingles cost. For
edits to hit all eight probes of a text that is 0.82 similar, one in every thirty letters would have to be changed.
"""

SHINGLE_WORDS = 5
"""Words per shingle: long enough that unrelated takes share next to none."""


class ComparedText(Protocol):
    """A text in the two forms it is compared in: letters and digits alone, and as published."""

    @property
    def match_key(self) -> str: ...
    @property
    def text(self) -> str: ...


class Similarity(NamedTuple):
    """How similar two texts are; `score` is 0 to 1.

    `near`, `prefix` and `passage`, a long excerpt, are one take, `excerpt` only where both are known to be about one
    tool, `lookalike` never.
    """

    kind: Literal["near", "prefix", "passage", "excerpt", "lookalike"]
    score: float


def compare(first: ComparedText, second: ComparedText, thresholds: Thresholds) -> Similarity | None:
    """The similarity of two texts about one tool, None where they are clearly two takes."""
    short, long = first.match_key[: thresholds.max_compared], second.match_key[: thresholds.max_compared]
    if len(short) > len(long):
        short, long = long, short
    whole = ratio(short, long, score_cutoff=100 * thresholds.lookalike_ratio) / 100
    if whole >= thresholds.near_ratio:
        return Similarity("near", whole)
    if thresholds.prefix_min <= len(short) < thresholds.prefix_share * len(long):
        opening = ratio(short, long[: len(short)], score_cutoff=100 * thresholds.near_ratio) / 100
        if opening:
            return Similarity("prefix", opening)
    if contains_any(long, probes(short)):
        # As published there are spaces and marks between the letters.
        length = 2 * thresholds.max_compared
        first_shingles, second_shingles = _shingles(first.text[:length]), _shingles(second.text[:length])
        shared = len(first_shingles & second_shingles)
        if shared >= thresholds.excerpt_shingles:
            contained = containment(first_shingles, second_shingles)
            if contained >= thresholds.excerpt_containment:
                return Similarity("passage" if shared >= thresholds.passage_shingles else "excerpt", contained)
    return Similarity("lookalike", whole) if whole else None


def probes(match_key: str) -> Sequence[str]:
    """Substrings spread over a text: three edited words leave most of them unchanged."""
    step = max((len(match_key) - PROBE_LENGTH) // (PROBES - 1), 1)
    return [match_key[start : start + PROBE_LENGTH] for start in range(0, step * PROBES, step)]


def contains_any(letters: str, substrings: Sequence[str]) -> bool:
    """Whether one of the substrings occurs in `letters`."""
    for substring in substrings:  # noqa: SIM110 - a generator costs three times the search
        if substring in letters:
            return True
    return False


def shingles(text: str) -> frozenset[int]:
    """Hashes of all runs of five words; of the whole text if it is shorter.

    crc32 gives the same hashes on every machine and in every run, which Python's own `hash` does not.
    """
    tokens = words(text)
    count = max(len(tokens) - SHINGLE_WORDS + 1, 1)
    return frozenset(crc32(" ".join(tokens[start : start + SHINGLE_WORDS]).encode()) for start in range(count))


def containment(first: frozenset[int], second: frozenset[int]) -> float:
    """The share of the smaller set that is in the larger one, 0 to 1."""
    return len(first & second) / min(len(first), len(second))


_shingles = lru_cache(maxsize=8_192)(shingles)
