"""Why a page was fetched or not: one sentence that says it, whatever decided, and how the address is written."""

from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from builders.fault_server import answer, redirect, says
from builders.nights import AGENT, DAY, FAST, HOST, OTHER, START, night, page
from verdicts.fetch.model.addresses import BadUrl
from verdicts.fetch.model.site import Site
from verdicts.fetch.run.address_facts import read_address
from verdicts.fetch.store.store import open_store
from verdicts.inspection.explanation import explain
from verdicts.inspection.reading_facts import ReadingFacts

HOME = f"http://{HOST}/page"
MINUTE = timedelta(minutes=1)


def robots(*lines):
    text = "\n".join(("User-agent: *", *lines))
    return says(answer(text.encode(), content_type="text/plain"))


def explain_address(data, written=HOME, reading=None, at=START + MINUTE, has_config=True, **changes):
    site = Site((HOST,), (HOME,), **{"limits": FAST} | changes)
    with open_store(data, command="test", read_only=True) as store:
        facts = read_address(store, [site] if has_config else [], AGENT, written, has_config=has_config)
        return explain(facts, reading or ReadingFacts(), at)


TWIN = page(head='<link rel="canonical" href="/c">')


@dataclass(frozen=True)
class Case:
    """What the host serves beside its start page `/page`, the address that is asked about, and the answer."""

    state: str
    says: str
    plays: dict = field(default_factory=dict)
    url: str = f"http://{HOST}/b"
    nights: int = 1
    later: dict = field(default_factory=dict)
    """What it serves from the second night on."""
    crawled: dict = field(default_factory=dict)
    now: dict = field(default_factory=dict)


PAGE = {"/page": page("/b"), "/b": page()}
CASES = {
    "fetched": Case("stored", "It was fetched 2026-11-01 01:30 UTC; it is due 2026-11-01 21:30 UTC.", PAGE),
    "unchanged": Case("unchanged", "It was fetched 2026-11-02 01:30 UTC, and is as it was; it is due", PAGE, nights=2),
    "in another spelling": Case("stored", "It was fetched", PAGE, url="A.example/b/?utm_source=mail"),
    "as a path": Case("stored", "It was fetched", PAGE, url="/b"),
    "over https": Case("stored", "It was fetched", PAGE, url=f"https://{HOST}/b"),
    "refused by robots.txt": Case(
        "robots_denied",
        "It is not requested: robots.txt line 2, 'Disallow: /b' for 'User-agent: *' refuses it.",
        PAGE | {"/robots.txt": robots("Disallow: /b")},
    ),
    "robots.txt broken": Case(
        "robots_unread",
        "It was never requested: robots.txt could not be read: the host answers 500, and without its rules",
        {"/robots.txt": says(answer(b"", "500 Broken"))},
        url=HOME,
    ),
    "robots.txt broken since": Case(
        "robots_unread",
        "It was fetched 2026-11-01 01:30 UTC, and waits: robots.txt could not be read: the host answers 500",
        PAGE | {"/robots.txt": robots("Disallow: /c")},
        nights=2,
        later={"/robots.txt": says(answer(b"", "500 Broken"))},
    ),
    "excluded": Case(
        "excluded", "It is not requested: exclude '^/b' matches it.", PAGE, crawled={"exclude": ("^/b",)}
    ),
    "excluded since": Case(
        "excluded",
        "It was fetched 2026-11-01 01:30 UTC, and is no longer requested: exclude '^/b' matches it.",
        PAGE,
        now={"exclude": ("^/b",)},
    ),
    "a trap": Case("trap", "shaped like a trap", PAGE, url=f"http://{HOST}/a/a/a/a"),
    "never linked": Case("unknown", "It was never seen: no start URL, link or sitemap names it.", {"/page": page()}),
    "another port": Case("other_host", f"no [[site]] of the config names it ({HOST}:8080)", PAGE,
                         url=f"http://{HOST}:8080/b"),
    "another host": Case("other_host", "It was never requested: no [[site]]", {"/page": page("http://c.example/")},
                         url="http://c.example/"),
    "a spent budget": Case(
        "budget", "It waits: in the last crawl of its host max_pages = 1 was reached", PAGE, crawled={"max_pages": 1}
    ),
    "once 404": Case(
        "not_found",
        "there is no such page (404), on 1 of 3 nights in a row, after which it counts as gone; it is due",
        {"/page": page("/b")},
    ),
    "gone": Case("gone", "It counts as gone, since it says that the page is gone (410); it is due 2026-12-01",
                 {"/page": page("/b"), "/b": says(answer(b"", "410 Gone"))}),
    "a redirect": Case("redirected", f"It leads to http://{HOST}/c, which has the page.",
                       {"/page": page("/b"), "/b": redirect("/c"), "/c": page()}),
    "a redirect to nothing": Case("redirected", f"It leads to http://{HOST}/c, which has no page.",
                                  {"/page": page("/b"), "/b": redirect("/c")}),
    "a redirect out": Case("out_of_scope", "leads to http://c.example/, which its [[site]] does not cover",
                           {"/page": page("/b"), "/b": redirect("http://c.example/")}),
    "between spellings": Case("stored", "It was fetched", {"/page": page("/b"), "/b": redirect("/b/"), "/b/": page()}),
    "a wall": Case(
        "wall",
        "returned no page: a wall hides it: Cloudflare (header cf-mitigated); it is due 2026-11-02 21:30 UTC;"
        " its last good reading of 2026-11-01 01:30 UTC stays",
        PAGE,
        nights=2,
        later={"/b": says(answer(b"<html><body>wait</body></html>", "403 No", cf_mitigated="challenge"))},
    ),
    "stored under another address": Case(
        "alias", f"Its page is stored under http://{HOST}/c, which it names as its own address.",
        {"/page": page("/b", "/c"), "/b": TWIN, "/c": TWIN}, nights=2),
    "a host that pauses": Case(
        "paused",
        "It waits: in the last crawl of its host it asks for a pause until 2026-11-01 02:30 UTC (Retry-After)",
        {"/page": page("/b", "/c"), "/b": says(answer(b"", "429 Slow", retry_after="3600"))},
        url=f"http://{HOST}/c",
        crawled={"connections": 1},
    ),
    "a sitemap": Case("support", "The crawl does not cover it: it is robots.txt, a sitemap or a feed",
                      {"/page": page(), "/sitemap.xml": says(answer(b"<urlset/>", content_type="text/xml"))},
                      url=f"http://{HOST}/sitemap.xml"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
async def test_the_answer_names_what_decided(tmp_path, name):
    case = CASES[name]
    for number in range(case.nights):
        await night(tmp_path, case.plays | (case.later if number else {}), at=START + number * DAY, **case.crawled)
    found = explain_address(tmp_path, case.url, at=START + (case.nights - 1) * DAY + MINUTE, **case.crawled | case.now)
    assert case.says in found.answer
    assert found.state == case.state


async def test_a_page_that_an_earlier_config_left_out_is_not_said_to_have_failed(tmp_path):
    await night(tmp_path, PAGE)
    await night(tmp_path, PAGE, at=START + DAY, exclude=("^/b",))
    found = explain_address(tmp_path, f"http://{HOST}/b", at=START + DAY + MINUTE)
    assert "left it out by a config that differs from this one, and what was fetched 2026-11-01 01:30" in found.answer


async def test_a_page_that_a_gate_withholds_or_that_could_not_be_read_says_so(tmp_path):
    await night(tmp_path, PAGE)
    held = explain_address(
        tmp_path, reading=ReadingFacts(withheld=("a.example is held", "price: 12 of 22 tools lost prices"))
    )
    assert "a gate withholds what was read: a.example is held" in held.answer
    assert held.todo == "'verdicts check' shows the pages and how to accept them"
    broken = explain_address(tmp_path, reading=ReadingFacts(rejects=(("not_a_comparison", "no verdict on it"),)))
    assert "but could not be read: no verdict on it" in broken.answer
    late = explain_address(tmp_path, reading=ReadingFacts(is_published=True, is_loaded=False))
    assert "after the copy that readers have was built" in late.answer


@pytest.mark.parametrize(
    ("signal", "says"),
    [
        ("ai-train=no", ("ai-train=no (robots.txt); reserved: a dataset has its texts only with 'export_reserved'",)),
        ("ai-train=yes", ("ai-train=yes (robots.txt)",)),
        ("", None),
    ],
)
async def test_the_rights_of_a_page_are_shown(tmp_path, signal, says):
    await night(tmp_path, PAGE | {"/robots.txt": robots(f"Content-Signal: {signal}")})
    assert explain_address(tmp_path).facts.get("rights") == says


@pytest.mark.parametrize("written", ["mailto:a@b.example", "javascript:void(0)", "two words", "", "https://", "b"])
async def test_what_is_no_address_is_refused_in_one_line(tmp_path, written):
    await night(tmp_path, PAGE)
    with pytest.raises(BadUrl):
        explain_address(tmp_path, written)


async def test_a_path_that_two_hosts_have_is_not_guessed(tmp_path):
    hosts = (HOST, OTHER)
    await night(
        tmp_path, {"/page": page("/b"), "/b": page()}, hosts=hosts, starts=tuple(f"http://{host}/b" for host in hosts)
    )
    with pytest.raises(BadUrl, match="only a path, and 2 hosts are known"):
        explain_address(tmp_path, "/b")
