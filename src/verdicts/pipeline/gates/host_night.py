"""A host in a run: its answers, its readings, and its earlier runs, which show what is normal."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, fsum, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import TypeAlias

import polars as pl

from verdicts.corpus.enumerations import GateMeasure, GateTest, GateUnit
from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.extract.model.records import Extracted
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.pipeline.gates.thresholds import NIGHTS_LEARNT_FROM, NIGHTS_LEFT_OUT, PAGES_LEARNT_FROM, PairedTest

CONFIDENCE = 0.95
"""Of the upper limit of a rate."""

ReadingsAt: TypeAlias = Callable[[str], pl.DataFrame]
"""Run id to the newest reading of each page at its end, as a frame of `compare.READINGS`."""

AnsweredSince: TypeAlias = Callable[[str], Collection[str]]
"""Run id to the pages that answered after it, up to the judged run."""

Reread: TypeAlias = Callable[[Collection[int]], Mapping[int, Extracted]]
"""Numbers of readings to what was extracted."""


@dataclass(frozen=True, slots=True)
class Answers:
    """How the addresses of a host ended that a run asked for.

    `failed` has the outcome of each. `gone` no longer exist or redirect elsewhere. `unasked` counts due addresses that
    were not asked for, because robots.txt was unreadable or the host failed too often.
    """

    answered: frozenset[str] = frozenset()
    failed: Mapping[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    unasked: int = 0


@dataclass(frozen=True, slots=True)
class HostNight:
    host: str
    crawl_id: str
    answers: Answers
    readings_at: ReadingsAt
    answered_since: AnsweredSince
    reread: Reread
    profiles: Profiles = field(default_factory=lambda: SHIPPED)

    @property
    def tonight(self) -> pl.DataFrame:
        """The newest reading of every page as of this run."""
        return self.readings_at(self.crawl_id)


@dataclass(frozen=True)
class Past:
    """The rows of a host's earlier runs, and the losses accepted in them."""

    rows: Sequence[GateMeasureRow]
    accepts: Sequence[GateAcceptRow]

    @cached_property
    def runs(self) -> Sequence[str]:
        """The runs in which the host was not held, oldest first."""
        held_runs = {row.crawl_id for row in self.rows if row.state == "held"}
        return sorted({row.crawl_id for row in self.rows} - held_runs)

    def find_baseline(self, measure: GateMeasure, test: PairedTest) -> str | None:
        """The run to compare a measure with, or None before the first.

        An accepted loss is normal from then on, so no test looks behind its run.
        """
        is_young = test.nights_ago > NIGHTS_LEFT_OUT >= len(self.runs)
        if not self.runs or is_young:
            # `week` already compares a young host with its first run.
            return None
        run = self.runs[-min(test.nights_ago, len(self.runs))]
        return max([run, *(row.crawl_id for row in self.accepts if row.measure == measure)])

    def find_rate(self, measure: GateMeasure, test: PairedTest) -> float:
        """The share of pages or tools that may lose a measure: that of the test, or the learnt one if larger."""
        had, lost = (sum(counts) for counts in zip((0, 0), *self._counts[measure, test.name, test.unit], strict=True))
        return max(test.rate, limit_rate(lost, had) if lost and had >= PAGES_LEARNT_FROM else 0.0)

    @cached_property
    def _counts(self) -> Mapping[tuple[GateMeasure, GateTest, GateUnit], list[tuple[int, int]]]:
        nights = set(self.runs[-NIGHTS_LEARNT_FROM:-NIGHTS_LEFT_OUT])
        counts: dict[tuple[GateMeasure, GateTest, GateUnit], list[tuple[int, int]]] = defaultdict(list)
        for row in self.rows:
            if row.crawl_id in nights:
                counts[row.measure, row.test, row.unit].append((row.had, row.lost))
        return counts


def find_past(host: str, crawl_id: str, rows: Iterable[GateMeasureRow], accepts: Iterable[GateAcceptRow]) -> Past:
    return Past(
        [row for row in rows if row.host == host and row.crawl_id < crawl_id],
        [row for row in accepts if row.host == host and row.crawl_id < crawl_id],
    )


def compute_chance(k: int, n: int, rate: float) -> float:
    """Probability that `k` or more of `n` pages lose something, each with probability `rate` (binomial distribution).

    Exact to about 1e-10. scipy would add 100 MB.
    """
    if rate >= 1 or k > n:
        return float(k <= n)
    whole, losing, keeping = lgamma(n + 1), log(rate), log1p(-rate)
    fewer = (exp(whole - lgamma(i + 1) - lgamma(n - i + 1) + i * losing + (n - i) * keeping) for i in range(k))
    return max(0.0, 1 - fsum(fewer))


def limit_rate(lost: int, had: int) -> float:
    """One-sided upper limit of a rate with `lost` of `had` (Wilson's score interval)."""
    z = NormalDist().inv_cdf(CONFIDENCE)
    share, z2 = lost / had, z * z
    spread = z * sqrt(share * (1 - share) / had + z2 / (4 * had * had))
    return min(1.0, (share + z2 / (2 * had) + spread) / (1 + z2 / had))
