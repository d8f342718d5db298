"""What stands around the parts of a page, before, between and behind them."""

import re

import pytest

from builders.panel_html import (
    ALPHA,
    BRAVO,
    FOOT,
    HEAD,
    card,
    cards,
    decision,
    facts,
    make_expected,
    page,
    read,
    rows,
    scorecard,
    table,
)
from verdicts.extract.model.records import PageRejected

GAMMA = {**ALPHA, "name": "Gamma", "slug": "gamma", "tagline": "Draws cats", "panel_ship": "25%"}
DELTA = {**GAMMA, "name": "Delta", "slug": "delta"}
BAR = "<div><span>Alpha</span><span>75%</span><span>Bravo</span><span>50%</span></div>"
CONTENTS = '<ul><li><a href="#d">Decision</a></li><li><a href="#s">Reviewer scorecard</a></li></ul>'
TABS = "<div><button>Decision</button><button>Reviewer scorecard</button></div>"


def body(html):
    return html.removeprefix("<html><body>").removesuffix("</body></html>")


PAGES = {
    "cards twice, in elements": page(cards=f"<div>{cards()}</div><div>{cards()}</div>"),
    "cards twice, side by side": page(cards=cards() * 2),
    "the page twice": f"<html><body><div>{body(page())}</div><div>{body(page())}</div></body></html>",
    "a bar of names and percentages": page(head=HEAD + BAR),
    "such a bar between": page(cards=cards() + BAR),
    "cards of other tools before": page(head=f"{HEAD}<section><h2>Popular</h2>{cards(GAMMA, DELTA)}</section>"),
    "cards of other tools behind": page(foot=f"<section><h2>Related</h2>{card(GAMMA)}</section>{FOOT}"),
    "a short card of A behind": page(foot=f"<section><p>Alpha</p><p>75% Panel ship</p>{card(GAMMA)}</section>{FOOT}"),
    "contents before": page(head=HEAD + CONTENTS),
    "contents between": page(cards=cards() + CONTENTS),
    "scorecard, table, cards": page(cards=scorecard() + decision(), decision=cards(), scorecard=""),
    "table in a hidden part": page(decision=decision().replace("<section>", "<section hidden>")),
    "takes in a hidden part": page(scorecard=scorecard().replace("<section>", '<section style="display:none">')),
    "tabs with heads": page(decision=TABS + decision(), scorecard=scorecard().replace("<section>", "<section hidden>")),
    "reviewers as pictures": page(
        scorecard=re.sub(r"<td>(Builder|Skeptic|PM|Founder)</td>", r'<td><img alt="\1"></td>', scorecard())
    ),
    "scores with others in brackets": page(scorecard=scorecard().replace("88/100", "88/100 (was 79)")),
    "full-width digits": page(scorecard=scorecard().replace("80/100", "８０／１００")),
    "a badge on a price": page(decision=decision().replace("$9/mo", "$9/mo <b>Best value</b>")),
    "verdicts that are icons": page(
        scorecard=scorecard()
        .replace("· ship", '· <svg role="img" aria-label="ship"></svg>')
        .replace("· skip", '· <svg role="img" aria-label="skip"></svg>')
    ),
}  # fmt: skip


@pytest.mark.parametrize("layout", PAGES)
def test_what_else_stands_on_the_page_changes_no_fact(layout):
    comparison = read(PAGES[layout])
    assert facts(comparison) == make_expected()
    assert comparison.doubts == ()


@pytest.mark.parametrize(
    ("html", "told"),
    [
        (page(cards=cards() + "<p>We asked both in spring.</p>"), ["We asked both in spring."]),
        (page(cards=card(ALPHA) + "<p>More about both soon.</p>" + card(BRAVO)), ["More about both soon."]),
        (page(decision=decision() + "<div><h3>Free?</h3><p>For one.</p></div>"), ["Free? / For one."]),
    ],
)  # fmt: skip
def test_words_between_the_parts_are_told(html, told):
    comparison = read(html)
    assert facts(comparison) == make_expected()
    assert [doubt.found for doubt in comparison.doubts] == told


@pytest.mark.parametrize(
    ("copy", "told"),
    [
        (cards().replace("75%", "100%"), ("a", "panel_ship 75%", "panel_ship 100%")),
        (cards().replace("Paid", "Pays"), ("b", "a copy that says the same", "Pays")),
    ],
)
def test_a_copy_that_says_something_else_is_told(copy, told):
    comparison = read(page(cards=f"<div>{cards()}</div><div>{copy}</div>"))
    assert facts(comparison) == make_expected()
    assert told in {(doubt.side, doubt.expected, doubt.found) for doubt in comparison.doubts}


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (page(cards=cards(ALPHA, BRAVO, GAMMA)), "incomplete_card"),
        (page(head=HEAD.replace("Bravo", "Bravo vs Gamma"), cards=cards(ALPHA, BRAVO, GAMMA)), "incomplete_card"),
        (page(head=HEAD.replace("Bravo", "Gamma")), "incomplete_card"),
        (page(scorecard=""), "incomplete_scorecard"),
        (page(foot="").partition("Alpha paid")[0], "truncated"),
        (page(foot="").partition("Reviewer scorecard")[0], "truncated"),
    ],
)
def test_a_page_is_refused_for_the_reason_that_is_true(html, reason):
    with pytest.raises(PageRejected) as rejected:
        read(html)
    assert rejected.value.reject.reason == reason


@pytest.mark.parametrize("score", ["²/100", "88²/100"])
def test_a_take_whose_score_has_raised_digits_is_told(score):
    comparison = read(page(scorecard=scorecard().replace("88/100", score)))
    assert [take.score for take in comparison.takes] == ["80/100", "58/100", "52/100", "75/100", "70/100"]
    assert f"{score} · ship" in [doubt.found for doubt in comparison.doubts]


def test_the_votes_tell_the_columns_where_the_cards_are_turned():
    comparison = read(page(cards=cards(BRAVO, ALPHA)))
    assert [(take.side, take.reviewer) for take in comparison.takes if take.reviewer == "PM"] == [("b", "PM")]
    assert [doubt.expected for doubt in comparison.doubts] == [
        "columns in the order of the cards",
        "title Alpha vs Bravo",
    ]
    named = scorecard().replace("<table>", f"<table>{table(('', 'Alpha', 'Bravo'))[7:-8]}")
    comparison = read(page(cards=cards(BRAVO, ALPHA), scorecard=named))
    assert comparison.doubts == ()
    assert [(take.side, take.reviewer) for take in comparison.takes if take.reviewer == "PM"] == [("b", "PM")]


def test_rows_and_takes_count_the_blocks_of_the_whole_page():
    first, second = read(page()), read(page(cards=f"<div>{cards(GAMMA)}</div>{cards()}"))
    shift = second.cards[0].span.first - first.cards[0].span.first
    assert shift > 0
    assert [take.span.first - shift for take in second.takes] == [take.span.first for take in first.takes]
    assert len(rows()) == 5
