"""Which page a snapshot shows."""

from builders.normalize_pages import address, dump, labelled, normalized, observed, page, rows, tool

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")


def test_a_dump_of_the_pair_of_one_addressed_page_is_a_rendering_of_it() -> None:
    corpus = normalized(labelled(ALPHA, BETA), dump(ALPHA, BETA, night=2))
    (only,) = rows(corpus, "pages")
    assert only.renderings == ("html", "quotes")
    assert only.url == address(ALPHA, BETA)


def test_claiming_a_tool_of_a_dump_does_not_rename_its_page() -> None:
    before = normalized(dump(ALPHA, GAMMA))["pages"]
    after = normalized(dump(ALPHA, GAMMA), labelled(ALPHA, BETA, night=2))
    assert rows(after, "pages", url=None) == list(before)


def test_a_canonical_link_is_believed_within_its_host_alone() -> None:
    url = address(ALPHA, BETA)
    within = observed(page(ALPHA, BETA, canonical_url=url + "/#top"), f"{url}?ref=news")
    assert [row.url for row in rows(normalized(within), "pages")] == [url]
    foreign = observed(page(ALPHA, BETA, canonical_url="https://evil.example/compare/alpha-vs-beta"), url)
    assert [row.url for row in rows(normalized(foreign), "pages")] == [url]
    broken = observed(page(ALPHA, BETA, canonical_url="https://[broken/compare/alpha-vs-beta"), url)
    assert [row.url for row in rows(normalized(broken), "pages")] == [url]


def test_a_page_that_moved_is_one_page_with_what_it_said_before() -> None:
    old, new = address(ALPHA, BETA), address(BETA, ALPHA)
    before = observed(page(ALPHA, BETA), old)
    after = observed(page(BETA, ALPHA), new, night=2)
    assert len(normalized(before, after)["pages"]) == 2
    corpus = normalized(before, after, moved={old: new})
    (only,) = rows(corpus, "pages")
    assert (only.url, only.first_seen_at, only.last_seen_at) == (new, before.fetched_at, after.fetched_at)
    assert {row.tool_id for row in rows(corpus, "reviews")} == {row.tool_id for row in rows(corpus, "tools")}


def test_a_page_that_moved_to_something_else_stays_the_page_it_was() -> None:
    old, new = address(ALPHA, BETA), address(ALPHA, GAMMA)
    observations = (labelled(ALPHA, BETA), labelled(ALPHA, GAMMA, night=2))
    assert normalized(*observations, moved={old: new}) == normalized(*observations)
    assert rows(normalized(labelled(ALPHA, BETA), moved={old: "https://tools.example/maintenance"}), "pages", url=old)
