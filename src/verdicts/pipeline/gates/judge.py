"""Judges the readings of a night: a row for every test of every measure of every host.

There are paired tests, fixed rules without statistics, and the health of a host: whether it answers.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import polars as pl
from msgspec.structs import replace

from verdicts.corpus.enumerations import GateMeasure, GateState, GateTest, GateUnit
from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.pipeline.gates.compare import (
    IS_CHANGED,
    Loss,
    Tally,
    count_losses,
    find_pages,
    pair_readings,
)
from verdicts.pipeline.gates.examples import pick_examples, write_examples
from verdicts.pipeline.gates.host_night import Answers, HostNight, Past, compute_chance
from verdicts.pipeline.gates.measures import PAGE_MEASURES, find_placeholders, list_places, measure_page, measure_tools
from verdicts.pipeline.gates.thresholds import (
    EXAMPLES,
    GATE_VERSION,
    GONE_SHARE,
    NIGHT,
    SILENT_PAGES,
    WATCH_P,
    WATCH_PAGES,
    GateSettings,
    PairedTest,
    list_tests,
)

ALL_GONE: tuple[GateMeasure, ...] = ("comparison", "reviews")
"""A host never loses all of these without a person's acceptance, however few pages it has."""

DAYS = 365

TESTS = sum(len(list_tests(measure)) for measure in PAGE_MEASURES)
"""Tests of a host that shows every measure."""


class HostRun(NamedTuple):
    """The ids of a host in a run."""

    host: str
    crawl_id: str


class Tested(NamedTuple):
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
    tests = [_run_tests(night, past) for night, past in nights]
    alpha = find_false_alarm_level(settings.false_alarms_a_year, sum(map(len, tests)))
    for (night, past), tested in zip(nights, tests, strict=True):
        if past.runs and (comparisons := find_pages(night.readings_at(past.runs[-1]), "comparison")):
            rows += [judge_test(night, item, alpha, partial(_write_loss_examples, night)) for item in tested]
            rows += _apply_rules(night, past, comparisons)
        else:
            # No comparison was ever accepted, so there is nothing to lose.
            pages = find_pages(night.tonight, "comparison")
            rows.append(make_row(night, "comparison", "night", len(pages), 0, state="unjudged"))
    accepted = {(row.host, row.measure) for row in accepts}
    return [settle(row, settings, is_accepted=(row.host, row.measure) in accepted) for row in rows]


def find_false_alarm_level(a_year: float, tests: int) -> float:
    """The p-value below which one test fails, so that all tests together cause this many false alarms a year."""
    return a_year / (DAYS * max(1, tests))


def _run_tests(night: HostNight, past: Past) -> list[Tested]:
    if not past.runs:
        return []
    newest = past.runs[-1]
    tonight = _empty_placeholders(night, pair_readings(night.readings_at(newest), night.tonight))
    by_run: dict[tuple[str, bool], list[tuple[GateMeasure, PairedTest]]] = defaultdict(list)
    for measure in PAGE_MEASURES:
        for test in list_tests(measure):
            if (run := past.find_baseline(measure, test)) is not None:
                by_run[run, test.nights_ago == 1].append((measure, test))
    tested = []
    for (run, is_newest), tests in by_run.items():
        pairs = pair_readings(night.readings_at(run), tonight)
        if is_newest:
            # Pages that have not answered since then are not counted.
            pairs = pairs.filter(IS_CHANGED | pl.col("page").is_in([*night.answered_since(run)]))
        counted = count_losses(pairs, fresh=night.answers.answered)
        tested += [
            Tested(measure, test, counted[measure, test.unit], past.find_rate(measure, test))
            for measure, test in tests
            if counted[measure, test.unit].had
        ]
    return tested


def _empty_placeholders(night: HostNight, pairs: pl.DataFrame) -> pl.DataFrame:
    """The readings of tonight, where a word that suddenly stands at nearly all tools is no value."""
    tonight, changed = night.tonight, pairs.filter(IS_CHANGED)
    read = night.reread([*changed["reading"], *changed["reading_after"]])
    before, after = (
        {number: list_places(read[number], night.profiles) for number in changed[column] if number in read}
        for column in ("reading", "reading_after")
    )
    empty = find_placeholders([*before.values()], [*after.values()])
    if not empty:
        return tonight
    amounts = [
        (number, measure_page(places, empty), measure_tools(read[number], places, empty))
        for number, places in after.items()
    ]
    names = ("reading", "amounts", "tool_amounts")
    anew = pl.DataFrame(amounts, schema={name: tonight.schema[name] for name in names}, orient="row")
    return tonight.update(anew, on="reading")


def make_row(
    night: HostNight | HostRun,
    measure: GateMeasure,
    test: GateTest,
    had: int,
    lost: int,
    *,
    unit: GateUnit = "page",
    state: GateState = "passed",
    rate: float | None = None,
    p_value: float | None = None,
    examples: Iterable[str] = (),
) -> GateMeasureRow:
    return GateMeasureRow(
        night.crawl_id, night.host, measure, test, unit, had, lost, rate, p_value, state, tuple(examples),
        EXTRACTOR_VERSION, GATE_VERSION,
    )  # fmt: skip


def judge_test(
    night: HostNight | HostRun, item: Tested, alpha: float, show: Callable[[GateMeasure, Sequence[Loss]], Iterable[str]]
) -> GateMeasureRow:
    """The row of a test. `show` gives examples of losses, unless it passed."""
    test, tally = item.test, item.tally
    p_value = compute_chance(tally.changes, tally.chances, item.rate)
    state: GateState = "passed"
    if tally.changes >= test.least and tally.share >= test.share and p_value < alpha:
        state = "held"
    elif tally.changes >= WATCH_PAGES and p_value < WATCH_P:
        state = "watch"
    examples = () if state == "passed" else show(item.measure, tally.losses)
    return make_row(
        night, item.measure, test.name, tally.had, tally.lost,
        unit=test.unit, state=state, rate=item.rate, p_value=p_value, examples=examples,
    )  # fmt: skip


def _write_loss_examples(night: HostNight, measure: GateMeasure, losses: Sequence[Loss]) -> Sequence[str]:
    chosen = pick_examples(losses)
    read = night.reread([number for loss in chosen for number in (loss.before, loss.after)])
    return write_examples(measure, chosen, read, night.profiles)


def settle(row: GateMeasureRow, settings: GateSettings, *, is_accepted: bool = False) -> GateMeasureRow:
    """Changes a held row if its loss is accepted, or if gates only shadow."""
    if row.state == "held" and (is_accepted or settings.mode == "shadow"):
        return replace(row, state="accepted" if is_accepted else "shadow")
    return row


def _apply_rules(night: HostNight, past: Past, comparisons: frozenset[str]) -> list[GateMeasureRow]:
    """The rows of a known host that are not paired tests. `comparisons` are those of its last accepted run."""
    rows = [_judge_answers(night, comparisons)]
    for measure in ALL_GONE:
        before = night.readings_at(past.find_baseline(measure, NIGHT) or past.runs[-1])
        if pages := find_pages(before, measure):
            rows.append(_judge_all_gone(night, measure, before, pages))
    # It varies by season, so it never holds anything.
    gone = comparisons & night.answers.gone
    return [*rows, make_row(night, "gone", "count", len(comparisons), len(gone))]


def _judge_all_gone(
    night: HostNight, measure: GateMeasure, before: pl.DataFrame, pages: frozenset[str]
) -> GateMeasureRow:
    """Held if no page shows the measure any more. A page that did not answer still counts with its old reading."""
    lost = pages - find_pages(night.tonight, measure)
    if lost != pages:
        return make_row(night, measure, "fixed", len(pages), len(lost))
    rows = pair_readings(before, night.tonight).filter(pl.col("page").is_in([*lost]))
    losses = [Loss(*row) for row in rows.select("page", "reading", "reading_after").iter_rows()]
    return make_row(
        night,
        measure,
        "fixed",
        len(pages),
        len(lost),
        state="held",
        examples=_write_loss_examples(night, measure, losses),
    )


def _judge_answers(night: HostNight, comparisons: frozenset[str]) -> GateMeasureRow:
    """Held if no known page answered."""
    answers = night.answers
    answered, gone = len(comparisons & answers.answered), len(comparisons & answers.gone)
    failed = len(comparisons & answers.failed.keys()) + answers.unasked
    is_silent = failed >= min(SILENT_PAGES, len(comparisons)) or gone >= GONE_SHARE * len(comparisons)
    is_held = not answered and is_silent
    return make_row(
        night, "answered", "fixed", answered + failed + gone, failed + gone,
        state="held" if is_held else "passed", examples=_list_failures(answers, comparisons) if is_held else (),
    )  # fmt: skip


def _list_failures(answers: Answers, comparisons: Collection[str]) -> Sequence[str]:
    """Some addresses that failed, with the outcome. Known pages come first."""
    failed = {page: f"({outcome})" for page, outcome in answers.failed.items()}
    failed |= dict.fromkeys(answers.gone, "(gone, or leads elsewhere)")
    order = sorted(failed, key=lambda page: (page not in comparisons, page))
    lines = [f"{page}: answered before → {failed[page]}" for page in order[:EXAMPLES]]
    return lines or [f"{answers.unasked:,} pages were due, but none could be asked for"]
