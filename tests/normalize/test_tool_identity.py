"""Which tool a card is about."""

from dataclasses import replace

import pytest

from builders.normalize_pages import HOST, Tool, address, dump, labelled, normalized, observed, page, rows, tool

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")


def test_tools_of_one_name_stay_apart_by_their_slugs() -> None:
    first, second = tool("code-llama-a", name="Code Llama 4"), tool("code-llama-b", name="Code Llama 4")
    corpus = normalized(labelled(ALPHA, first), labelled(ALPHA, second))
    assert len(rows(corpus, "tools", name="Code Llama 4")) == 2


def test_tools_of_one_name_in_dumps_stay_apart_by_their_taglines() -> None:
    first, second = tool("one", name="SmolLM3", tagline="Small"), tool("two", name="SmolLM3", tagline="Smaller")
    corpus = normalized(dump(ALPHA, first), dump(ALPHA, second))
    assert len(rows(corpus, "tools", name="SmolLM3")) == 2


def test_a_name_without_a_tagline_is_never_enough() -> None:
    bare = tool("one", name="SmolLM3", tagline=None)
    corpus = normalized(dump(ALPHA, bare), dump(BETA, bare))
    assert len(rows(corpus, "tools", name="SmolLM3")) == 2


def test_one_slug_on_two_hosts_is_two_tools() -> None:
    elsewhere = observed(page(ALPHA, BETA), address(ALPHA, BETA, host="tools.other"))
    assert len(normalized(labelled(ALPHA, BETA), elsewhere)["tools"]) == 4


def test_a_page_with_a_slug_claims_the_tool_of_a_dump() -> None:
    alone = normalized(dump(ALPHA, GAMMA))
    former = rows(alone, "tools", name="Alpha")[0].tool_id
    corpus = normalized(dump(ALPHA, GAMMA), labelled(ALPHA, BETA, night=2))
    (alias,) = corpus["tool_aliases"]
    (claimed,) = rows(corpus, "tools", slug="alpha")
    assert (alias.alias_id, alias.tool_id) == (former, claimed.tool_id)  # type: ignore[union-attr]  # an alias
    assert not rows(corpus, "tools", tool_id=former)


def test_a_dump_stays_its_own_tool_where_two_slugs_show_its_name_and_tagline() -> None:
    twin = tool("alpha-two", name="Alpha", tagline=ALPHA.tagline)
    corpus = normalized(dump(ALPHA, GAMMA), labelled(ALPHA, BETA), labelled(twin, BETA))
    assert not corpus["tool_aliases"]
    assert len(rows(corpus, "tools", name="Alpha")) == 3


def test_an_old_tagline_of_a_tool_still_claims_a_dump() -> None:
    renamed = replace(ALPHA, tagline="Another line")
    corpus = normalized(labelled(ALPHA, BETA), labelled(renamed, BETA, night=2), dump(ALPHA, GAMMA, night=3))
    assert len(corpus["tool_aliases"]) == 1


def test_a_renamed_slug_is_the_tool_that_it_was() -> None:
    renamed = replace(ALPHA, slug="the-alpha", takes={"Builder": ("Short.", 90, "ship")})
    before = labelled(replace(renamed, slug="alpha"), BETA)
    after, new = labelled(BETA, renamed, night=2), labelled(GAMMA, renamed, night=2)
    moved = {address(ALPHA, BETA): address(BETA, renamed)}
    was = normalized(before)
    corpus = normalized(before, after, new, moved=moved)
    (only,) = rows(corpus, "tools", name="Alpha")
    assert (only.tool_id, only.slug) == (rows(was, "tools", slug="alpha")[0].tool_id, "the-alpha")
    assert {row.tool_id for row in rows(corpus, "reviews", text="Short.")} == {only.tool_id}
    assert rows(corpus, "reviews", text="Short.")[0].review_id == rows(was, "reviews", text="Short.")[0].review_id
    assert len(corpus["pages"]) == 2
    (alias,) = corpus["tool_aliases"]
    assert alias.tool_id == only.tool_id  # type: ignore[union-attr]  # an alias


def test_a_renamed_slug_still_claims_a_dump() -> None:
    renamed = replace(ALPHA, slug="the-alpha")
    moved = {address(ALPHA, BETA): address(BETA, renamed)}
    corpus = normalized(labelled(ALPHA, BETA), labelled(BETA, renamed, night=2), dump(ALPHA, GAMMA), moved=moved)
    assert len(rows(corpus, "tools", name="Alpha")) == 1


def test_a_successor_that_took_a_tools_place_is_another_tool() -> None:
    successor = tool("alpha-2", name="Alpha", tagline="Now with a second wheel")
    moved = {address(ALPHA, BETA): address(successor, BETA)}
    corpus = normalized(labelled(ALPHA, BETA), labelled(successor, BETA, night=2), moved=moved)
    assert len(rows(corpus, "tools", name="Alpha")) == 2


def _two_cuts(a: Tool, b: Tool) -> str:
    return f"https://{HOST}/compare/{a.slug}-vs-{b.slug}"


def test_an_ambiguous_address_is_kept_and_reported_and_gives_no_slugs() -> None:
    url = _two_cuts(tool("a"), tool("b-vs-c"))
    corpus = normalized(observed(page(tool("x", name="X"), tool("y", name="Y"), "quotes"), url))
    (only,) = rows(corpus, "pages")
    assert only.is_ambiguous
    assert [row.slug for row in rows(corpus, "tools")] == [None, None]
    assert len(rows(corpus, "discrepancies", rule="ambiguous_address")) == 1


@pytest.mark.parametrize("nights", [(1, 2), (2, 1)])
def test_links_settle_an_address_that_could_be_cut_twice(nights: tuple[int, int]) -> None:
    a, b = tool("a"), tool("b-vs-c")
    url = _two_cuts(a, b)
    corpus = normalized(
        observed(page(a, b, "quotes"), url, night=nights[0]), observed(page(a, b), url, night=nights[1])
    )
    assert {row.slug for row in rows(corpus, "tools")} == {"a", "b-vs-c"}
    assert not rows(corpus, "pages")[0].is_ambiguous


def test_a_slug_of_another_page_settles_an_address_that_could_be_cut_twice() -> None:
    other = observed(page(tool("b-vs-c"), tool("z")), f"https://{HOST}/tools/1")
    at = observed(page(tool("b", name="Old"), GAMMA, "quotes"), f"https://{HOST}/compare/z-vs-b-vs-c")
    assert [row.is_ambiguous for row in rows(normalized(at), "pages")] == [True]
    corpus = normalized(at, other)
    assert {row.slug for row in rows(corpus, "tools")} >= {"z", "b-vs-c"}
    assert not any(row.is_ambiguous for row in rows(corpus, "pages"))


def test_a_dump_is_of_the_host_that_showed_its_tool_first() -> None:
    elsewhere = observed(page(ALPHA, BETA), address(ALPHA, BETA, host="tools.other"))
    corpus = normalized(dump(ALPHA, GAMMA), elsewhere, labelled(ALPHA, BETA, night=2))
    (alias,) = [row for row in rows(corpus, "tool_aliases") if row.name == "Alpha"]
    assert [row.host for row in rows(corpus, "tools", tool_id=alias.tool_id)] == ["tools.other"]


def test_a_dump_of_a_pair_that_two_pages_compare_is_a_page_of_its_own() -> None:
    copy = observed(page(ALPHA, BETA), f"{address(ALPHA, BETA)}?copy=1")
    assert len(normalized(labelled(ALPHA, BETA), copy, dump(ALPHA, BETA))["pages"]) == 3


def test_a_page_keeps_its_tools_under_another_tagline() -> None:
    corpus = normalized(labelled(ALPHA, BETA), labelled(replace(ALPHA, tagline="Digs deeper"), BETA, night=3))
    assert len(rows(corpus, "tools", name="Alpha")) == 1
