"""Text dumps: rows on one line, another footer, and where a dump was cut off."""

import pytest

from builders.panel_blocks import ALPHA, BRAVO, CLOSING, INTRO, WORDS, blocks
from verdicts.extract.model.blocks import text_blocks
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.comparison import read_dump

# 75% of four and 50% of two.
QUOTES = tuple(f"“{tool} did it in {count} minutes.”" for count in range(1, 3) for tool in ("Alpha", "Bravo"))
TAKES = ("Reviewer scorecard", *QUOTES, "“Alpha took one command.”", "“Alpha wrote the notes.”")
FOOTER = ("Stay in the loop", "One letter a week.")

DECISION = ("Decision", "Alpha", "Bravo", "Panel verdict", "Ship · 1 ship / 0 skip", "Mixed · 1 ship / 1 skip")
LABELLED = (
    "Reviewer scorecard",
    *("Builder", "88/100 · ship", "Alpha took one command.", "80/100 · ship", "Bravo found the invoice."),
    *("Skeptic", "No panel take", "52/100 · skip", "Bravo hid an answer."),
)
CARDS = (*ALPHA[:3], "Ship", "100%", *ALPHA[4:], *BRAVO[:3], "Mixed", *BRAVO[3:])
PAGE = (INTRO, CARDS, DECISION, LABELLED)


def read(*parts):
    return read_dump(blocks(*parts), WORDS)


def test_another_footer_ends_a_dump_whose_takes_are_all_there_and_is_told():
    comparison = read(INTRO, ALPHA, BRAVO, TAKES, FOOTER)
    assert [take.text for take in comparison.takes] == [text[1:-1] for text in TAKES[1:]]
    assert [(doubt.rule, doubt.found) for doubt in comparison.doubts] == [("unread_text", " / ".join(FOOTER))]
    labelled = read(*PAGE, FOOTER)
    assert [(take.side, take.seat) for take in labelled.takes] == [("a", "Builder"), ("b", "Builder"), ("b", "Skeptic")]
    assert labelled.takes[-1].text == "Bravo hid an answer."
    assert [doubt.found for doubt in labelled.doubts] == [" / ".join(FOOTER)]


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ((INTRO, ALPHA, BRAVO, TAKES), "truncated"),
        ((INTRO, ALPHA, BRAVO, TAKES[:-1], "“Alpha wrote"), "truncated"),
        ((INTRO, ALPHA, BRAVO, TAKES[:2], FOOTER), "incomplete_scorecard"),
        (PAGE, "truncated"),
        ((*PAGE[:-1], LABELLED[:-4], FOOTER), "incomplete_scorecard"),
        ((*PAGE[:-1], LABELLED[:-1]), "truncated"),
    ],
)
def test_a_dump_that_may_have_lost_takes_is_refused(parts, reason):
    with pytest.raises(PageRejected) as rejected:
        read(*parts)
    assert rejected.value.reject.reason == reason


ROWS = (("Panel verdict", *DECISION[4:]), ("Pricing", "Free | Pro $20/mo", "$9/mo"))


@pytest.mark.parametrize(
    "lines",
    [
        ["\t".join(row) for row in ROWS],
        [f"| {' | '.join(row)} |".replace("Free | Pro", "Free / Pro") for row in ROWS],
        ["  |  ".join(row).replace("Free | Pro", "Free / Pro") for row in ROWS],
    ],
)
def test_a_row_of_the_table_may_stand_on_one_line(lines):
    text = "\n".join(["Decision", "Alpha", "Bravo", *lines])
    comparison = read(INTRO, CARDS, text_blocks(text), LABELLED, CLOSING)
    assert [column.verdict for column in comparison.decisions] == [*DECISION[4:]]
    assert [column.pricing.replace("|", "/") for column in comparison.decisions] == ["Free / Pro $20/mo", "$9/mo"]
    assert comparison.doubts == ()


def test_labels_may_stand_on_the_line_of_their_values_and_bullets_before_all_lines():
    numbers = ("75% Panel ship", "— Community", "Free Entry")
    plain = read(INTRO, ALPHA, BRAVO, TAKES, CLOSING)
    joined = read(INTRO, (*ALPHA[:3], *numbers, ALPHA[9]), BRAVO, TAKES, CLOSING)
    assert [(card.panel_ship, card.entry) for card in joined.cards] == [("75%", "Free"), ("50%", "Paid")]
    assert joined.takes[0].span.first == plain.takes[0].span.first - len(numbers)
    lines = [f"- {line}" for line in (*INTRO, *ALPHA, *BRAVO, *TAKES, *CLOSING)]
    assert read(lines) == plain


def test_a_dump_of_the_page_twice_is_read_once():
    once = read(*PAGE, CLOSING)
    twice = read(*PAGE, CLOSING, *PAGE, CLOSING)
    assert (twice.cards, twice.decisions, twice.takes) == (once.cards, once.decisions, once.takes)
    assert twice.doubts == ()


def test_a_description_over_several_lines_goes_on_where_no_sentence_ends():
    wrapped = (*ALPHA[:9], "Alpha builds a branch, runs its tests", "and writes down what broke.")
    comparison = read(INTRO, wrapped, BRAVO, TAKES, CLOSING)
    assert comparison.cards[0].description == "Alpha builds a branch, runs its tests and writes down what broke."
    assert comparison.doubts == ()
