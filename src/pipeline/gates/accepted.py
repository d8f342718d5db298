"""What earlier nights of a host say: which were accepted, which one a measure is compared with, what is ordinary."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from verdicts.corpus.enumerations import GateMeasure, GateTest, GateUnit
from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.pipeline.gates.binomial import upper_limit
from verdicts.pipeline.gates.thresholds import NIGHTS_LEARNT_FROM, NIGHTS_LEFT_OUT, PAGES_LEARNT_FROM, PairedTest


@dataclass(frozen=True)
class Past:
    """The rows of a host's runs before one run, and the losses accepted in them, both by run."""

    measured: Sequence[GateMeasureRow]
    accepted: Sequence[GateAcceptRow]

    def runs(self) -> Sequence[str]:
        """The accepted runs, oldest first: those in which the host was not held."""
        return self._runs

    @cached_property
    def _runs(self) -> Sequence[str]:
        held = {row.crawl_id for row in self.measured if row.state == "held"}
        return sorted({row.crawl_id for row in self.measured} - held)

    def baseline(self, measure: GateMeasure, test: PairedTest) -> str | None:
        """The run whose readings a measure is compared with; None before the first.

        A loss that was accepted is none from then on: no test looks behind the run in which it was.
        """
        runs = self.runs()
        if not runs:
            return None
        if test.nights_ago > NIGHTS_LEFT_OUT and len(runs) <= NIGHTS_LEFT_OUT:
            # `week` looks at the first one already.
            return None
        run = runs[-min(test.nights_ago, len(runs))]
        return max([run, *(row.crawl_id for row in self.accepted if row.measure == measure)])

    def rate(self, measure: GateMeasure, test: PairedTest) -> float:
        """The share of pages or tools that may lose a measure: that of the test, or what nights showed is ordinary."""
        return max(test.rate, learnt_rate(self._counts.get((measure, test.name, test.unit), ())))

    @cached_property
    def _counts(self) -> Mapping[tuple[GateMeasure, GateTest, GateUnit], list[tuple[int, int]]]:
        nights = set(self.runs()[-NIGHTS_LEARNT_FROM:-NIGHTS_LEFT_OUT])
        counts: dict[tuple[GateMeasure, GateTest, GateUnit], list[tuple[int, int]]] = defaultdict(list)
        for row in self.measured:
            if row.crawl_id in nights:
                counts[row.measure, row.test, row.unit].append((row.had, row.lost))
        return counts


def past_of(host: str, crawl_id: str, rows: Iterable[GateMeasureRow], accepts: Iterable[GateAcceptRow]) -> Past:
    """What is known of a host before a run."""
    return Past(
        [row for row in rows if row.host == host and row.crawl_id < crawl_id],
        [row for row in accepts if row.host == host and row.crawl_id < crawl_id],
    )


def learnt_rate(nights: Sequence[tuple[int, int]]) -> float:
    """The upper limit of what nights of (had, lost) lost; 0 where nothing was, or there were too few pages to say."""
    had, lost = (sum(counts) for counts in zip(*nights, strict=True)) if nights else (0, 0)
    return upper_limit(lost, had) if lost and had >= PAGES_LEARNT_FROM else 0.0
