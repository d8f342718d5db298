"""How far each kind of evidence can be trusted, as measured against answer keys: 0.9 means nine in ten.

Measured by `python -m benchmarks.quality` on worlds of 10,000 to 100,000 appearances, dense and sparse, with 0 to 100 %
of their pages labelled. Of the hard kinds not one in 10,000 was wrong there; real sites also err, so they stay below 1.
"""

from bisect import bisect_left
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from corpus.enumerations import Attribution

WEIGHT: Mapping[Attribution, float] = MappingProxyType(
    {
        "observed": 1.0,  # the page says so
        "matched": 0.999,  # the same words elsewhere say so
        "intersected": 0.998,  # no other tool is on all the pages
        "excluded": 0.995,  # rests on pages being complete
    }
)


class _Step(NamedTuple):
    share: float
    precision: float


ORDERED = (
    _Step(0.15, 0.33),
    _Step(0.27, 0.65),
    _Step(0.39, 0.80),
    _Step(0.45, 0.97),
    _Step(0.99, 0.99),
    _Step(1.0, 0.94),
)
"""Up to this share of the best ways to fill the rows agree on a side: so often it was right.

All ways agree mostly where nothing at all is known of a page, and there a panel of three shifts every row after it:
less sure than many ways around known takes.
"""


def ordered_weight(share: float) -> float:
    """The trust in row order alone, by the share (0 to 1) of equally good alignments that agree."""
    return ORDERED[bisect_left(ORDERED, share, key=lambda step: step.share)].precision
