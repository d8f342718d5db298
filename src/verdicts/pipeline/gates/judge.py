"""Judges the readings of a night: a row for every test of every measure of every host.

There are paired tests, fixed rules without statistics, and the health of a host: whether it answers, and what is only
reported.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl
from msgspec.structs import replace

from verdicts.corpus.enumerations import GateMeasure, GateState
from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.pipeline.gates.compare import Loss, Pairs, Tally, holders, losses_of, pairs_of, tallies
from verdicts.pipeline.gates.host_night import Answers, HostNight, HostRun, Past, at_least, gate_row, shown_losses
from verdicts.pipeline.gates.measures import PAGE_MEASURES, amounts, found_placeholders, places_of, tool_amounts
from verdicts.pipeline.gates.thresholds import (
    EXAMPLES,
    GONE_SHARE,
    NIGHT,
    SILENT,
    SILENT_P,
    WATCH_P,
    WATCH_PAGES,
    GateSettings,
    PairedTest,
    tests_of,
)

ALL_GONE: tuple[GateMeasure, ...] = ("comparison", "reviews")
"""A host never loses all of these without a person's acceptance, however few pages it has."""

DAYS = 365

TESTS = sum(len(tests_of(measure)) for measure in PAGE_MEASURES)
"""Tests of a host that shows every measure."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A measure with its test, counts and normal rate."""

    measure: GateMeasure
    test: PairedTest
    tally: Tally
    rate: float


def judge(
    nights: Sequence[tuple[HostNight, Past]], accepts: Sequence[GateAcceptRow], settings: GateSettings
) -> list[GateMeasureRow]:
    """Judges all hosts of a run. `accepts` are the accepted losses of this run."""
    rows = []
    tested = {night.host: _tested(night, past) for night, past in nights}
    alpha = false_alarm_level(settings.false_alarms_a_year, sum(map(len, tested.values())))
    for night, past in nights:
        if is_known(past, night):
            rows += [paired_row(night, item, alpha, partial(shown_losses, night)) for item in tested[night.host]]
            rows += fixed_and_health_rows(night, past)
        else:
            shown = holders(night.tonight(), "comparison")
            rows.append(gate_row(night, "comparison", "night", len(shown), 0, state="unjudged"))
    accepted = {(row.host, row.measure) for row in accepts}
    return [settled(row, settings, is_accepted=(row.host, row.measure) in accepted) for row in rows]


def false_alarm_level(a_year: float, tests: int) -> float:
    """The p-value below which one test fails, so that all tests together cause this many false alarms a year."""
    return a_year / (DAYS * max(1, tests))


def _tested(night: HostNight, past: Past) -> list[Tested]:
    tonight = night.tonight()
    newest = max(past.runs, default=None)
    if newest is None:
        return []
    tonight = _without_placeholders(night, pairs_of(night.readings_at(newest), tonight), tonight)

    by_run: dict[tuple[str, bool], list[tuple[GateMeasure, PairedTest]]] = defaultdict(list)
    for measure in PAGE_MEASURES:
        for test in tests_of(measure):
            if (run := past.baseline(measure, test)) is not None:
                by_run[run, test.nights_ago == 1].append((measure, test))
    tested = []
    for (run, is_newest), tests in by_run.items():
        counted = tallies(
            pairs_of(night.readings_at(run), tonight),
            [*dict.fromkeys(measure for measure, _ in tests)],
            answered=night.answered_since(run) if is_newest else None,
            fresh=night.answers.answered,
        )
        for measure, test in tests:
            tally = counted[measure, test.unit]
            if tally.had:
                tested.append(Tested(measure, test, tally, past.rate(measure, test)))
    return tested


def _without_placeholders(night: HostNight, pairs: Pairs, tonight: pl.DataFrame) -> pl.DataFrame:
    numbers = [*pairs.changed["reading"], *pairs.changed["reading_after"]]
    if not numbers:
        return tonight
    read = night.reread(numbers)
    before, after = (
        {number: places_of(read[number], night.profiles) for number in pairs.changed[column] if number in read}
        for column in ("reading", "reading_after")
    )
    empty = found_placeholders([*before.values()], [*after.values()])
    if not empty:
        return tonight
    shown = [
        (number, amounts(places, empty), tool_amounts(read[number], places, empty)) for number, places in after.items()
    ]
    names = ("reading", "amounts", "tool_amounts")
    anew = pl.DataFrame(shown, schema={name: tonight.schema[name] for name in names}, orient="row")
    return tonight.update(anew, on="reading")


def paired_row(
    night: HostNight | HostRun, item: Tested, alpha: float, show: Callable[[GateMeasure, Sequence[Loss]], Iterable[str]]
) -> GateMeasureRow:
    """The row of a test. `show` gives examples of losses, unless it passed."""
    test, tally, rate = item.test, item.tally, item.rate
    p_value = at_least(tally.changes, tally.chances, rate)
    state: GateState = "passed"
    if tally.changes >= test.least and tally.share >= test.share and p_value < alpha:
        state = "held"
    elif tally.changes >= WATCH_PAGES and p_value < WATCH_P:
        state = "watch"
    shown = () if state == "passed" else tuple(show(item.measure, tally.losses))
    return gate_row(
        night, item.measure, test.name, tally.had, tally.lost,
        unit=test.unit, state=state, rate=rate, p_value=p_value, shown=shown,
    )  # fmt: skip


def settled(row: GateMeasureRow, settings: GateSettings, *, is_accepted: bool = False) -> GateMeasureRow:
    """Changes a held row if its loss is accepted, or if gates only shadow."""
    if row.state != "held":
        return row
    if is_accepted:
        return replace(row, state="accepted")
    return replace(row, state="shadow") if settings.mode == "shadow" else row


def is_known(past: Past, night: HostNight) -> bool:
    """Whether a comparison of the host was ever accepted. Before that there is nothing to lose."""
    return bool(past.runs) and bool(holders(night.readings_at(past.runs[-1]), "comparison"))


def fixed_and_health_rows(night: HostNight, past: Past) -> list[GateMeasureRow]:
    """The rows of a known host that are not paired tests."""
    newest, tonight = past.runs[-1], night.tonight()
    before = night.readings_at(newest)
    known = holders(before, "comparison")
    rows = [_none_answered(night, known), _silent(night)]
    for measure in ALL_GONE:
        of_measure = night.readings_at(past.baseline(measure, NIGHT) or newest)
        if holders(of_measure, measure):
            rows.append(_all_gone(night, measure, of_measure, tonight))
    answered, changed = night.answers.answered, frozenset(pairs_of(before, tonight).changed["page"])
    counts: list[tuple[GateMeasure, int, int]] = [
        ("changed", len(answered), len(answered & changed)),
        ("gone", len(known), len(known & night.answers.gone)),
    ]
    # They vary by season, so they never hold anything.
    return rows + [gate_row(night, measure, "count", had, lost, level="report") for measure, had, lost in counts]


def _all_gone(night: HostNight, measure: GateMeasure, before: pl.DataFrame, tonight: pl.DataFrame) -> GateMeasureRow:
    """Held if no page shows the measure any more. A page that did not answer still counts with its old reading."""
    pages = holders(before, measure)
    lost = pages - holders(tonight, measure)
    if lost != pages:
        return gate_row(night, measure, "fixed", len(pages), len(lost))
    shown = shown_losses(night, measure, losses_of(pairs_of(before, tonight), lost))
    return gate_row(night, measure, "fixed", len(pages), len(lost), state="held", shown=shown)


def _none_answered(night: HostNight, known: frozenset[str]) -> GateMeasureRow:
    answers = night.answers
    answered, gone = len(known & answers.answered), len(known & answers.gone)
    failed = len(known & answers.failed.keys()) + answers.unasked
    is_silent = failed >= min(SILENT.least, len(known)) or gone >= GONE_SHARE * len(known)
    is_held = not answered and is_silent
    return gate_row(
        night, "answered", "fixed", answered + failed + gone, failed + gone,
        state="held" if is_held else "passed", shown=_failures(answers, known) if is_held else (),
    )  # fmt: skip


def _silent(night: HostNight) -> GateMeasureRow:
    """Reported if many addresses did not answer."""
    answers = night.answers
    lost = len(answers.failed) + answers.unasked
    had = len(answers.answered) + lost
    p_value = at_least(lost, had, SILENT.rate)
    is_ill = lost >= SILENT.least and lost >= SILENT.share * had and p_value < SILENT_P
    return gate_row(
        night, "answered", SILENT.name, had, lost, level="alert", state="alert" if is_ill else "passed",
        rate=SILENT.rate, p_value=p_value, shown=_failures(answers, ()) if is_ill else (),
    )  # fmt: skip


def _failures(answers: Answers, known: Collection[str]) -> tuple[str, ...]:
    """Some addresses that failed, with the outcome. Known pages come first."""
    failed = {page: f"({outcome})" for page, outcome in answers.failed.items()}
    failed |= dict.fromkeys(answers.gone, "(gone, or leads elsewhere)")
    order = sorted(failed, key=lambda page: (page not in known, page))
    shown = [f"{page}: answered before → {failed[page]}" for page in order[:EXAMPLES]]
    return tuple(shown) or (f"{answers.unasked:,} pages were due, but none could be asked for",)
