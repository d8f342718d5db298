"""Where the parts of a page begin and end."""

import pytest

from builders.panel_blocks import (
    ALPHA,
    BRAVO,
    CLOSING,
    DECISION,
    INTRO,
    TAKES,
    WORDS,
    blocks,
    innertext_page,
    quotes_page,
    texts,
)
from verdicts.extract.model.blocks import Block
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.sections import Sections, find_anchors
from verdicts.extract.panel.sections import find_sections as sections_of
from verdicts.extract.panel.texts import Texts

CHESS = ("Games", "Chess vs Clock", *ALPHA[2:])
SECTION_BEFORE = ("Decision", "Panel verdict", "Ship", "Skip", "Category", "Games", "Garden")

LONG, FIRST, ICONS = (*ALPHA[:9], "x" * 60), ("Decision", *ALPHA[1:]), (*BRAVO[:4], "🚢 PANEL SHIP", *BRAVO[5:])
LATE, LABEL = ("Productivity", "B", *BRAVO[1:]), ("Category", *BRAVO)
LABELLED = ("Builder", "88/100 · ship", "Alpha took one command.", "No panel take")


def case(page, alpha=ALPHA, bravo=BRAVO, decision=None, takes=TAKES[1:]):
    """The page, the texts of A's card, of B's card, of the Decision table, of the takes."""
    return page, alpha, bravo, decision, takes


CASES = {
    "quotes dump": case(quotes_page()),
    "innertext dump, monogram before the category": case(
        innertext_page(),
        ("A", *ALPHA[:3], "Ship", *ALPHA[3:5], *ALPHA[6:]),
        ("B", *BRAVO[:3], "Mixed", *BRAVO[3:5], *BRAVO[6:]),
        DECISION,
        LABELLED,
    ),
    "monogram behind the category": case(quotes_page(bravo=LATE), bravo=LATE),
    "no category": case(quotes_page(bravo=BRAVO[1:]), bravo=BRAVO[1:]),
    "a long text before a name is the other card's": case(quotes_page(alpha=LONG, bravo=BRAVO[1:]), LONG, BRAVO[1:]),
    "a label before the category": case(quotes_page(bravo=LABEL), bravo=LABEL),
    "a table without its head": case(quotes_page(decision=DECISION[3:]), decision=DECISION[3:]),
    "Decision in another place": case(quotes_page(alpha=FIRST, decision=DECISION), FIRST, decision=DECISION),
    "scorecard before the cards": case(
        blocks("Alpha vs Bravo", TAKES, ALPHA, BRAVO, DECISION, CLOSING), decision=DECISION
    ),
    "labels in capitals and with icons": case(
        quotes_page(bravo=ICONS, takes=("REVIEWER SCORECARD:", *TAKES[1:])), bravo=ICONS
    ),
}


def find_sections(page, words, *, has_category=True) -> Sections:
    page = Texts(page, words)
    return sections_of(page, find_anchors(page), has_category=has_category)


@pytest.mark.parametrize("case", CASES)
def test_a_section_holds_its_texts_and_no_others(case):
    page, alpha, bravo, decision, takes = CASES[case]
    sections = find_sections(page, WORDS)
    assert [texts(page, card) for card in sections.cards] == [[*alpha], [*bravo]]
    assert (None if sections.decision is None else texts(page, sections.decision)) == (decision and [*decision])
    assert texts(page, sections.takes) == [*takes]
    assert sections.is_ended


def test_a_value_of_the_section_before_is_no_category_where_it_is_said_so():
    page = blocks("Alpha vs Bravo", SECTION_BEFORE, ALPHA[1:], BRAVO, TAKES, CLOSING)
    assert texts(page, find_sections(page, WORDS).cards[0])[:2] == ["Garden", "Alpha"]
    assert texts(page, find_sections(page, WORDS, has_category=False).cards[0])[0] == "Alpha"


@pytest.mark.parametrize(
    ("line", "names", "title"),
    [
        ("Alpha vs Bravo", ("Alpha", "Bravo"), "Alpha vs Bravo"),
        ("Compare/Alpha vs Bravo", ("Alpha", "Bravo"), "Alpha vs Bravo"),
        ("Chess vs Clock vs Bravo", ("Chess vs Clock", "Bravo"), "Chess vs Clock vs Bravo"),
    ],
)
def test_a_title_is_split_with_the_names_of_the_cards(line, names, title):
    page = blocks(line, CHESS if "Chess" in line else ALPHA, BRAVO, TAKES, CLOSING)
    sections = find_sections(page, WORDS)
    assert (sections.title.text, sections.title.names) == (title, names)
    assert tuple(page[index].text for index in sections.title.name_blocks) == names


@pytest.mark.parametrize(
    ("closing", "is_ended"),
    [
        (CLOSING, True),
        (("Bookmarks",), True),
        (("Loading bookmarks...",), True),
        ((Block("Keep comparing", level=2),), True),
        ((Block("Keep comparing", level=3),), False),
        ((Block("Keep comparing"),), False),
        ((), False),
    ],
)
def test_takes_end_at_a_closing_line_or_a_heading_as_high_as_their_own(closing, is_ended):
    page = quotes_page(takes=(Block("Reviewer scorecard", level=2), *TAKES[1:]), closing=closing)
    sections = find_sections(page, WORDS)
    assert sections.is_ended is is_ended
    assert texts(page, sections.takes)[: len(TAKES) - 1] == [*TAKES[1:]]
    assert len(sections.takes) == len(TAKES) - 1 + (0 if is_ended else len(closing))


@pytest.mark.parametrize(
    ("page", "reason", "words"),
    [
        (blocks("A recipe for bread.", "Flour, water, salt."), "not_a_comparison", "nothing on the page says"),
        (blocks("AI tool comparison", "All our comparisons"), "not_a_comparison", "'Panel ship'"),
        (blocks(INTRO, "Developer Tools", "Alpha"), "truncated", "'Reviewer scorecard'"),
        (blocks(INTRO, ALPHA, BRAVO), "truncated", "'Reviewer scorecard'"),
        (blocks(INTRO, TAKES, CLOSING), "incomplete_card", "begins as a comparison"),
        (quotes_page(bravo=()), "incomplete_card", "stands 1 times"),
        (quotes_page(bravo=(*BRAVO, *BRAVO)), "incomplete_card", "stands 3 times"),
        (quotes_page(bravo=("Productivity", "Gamma", *BRAVO[2:])), "incomplete_card", "no 'A vs B'"),
    ],
)
def test_a_page_that_cannot_be_divided_says_why(page, reason, words):
    with pytest.raises(PageRejected, match=words) as rejected:
        find_sections(page, WORDS)
    assert rejected.value.reject.reason == reason
