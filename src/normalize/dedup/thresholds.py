"""Every threshold of deduplication, with its reason and what it was measured to do.

Measured by `python -m benchmarks.quality --thresholds` on the seeded corpus of 100,000 appearances; the results are in
`docs/benchmarks.md`.
"""

from dataclasses import dataclass


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
    """Texts of a tool that a run of letters leads to, the oldest that have it, and as many canonical ones. What more
    texts have is a phrase of the site, and a pair that shares nothing rarer is lost."""

    shared_runs: float = 1 / 4
    """Of the runs of the shorter text two texts share this much at least, or are not compared. Three edited words leave
    0.7, an excerpt has 0.6; articles that share menu and footer have up to 0.2."""

    max_compared: int = 10_000
    """Letters of a text that are compared with another one; takes have up to 2,000. The cost grows with the square: two
    of 400,000 letters took four seconds. Whether two texts are equal is decided by all of their letters."""


THRESHOLDS = Thresholds()
