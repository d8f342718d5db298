"""Which page a snapshot shows, the two slugs of its address, and which side each is."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from builders.normalize_pages import address, dump, names, normalize_all, observe, observe_page, page, rows, tool
from verdicts.extract.panel.profile import SHIPPED
from verdicts.normalize.identity.page_addresses import SlugPair, choose_cut, exchange_sides, possible_cuts

BASE = "https://tools.example/compare/"


def split_address(url: str, known: Collection[str]) -> SlugPair | None:
    return choose_cut(possible_cuts(url, SHIPPED["shiporskip"]), known)


@pytest.mark.parametrize(
    ("path", "known", "slugs"),
    [
        ("alpha-vs-beta", (), SlugPair("alpha", "beta", is_ambiguous=False)),
        # Known slugs decide, else ascending order, else nothing.
        ("a-vs-b-vs-c", {"a-vs-b", "c", "a"}, SlugPair("a-vs-b", "c", is_ambiguous=False)),
        ("m-vs-a-vs-z", (), SlugPair("m-vs-a", "z", is_ambiguous=False)),
        ("m-vs-a-vs-z", {"m", "a-vs-z", "m-vs-a", "z"}, SlugPair("m-vs-a", "z", is_ambiguous=False)),
        ("../de/compare/alpha-vs-beta", (), SlugPair("alpha", "beta", is_ambiguous=False)),
        ("a-vs-b-vs-c", (), SlugPair("a", "b-vs-c", is_ambiguous=True)),
        ("../tool/alpha", (), None),
        ("alpha", (), None),
        ("-vs-alpha", (), None),
    ],
)
def test_an_address_is_cut_into_two_slugs(path: str, known: Collection[str], slugs: SlugPair | None) -> None:
    assert split_address((BASE + path).replace("compare/../", ""), known) == slugs


FIRST, SECOND = tool("alpha", name="Alpha"), tool("bravo", name="Bravo", skips=2)
TABLES = ("tools", "tool_cards", "verdicts", "reviews", "discrepancies")
URL = address(FIRST, SECOND)


def make_page(first, second, *, linked=True):
    comparison = page(first, second)
    if linked:
        return comparison
    a, b = (replace(card, slug=None) for card in comparison.cards)
    return replace(comparison, cards=(a, b))


@pytest.mark.parametrize("linked", [True, False])
def test_links_or_names_say_whose_slug_is_whose(linked):
    corpus = normalize_all(observe(make_page(SECOND, FIRST, linked=linked), URL))
    assert {row.slug: row.name for row in rows(corpus, "tools")} == {"alpha": "Alpha", "bravo": "Bravo"}
    assert {row.side: names(corpus)[row.tool_id] for row in rows(corpus, "tool_cards")} == {"a": "bravo", "b": "alpha"}
    assert [row.rule for row in rows(corpus, "discrepancies")] == []


def test_versions_of_a_page_have_one_tool_on_a_side():
    straight = observe(make_page(FIRST, SECOND), URL, night=1)
    across = observe(make_page(SECOND, FIRST), URL, night=2)
    corpus, alone = normalize_all(straight, across), normalize_all(straight)
    assert {table: len(corpus[table]) for table in TABLES} == {table: len(alone[table]) for table in TABLES}
    sides = {row.side: names(corpus)[row.tool_id] for row in rows(corpus, "tool_cards")}
    assert sides == {"a": "alpha", "b": "bravo"}


def test_sides_exchanged_twice_are_as_before():
    comparison = make_page(FIRST, SECOND)
    assert exchange_sides(exchange_sides(comparison)) == comparison
    assert [take.text for take in exchange_sides(comparison).takes if take.side == "b"] == [
        take.text for take in comparison.takes if take.side == "a"
    ]


def test_takes_that_name_no_side_are_kept_though_the_page_shows_the_other_tool_first():
    """A page whose address moved from `beads-vs-claw-code` to `claw-code-vs-new-beads`."""
    straight, across = (without_sides(make_page(first, second)) for first, second in ((FIRST, SECOND), (SECOND, FIRST)))
    assert [take.text for take in exchange_sides(across).takes] == [take.text for take in reversed(across.takes)]
    assert [take.position for take in exchange_sides(across).takes] == [*range(len(across.takes))]
    corpus = normalize_all(observe(straight, URL, night=1), observe(across, URL, night=2))
    alone = normalize_all(observe(straight, URL, night=1))
    assert {row.text for row in rows(corpus, "appearances")} == {take.text for take in across.takes}
    assert [row.rule for row in rows(corpus, "discrepancies")] == [row.rule for row in rows(alone, "discrepancies")]


def without_sides(comparison):
    return replace(comparison, takes=tuple(replace(take, side=None, row=None) for take in comparison.takes))


def test_a_title_in_another_order_than_the_cards_is_told_where_nothing_names_the_slugs():
    comparison = make_page(SECOND, FIRST, linked=False)
    first, second = (replace(card, name=name) for card, name in zip(comparison.cards, ("Zulu", "Yankee"), strict=True))
    unknown = replace(comparison, cards=(first, second), title="Yankee vs Zulu")
    told = rows(normalize_all(observe(unknown, URL)), "discrepancies", rule="title_vs_cards")
    assert [(row.expected, row.found) for row in told] == [("Yankee vs Zulu", "the card of Zulu before Yankee")]


ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")


def test_a_dump_of_the_pair_of_one_addressed_page_is_a_rendering_of_it() -> None:
    corpus = normalize_all(observe_page(ALPHA, BETA), dump(ALPHA, BETA, night=2))
    (only,) = rows(corpus, "pages")
    assert only.renderings == ("html", "quotes")
    assert only.url == address(ALPHA, BETA)


def test_claiming_a_tool_of_a_dump_does_not_rename_its_page() -> None:
    before = normalize_all(dump(ALPHA, GAMMA))["pages"]
    after = normalize_all(dump(ALPHA, GAMMA), observe_page(ALPHA, BETA, night=2))
    assert rows(after, "pages", url=None) == list(before)


@pytest.mark.parametrize(
    ("link", "at"),
    [
        ("https://tools.example/compare/alpha-vs-beta/#top", "?ref=news"),
        ("https://evil.example/compare/alpha-vs-beta", ""),
        ("https://[broken/compare/alpha-vs-beta", ""),
    ],
)
def test_a_canonical_link_is_believed_within_its_host_alone(link: str, at: str) -> None:
    url = address(ALPHA, BETA)
    seen = observe(page(ALPHA, BETA, canonical_url=link), url + at)
    assert [row.url for row in rows(normalize_all(seen), "pages")] == [url]


def test_a_page_that_moved_is_one_page_with_what_it_said_before() -> None:
    old, new = address(ALPHA, BETA), address(BETA, ALPHA)
    before = observe(page(ALPHA, BETA), old)
    after = observe(page(BETA, ALPHA), new, night=2)
    assert len(normalize_all(before, after)["pages"]) == 2
    corpus = normalize_all(before, after, moved={old: new})
    (only,) = rows(corpus, "pages")
    assert (only.url, only.first_seen_at, only.last_seen_at) == (new, before.fetched_at, after.fetched_at)
    assert {row.tool_id for row in rows(corpus, "reviews")} == {row.tool_id for row in rows(corpus, "tools")}


def test_a_page_that_moved_to_something_else_stays_the_page_it_was() -> None:
    old, new = address(ALPHA, BETA), address(ALPHA, GAMMA)
    observations = (observe_page(ALPHA, BETA), observe_page(ALPHA, GAMMA, night=2))
    assert normalize_all(*observations, moved={old: new}) == normalize_all(*observations)
    assert rows(
        normalize_all(observe_page(ALPHA, BETA), moved={old: "https://tools.example/maintenance"}), "pages", url=old
    )
