"""The verdict on a night's readings: every test of every measure of every host, a row each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import polars as pl
from msgspec.structs import replace

from corpus.enumerations import GateMeasure, GateState
from corpus.rows.gates import GateAcceptRow, GateMeasureRow
from pipeline.gates.accepted import Past
from pipeline.gates.binomial import at_least
from pipeline.gates.compare import Pairs, Tally, changes_behind, holders, pairs_of, tally
from pipeline.gates.host_health import fixed_and_health_rows, is_known
from pipeline.gates.measures import PAGE_MEASURES, amounts, places_of
from pipeline.gates.placeholders import placeholders
from pipeline.gates.thresholds import (
    PAIRED_TESTS,
    WATCH_P,
    WATCH_PAGES,
    GateSettings,
    PairedTest,
)
from pipeline.gates.tonight import HostNight, gate_row, shown_losses

DAYS = 365


@dataclass(frozen=True, slots=True)
class Tested:
    """A measure under a test: what was counted, and the rate that is ordinary."""

    measure: GateMeasure
    test: PairedTest
    tally: Tally
    rate: float


def judge(
    nights: Sequence[tuple[HostNight, Past]], accepts: Sequence[GateAcceptRow], settings: GateSettings
) -> list[GateMeasureRow]:
    """The rows of all hosts of one run. `accepts` are the losses of this very run that a person accepted."""
    rows = []
    tested = {night.host: _tested(night, past) for night, past in nights}
    series = sum(len({item.measure for item in of_host}) for of_host in tested.values())
    alpha = false_alarm_level(settings.false_alarms_a_year, series)
    for night, past in nights:
        if is_known(past, night):
            rows += [_row(night, item, alpha) for item in tested[night.host]]
            rows += fixed_and_health_rows(night, past)
        else:
            shown = holders(night.tonight(), "comparison")
            rows.append(gate_row(night, "comparison", "night", len(shown), 0, state="unjudged"))
    accepted = {(row.host, row.measure) for row in accepts}
    return [_settled(row, is_accepted=(row.host, row.measure) in accepted, settings=settings) for row in rows]


def false_alarm_level(a_year: float, series: int) -> float:
    """The probability below which a test of one night fails, so that all tests of all series fail so often a year."""
    return a_year / (DAYS * max(1, series) * len(PAIRED_TESTS))


def state_of(item: Tested, alpha: float) -> tuple[GateState, float]:
    """What a test says, and the probability that chance explains it."""
    tally, test = item.tally, item.test
    lost = changes_behind(tally)
    p_value = at_least(lost, tally.had, item.rate)
    if lost >= test.pages and tally.share >= test.share and p_value < alpha:
        return "held", p_value
    return "watch" if lost >= WATCH_PAGES and p_value < WATCH_P else "passed", p_value


def _tested(night: HostNight, past: Past) -> list[Tested]:
    """Every test of every measure that pages of the host had."""
    tonight = night.tonight()
    baselines = {
        (measure, test): run
        for measure in PAGE_MEASURES
        for test in PAIRED_TESTS
        if (run := past.baseline(measure, test)) is not None
    }
    newest = max(past.runs(), default=None)
    if newest is None:
        return []
    tonight = _without_placeholders(night, pairs_of(night.readings_at(newest), tonight), tonight)

    @cache
    def pairs(run: str) -> Pairs:
        return pairs_of(night.readings_at(run), tonight)

    tested = []
    for test in PAIRED_TESTS:
        for run in sorted({run for (_, of), run in baselines.items() if of is test}):
            measures = [measure for (measure, of), its in baselines.items() if of is test and its == run]
            answered = night.answered_since(run) if test.nights_ago == 1 else None
            tallies = tally(pairs(run), measures, answered=answered, only_changed=test.only_changed)
            tested += [
                Tested(measure, test, counted, past.rate(measure, test))
                for measure, counted in tallies.items()
                if counted.had
            ]
    return tested


def _without_placeholders(night: HostNight, pairs: Pairs, tonight: pl.DataFrame) -> pl.DataFrame:
    """Tonight's readings, where words that mean nothing count as none."""
    numbers = [*pairs.changed["reading"], *pairs.changed["reading_after"]]
    if not numbers:
        return tonight
    read = night.reread(numbers)
    before, after = (
        {number: places_of(read[number]) for number in pairs.changed[column] if number in read}
        for column in ("reading", "reading_after")
    )
    empty = placeholders([*before.values()], [*after.values()])
    if not empty:
        return tonight
    anew: Mapping[int, Sequence[float | None]] = {number: amounts(places, empty) for number, places in after.items()}
    replaced = [anew.get(number, shown) for number, shown in tonight.select("reading", "amounts").iter_rows()]
    return tonight.with_columns(amounts=pl.Series(replaced, dtype=pl.List(pl.Float32())))


def _row(night: HostNight, item: Tested, alpha: float) -> GateMeasureRow:
    state, p_value = state_of(item, alpha)
    lost = item.tally.lost
    return gate_row(
        night,
        item.measure,
        item.test.name,
        item.tally.had,
        len(lost),
        state=state,
        rate=item.rate,
        p_value=p_value,
        shown=() if state == "passed" else shown_losses(night, item.measure, lost),
    )


def _settled(row: GateMeasureRow, *, is_accepted: bool, settings: GateSettings) -> GateMeasureRow:
    if row.state != "held":
        return row
    if is_accepted:
        return replace(row, state="accepted")
    return replace(row, state="shadow") if settings.mode == "shadow" else row
