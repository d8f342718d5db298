"""Two statements of a page must agree: every rule broken once."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from builders.normalize_pages import address, normalize_all, observe, observe_page, page, rows, tool
from verdicts.corpus.enumerations import Rendering
from verdicts.extract.model.records import Comparison, Doubt
from verdicts.normalize.rows.consistency import RULES

ALPHA, BETA = tool("alpha", skips=1, community="62%"), tool("beta")
URL = address(ALPHA, BETA)


def _first(part: str, **fields: str) -> Callable[[Comparison], Comparison]:
    """The page with other fields in the first of its cards, decisions or takes."""

    def change(shown: Comparison) -> Comparison:
        first, *others = getattr(shown, part)
        return replace(shown, **{part: (replace(first, **fields), *others)})

    return change


_card, _decision, _take = (partial(_first, part) for part in ("cards", "decisions", "takes"))

BROKEN = {
    "panel_vs_votes": _card(panel_ship="67%"),
    "votes_vs_reviews": _take(verdict="skip"),
    "chip_vs_panel": lambda shown: _decision(verdict="Skip · 3 ship / 1 skip")(_card(chip="Skip")(shown)),
    "chip_vs_verdict": _decision(verdict="Mixed · 3 ship / 1 skip"),
    "category_vs_decision": _decision(category="Models"),
    "tagline_vs_best_for": _decision(best_for="Everything"),
    "community_vs_decision": _decision(community="61% · 130 votes"),
    "entry_vs_pricing": _card(entry="Paid"),
    "unread_price": _decision(pricing="Free tier / $10 plus $5 a reviewer"),
    "slug_vs_link": _card(slug="alpha-2"),
}


def test_a_page_that_agrees_with_itself_has_no_discrepancies() -> None:
    assert not normalize_all(observe_page(ALPHA, BETA))["discrepancies"]


@pytest.mark.parametrize("rule", BROKEN)
def test_a_contradiction_is_a_row_about_its_tool_and_both_sides_are_kept(rule: str) -> None:
    corpus = normalize_all(observe(BROKEN[rule](page(ALPHA, BETA)), URL))
    (alpha,) = rows(corpus, "tools", slug="alpha")
    assert [(row.rule, row.tool_id) for row in rows(corpus, "discrepancies")] == [(rule, alpha.tool_id)]


def test_every_rule_is_broken_by_one_of_these_pages() -> None:
    assert set(RULES) <= set(BROKEN)


@pytest.mark.parametrize("rendering", ["html", "innertext", "quotes"])
@pytest.mark.parametrize("lost", [8, 1])
def test_takes_that_are_missing_are_told_in_every_rendering(rendering: Rendering, lost: int) -> None:
    """A scorecard that was not recognised gives no take at all; 75% on both cards says that eight were given."""
    shown = page(ALPHA, tool("beta", skips=1), rendering)
    corpus = normalize_all(observe(replace(shown, decisions=(), takes=shown.takes[lost:]), URL))
    told = rows(corpus, "discrepancies", rule="reviews_vs_panel")
    assert told
    assert all("takes by the panel" in row.expected for row in told)


def test_a_page_that_lost_its_takes_is_told_beside_its_whole_dump() -> None:
    whole, bare = page(ALPHA, BETA, "innertext"), replace(page(ALPHA, BETA), takes=())
    corpus = normalize_all(observe(whole, URL), observe(bare, URL))
    assert {row.found for row in rows(corpus, "discrepancies", rule="reviews_vs_panel")} == {
        "0 takes in the html (side a)",
        "0 takes in the html (side b)",
    }


def test_the_same_contradiction_on_both_sides_is_two_rows() -> None:
    shown = page(ALPHA, replace(ALPHA, slug="beta", name="Beta", tagline="Other"))
    cards = (replace(shown.cards[0], chip="Skip"), replace(shown.cards[1], chip="Skip"))
    corpus = normalize_all(observe(replace(shown, cards=cards, decisions=()), URL))
    assert len(rows(corpus, "discrepancies", rule="chip_vs_panel")) == 2


@pytest.mark.parametrize(("pct", "chip"), [("60%", "Ship"), ("60%", "Mixed"), ("40%", "Skip"), ("50%", "Mixed")])
def test_a_chip_nobody_has_seen_the_bound_of_is_not_called_wrong(pct: str, chip: str) -> None:
    shown = page(ALPHA, BETA)
    cards = (replace(shown.cards[0], panel_ship=pct, chip=chip), shown.cards[1])
    corpus = normalize_all(observe(replace(shown, cards=cards, decisions=(), takes=()), URL))
    assert not rows(corpus, "discrepancies", rule="chip_vs_panel")


def test_doubts_in_the_same_words_about_both_tools_are_two_rows():
    doubts = tuple(Doubt("unread_text", side, "score and verdict of Builder", "88/100") for side in ("a", "b"))
    corpus = normalize_all(observe(replace(page(ALPHA, BETA), doubts=doubts), URL))
    told = rows(corpus, "discrepancies", rule="unread_text")
    assert len({row.tool_id for row in told}) == 2
    assert len({(row.page_id, row.rule, row.expected, row.found) for row in told}) == 2
