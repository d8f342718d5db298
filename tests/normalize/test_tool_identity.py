"""Which tool a card is about."""

from dataclasses import replace

import pytest

from builders.normalize_pages import HOST, Tool, address, dump, normalize_all, observe, observe_page, page, rows, tool
from verdicts.extract.model.records import Observation

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")
TWIN, OTHER = tool("twin", name="Alpha", tagline=ALPHA.tagline), tool("other", name="Alpha", tagline="Other")
BARE, RENAMED = replace(ALPHA, tagline=None), replace(ALPHA, slug="the-alpha")
ON_ANOTHER_HOST = observe(page(ALPHA, BETA), address(ALPHA, BETA, host="tools.other"))


@pytest.mark.parametrize(
    ("seen", "alphas", "claimed"),
    [
        # A slug on a host is a tool.
        ([observe_page(BETA, ALPHA), observe_page(BETA, TWIN)], 2, 0),
        ([observe_page(ALPHA, BETA), ON_ANOTHER_HOST], 2, 0),
        ([observe_page(ALPHA, BETA), observe_page(replace(ALPHA, tagline="Digs deeper"), BETA, night=3)], 1, 0),
        # In dumps it is a name with its tagline, and never a name alone.
        ([dump(GAMMA, ALPHA), dump(GAMMA, OTHER)], 2, 0),
        ([dump(GAMMA, BARE), dump(BETA, BARE)], 2, 0),
        # One slug that showed name and tagline claims it, now or then; two claim nothing.
        ([dump(ALPHA, GAMMA), observe_page(ALPHA, BETA, night=2)], 1, 1),
        (
            [observe_page(ALPHA, BETA), observe_page(replace(ALPHA, tagline="New"), BETA, 2), dump(ALPHA, GAMMA, 3)],
            1,
            1,
        ),
        ([dump(ALPHA, GAMMA), observe_page(ALPHA, BETA), observe_page(TWIN, BETA)], 3, 0),
    ],
)
def test_what_tells_tools_of_one_name_apart(seen: list[Observation], alphas: int, claimed: int) -> None:
    corpus = normalize_all(*seen)
    assert (len(rows(corpus, "tools", name="Alpha")), len(corpus["tool_aliases"])) == (alphas, claimed)


def test_a_page_that_moved_to_a_new_slug_renames_the_tool_unless_it_says_something_else() -> None:
    successor = tool("alpha-2", name="Alpha", tagline="Now with a second wheel")
    for later, tools in ((RENAMED, 1), (successor, 2)):
        seen = [observe_page(ALPHA, BETA), observe_page(BETA, later, night=2), dump(ALPHA, GAMMA)]
        corpus = normalize_all(*seen, moved={address(ALPHA, BETA): address(BETA, later)})
        assert len(rows(corpus, "tools", name="Alpha")) == tools


def test_a_page_with_a_slug_claims_the_tool_of_a_dump() -> None:
    alone = normalize_all(dump(ALPHA, GAMMA))
    former = rows(alone, "tools", name="Alpha")[0].tool_id
    corpus = normalize_all(dump(ALPHA, GAMMA), observe_page(ALPHA, BETA, night=2))
    (alias,) = corpus["tool_aliases"]
    (claimed,) = rows(corpus, "tools", slug="alpha")
    assert (alias.alias_id, alias.tool_id) == (former, claimed.tool_id)  # type: ignore[union-attr]  # an alias
    assert not rows(corpus, "tools", tool_id=former)


def test_a_renamed_slug_is_the_tool_that_it_was() -> None:
    renamed = replace(RENAMED, takes={"Builder": ("Short.", 90, "ship")})
    before = observe_page(replace(renamed, slug="alpha"), BETA)
    after, new = observe_page(BETA, renamed, night=2), observe_page(GAMMA, renamed, night=2)
    moved = {address(ALPHA, BETA): address(BETA, renamed)}
    was = normalize_all(before)
    corpus = normalize_all(before, after, new, moved=moved)
    (only,) = rows(corpus, "tools", name="Alpha")
    assert (only.tool_id, only.slug) == (rows(was, "tools", slug="alpha")[0].tool_id, "the-alpha")
    assert {row.tool_id for row in rows(corpus, "reviews", text="Short.")} == {only.tool_id}
    assert rows(corpus, "reviews", text="Short.")[0].review_id == rows(was, "reviews", text="Short.")[0].review_id
    assert len(corpus["pages"]) == 2
    (alias,) = corpus["tool_aliases"]
    assert alias.tool_id == only.tool_id  # type: ignore[union-attr]  # an alias


def _two_cuts(a: Tool, b: Tool) -> str:
    return f"https://{HOST}/compare/{a.slug}-vs-{b.slug}"


def test_an_ambiguous_address_is_kept_and_reported_and_gives_no_slugs() -> None:
    url = _two_cuts(tool("a"), tool("b-vs-c"))
    corpus = normalize_all(observe(page(tool("x", name="X"), tool("y", name="Y"), "quotes"), url))
    (only,) = rows(corpus, "pages")
    assert only.is_ambiguous
    assert [row.slug for row in rows(corpus, "tools")] == [None, None]
    assert len(rows(corpus, "discrepancies", rule="ambiguous_address")) == 1


@pytest.mark.parametrize("nights", [(1, 2), (2, 1)])
def test_links_settle_an_address_that_could_be_cut_twice(nights: tuple[int, int]) -> None:
    a, b = tool("a"), tool("b-vs-c")
    url = _two_cuts(a, b)
    corpus = normalize_all(
        observe(page(a, b, "quotes"), url, night=nights[0]), observe(page(a, b), url, night=nights[1])
    )
    assert {row.slug for row in rows(corpus, "tools")} == {"a", "b-vs-c"}
    assert not rows(corpus, "pages")[0].is_ambiguous


def test_a_slug_of_another_page_settles_an_address_that_could_be_cut_twice() -> None:
    other = observe(page(tool("b-vs-c"), tool("z")), f"https://{HOST}/tools/1")
    at = observe(page(tool("b", name="Old"), GAMMA, "quotes"), f"https://{HOST}/compare/z-vs-b-vs-c")
    assert [row.is_ambiguous for row in rows(normalize_all(at), "pages")] == [True]
    corpus = normalize_all(at, other)
    assert {row.slug for row in rows(corpus, "tools")} >= {"z", "b-vs-c"}
    assert not any(row.is_ambiguous for row in rows(corpus, "pages"))


def test_a_dump_is_of_the_host_that_showed_its_tool_first() -> None:
    corpus = normalize_all(dump(ALPHA, GAMMA), ON_ANOTHER_HOST, observe_page(ALPHA, BETA, night=2))
    (alias,) = [row for row in rows(corpus, "tool_aliases") if row.name == "Alpha"]
    assert [row.host for row in rows(corpus, "tools", tool_id=alias.tool_id)] == ["tools.other"]


def test_a_dump_of_a_pair_that_two_pages_compare_is_a_page_of_its_own() -> None:
    copy = observe(page(ALPHA, BETA), f"{address(ALPHA, BETA)}?copy=1")
    assert len(normalize_all(observe_page(ALPHA, BETA), copy, dump(ALPHA, BETA))["pages"]) == 3
