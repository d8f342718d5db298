"""How far each kind of evidence can be trusted, as measured against answer keys: 0.9 means nine in ten.

Measured by `python -m benchmarks.quality` on worlds of 10,000 to 100,000 appearances, dense and sparse, with 0 to 100 %
of their pages labelled. There, less than one in 10,000 was wrong of every kind but `ordered`; real sites also err, so
the weights stay below 1.
"""

from bisect import bisect_left
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from verdicts.corpus.enumerations import Attribution

WEIGHT: Mapping[Attribution, float] = MappingProxyType(
    {
        "observed": 1.0,  # the page's own label
        "matched": 0.999,  # the label of the same words on another page
        "intersected": 0.998,  # no other tool is on all the pages
        "excluded": 0.995,  # rests on pages being complete
    }
)


class _Step(NamedTuple):
    """Both 0 to 1."""

    share: float
    precision: float


ORDERED_STEPS = (
    _Step(0.15, 0.33),
    _Step(0.27, 0.65),
    _Step(0.39, 0.80),
    _Step(0.45, 0.97),
    _Step(0.99, 0.99),
    _Step(1.0, 0.94),
)
"""Precision of row order by the share of the best alignments that agree on a side, up to and including `share`.

Full agreement is less precise than 0.99: it is mostly reached where nothing else is known of a page, and there a panel
of three shifts every row after it.
"""


def ordered_weight(share: float) -> float:
    """The trust in row order alone, by the share (0 to 1) of equally good alignments that agree."""
    return ORDERED_STEPS[bisect_left(ORDERED_STEPS, share, key=lambda step: step.share)].precision
