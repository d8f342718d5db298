"""How the states of tools, prices and verdicts changed over time."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from operator import attrgetter

import pytest

from builders.normalize_pages import (
    FIRST_NIGHT,
    REVIEWERS,
    address,
    dump,
    find_review,
    normalize_all,
    observe,
    observe_page,
    page,
    reword,
    rows,
    tool,
    with_take,
)
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.url_state import Absence
from verdicts.normalize.corpus import Corpus, normalize
from verdicts.normalize.corrections import Correction

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")
RENAMED = replace(ALPHA, name="Alpha 2")


def _names(*observations: object) -> list[tuple[str, bool]]:
    corpus = normalize_all(*observations)  # type: ignore[arg-type]  # observations
    (alpha,) = rows(corpus, "tools", slug="alpha")
    history = rows(corpus, "tool_history", tool_id=alpha.tool_id)
    assert alpha.name == history[-1].name
    for earlier, later in pairwise(history):
        assert earlier.valid_to == later.valid_from
    return [(row.name, row.valid_to is None) for row in history]


OTHER_PAGE = replace(GAMMA, category="Other")


@pytest.mark.parametrize(
    ("nights", "names"),
    [
        ([observe_page(ALPHA, BETA), observe_page(RENAMED, BETA, night=3)], ["Alpha", "Alpha 2"]),
        # A night that does not see a tool ends nothing; a state that comes back is a state of its own.
        ([observe_page(ALPHA, BETA), observe_page(BETA, GAMMA, night=2)], ["Alpha"]),
        (
            [observe_page(ALPHA, BETA), observe_page(RENAMED, BETA, night=2), observe_page(ALPHA, BETA, night=3)],
            ["Alpha", "Alpha 2", "Alpha"],
        ),
        # Two pages of one night that disagree give one state.
        ([observe_page(ALPHA, BETA), observe_page(RENAMED, GAMMA)], ["Alpha 2"]),
        # A page that repeats an old name does not bring it back.
        (
            [
                observe_page(ALPHA, BETA),
                observe_page(ALPHA, GAMMA),
                observe_page(RENAMED, BETA, 2),
                observe_page(ALPHA, OTHER_PAGE, 3),
            ],
            ["Alpha", "Alpha 2"],
        ),
    ],
)
def test_a_state_lasts_until_another_is_seen(nights: list[Observation], names: list[str]) -> None:
    assert _names(*nights) == [(name, place == len(names)) for place, name in enumerate(names, start=1)]


def test_a_rendering_that_lost_the_table_ends_no_verdict() -> None:
    url = address(ALPHA, BETA)
    corpus = normalize_all(observe_page(ALPHA, BETA), observe(page(ALPHA, BETA, "quotes"), url, night=2))
    assert [row.valid_to for row in rows(corpus, "verdict_history")] == [None, None]


def test_a_changed_vote_starts_a_new_verdict_state() -> None:
    corpus = normalize_all(observe_page(ALPHA, BETA), observe_page(tool("alpha", skips=1), BETA, night=2))
    states = [(row.ship_votes, row.panel_ship_pct) for row in rows(corpus, "verdict_history", side="a")]
    assert states == [(4, 100), (3, 75)]
    assert rows(corpus, "verdicts", side="a")[0].ship_votes == 3


BUILDER, SCORE, VERDICT = ALPHA.takes["Builder"]
EDITED = reword(ALPHA, "edited")
SCORED = replace(ALPHA, takes={**ALPHA.takes, "Builder": (BUILDER, 31, "skip")})
SILENT = replace(ALPHA, takes={reviewer: take for reviewer, take in ALPHA.takes.items() if reviewer != "Builder"})
CUT = with_take(ALPHA, "Builder", BUILDER[: len(BUILDER) // 2])
AS_IT_WAS = replace(GAMMA, category="Other words on the page, the same take")


def _days(corpus: Corpus) -> tuple[list[tuple[int | None, bool, int, int | None]], bool]:
    """The states of the builder's take as score, whether its words are edited, and days; and if it is shown."""
    (review_id,) = {row.review_id for row in rows(corpus, "review_history") if row.text.startswith(BUILDER[:40])}
    history = rows(corpus, "review_history", review_id=review_id)
    (review,) = rows(corpus, "reviews", review_id=review_id)
    said = attrgetter("reviewer", "score", "verdict", "text")
    assert said(review) == said(history[-1])
    days = [(row.score, row.text != BUILDER, row.valid_from.day, row.valid_to and row.valid_to.day) for row in history]
    return days, review.is_shown


VOTES = page(ALPHA, BETA).decisions


@pytest.mark.parametrize(
    ("nights", "states", "is_shown"),
    [
        # A new score and new words are new states, each of one reading.
        (
            [observe_page(ALPHA, BETA), observe_page(SCORED, BETA, 3)],
            [(SCORE, False, 1, 3), (31, False, 3, None)],
            True,
        ),
        (
            [observe_page(ALPHA, BETA), observe_page(EDITED, BETA, 3)],
            [(SCORE, False, 1, 3), (SCORE, True, 3, None)],
            True,
        ),
        # What every page dropped is withdrawn, and may come back.
        ([observe_page(ALPHA, BETA), observe_page(SILENT, BETA, 3)], [(SCORE, False, 1, 3)], False),
        (
            [observe_page(ALPHA, BETA), observe_page(ALPHA, GAMMA), observe_page(SILENT, BETA, 3)],
            [(SCORE, False, 1, None)],
            True,
        ),
        (
            [observe_page(ALPHA, BETA), observe_page(SILENT, BETA, 3), observe_page(SCORED, BETA, 5)],
            [(SCORE, False, 1, 3), (31, False, 5, None)],
            True,
        ),
        # A page that repeats an old score does not bring it back.
        (
            [
                observe_page(ALPHA, BETA),
                observe_page(ALPHA, GAMMA),
                observe_page(SCORED, BETA, 2),
                observe_page(ALPHA, AS_IT_WAS, 4),
            ],
            [(SCORE, False, 1, 2), (31, False, 2, None)],
            True,
        ),
        # Words cut short, a dump without labels, and a page that lost its scorecard change nothing.
        ([observe_page(ALPHA, BETA), observe_page(CUT, BETA, 3)], [(SCORE, False, 1, None)], True),
        ([observe_page(CUT, BETA), observe_page(ALPHA, BETA, 3)], [(SCORE, False, 1, None)], True),
        ([observe_page(ALPHA, BETA), dump(EDITED, BETA, 3)], [(SCORE, False, 1, None)], True),
        ([observe_page(ALPHA, BETA), observe_page(ALPHA, BETA, 3, takes=())], [(SCORE, False, 1, None)], True),
        # A reading with fewer takes than the votes of its page has lost some.
        ([observe_page(ALPHA, BETA), observe_page(SILENT, BETA, 3, decisions=VOTES)], [(SCORE, False, 1, None)], True),
        # A score that no page showed before is no change.
        ([dump(ALPHA, BETA), observe_page(ALPHA, BETA, 3)], [(SCORE, False, 1, None)], True),
    ],
)
def test_a_review_lasts_until_pages_show_another_or_none(
    nights: list[Observation], states: list[tuple[int | None, bool, int, int | None]], *, is_shown: bool
) -> None:
    assert _days(normalize_all(*nights)) == (states, is_shown)


def test_a_page_shows_nothing_while_it_is_gone() -> None:
    moments = [FIRST_NIGHT + timedelta(days=day - 1) for day in (1, 4, 9)]
    once, gone = Absence(*moments[:2]), Absence(moments[2])
    for absences, days in (((), [(1, None)]), ((once,), [(4, None)]), ((gone,), [(1, 9)]), ((once, gone), [(4, 9)])):
        corpus = normalize([observe_page(ALPHA, BETA)], gone={address(ALPHA, BETA): absences})
        history, is_shown = _days(corpus)
        assert [state[2:] for state in history] == days
        assert is_shown == (days[-1][1] is None)


def test_a_corrected_score_is_that_of_every_state_with_the_score_that_the_person_saw() -> None:
    nights = [observe_page(SCORED, BETA), observe_page(ALPHA, BETA, 3), observe_page(EDITED, BETA, 5)]
    key = (("review_id", find_review(normalize_all(*nights), EDITED.takes["Builder"][0]).review_id),)
    said = Correction("value", "reviews", key, "score", 99, "Ada", FIRST_NIGHT, "she looked", was=SCORE)
    history, _ = _days(normalize(nights, corrections=[said]))
    assert [score for score, *_ in history] == [31, 99, 99]


def test_a_take_that_the_site_moves_to_another_tool_was_the_first_ones_until_then() -> None:
    delta = tool("delta", REVIEWERS[1:4])
    taker = replace(delta, takes={"Builder": ALPHA.takes["Builder"], **delta.takes})
    nights = [observe_page(ALPHA, BETA), observe_page(SILENT, BETA, 3), observe_page(taker, GAMMA, 3)]
    corpus = normalize_all(*nights)
    slugs = {row.tool_id: row.slug for row in rows(corpus, "tools")}
    review = find_review(corpus, BUILDER)
    history = rows(corpus, "review_history", review_id=review.review_id)
    assert slugs[review.tool_id] == "delta"
    assert [(slugs[row.tool_id], row.valid_from.day) for row in history] == [("alpha", 1), ("delta", 3)]
