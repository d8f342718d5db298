"""Which tool a card is, and which page a dump belongs to."""

from dataclasses import replace

import pytest

from builders.normalize_pages import HOST, Tool, address, corpus, dump, labelled, page, rows, seen, tool

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")


def test_tools_of_one_name_stay_apart_by_their_slugs() -> None:
    first, second = tool("code-llama-a", name="Code Llama 4"), tool("code-llama-b", name="Code Llama 4")
    found = corpus(labelled(ALPHA, first), labelled(ALPHA, second))
    assert len(rows(found, "tools", name="Code Llama 4")) == 2


def test_tools_of_one_name_in_dumps_stay_apart_by_their_taglines() -> None:
    first, second = tool("one", name="SmolLM3", tagline="Small"), tool("two", name="SmolLM3", tagline="Smaller")
    found = corpus(dump(ALPHA, first), dump(ALPHA, second))
    assert len(rows(found, "tools", name="SmolLM3")) == 2


def test_a_name_without_a_tagline_is_never_enough() -> None:
    bare = tool("one", name="SmolLM3", tagline=None)
    found = corpus(dump(ALPHA, bare), dump(BETA, bare))
    assert len(rows(found, "tools", name="SmolLM3")) == 2


def test_one_slug_on_two_hosts_is_two_tools() -> None:
    elsewhere = seen(page(ALPHA, BETA), address(ALPHA, BETA, host="tools.other"))
    assert len(corpus(labelled(ALPHA, BETA), elsewhere)["tools"]) == 4


def test_a_page_with_a_slug_claims_the_tool_of_a_dump() -> None:
    alone = corpus(dump(ALPHA, GAMMA))
    former = rows(alone, "tools", name="Alpha")[0].tool_id
    found = corpus(dump(ALPHA, GAMMA), labelled(ALPHA, BETA, night=2))
    (alias,) = found["tool_aliases"]
    (claimed,) = rows(found, "tools", slug="alpha")
    assert (alias.alias_id, alias.tool_id) == (former, claimed.tool_id)  # type: ignore[union-attr]  # an alias
    assert not rows(found, "tools", tool_id=former)


def test_a_dump_stays_its_own_tool_where_two_slugs_show_its_name_and_tagline() -> None:
    twin = tool("alpha-two", name="Alpha", tagline=ALPHA.tagline)
    found = corpus(dump(ALPHA, GAMMA), labelled(ALPHA, BETA), labelled(twin, BETA))
    assert not found["tool_aliases"]
    assert len(rows(found, "tools", name="Alpha")) == 3


def test_an_old_tagline_of_a_tool_still_claims_a_dump() -> None:
    renamed = replace(ALPHA, tagline="Another line")
    found = corpus(labelled(ALPHA, BETA), labelled(renamed, BETA, night=2), dump(ALPHA, GAMMA, night=3))
    assert len(found["tool_aliases"]) == 1


def test_a_dump_of_the_pair_of_one_addressed_page_is_a_rendering_of_it() -> None:
    found = corpus(labelled(ALPHA, BETA), dump(ALPHA, BETA, night=2))
    (only,) = rows(found, "pages")
    assert only.renderings == ("html", "quotes")
    assert only.url == address(ALPHA, BETA)


def test_claiming_a_tool_of_a_dump_does_not_rename_its_page() -> None:
    before = corpus(dump(ALPHA, GAMMA))["pages"]
    after = corpus(dump(ALPHA, GAMMA), labelled(ALPHA, BETA, night=2))
    assert rows(after, "pages", url=None) == list(before)


def _two_cuts(a: Tool, b: Tool) -> str:
    return f"https://{HOST}/compare/{a.slug}-vs-{b.slug}"


def test_an_ambiguous_address_is_kept_said_and_makes_no_slugs_up() -> None:
    url = _two_cuts(tool("a"), tool("b-vs-c"))
    found = corpus(seen(page(tool("x", name="X"), tool("y", name="Y"), "quotes"), url))
    (only,) = rows(found, "pages")
    assert only.is_ambiguous
    assert [row.slug for row in rows(found, "tools")] == [None, None]
    assert len(rows(found, "discrepancies", rule="ambiguous_address")) == 1


@pytest.mark.parametrize("nights", [(1, 2), (2, 1)])
def test_links_settle_an_address_that_could_be_cut_twice(nights: tuple[int, int]) -> None:
    a, b = tool("a"), tool("b-vs-c")
    url = _two_cuts(a, b)
    found = corpus(seen(page(a, b, "quotes"), url, night=nights[0]), seen(page(a, b), url, night=nights[1]))
    assert {row.slug for row in rows(found, "tools")} == {"a", "b-vs-c"}
    assert not rows(found, "pages")[0].is_ambiguous


def test_a_canonical_link_is_believed_within_its_host_alone() -> None:
    url = address(ALPHA, BETA)
    within = seen(page(ALPHA, BETA, canonical_url=url + "/#top"), f"{url}?ref=news")
    assert [row.url for row in rows(corpus(within), "pages")] == [url]
    foreign = seen(page(ALPHA, BETA, canonical_url="https://evil.example/compare/alpha-vs-beta"), url)
    assert [row.url for row in rows(corpus(foreign), "pages")] == [url]
    broken = seen(page(ALPHA, BETA, canonical_url="https://[broken/compare/alpha-vs-beta"), url)
    assert [row.url for row in rows(corpus(broken), "pages")] == [url]
