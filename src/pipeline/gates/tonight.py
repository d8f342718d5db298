"""What a run did at a host, what was read there, and a row of what is made of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import polars as pl

from verdicts.corpus.enumerations import GateLevel, GateMeasure, GateState, GateTest, GateUnit
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.extract.model.records import Document, Extracted, Reject
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.pipeline.gates.compare import Loss
from verdicts.pipeline.gates.measures import PAGE_MEASURES, places_of
from verdicts.pipeline.gates.thresholds import EXAMPLES, GATE_VERSION

WORDS_MAX = 80
"""Characters of each side of the arrow: a take is longer."""

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


class HostRun(NamedTuple):
    """A host in a run, by name."""

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


def chosen(losses: Sequence[Loss]) -> Sequence[Loss]:
    """The losses to show: from the first to the last address, as they say more than neighbours."""
    count = min(EXAMPLES, len(losses))
    return [losses[number * (len(losses) - 1) // max(1, count - 1)] for number in range(count)]


def examples(measure: GateMeasure, losses: Sequence[Loss], read: Mapping[int, Extracted]) -> tuple[str, ...]:
    """The words of the chosen losses, before and after."""
    return tuple(
        f"{loss.page}: {_says(measure, read.get(loss.before))} → {_says(measure, read.get(loss.after))}"
        for loss in losses
    )


def _says(measure: GateMeasure, extracted: Extracted | None) -> str:
    if extracted is None:
        return "(its record is lost)"
    if isinstance(extracted, Reject):
        return _cut(f"({extracted.reason}: {extracted.detail})")
    if isinstance(extracted, Document) and measure == "comparison" and extracted.side_by_side is None:
        return _cut(f"(no comparison: {extracted.title or extracted.text})")
    if measure not in PAGE_MEASURES:
        measure = "comparison"
    places = places_of(extracted).get(measure, ())
    words = [place.words for place in places if place.words is not None]
    if measure in {"takes", "take_text"}:
        return _cut(f"{len(words)} takes, {sum(map(len, words)):,} characters: {words[0]}") if words else "no takes"
    return _cut(" / ".join(words)) if words else "nothing"


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= WORDS_MAX else f"{line[: WORDS_MAX - 1]}…"
