"""Why nothing was fetched is always answered: one line a host, with the fact that decided it and what to do."""

import re
from dataclasses import dataclass, field

import pytest

from builders.fault_server import answer, faults, redirect, says, silence
from builders.nights import AGENT, DAY, FAST, HOST, OTHER, START, night, page
from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.fetch.model.site import Site
from verdicts.fetch.run.endings import Ending, HostCrawl, read_reasons
from verdicts.fetch.run.plan import plan
from verdicts.fetch.run.why import explain_host, reason_lines
from verdicts.fetch.store.store import open_scratch, open_store

HOME = f"http://{HOST}/"
RULES = b"User-agent: other\nAllow: /\n\n# for all\nUser-agent: *\nDisallow: /\n"
TEAPOT = says(answer(b"", "418 I'm a teapot"))
NEVER = says(answer(b"", "500 Broken"))


def robots(text):
    return says(answer(text, content_type="text/plain"))


@dataclass(frozen=True)
class Case:
    """What a host serves, how it is crawled, and what its line says."""

    plays: dict
    says: str
    site: dict = field(default_factory=dict)
    nights: int = 1


CASES = {
    "robots.txt refuses": Case(
        {"/robots.txt": robots(RULES), "/": page()},
        f"nothing fetched; robots.txt line 6, 'Disallow: /' for 'User-agent: *' refuses {HOME}; ask its owner",
    ),
    "robots.txt names us": Case(
        {"/robots.txt": robots(b"User-agent: Verdicts-Test\nDisallow: /*\n"), "/": page()},
        "line 2, 'Disallow: /*' for 'User-agent: Verdicts-Test' refuses",
    ),
    "robots.txt is broken": Case(
        {"/robots.txt": NEVER, "/": page()},
        "its robots.txt could not be read, so nothing may be requested: the host answers 500",
    ),
    "robots.txt never comes": Case({"/robots.txt": silence, "/": page()}, "nothing fetched; its robots.txt could not"),
    "a private address": Case(
        {"/": page()},
        "127.0.0.1, which is not a public address; if that is your own network, set allow_private = true",
        {"allow_private": False},
    ),
    "no such name": Case(
        {}, "nothing may be requested: its name was not found", {"resolve": {}, "starts": ("http://a.invalid/",)}
    ),
    "nothing listens": Case({}, "no connection: Connect call failed", {"resolve": {HOST: ("127.0.0.1", 1)}}),
    "nothing is included": Case(
        {"/": page("/compare/a", "/blog")},
        "1 of 1 known addresses returned a page; nothing else is known: no sitemap (http://a.example/sitemap.xml: 404),"
        " of the links on it, 2 that no include pattern ('^/tool/') matches, such as http://a.example/compare/a",
        {"include": ("^/tool/",)},
    ),
    "what is excluded": Case(
        {"/": page("/compare/a")},
        "1 that exclude '^/c' matches, such as http://a.example/compare/a",
        {"exclude": ("^/c",)},
    ),
    "no link, no sitemap": Case({"/": page()}, "nothing else is known: no sitemap"),
    "not due": Case({"/": page("/b")}, "none of its 2 addresses is due before 2026-11-01 21:30 UTC", nights=2),
    "not due, and refused before": Case(
        {"/robots.txt": robots(RULES), "/": page()},
        f"its one known address is not due before 2026-11-01 21:30 UTC, {HOME} (last time: robots.txt line 6",
        nights=2,
    ),
    "a spent budget": Case(
        {"/": page("/b", "/c")},
        "1 of 3 known addresses returned a page; 2: max_pages = 1 was reached, and due addresses are left",
        {"max_pages": 1},
    ),
    "host down": Case(
        {f"/{n}": NEVER for n in range(20)},
        "given up after 10 failures in a row: the host answers 500",
        {"starts": tuple(f"{HOME}{n}" for n in range(20))},
    ),
    "leads out": Case(
        {"/": redirect(f"http://{OTHER}/")},
        f"nothing fetched; {HOME} leads to http://{OTHER}/, which its [[site]] does not cover",
    ),
    "a login": Case({"/": redirect("/login?next=a"), "/login?next=a": page()}, "a.example/ leads to a login page;"),
    "noindex": Case(
        {"/": page("/b", head='<meta name="robots" content="noindex, nofollow">')}, "asks not to be stored (noindex)"
    ),
    "a soft 404": Case({"/": says(answer(b"<title>Page not found</title>"))}, "the page is titled 'Page not found'"),
    "refused": Case(
        {"/": says(answer(b"no", "403 No"))}, "it refuses us, such as at http://a.example/: the host answers"
    ),
    "a login is asked for": Case({"/": says(answer(b"", "401 Who"))}, "the host answers 401, such as at http://a.ex"),
}


async def read_lines(data, case):
    site = {"starts": (HOME,)} | case.site
    for _ in range(case.nights):
        result = await night(data, {"/sitemap.xml": says(answer(b"", "404 No"))} | case.plays, **site)
    with open_store(data, command="test", read_only=True) as store:
        reasons = read_reasons(store, result.run.crawl_id)
        known = store.state.execute("SELECT count(*) FROM urls").fetchone()[0]
    assert sum(host.address_count for host in reasons.hosts) == known
    return reason_lines(reasons)


@pytest.mark.parametrize("name", CASES)
async def test_a_host_without_pages_says_why(tmp_path, name):
    case = CASES[name]
    hosts = tuple({re.search(r"//([^/]+)/", start)[1] for start in case.site.get("starts", (HOME,))})
    case = Case(case.plays, case.says, {"hosts": hosts, **case.site}, case.nights)
    (line,) = await read_lines(tmp_path, case)
    assert line.startswith(f"{hosts[0]}: ")
    assert case.says in line


async def test_a_host_with_its_pages_says_nothing(tmp_path):
    assert await read_lines(tmp_path, Case({"/": page("/b", "/c"), "/b": page(), "/c": page()}, "")) == []


WORDS = " ".join(f"word{number}" for number in range(60))
PDF = says(answer(b"%PDF-1.7", content_type="application/pdf"))


@pytest.mark.parametrize(
    ("plays", "status"),
    [
        ({"/": f"<p>{WORDS}"}, "done"),
        ({"/": f"<p>{WORDS}<a href=/terms.pdf>terms</a>", "/terms.pdf": PDF}, "done"),
        ({"/": "<table><tr><td>$9"}, "done"),
        ({"/": f"<p>Tools<a href=/blog>{WORDS}</a>"}, "partial"),
        ({"/": f"<p>{WORDS}<a href=/tool/a>a</a>"}, "partial"),
    ],
    ids=["one page", "a page and a file", "facts", "links that are left out", "links that fail"],
)
async def test_a_first_night_is_whole_if_its_one_page_has_content_and_no_link_failed(tmp_path, plays, status):
    served = {path: says(answer(play.encode())) if isinstance(play, str) else play for path, play in plays.items()}
    done = await night(tmp_path, served, starts=(HOME,), exclude=("^/blog",))
    assert (done.outcomes(HOME), done.run.status) == (["stored"], status)


async def test_a_host_that_begins_to_refuse_every_page_makes_its_night_partial(tmp_path):
    known = {"/": page("/a", "/b"), "/a": page(), "/b": page()}
    await night(tmp_path, known, starts=(HOME,))
    one = await night(tmp_path, known | {"/b": TEAPOT}, starts=(HOME,), at=START + DAY, everything=True)
    every = dict.fromkeys(("/", "/a", "/b", "/robots.txt"), TEAPOT)
    all_three = await night(tmp_path, every, starts=(HOME,), at=START + 2 * DAY, everything=True)
    assert (one.run.status, all_three.run.status) == ("done", "partial")


async def test_links_to_other_hosts_are_one_line(tmp_path):
    links = [f"http://h{n}.example/" for n in range(5)]
    (line,) = await read_lines(tmp_path, Case({"/": page("/b", "http://h4.example/x", *links), "/b": page()}, ""))
    named = "h4.example (2), h0.example (1), h1.example (1) and 2 more"
    assert line == f"other hosts: links lead to {named}, which no [[site]] names; add one to 'hosts' if you want it"


async def test_a_host_that_nothing_leads_to_is_told_of(tmp_path):
    lines = await read_lines(tmp_path, Case({"/": page("/b"), "/b": page()}, "", {"hosts": (HOST, OTHER)}))
    assert len(lines) == 1
    assert lines[0].startswith(f"{OTHER}: nothing fetched; ")


async def test_a_dry_run_says_it_too(tmp_path):
    async with faults({"/robots.txt": robots(RULES), f"{OTHER}/robots.txt": NEVER}) as server:
        resolve = dict.fromkeys((HOST, OTHER), ("127.0.0.1", server.port))
        starts = (HOME, f"http://{OTHER}/")
        site = Site((HOST, OTHER), starts, resolve=resolve, allow_private=True, delay_s=0, limits=FAST)
        with open_scratch(tmp_path) as store:
            planned = await plan(store, [site], user_agent=AGENT, clock=lambda: START)
    here, there = reason_lines(planned.reasons, is_plan=True)
    assert "nothing would be fetched; robots.txt line 6, 'Disallow: /'" in here
    assert "nothing would be fetched; its robots.txt could not be read" in there


async def test_a_dry_run_has_one_log_for_all_sites(tmp_path):
    missing = says(answer(b"", "404 No"))
    async with faults({"/sitemap.xml": missing, f"{OTHER}/sitemap.xml": missing}) as server:
        resolve = dict.fromkeys((HOST, OTHER), ("127.0.0.1", server.port))
        sites = [
            Site((host,), (f"http://{host}/",), resolve=resolve, allow_private=True, delay_s=0, limits=FAST)
            for host in (HOST, OTHER)
        ]
        with open_scratch(tmp_path) as store:
            planned = await plan(store, sites, user_agent=AGENT, clock=lambda: START)
            asked = {attempt.fetch_id: attempt.url for attempt in store.read_fetches()}
    assert [(item.host, item.decision) for item in planned.urls] == [(HOST, "fetch"), (OTHER, "fetch")]
    assert set(asked.values()) == {
        f"http://{host}/{name}" for host in (HOST, OTHER) for name in ("robots.txt", "sitemap.xml")
    }


async def test_a_host_that_the_config_dropped_is_told_of(tmp_path):
    plays = {"/": page("/b"), "/b": page(), f"{OTHER}/": page("/c"), f"{OTHER}/c": page()}
    both = (HOME, f"http://{OTHER}/")
    await night(tmp_path, plays, starts=both, hosts=(HOST, OTHER))
    lines = await read_lines(tmp_path, Case(plays, "", {"at": START + 40 * DAY}))
    assert lines == [
        f"{OTHER}: nothing fetched; 2: no [[site]] of the config names it; add it to 'hosts' if you want it"
    ]


@pytest.mark.parametrize("ending", [*Outcome, *SkipReason])
def test_every_ending_has_words(ending):
    line = explain_host(HostCrawl(HOST, (Ending(HOST, ending, 1, HOME, None),)))
    assert line is None or ("{" not in line and "None" not in line and line.startswith(f"{HOST}: "))
