"""Nothing is given up before its replacement is held: canonical URLs, refreshes and redirects, night by night."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from builders.made_sites import ROOT, Made, crawl_made_site

START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
DAY = timedelta(days=1)
HOME = {"/": Made(links=("/a",))}
A, B = Made(text="alpha", canonical="/b"), Made(text="alpha")

FAILED = {
    "404": Made(status=404),
    "410": Made(status=410),
    "403": Made(status=403),
    "500": Made(status=500),
    "202": Made(status=202),
    "empty": Made(),
    "a PDF": Made(text="alpha", media_type="application/pdf"),
    "noindex": Made(text="alpha", is_noindex=True),
    "a redirect back": Made(status=301, location="/a"),
    "a redirect out of the site": Made(status=301, location="http://b.example/b"),
    "a redirect to a 404": Made(status=302, location="/nothing"),
    "a refresh back": Made(text="moved", refresh="/a", is_long=False),
    "a canonical back": Made(text="alpha", canonical="/a"),
}


def number_page(page, number):
    """A page with addresses and words of its own, so that all kinds fit into one site."""
    own = {
        name: f"{getattr(page, name)}{number}"
        for name in ("canonical", "refresh", "location")
        if getattr(page, name) in {"/a", "/b", "/nothing"}
    }
    return replace(page, text=page.text and f"{page.text}{number}", **own)


def each_kind(pages, first):
    """A site with `/a0`, which `first` is, and `/b0`, the first of `pages`, and so on."""
    site = {"/": Made(links=tuple(f"/{side}{number}" for side in "ba" for number in range(len(pages))))}
    for number, page in enumerate(pages):
        site |= {f"/a{number}": number_page(first, number), f"/b{number}": number_page(page, number)}
    return site


async def nights(data, *sites, days=1, **changes):
    """One crawl a day of each site, or every so many days."""
    return [
        await crawl_made_site(data, HOME | site, START + number * days * DAY, **changes)
        for number, site in enumerate(sites)
    ]


async def test_a_page_is_kept_where_the_address_that_it_names_does_not_hold_it(tmp_path):
    site = each_kind(FAILED.values(), A)
    for night in await nights(tmp_path, *[site] * 3, days=16):
        for number, kind in enumerate(FAILED):
            assert night.holds(f"/a{number}", f"alpha{number}"), kind
            assert night.asked[f"/a{number}"] == 1, kind


async def test_a_page_that_was_given_up_is_asked_for_as_soon_as_its_replacement_fails(tmp_path):
    both, failed = each_kind([B] * len(FAILED), A), each_kind(FAILED.values(), A)
    first, second, third = await nights(tmp_path, both, failed, failed)
    for number, kind in enumerate(FAILED):
        a, b = f"/a{number}", f"/b{number}"
        assert first.outcomes(a) == ["alias"], kind
        assert [night.holds(a, f"alpha{number}") for night in (first, second, third)] == [True] * 3, kind
        assert second.asked[b] == 1, kind
        # A page that names the other one back is still there.
        assert second.asked[a] + third.asked[a] >= 1 or third.url_status[b] == "held", kind


async def test_a_page_that_leans_on_one_that_fails_later_in_the_night_is_asked_for_again_that_night(tmp_path):
    site = {"/": Made(links=("/b", "/a")), "/a": A, "/b": B}
    failed = site | {"/": Made(links=("/a", "/b")), "/b": Made(status=404)}
    await crawl_made_site(tmp_path, site, START)
    await crawl_made_site(tmp_path, site | {"/a": Made(status=500)}, START + 16 * DAY)
    night = await crawl_made_site(tmp_path, failed, START + 48 * DAY, connections=1)
    assert night.holds("/a", "alpha")
    assert f"{ROOT}/a" in night.newest


async def test_a_page_is_an_alias_once_the_other_one_is_held(tmp_path):
    first, second, third = await nights(tmp_path, *[{"/a": A, "/b": B}] * 3)
    assert (first.outcomes("/a"), second.outcomes("/a")) == (["stored"], ["alias"])
    assert third.asked["/a"] == 0
    assert (first.moved, second.moved) == ({}, {f"{ROOT}/a": f"{ROOT}/b"})


async def test_a_budget_that_ends_before_the_other_address_loses_nothing(tmp_path):
    for night in await nights(tmp_path, *[{"/a": A, "/b": B}] * 3, max_pages=2):
        assert night.holds("/a", "alpha")


async def test_an_address_with_something_of_its_own_to_say_is_no_alias(tmp_path):
    """A template that names one page on all, or the first page of a list on its second."""
    site = {"/": Made(links=("/b", "/a")), "/a": Made(text="gamma", canonical="/b"), "/b": B}
    for night in await nights(tmp_path, *[site] * 3, days=16):
        assert f"{ROOT}/a" in night.newest
        assert night.asked["/a"] == 1


@pytest.mark.parametrize(
    "site",
    [
        {"/a": A, "/b": Made(text="alpha", canonical="/c"), "/c": Made(text="alpha", canonical="/a")},
        {"/a": A, "/b": Made(text="alpha", canonical="/c"), "/c": Made(text="alpha", canonical="/b")},
        {"/a": A, "/b": Made(text="alpha", canonical="/c"), "/c": Made(text="alpha")},
        {"/a": A, "/b": Made(text="alpha", canonical="/b")},
        {"/a": Made(text="alpha", canonical="/a")},
        {"/a": Made(text="alpha", canonical="http://other.example/a")},
    ],
)
async def test_addresses_that_name_each_other_in_a_row_or_a_circle_keep_one_that_holds_the_page(tmp_path, site):
    for night in await nights(tmp_path, *[site] * 5, days=5):
        assert night.holds("/a", "alpha")
    assert "held" in {night.url_status[path] for path in site}


REDIRECTS = {
    "a redirect": Made(status=301, location="/b"),
    "a refresh": Made(text="moved", refresh="/b", is_long=False),
    "a refresh that is not to be kept": Made(text="moved", refresh="/b", is_noindex=True),
    "a refresh in the header": Made(text="moved", header=(("refresh", "1;/b"),), is_long=False),
}


@pytest.mark.parametrize("kind", REDIRECTS)
async def test_a_page_that_moved_is_found_where_it_moved_to(tmp_path, kind):
    held, moved = {"/a": Made(text="alpha")}, {"/a": REDIRECTS[kind], "/b": B}
    _, second, third = await nights(tmp_path, held, moved, moved)
    assert second.outcomes("/a") == ["redirected"]
    assert second.outcomes("/b") == ["stored"]
    assert third.moved == {f"{ROOT}/a": f"{ROOT}/b"}
    assert third.holds("/a", "alpha")


@pytest.mark.parametrize("lost", ["404", "410", "500"])
async def test_a_page_that_moved_stays_one_page_though_either_address_fails_or_is_gone(tmp_path, lost):
    held, moved = {"/a": Made(text="alpha")}, {"/a": Made(status=301, location="/b"), "/b": B}
    gone, away, anew = moved | {"/b": FAILED[lost]}, moved | {"/a": FAILED[lost]}, moved | {"/a": Made(text="delta")}
    *_, without_b, without_a, last = await nights(tmp_path, held, moved, moved, gone, away, anew, days=100)
    assert without_b.outcomes("/b")[-1] != "stored"
    assert without_b.moved == without_a.moved == {f"{ROOT}/a": f"{ROOT}/b"}
    assert (last.outcomes("/a")[-1], last.moved) == ("stored", {})


@pytest.mark.parametrize("kind", ["a redirect", "a refresh", "a refresh that is not to be kept"])
async def test_a_page_that_moved_to_nowhere_stays_and_is_asked_for_every_night(tmp_path, kind):
    pages = [page for name, page in FAILED.items() if name not in {"a PDF", "a canonical back"}]
    held, moved = each_kind(pages, Made(text="alpha")), each_kind(pages, REDIRECTS[kind])
    results = await nights(tmp_path, held, moved, moved, held)
    for number in range(len(pages)):
        assert [night.holds(f"/a{number}", f"alpha{number}") for night in results] == [True] * 4
        assert [night.asked[f"/a{number}"] for night in results] == [1] * 4


async def test_a_page_is_asked_for_every_night_while_its_redirect_leads_to_something_else(tmp_path):
    """A night of maintenance sends every address to one page."""
    held, moved = {"/a": Made(text="alpha")}, {"/a": Made(status=302, location="/b"), "/b": Made(text="maintenance")}
    results = await nights(tmp_path, held, moved, moved, moved, {"/a": Made(text="beta")})
    assert [night.asked["/a"] for night in results] == [1] * 5
    assert results[-1].holds("/a", "beta")


async def test_a_refresh_of_a_page_with_words_of_its_own_is_followed_and_the_page_kept(tmp_path):
    site = {"/a": Made(text="gamma", refresh="/b"), "/b": B}
    (night,) = await nights(tmp_path, site)
    assert (night.outcomes("/a"), night.outcomes("/b")) == (["stored"], ["stored"])


def make_refreshing(value, **page):
    return Made(header=(("refresh", value),), **page)


@pytest.mark.parametrize(
    ("page", "outcome"),
    [
        (Made(text="alpha", refresh="/a"), "stored"),
        (Made(text="alpha", refresh=""), "stored"),
        (make_refreshing("30; url=/b", text="alpha"), "stored"),
        (Made(text="alpha", refresh="http://b.example/"), "stored"),
        (Made(text="alpha", refresh="javascript:x"), "stored"),
        (Made(text="alpha", refresh="javascript:x", is_long=False), "stored"),
        (make_refreshing("30; url=/b"), "empty"),
        (make_refreshing("0; url=http://[::1"), "empty"),
        (make_refreshing("0; url=http://b.example/"), "out_of_scope"),
        (make_refreshing("0; url=/b", status=204), "empty"),
        (make_refreshing("0; url=/a"), "redirect_limit"),
        (make_refreshing("0; url=/b"), "redirected"),
        (make_refreshing("0;/b"), "redirected"),
        (make_refreshing("3; URL='http://a.example/b'"), "redirected"),
    ],
)
async def test_a_refresh_is_followed_where_it_leads_on_at_once(tmp_path, page, outcome):
    (night,) = await nights(tmp_path, {"/a": page, "/b": B})
    assert (night.outcomes("/a"), night.asked["/b"]) == ([outcome], outcome == "redirected")
    assert night.holds("/b", "alpha") is (outcome == "redirected")


async def test_a_refresh_to_another_spelling_is_followed(tmp_path):
    site = {"/a": Made(text="moved", refresh="/a/", is_long=False), "/a/": Made(text="alpha")}
    (night,) = await nights(tmp_path, site)
    assert night.outcomes("/a") == ["redirected", "stored"]
    assert night.holds("/a", "alpha")


async def test_refreshes_end_at_the_limit_of_redirects_and_in_a_circle(tmp_path):
    def stub(to):
        return Made(text="moved", refresh=to, is_long=False)

    chain = {"/a": stub("/r0")} | {f"/r{number}": stub(f"/r{number + 1}") for number in range(20)}
    (night,) = await nights(tmp_path, chain)
    assert night.asked["/r10"] == 0
    assert night.run.status == "partial"
    (night,) = await nights(tmp_path / "circle", {"/a": stub("/b"), "/b": stub("/a")})
    assert [night.outcomes(path) for path in ("/a", "/b")] == [["redirected"], ["redirect_limit"]]


async def test_an_address_that_was_gone_is_asked_for_when_another_one_leads_there(tmp_path):
    gone = {"/": Made(links=("/a", "/b")), "/a": Made(text="alpha"), "/b": Made(status=410)}
    moved = {"/a": Made(status=301, location="/b"), "/b": Made(text="alpha")}
    results = await nights(tmp_path, gone, moved, moved)
    assert results[1].asked["/b"] == 1
    assert results[2].moved == {f"{ROOT}/a": f"{ROOT}/b"}
