"""Whose slug is whose, where the cards stand in another order than the address has the tools."""

from dataclasses import replace

import pytest

from builders.normalize_pages import address, names, normalized, observed, page, rows, tool
from verdicts.normalize.identity.addresses import turned

ALPHA, BRAVO = tool("alpha", name="Alpha"), tool("bravo", name="Bravo", skips=2)
TABLES = ("tools", "tool_cards", "verdicts", "reviews", "discrepancies")
URL = address(ALPHA, BRAVO)


def shown(first, second, *, linked=True):
    comparison = page(first, second)
    if linked:
        return comparison
    a, b = (replace(card, slug=None) for card in comparison.cards)
    return replace(comparison, cards=(a, b))


@pytest.mark.parametrize("linked", [True, False])
def test_links_or_names_say_whose_slug_is_whose(linked):
    corpus = normalized(observed(shown(BRAVO, ALPHA, linked=linked), URL))
    assert {row.slug: row.name for row in rows(corpus, "tools")} == {"alpha": "Alpha", "bravo": "Bravo"}
    assert {row.side: names(corpus)[row.tool_id] for row in rows(corpus, "tool_cards")} == {"a": "bravo", "b": "alpha"}
    assert [row.rule for row in rows(corpus, "discrepancies")] == []


def test_versions_of_a_page_have_one_tool_on_a_side():
    straight = observed(shown(ALPHA, BRAVO), URL, night=1)
    across = observed(shown(BRAVO, ALPHA), URL, night=2)
    corpus, alone = normalized(straight, across), normalized(straight)
    assert {table: len(corpus[table]) for table in TABLES} == {table: len(alone[table]) for table in TABLES}
    sides = {row.side: names(corpus)[row.tool_id] for row in rows(corpus, "tool_cards")}
    assert sides == {"a": "alpha", "b": "bravo"}


def test_sides_exchanged_twice_are_as_before():
    comparison = shown(ALPHA, BRAVO)
    assert turned(turned(comparison)) == comparison
    assert [take.text for take in turned(comparison).takes if take.side == "b"] == [
        take.text for take in comparison.takes if take.side == "a"
    ]


def test_takes_that_name_no_side_are_kept_though_the_page_shows_the_other_tool_first():
    """A page whose address moved from `beads-vs-claw-code` to `claw-code-vs-new-beads`."""
    straight, across = (without_sides(shown(first, second)) for first, second in ((ALPHA, BRAVO), (BRAVO, ALPHA)))
    assert [take.text for take in turned(across).takes] == [take.text for take in reversed(across.takes)]
    assert [take.position for take in turned(across).takes] == [*range(len(across.takes))]
    corpus = normalized(observed(straight, URL, night=1), observed(across, URL, night=2))
    alone = normalized(observed(straight, URL, night=1))
    assert {row.text for row in rows(corpus, "appearances")} == {take.text for take in across.takes}
    assert [row.rule for row in rows(corpus, "discrepancies")] == [row.rule for row in rows(alone, "discrepancies")]


def without_sides(comparison):
    return replace(comparison, takes=tuple(replace(take, side=None, row=None) for take in comparison.takes))


def test_a_title_in_another_order_than_the_cards_is_told_where_nothing_names_the_slugs():
    comparison = shown(BRAVO, ALPHA, linked=False)
    first, second = (replace(card, name=name) for card, name in zip(comparison.cards, ("Zulu", "Yankee"), strict=True))
    unknown = replace(comparison, cards=(first, second), title="Yankee vs Zulu")
    told = rows(normalized(observed(unknown, URL)), "discrepancies", rule="title_vs_cards")
    assert [(row.expected, row.found) for row in told] == [("Yankee vs Zulu", "the card of Zulu before Yankee")]
