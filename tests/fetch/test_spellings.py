"""What is sent is what a browser would send; two spellings of a page are found and asked for once."""

from datetime import UTC, datetime, timedelta

import pytest

from builders.fault_server import answer, faults, says
from builders.made_sites import ROOT, Made, crawl_made_site
from builders.nights import HOST, START, crawl_night, night, page
from verdicts.fetch.model.site import Site
from verdicts.fetch.run.plan import plan
from verdicts.fetch.store.rebuild import Log, rebuild_state
from verdicts.fetch.store.store import open_scratch

FIRST = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
LATER = timedelta(days=15)
ROBOTS = f"{HOST}/robots.txt"


def rules(*lines):
    """A robots.txt whose words are its lines."""
    return says(answer("\n".join(("User-agent: *", *lines)).encode(), content_type="text/plain"))


def count_asked(result):
    """The pages asked for, and how often."""
    return {path: count for path, count in result.asked.items() if not path.endswith(("robots.txt", "sitemap.xml"))}


async def test_a_page_that_exists_only_with_its_slash_is_read(tmp_path):
    site = {
        "/": Made(text="home", links=("/open/",)),
        "/open/": Made(text="open", links=("more",)),
        "/open/more": Made(text="more"),
    }
    result = await crawl_made_site(tmp_path, site, FIRST)
    assert count_asked(result) == {"/": 1, "/open/": 1, "/open/more": 1}
    assert {snapshot.final_url for snapshot in result.snapshots} == {ROOT + path for path in site}


@pytest.mark.parametrize(
    "link",
    [
        "/title.cgi?2172",
        "/index.php?/topic/1-x/",
        "/list?tag=b&tag=a",
        "/a//b/",
        "/caf%c3%a9",
        "/?q=(a);b,c:[1]|",
        "/x;v=1/",
    ],
)
async def test_a_link_is_sent_as_it_is_written(tmp_path, link):
    result = await night(tmp_path, {"/page": page(link), link: page()})
    assert result.asked[link] == 1


@pytest.mark.parametrize(
    ("charset", "link", "sent"),
    [
        ("windows-1252", "/s?q=é#é", "/s?q=%E9"),
        ("gbk", "/s?q=華&n=洪1", "/s?q=%C8A&n=%BA%E91"),
        ("iso-8859-1", "/é?q=т", "/%C3%A9?q=%26%231090%3B"),
        ("iso-2022-jp", "/s?q=語", "/s?q=%1B$B8l%1B(B"),
        ("utf-8", "/s?q=é", "/s?q=%C3%A9"),
        ("utf-16le", "/s?q=é", "/s?q=%C3%A9"),
    ],
)
async def test_a_query_is_sent_in_the_letters_of_its_page(tmp_path, charset, link, sent):
    html = f'<html><body>words <a href="{link}">x</a></body></html>'.encode(charset, "xmlcharrefreplace")
    first = says(answer(html, content_type=f"text/html; charset={charset}"))
    assert (await night(tmp_path, {"/page": first})).asked[sent] == 1


async def test_a_site_that_adds_a_slash_is_asked_once_a_page_and_night(tmp_path):
    site = {
        "/": Made(text="home", links=("/post", "/post?utm_source=home")),
        "/post": Made(status=301, location="/post/"),
        "/post/": Made(text="post", canonical=f"{ROOT}/post"),
    }
    nights = [await crawl_made_site(tmp_path, site, FIRST + number * LATER) for number in range(3)]
    assert [count_asked(result) for result in nights[1:]] == [{"/": 1, "/post/": 1}] * 2
    assert nights[-1].holds("/post", "post")


async def test_a_repaired_state_knows_the_address_that_answered(tmp_path):
    site = {
        "/": Made(text="home", links=("/post",)),
        "/post": Made(status=301, location="/post/"),
        "/post/": Made(text="post"),
    }
    await crawl_made_site(tmp_path, site, FIRST)
    rebuild_state(tmp_path, Log(), lambda *_: None)
    assert count_asked(await crawl_made_site(tmp_path, site, FIRST + LATER)) == {"/": 1, "/post/": 1}


async def test_a_broken_link_does_not_hide_the_page_that_another_link_finds(tmp_path):
    site = {"/": Made(text="home", links=("/p", "/p/")), "/p/": Made(text="page")}
    first = await crawl_made_site(tmp_path, site, FIRST)
    assert first.holds("/p", "page")
    assert count_asked(await crawl_made_site(tmp_path, site, FIRST + LATER)) == {"/": 1, "/p/": 1}


FORBIDDEN = {
    "with its slash": (["/private/"], ["Disallow: /private/"]),
    "its parameters in another order": (["/list?sort=price&page=2"], ["Disallow: /*?sort="]),
    "one of two spellings": (["/om/jobs", "/om/jobs/"], ["Disallow: /om/jobs/"]),
    "one of two orders": (["/list?a=1&b=2", "/list?b=2&a=1"], ["Disallow: /*?b="]),
    "with a tracking parameter": (["/q?utm_source=x"], ["Disallow: /*?utm_"]),
    "a question mark alone": (["/x?"], ["Disallow: /x?"]),
}


@pytest.mark.parametrize("name", FORBIDDEN)
async def test_no_spelling_of_a_forbidden_page_is_asked_for(tmp_path, name):
    links, lines = FORBIDDEN[name]
    result = await night(tmp_path, {"/page": page(*links), ROBOTS: rules(*lines)})
    assert count_asked(result) == {"/page": 1}
    assert "robots_denied" in {item.outcome for item in result.log}


async def test_a_page_is_asked_for_by_the_spelling_that_robots_txt_allows(tmp_path):
    plays = {
        "/page": page("/tools/", "/p?utm_source=x", "/p"),
        ROBOTS: rules("Disallow: /", "Allow: /page", "Allow: /tools/", "Allow: /p$"),
    }
    result = await night(tmp_path, plays | {"/tools/": page(), "/p": page()})
    assert count_asked(result) == {"/page": 1, "/tools/": 1, "/p": 1}


async def test_a_spelling_that_a_redirect_leads_to_and_that_is_forbidden_is_remembered(tmp_path):
    plays = {
        "/page": page("/private"),
        "/private": says(answer(b"", status="301 Moved", location="/private/")),
        ROBOTS: rules("Disallow: /private/"),
    }
    assert count_asked(await night(tmp_path, plays)) == {"/page": 1, "/private": 1}
    assert count_asked(await night(tmp_path, plays, at=START + LATER)) == {"/page": 1}


async def test_patterns_see_addresses_as_the_operator_does(tmp_path):
    site = {
        "/": Made(text="home", links=("/cart/", "/tool/a/", "/list?b=1&a=2", "/list?a=2&b=3")),
        "/tool/a/": Made(text="a"),
        "/list?b=1&a=2": Made(text="b"),
    }
    result = await crawl_made_site(
        tmp_path, site, FIRST, include=("^/tool/.+/$", "/cart", r"\?b=1&a"), exclude=("/cart/",)
    )
    assert count_asked(result) == {"/": 1, "/tool/a/": 1, "/list?b=1&a=2": 1}


async def test_an_excluded_spelling_is_not_reached_by_a_redirect(tmp_path):
    site = {
        "/": Made(text="home", links=("/cart",)),
        "/cart": Made(status=301, location="/cart/"),
        "/cart/": Made(text="cart"),
    }
    result = await crawl_made_site(tmp_path, site, FIRST, exclude=("/cart/$",))
    assert count_asked(result) == {"/": 1, "/cart": 1}
    assert result.outcomes("/cart") == ["redirected", "out_of_scope"]


async def test_ports_are_hosts_with_rules_of_their_own(tmp_path):
    pages = {"/": page("/a", "/b", "http://127.0.0.1/c"), "/a": page(), "/b": page()}
    forbidding = [{"/robots.txt": rules(f"Disallow: {path}")} | pages for path in ("/a", "/b")]
    async with faults(forbidding[0]) as one, faults(forbidding[1]) as two:
        hosts = tuple(f"127.0.0.1:{server.port}" for server in (one, two))
        site = Site(hosts, tuple(f"http://{host}/" for host in hosts), allow_private=True, delay_s=0)
        result = await crawl_night(tmp_path, [site], lambda: START)
        assert (one.asked["/a"], one.asked["/b"], two.asked["/a"], two.asked["/b"]) == (0, 1, 1, 0)
    assert result.skips["other_host"] == 2
    assert not [item for item in result.log if item.url.startswith("http://127.0.0.1/")]


async def test_the_budget_is_spent_on_pages_that_are_asked_for(tmp_path):
    links = [f"/no/{number}" for number in range(10)] + [f"/yes/{number}" for number in range(5)]
    plays = {"/page": page(*links), ROBOTS: rules("Disallow: /no")} | {link: page() for link in links}
    result = await night(tmp_path, plays, max_pages=4, exclude=("/yes/0",))
    assert sum(count_asked(result).values()) == 4


async def test_a_dry_run_promises_what_the_crawl_asks_for(tmp_path):
    links = ("/no/", "/b/", "/b", "/c?x", "/left-out/", "/d")
    plays = {"/page": page(*links), ROBOTS: rules("Disallow: /no/")} | {link: page() for link in links}
    await night(tmp_path, plays)
    async with faults(plays) as server:
        site = Site(
            (HOST,),
            (f"http://{HOST}/page",),
            exclude=("/left-out/$",),
            max_pages=3,
            resolve={HOST: ("127.0.0.1", server.port)},
            allow_private=True,
            delay_s=0,
        )
        with open_scratch(tmp_path) as scratch:
            planned = await plan(scratch, [site], user_agent="x (a@b.example)", clock=lambda: START + LATER)
        server.asked.clear()
        await crawl_night(tmp_path, [site], lambda: START + LATER)
        promised = {item.address for item in planned.urls if item.decision == "fetch"}
        assert promised == {f"http://{HOST}{path}" for path in count_asked(server)}
        assert len(promised) == 3
