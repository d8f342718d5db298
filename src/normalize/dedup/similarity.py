"""When two texts are one take: measured thresholds, and rules of which the cheap ones come first.

The thresholds are measured by `python -m benchmarks.quality --thresholds` on the seeded corpus of 100,000 appearances;
the results are in `docs/benchmarks.md`.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol
from zlib import crc32

from rapidfuzz.fuzz import ratio

from verdicts.normalize.parse.text import words


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When two texts are one take. Ratios and shares are 0 to 1, lengths are in characters of the match key."""

    near_ratio: float = 0.82
    """Indel similarity of two match keys from which they are one take. Distinct takes reach 0.54 on real pages and 0.62
    between sibling tools that share a sentence; three edited words leave 0.88."""

    lookalike_ratio: float = 0.70
    """From here to `near_ratio` a pair is reported in `lookalikes` and not joined. That table stays near empty; if it
    fills up, something is wrong."""

    prefix_share: float = 0.93
    """A match key shorter than this share of another may be a truncated copy: then only the common length is
    compared."""

    prefix_min: int = 60
    """Minimum length of a truncated copy. Below it, sibling tools share openings: one sentence has 50 to 90."""

    excerpt_containment: float = 0.6
    """An excerpt shares at least this much of the shorter text's word shingles."""

    excerpt_shingles: int = 10
    """And at least this many shingles."""

    passage_shingles: int = 24
    """From so many shared shingles on, 28 words in a row, an excerpt is one take whatever is known of its tool. Sibling
    tools share a sentence of 10 to 15 words."""

    texts_a_run: int = 16
    """Texts of a tool that a run of letters leads to, the oldest that have it. What more texts have is a phrase of the
    site, and a pair that shares nothing rarer is lost."""

    shared_runs: float = 1 / 4
    """Of the runs of the shorter text two texts share this much at least, or are not compared. Three edited words leave
    0.7, an excerpt has 0.6; articles that share menu and footer have up to 0.2."""

    max_compared: int = 10_000
    """Letters of a text that are compared with another one; takes have up to 2,000. The cost grows with the square: two
    of 400,000 letters took four seconds. Whether two texts are equal is decided by all of their letters."""


THRESHOLDS = Thresholds()


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
    # As published there are spaces and marks between the letters.
    length = 2 * thresholds.max_compared
    first_shingles, second_shingles = _shingles(first.text[:length]), _shingles(second.text[:length])
    shared = len(first_shingles & second_shingles)
    if shared >= thresholds.excerpt_shingles:
        contained = containment(first_shingles, second_shingles)
        if contained >= thresholds.excerpt_containment:
            return Similarity("passage" if shared >= thresholds.passage_shingles else "excerpt", contained)
    return Similarity("lookalike", whole) if whole else None


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
