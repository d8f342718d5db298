"""A host in a run: its answers, readings and past, and the formulas for what is normal.

The formulas use `math`, because scipy would add 100 MB.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

import polars as pl

from verdicts.corpus.enumerations import GateLevel, GateMeasure, GateState, GateTest, GateUnit
from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.extract.model.records import Document, Extracted, Reject
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.pipeline.gates.compare import Loss
from verdicts.pipeline.gates.measures import places_of
from verdicts.pipeline.gates.thresholds import (
    EXAMPLES,
    GATE_VERSION,
    NIGHTS_LEARNT_FROM,
    NIGHTS_LEFT_OUT,
    PAGES_LEARNT_FROM,
    PairedTest,
)

CONFIDENCE = 0.95
"""Of the upper limit of a rate."""

WORDS_MAX = 80
"""Characters on each side of the arrow. A review is longer."""

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

    answered: frozenset[str]
    failed: Mapping[str, str]
    gone: frozenset[str]
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

    def tonight(self) -> pl.DataFrame:
        """The newest reading of every page as of this run."""
        return self.readings_at(self.crawl_id)


class HostRun(NamedTuple):
    """The ids of a host in a run."""

    crawl_id: str
    host: str


def gate_row(
    night: HostNight | HostRun,
    measure: GateMeasure,
    test: GateTest,
    had: int,
    lost: int,
    *,
    unit: GateUnit = "page",
    level: GateLevel = "hold",
    state: GateState = "passed",
    rate: float | None = None,
    p_value: float | None = None,
    shown: Sequence[str] = (),
) -> GateMeasureRow:
    return GateMeasureRow(
        crawl_id=night.crawl_id,
        host=night.host,
        measure=measure,
        test=test,
        unit=unit,
        had=had,
        lost=lost,
        rate=rate,
        p_value=p_value,
        level=level,
        state=state,
        examples=tuple(shown),
        extractor_version=EXTRACTOR_VERSION,
        gate_version=GATE_VERSION,
    )


def shown_losses(night: HostNight, measure: GateMeasure, losses: Sequence[Loss]) -> tuple[str, ...]:
    """Some of the losses, with their words before and after."""
    some = chosen(losses)
    read = night.reread([number for loss in some for number in (loss.before, loss.after)])
    return examples(measure, some, read, night.profiles)


def chosen(losses: Sequence[Loss]) -> Sequence[Loss]:
    """The losses to show, spread evenly: they say more than neighbours."""
    count = min(EXAMPLES, len(losses))
    return [losses[number * (len(losses) - 1) // max(1, count - 1)] for number in range(count)]


def examples(
    measure: GateMeasure, losses: Sequence[Loss], read: Mapping[int, Extracted], profiles: Profiles
) -> tuple[str, ...]:
    return tuple(
        f"{loss.page}: {_says(measure, read.get(loss.before), profiles)}"
        f" → {_says(measure, read.get(loss.after), profiles)}"
        for loss in losses
    )


def _says(measure: GateMeasure, extracted: Extracted | None, profiles: Profiles) -> str:
    if extracted is None:
        return "(its record is lost)"
    if isinstance(extracted, Reject):
        return _cut(f"({extracted.reason}: {extracted.detail})")
    if isinstance(extracted, Document) and measure == "comparison" and extracted.side_by_side is None:
        return _cut(f"(no comparison: {extracted.title or extracted.text})")
    places = places_of(extracted, profiles).get(measure, ())
    words = [place.words for place in places if place.words is not None]
    if measure in {"reviews", "review_text"}:
        return _cut(f"{len(words)} reviews, {sum(map(len, words)):,} characters: {words[0]}") if words else "no reviews"
    return _cut(" / ".join(words)) if words else "nothing"


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= WORDS_MAX else f"{line[: WORDS_MAX - 1]}…"


@dataclass(frozen=True)
class Past:
    """The rows of a host's earlier runs, and the losses accepted in them."""

    measured: Sequence[GateMeasureRow]
    accepted: Sequence[GateAcceptRow]

    @cached_property
    def runs(self) -> Sequence[str]:
        """The runs in which the host was not held, oldest first."""
        held = {row.crawl_id for row in self.measured if row.state == "held"}
        return sorted({row.crawl_id for row in self.measured} - held)

    def baseline(self, measure: GateMeasure, test: PairedTest) -> str | None:
        """The run to compare a measure with, or None before the first.

        An accepted loss is normal from then on, so no test looks behind its run.
        """
        is_young = test.nights_ago > NIGHTS_LEFT_OUT >= len(self.runs)
        if not self.runs or is_young:
            # `week` already compares a young host with its first run.
            return None
        run = self.runs[-min(test.nights_ago, len(self.runs))]
        return max([run, *(row.crawl_id for row in self.accepted if row.measure == measure)])

    def rate(self, measure: GateMeasure, test: PairedTest) -> float:
        """The share of pages or tools that may lose a measure: that of the test, or the learnt one if larger."""
        return max(test.rate, learnt_rate(self._counts.get((measure, test.name, test.unit), ())))

    @cached_property
    def _counts(self) -> Mapping[tuple[GateMeasure, GateTest, GateUnit], list[tuple[int, int]]]:
        nights = set(self.runs[-NIGHTS_LEARNT_FROM:-NIGHTS_LEFT_OUT])
        counts: dict[tuple[GateMeasure, GateTest, GateUnit], list[tuple[int, int]]] = defaultdict(list)
        for row in self.measured:
            if row.crawl_id in nights:
                counts[row.measure, row.test, row.unit].append((row.had, row.lost))
        return counts


def past_of(host: str, crawl_id: str, rows: Iterable[GateMeasureRow], accepts: Iterable[GateAcceptRow]) -> Past:
    return Past(
        [row for row in rows if row.host == host and row.crawl_id < crawl_id],
        [row for row in accepts if row.host == host and row.crawl_id < crawl_id],
    )


def learnt_rate(nights: Sequence[tuple[int, int]]) -> float:
    """The upper limit of the rate of nights given as (had, lost). 0 without losses, or with too few pages."""
    had, lost = (sum(counts) for counts in zip(*nights, strict=True)) if nights else (0, 0)
    return upper_limit(lost, had) if lost and had >= PAGES_LEARNT_FROM else 0.0


def at_least(k: int, n: int, rate: float) -> float:
    """Probability that `k` or more of `n` pages lose something, each with probability `rate`.

    Exact: sums the binomial terms of the shorter tail until they no longer count.
    """
    if k <= 0 or rate >= 1:
        return 1.0
    if k > n or rate <= 0:
        return 0.0
    if k > n * rate:
        return min(1.0, _tail(k, n, rate))
    # The other tail counts the pages that keep it.
    return max(0.0, 1.0 - _tail(n - k + 1, n, 1 - rate))


def _tail(k: int, n: int, rate: float) -> float:
    """The sum from `k` on. `k` is above the mean, so every term is smaller than the previous one."""
    term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(rate) + (n - k) * log1p(-rate))
    total = 0.0
    odds = rate / (1 - rate)
    while k <= n and term > total * 1e-17:
        total += term
        term *= (n - k) / (k + 1) * odds
        k += 1
    return total


def upper_limit(lost: int, had: int, confidence: float = CONFIDENCE) -> float:
    """One-sided upper limit of a rate with `lost` of `had` (Wilson's score interval). 1 without pages."""
    if had <= 0:
        return 1.0
    z = NormalDist().inv_cdf(confidence)
    share, z2 = lost / had, z * z
    centre = share + z2 / (2 * had)
    spread = z * sqrt(share * (1 - share) / had + z2 / (4 * had * had))
    return min(1.0, (centre + spread) / (1 + z2 / had))
