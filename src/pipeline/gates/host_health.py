"""Rules without statistics, which nothing gets around, and how a host is: whether it answers, and what is only told."""

from collections.abc import Callable, Collection

import polars as pl

from verdicts.corpus.enumerations import GateMeasure
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.pipeline.gates.accepted import Past
from verdicts.pipeline.gates.binomial import at_least
from verdicts.pipeline.gates.compare import holders, losses_of, pairs_of
from verdicts.pipeline.gates.thresholds import EXAMPLES, GONE_SHARE, HEALTH_TESTS, PAGE_TESTS, PAGES_LEAST
from verdicts.pipeline.gates.tonight import Answers, HostNight, gate_row, shown_losses

NIGHT = PAGE_TESTS[0]

ALL_GONE: tuple[GateMeasure, ...] = ("comparison", "takes")
"""What a host never loses altogether without a person's word, however few pages it has."""


def is_known(past: Past, night: HostNight) -> bool:
    """Whether a comparison of the host was ever accepted: before that there is nothing to lose."""
    runs = past.runs()
    return bool(runs) and bool(holders(night.readings_at(runs[-1]), "comparison"))


def fixed_and_health_rows(night: HostNight, past: Past) -> list[GateMeasureRow]:
    """The rows of everything but the paired tests, of a host that is known."""
    newest, tonight = past.runs()[-1], night.tonight()
    before = night.readings_at(newest)
    known = holders(before, "comparison")
    rows = [_none_answered(night, known)]
    for measure in ALL_GONE:
        of_measure = night.readings_at(past.baseline(measure, NIGHT) or newest)
        if holders(of_measure, measure):
            rows.append(_all_gone(night, measure, of_measure, tonight))
    return [*rows, *_health(night, before, tonight), *_told(night, before, tonight, known)]


def _all_gone(night: HostNight, measure: GateMeasure, before: pl.DataFrame, tonight: pl.DataFrame) -> GateMeasureRow:
    """None of the pages that showed it shows it any more; what did not answer shows what it did."""
    pages = holders(before, measure)
    lost = pages - holders(tonight, measure)
    if lost != pages:
        return gate_row(night, measure, "fixed", len(pages), len(lost))
    losses = losses_of(pairs_of(before, tonight), lost)
    shown = shown_losses(night, measure, losses)
    return gate_row(night, measure, "fixed", len(pages), len(lost), state="held", shown=shown)


def _none_answered(night: HostNight, known: frozenset[str]) -> GateMeasureRow:
    answers = night.answers
    answered, gone = len(known & answers.answered), len(known & answers.gone)
    failed = len(known & answers.failed.keys()) + answers.unasked
    asked = answered + failed + gone
    is_silent = failed >= min(PAGES_LEAST, len(known)) or gone >= GONE_SHARE * len(known)
    if answered or not is_silent:
        return gate_row(night, "answered", "fixed", asked, failed + gone)
    shown = _failures(answers, known)
    return gate_row(night, "answered", "fixed", asked, failed + gone, state="held", shown=shown)


def _failures(answers: Answers, known: Collection[str]) -> tuple[str, ...]:
    """Some addresses that did not answer, and why; the known pages before any other."""
    failed = {page: f"({outcome})" for page, outcome in answers.failed.items()}
    failed |= dict.fromkeys(answers.gone, "(gone, or leads elsewhere)")
    order = sorted(failed, key=lambda page: (page not in known, page))
    shown = [f"{page}: answered before → {failed[page]}" for page in order[:EXAMPLES]]
    return tuple(shown) or (f"{answers.unasked:,} pages were due, and the host let none be asked for",)


def _health(night: HostNight, before: pl.DataFrame, tonight: pl.DataFrame) -> list[GateMeasureRow]:
    answers = night.answers
    failed = len(answers.failed) + answers.unasked
    rejected = pairs_of(before, tonight).changed.filter(~pl.col("is_reject"), pl.col("is_reject_after"))
    losses = losses_of(pairs_of(before, tonight), frozenset(rejected["page"]) & answers.answered)
    return [
        _alert(night, "answered", len(answers.answered) + failed, failed, lambda: _failures(answers, ())),
        _alert(night, "rejects", len(answers.answered), len(losses), lambda: shown_losses(night, "comparison", losses)),
    ]


def _alert(
    night: HostNight, measure: GateMeasure, had: int, lost: int, words: Callable[[], tuple[str, ...]]
) -> GateMeasureRow:
    test = HEALTH_TESTS[measure]
    p_value = at_least(lost, had, test.rate)
    is_ill = lost >= PAGES_LEAST and lost >= test.share * had and p_value < test.p_value
    return gate_row(
        night,
        measure,
        "night",
        had,
        lost,
        level="alert",
        state="alert" if is_ill else "passed",
        rate=test.rate,
        p_value=p_value,
        shown=words() if is_ill else (),
    )


def _told(night: HostNight, before: pl.DataFrame, tonight: pl.DataFrame, known: frozenset[str]) -> list[GateMeasureRow]:
    """Pages that changed, are new or gone: seasonal, and so never a reason to hold anything."""
    answered = night.answers.answered
    changed = answered & frozenset(pairs_of(before, tonight).changed["page"])
    new = holders(tonight, "comparison") - frozenset(before["page"])
    counts: list[tuple[GateMeasure, int, int]] = [
        ("changed", len(answered), len(changed)),
        ("new", len(known), len(new)),
        ("gone", len(known), len(known & night.answers.gone)),
    ]
    return [gate_row(night, measure, "count", had, lost, level="report") for measure, had, lost in counts]
