"""How the states of tools, prices and verdicts changed over time."""

from dataclasses import replace
from itertools import pairwise

import pytest

from builders.normalize_pages import address, labelled, normalized, observed, page, rows, tool
from verdicts.extract.model.records import Observation

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")
RENAMED = replace(ALPHA, name="Alpha 2")


def _names(*observations: object) -> list[tuple[str, bool]]:
    corpus = normalized(*observations)  # type: ignore[arg-type]  # observations
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
        ([labelled(ALPHA, BETA), labelled(RENAMED, BETA, night=3)], ["Alpha", "Alpha 2"]),
        # A night that does not see a tool ends nothing; a state that comes back is a state of its own.
        ([labelled(ALPHA, BETA), labelled(BETA, GAMMA, night=2)], ["Alpha"]),
        (
            [labelled(ALPHA, BETA), labelled(RENAMED, BETA, night=2), labelled(ALPHA, BETA, night=3)],
            ["Alpha", "Alpha 2", "Alpha"],
        ),
        # Two pages of one night that disagree give one state.
        ([labelled(ALPHA, BETA), labelled(RENAMED, GAMMA)], ["Alpha 2"]),
        # A page that repeats an old name does not bring it back.
        (
            [labelled(ALPHA, BETA), labelled(ALPHA, GAMMA), labelled(RENAMED, BETA, 2), labelled(ALPHA, OTHER_PAGE, 3)],
            ["Alpha", "Alpha 2"],
        ),
    ],
)
def test_a_state_lasts_until_another_is_seen(nights: list[Observation], names: list[str]) -> None:
    assert _names(*nights) == [(name, place == len(names)) for place, name in enumerate(names, start=1)]


def test_a_rendering_that_lost_the_table_ends_no_verdict() -> None:
    url = address(ALPHA, BETA)
    corpus = normalized(labelled(ALPHA, BETA), observed(page(ALPHA, BETA, "quotes"), url, night=2))
    assert [row.valid_to for row in rows(corpus, "verdict_history")] == [None, None]


def test_a_changed_vote_starts_a_new_verdict_state() -> None:
    corpus = normalized(labelled(ALPHA, BETA), labelled(tool("alpha", skips=1), BETA, night=2))
    states = [(row.ship_votes, row.panel_ship_pct) for row in rows(corpus, "verdict_history", side="a")]
    assert states == [(4, 100), (3, 75)]
    assert rows(corpus, "verdicts", side="a")[0].ship_votes == 3


def test_a_page_that_repeats_an_old_price_does_not_bring_it_back() -> None:
    raised = replace(ALPHA, pricing="Pro $30/mo", entry="Paid")
    corpus = normalized(
        labelled(ALPHA, BETA),
        labelled(ALPHA, GAMMA),
        labelled(raised, BETA, night=2),
        labelled(ALPHA, OTHER_PAGE, night=3),
    )
    (alpha,) = rows(corpus, "tools", slug="alpha")
    assert [row.amount for row in rows(corpus, "pricing_tiers", tool_id=alpha.tool_id)] == [30]
    history = rows(corpus, "price_history", tool_id=alpha.tool_id)
    assert [row.pricing for row in history] == [ALPHA.pricing, "Pro $30/mo"]
    assert [row.valid_to for row in history] == [history[1].valid_from, None]
