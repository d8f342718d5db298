"""The two cards: what stands beside a label, and what its place alone tells."""

from dataclasses import replace

import pytest

from builders.panel_blocks import ALPHA, WORDS, blocks, innertext_page, quotes_page
from verdicts.extract.model.blocks import Block, Cell
from verdicts.extract.model.records import Card, Decision, PageRejected, Span
from verdicts.extract.panel.arrange import arrange
from verdicts.extract.panel.cards import read_cards
from verdicts.extract.panel.sections import find_anchors, find_sections
from verdicts.extract.panel.texts import Texts

HEAD, NUMBERS, DESCRIPTION = ALPHA[:3], ALPHA[3:9], ALPHA[9]

ALPHA_CARD = Card(
    side="a",
    name="Alpha",
    slug=None,
    tagline="Ships your branch",
    category="Developer Tools",
    chip=None,
    panel_ship="75%",
    community=None,
    entry="Free",
    description=DESCRIPTION,
    span=Span(0, 0),
)


def read(page, decisions=()):
    page = Texts(page, WORDS)
    sections = find_sections(page, find_anchors(page))
    return tuple(replace(card, span=Span(0, 0)) for card in read_cards(page, sections, decisions).cards)


def column(side, name, tagline, category):
    return Decision(side, name, "Ship", None, None, tagline, category, Span(0, 0))


LABEL_FIRST = ("Panel ship", "75%", "Community", "62%", "Entry", "Free")

# What A's card reads, in blocks; what differs from `ALPHA_CARD`.
CASES = {
    "value before its label": ((*HEAD, *NUMBERS, DESCRIPTION), {}),
    "label before its value": ((*HEAD, *LABEL_FIRST, DESCRIPTION), {"community": "62%"}),
    "a chip": ((*HEAD, "Ship", *NUMBERS, DESCRIPTION), {"chip": "Ship"}),
    "a chip in capitals": ((*HEAD, "SHIP", *NUMBERS, DESCRIPTION), {"chip": "SHIP"}),
    "a monogram": (("A", *HEAD, *NUMBERS, DESCRIPTION), {}),
    "community as a word without a value": ((*HEAD, *NUMBERS[:2], *NUMBERS[3:], DESCRIPTION), {}),
    "community votes": ((*HEAD, "75%", "Panel ship", "62%", *NUMBERS[3:], DESCRIPTION), {"community": "62%"}),
    "an entry of another word": ((*HEAD, *NUMBERS[:4], "Invite only", "Entry", DESCRIPTION), {"entry": "Invite only"}),
    "a link on the name": (
        (HEAD[0], Block("Alpha", href="/tool/alpha-2"), HEAD[2], *NUMBERS, DESCRIPTION),
        {"slug": "alpha-2"},
    ),
    "a link with a query": (
        (HEAD[0], Block("Alpha", href="https://shiporskip.io/tool/alpha-2/?from=x"), HEAD[2], *NUMBERS, DESCRIPTION),
        {"slug": "alpha-2"},
    ),
    "a link to another kind of page": (
        (HEAD[0], Block("Alpha", href="/reviewer/pm"), HEAD[2], *NUMBERS, DESCRIPTION),
        {},
    ),
    "a category that reads like a label": (("Community", *HEAD[1:], *NUMBERS, DESCRIPTION), {"category": "Community"}),
    "no tagline": ((*HEAD[:2], *NUMBERS, DESCRIPTION), {"tagline": None}),
    "no description": ((*HEAD, *NUMBERS), {"description": None}),
    "a description of two paragraphs": (
        (*HEAD, *NUMBERS, "Alpha builds and tests a branch,", "then waits for a person to look at it and say yes."),
        {"description": "Alpha builds and tests a branch, then waits for a person to look at it and say yes."},
    ),
    "a percentage with a point": ((*HEAD, "66.7%", *NUMBERS[1:], DESCRIPTION), {"panel_ship": "66.7%"}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_card_gives_its_fields(case):
    card, differs = CASES[case]
    alpha, bravo = read(quotes_page(alpha=card))
    assert alpha == replace(ALPHA_CARD, **differs)
    assert (bravo.side, bravo.name, bravo.panel_ship, bravo.entry) == ("b", "Bravo", "50%", "Paid")


def test_the_innertext_dump_gives_chips():
    assert [card.chip for card in read(innertext_page())] == ["Ship", "Mixed"]


def test_the_decision_table_tells_tagline_and_category_from_their_neighbours():
    page = quotes_page(alpha=("Developer Tools", "Alpha", "Tool of the week", *ALPHA[2:]))
    decisions = (
        column("a", "Alpha", "Ships your branch", "Developer Tools"),
        column("b", "Bravo", "Reads your mail", "Productivity"),
    )
    assert read(page)[0].tagline == "Tool of the week"
    assert read(page, decisions)[0] == ALPHA_CARD


def test_cards_in_a_table_have_a_label_for_every_part():
    labels = ("Category", "Tool", "Tagline", "Chip", "Panel ship", "Community", "Entry", "About")
    rows = [
        labels,
        ("Developer Tools", "Alpha", "Ships your branch", "Ship", "75%", "—", "Free", DESCRIPTION),
        ("Productivity", "Bravo", "Reads your mail", "Mixed", "50%", "—", "Paid", "Bravo sorts mail."),
    ]
    table = [
        Block(text, cell=Cell(0, row, number), is_key=row == 0)
        for row, line in enumerate(rows)
        for number, text in enumerate(line)
    ]
    page = arrange(blocks("Alpha vs Bravo", table, "Reviewer scorecard", "“One.”", "Bookmarks"), WORDS)
    assert read(page)[0] == replace(ALPHA_CARD, chip="Ship")


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ((*HEAD, "many", *NUMBERS[1:], DESCRIPTION), "the card of Alpha lacks a panel percentage"),
        ((*HEAD, *NUMBERS[:4], DESCRIPTION), "the card of Alpha lacks 'Entry'"),
        ((*HEAD, *NUMBERS[:4], "x" * 41, "Entry", DESCRIPTION), "the card of Alpha lacks 'Entry'"),
    ],
)
def test_a_card_without_percentage_or_entry_is_refused(card, words):
    with pytest.raises(PageRejected, match=words) as rejected:
        read(quotes_page(alpha=card))
    assert rejected.value.reject.reason == "incomplete_card"
