"""Text dumps: cards by their lines, rows on one line, another footer, and where a dump was cut off."""

from dataclasses import asdict

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


HEAD, NUMBERS, DESCRIPTION = ALPHA[:3], ALPHA[3:9], ALPHA[9]
LABEL_FIRST = ("Panel ship", "75%", "Community", "62%", "Entry", "Free")
PARAGRAPHS = ("Alpha builds and tests a branch,", "then waits for a person to look at it and say yes.")

# Lines of A's card and what differs from the plain one; lines of B's card where they are others, and what differs.
VARIANTS = {
    "labels before values": ((*HEAD, *LABEL_FIRST, DESCRIPTION), {"community": "62%"}),
    "a chip": ((*HEAD, "Ship", *NUMBERS, DESCRIPTION), {"chip": "Ship"}),
    "a chip in capitals": ((*HEAD, "SHIP", *NUMBERS, DESCRIPTION), {"chip": "SHIP"}),
    "a monogram": (("A", *ALPHA), {}),
    "no value of the community": ((*HEAD, *NUMBERS[:2], *NUMBERS[3:], DESCRIPTION), {}),
    "community votes": ((*HEAD, "75%", "Panel ship", "62%", *NUMBERS[3:], DESCRIPTION), {"community": "62%"}),
    "an entry of another word": ((*HEAD, *NUMBERS[:4], "Invite only", "Entry", DESCRIPTION), {"entry": "Invite only"}),
    "a category that is a label": (("Community", *ALPHA[1:]), {"category": "Community"}),
    "a category that is a head": (("Decision", *ALPHA[1:]), {"category": "Decision"}),
    "no tagline": ((*HEAD[:2], *NUMBERS, DESCRIPTION), {"tagline": None}),
    "no description": ((*HEAD, *NUMBERS), {"description": None}),
    "a description of two paragraphs": ((*HEAD, *NUMBERS, *PARAGRAPHS), {"description": " ".join(PARAGRAPHS)}),
    "a monogram behind the category": (ALPHA, {}, ("Productivity", "B", *BRAVO[1:]), {}),
    "no category": (ALPHA, {}, BRAVO[1:], {"category": None}),
    "a long text before a name": (
        (*HEAD, *NUMBERS, "x" * 60),
        {"description": "x" * 60},
        BRAVO[1:],
        {"category": None},
    ),
    "a label with an icon, in capitals": (ALPHA, {}, (*BRAVO[:4], "🚢 PANEL SHIP", *BRAVO[5:]), {}),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_card_gives_its_fields(variant):
    alpha, a, bravo, b = (*VARIANTS[variant], BRAVO, {})[:4]
    plain, comparison = (read(INTRO, *cards, TAKES, CLOSING) for cards in ((ALPHA, BRAVO), (alpha, bravo)))
    for card, usual, differs in zip(comparison.cards, plain.cards, (a, b), strict=True):
        assert asdict(card) | {"span": None} == asdict(usual) | {"span": None} | differs
    assert [take.text for take in comparison.takes] == [take.text for take in plain.takes]


def test_a_dump_without_a_bare_ampersand_is_unescaped():
    texts = ("R&amp;D says &quot;no&quot;", "R&D says &quot;no&quot;")
    assert [text_blocks(text)[0].text for text in texts] == ['R&D says "no"', texts[1]]


def test_the_scorecard_may_stand_before_the_cards():
    first, usual = read(INTRO, TAKES, ALPHA, BRAVO, CLOSING), read(INTRO, ALPHA, BRAVO, TAKES, CLOSING)
    assert [take.text for take in first.takes] == [take.text for take in usual.takes]
    assert [card.description for card in first.cards] == [card.description for card in usual.cards]


def test_another_footer_ends_a_dump_whose_takes_are_all_there_and_is_told():
    comparison = read(INTRO, ALPHA, BRAVO, TAKES, FOOTER)
    assert [take.text for take in comparison.takes] == [text[1:-1] for text in TAKES[1:]]
    assert [(doubt.rule, doubt.found) for doubt in comparison.doubts] == [("unread_text", " / ".join(FOOTER))]
    labelled = read(*PAGE, FOOTER)
    assert [(take.side, take.reviewer) for take in labelled.takes] == [
        ("a", "Builder"),
        ("b", "Builder"),
        ("b", "Skeptic"),
    ]
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
        ((INTRO, TAKES, CLOSING), "incomplete_card"),
        ((INTRO, ALPHA, TAKES, CLOSING), "incomplete_card"),
        ((INTRO, ALPHA, ("Productivity", "Gamma", *BRAVO[2:]), TAKES, CLOSING), "incomplete_card"),
        ((INTRO, (*HEAD, "many", *NUMBERS[1:], DESCRIPTION), BRAVO, TAKES, CLOSING), "incomplete_card"),
        ((INTRO, (*HEAD, *NUMBERS[:4], "x" * 41, "Entry", DESCRIPTION), BRAVO, TAKES, CLOSING), "incomplete_card"),
        ((INTRO[0], "All our comparisons"), "not_a_comparison"),
    ],
)
def test_a_dump_that_may_have_lost_takes_or_lacks_a_card_is_refused(parts, reason):
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
