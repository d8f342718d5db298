"""Every threshold of folding, each with its reason and what it was measured to do.

Measured by `python -m benchmarks.quality --thresholds` on the seeded corpus of 100,000 appearances; the table stands in
`docs/benchmarks.md`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoldRules:
    """When two wordings are one take. Ratios and shares are 0 to 1, lengths count skeleton characters."""

    near_ratio: float = 0.82
    """Indel similarity of two skeletons. Distinct takes reach 0.54 on real pages and 0.62 among siblings that share a
    sentence; three edited words leave 0.88."""

    grey_ratio: float = 0.70
    """From here to `near_ratio` a pair is reported, unmerged. The list stays near empty; one that fills is an alarm."""

    prefix_share: float = 0.93
    """A skeleton shorter than this share of another may be it cut off: then only the common length is compared."""

    prefix_min: int = 60
    """What a cut-off skeleton must have left. Below, sibling tools share openings: one sentence has 50 to 90."""

    excerpt_containment: float = 0.6
    excerpt_grams: int = 10
    """An excerpt shares this much of the shorter text's word grams, and at least so many."""

    unknown_a_tool: int = 32
    """A take of unknown tool is compared with the other unknown ones of a tool, if there are no more than so many. More
    stand beside a popular tool, and are the others': its own are known, being on many pages."""

    leaders_a_tool: int = 256
    """Reviews of one tool that a new wording is compared with. A tool has seven seats; a page of thousands of takes is
    a trap, and this bounds what it costs."""


RULES = FoldRules()
