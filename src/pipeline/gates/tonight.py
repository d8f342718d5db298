"""What a run did at a host, what was read there, and a row of what is made of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import polars as pl

from corpus.enumerations import GateLevel, GateMeasure, GateState, GateTest, GateUnit
from corpus.rows.gates import GateMeasureRow
from extract.model.records import Extracted
from extract.page import EXTRACTOR_VERSION
from pipeline.gates.compare import Loss
from pipeline.gates.examples import chosen, examples
from pipeline.gates.thresholds import GATE_VERSION

ReadingsAt: TypeAlias = Callable[[str], pl.DataFrame]
"""Run to the newest reading of every page of the host as of its end, as a frame of `compare.READINGS`."""

AnsweredSince: TypeAlias = Callable[[str], Collection[str]]
"""Run to the pages that answered in any later one, up to the run that is judged."""

Reread: TypeAlias = Callable[[Collection[int]], Mapping[int, Extracted]]
"""Numbers of readings to what they read."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What became of the addresses of a host that a run asked for.

    `failed` has the outcome of each. `gone` are those that are no more, or lead elsewhere. `unasked` counts those that
    were due and could not be asked for: robots.txt could not be read, or the host had failed too often.
    """

    answered: frozenset[str]
    failed: Mapping[str, str]
    gone: frozenset[str]
    unasked: int = 0


@dataclass(frozen=True, slots=True)
class HostNight:
    """A host in a run."""

    host: str
    crawl_id: str
    answers: Answers
    readings_at: ReadingsAt
    answered_since: AnsweredSince
    reread: Reread

    def tonight(self) -> pl.DataFrame:
        """The newest reading of every page as of this run."""
        return self.readings_at(self.crawl_id)


def gate_row(
    night: HostNight,
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
    """A row of a night at a host."""
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
    return examples(measure, some, night.reread([number for loss in some for number in (loss.before, loss.after)]))
