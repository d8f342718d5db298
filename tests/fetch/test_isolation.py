"""A mistake of our own costs the address it was made at: everything else goes on, and the mistake is told."""

import asyncio

import pytest

from builders.command import verdicts, write_config
from builders.fault_server import answer, faults, says
from builders.nights import AGENT, DAY, FAST, HOST, OTHER, START, night, page
from verdicts.fetch.http.client import HttpClient
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.model.site import Site
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.run import discovery, process_url
from verdicts.fetch.run.plan import plan
from verdicts.fetch.store import frontier
from verdicts.fetch.store.store import open_scratch

BAD, GOOD, FOUND = (f"http://{HOST}/{name}" for name in ("bad", "good", "found"))
ELSEWHERE = f"http://{OTHER}/page"
PLAYS = {
    "/bad": page("/found", head="<title>bad</title>"),
    "/good": page("/found"),
    "/found": page(),
    "/page": page(),
    f"{HOST}/robots.txt": says(answer(b"User-agent: *\nDisallow: /bad-ones\n", content_type="text/plain")),
    f"{HOST}/sitemap.xml": says(answer(b"<urlset><url><loc>bad</loc></url></urlset>")),
}

ROBOTS, SITEMAP, FRONT = (f"http://{HOST}/{name}" for name in ("robots.txt", "sitemap.xml", ""))
AT_A_PAGE = {
    "before the request": (Robots, "allows", lambda _, url, __: url == BAD),
    "while it is requested": (HttpClient, "get", lambda _, url, __: url == BAD),
    "while it is judged": (process_url, "classify", lambda response: b"bad" in response.body),
    "while its links are read": (process_url, "read_page_links", lambda _, url, *__: url == BAD),
    "while its links are added": (frontier, "add", lambda _, pages: pages == [(FOUND, FOUND)]),
    "while it is settled": (frontier, "settle_fetched", lambda _, url, *__: url == BAD),
}
AT_A_HOST = {
    "in robots.txt": (discovery, "parse_robots", lambda response: b"bad" in response.body, ROBOTS),
    "in a sitemap": (discovery, "read_sitemap", lambda body: b"bad" in body, SITEMAP),
    "in what the build fed back": (frontier, "verify_changes", lambda _, host, __: host == HOST, FRONT),
    "in a start address": (discovery, "resolve_address", lambda url, *_: url == BAD, BAD),
    "in the queue of a host": (frontier, "list_due_urls", lambda _, host, *__: host == HOST, FRONT),
}


@pytest.fixture
def mistake(monkeypatch):
    """Makes a function fail where `when` says so of its arguments, the first time or always."""

    def make(place, name, when, *, error=ValueError, once=False):
        function, done = getattr(place, name), []

        def fails(*args, **kwargs):
            if when(*args) and not (once and done):
                done.append(args)
                raise error("a mistake of our own \udcff")
            return function(*args, **kwargs)

        monkeypatch.setattr(place, name, fails)

    return make


async def both_hosts(data, **changes):
    return await night(data, PLAYS, starts=(BAD, GOOD, ELSEWHERE), hosts=(HOST, OTHER), **changes)


@pytest.mark.parametrize("moment", AT_A_PAGE)
async def test_a_mistake_at_one_page_costs_that_page_alone(tmp_path, mistake, caplog, moment):
    mistake(*AT_A_PAGE[moment], once=True)
    result = await both_hosts(tmp_path)
    failed = [item for item in result.log if item.outcome == "internal_error"]
    assert len(failed) == 1
    assert {snapshot.url for snapshot in result.snapshots} == {BAD, GOOD, FOUND, ELSEWHERE} - {failed[0].url}
    assert (result.run.status, result.run.failed) == ("partial", 1)
    assert {result.asked[path] for path in ("/good", "/found", "/page")} == {1}
    assert result.asked["/bad"] <= 1
    assert failed[0].detail == r"ValueError: a mistake of our own \xff"
    assert failed[0].url in caplog.text
    assert "Traceback" in caplog.text
    healed = await both_hosts(tmp_path, at=START + DAY)
    assert {snapshot.url for snapshot in healed.snapshots} == {BAD, GOOD, FOUND, ELSEWHERE}
    assert healed.run.status == "done"


@pytest.mark.parametrize("moment", AT_A_HOST)
async def test_a_mistake_at_one_host_costs_no_other(tmp_path, mistake, caplog, moment):
    *place, address = AT_A_HOST[moment]
    mistake(*place)
    result = await both_hosts(tmp_path)
    assert "internal_error" in result.outcomes(address)
    assert result.outcomes(ELSEWHERE) == ["stored"]
    assert result.run.status == "partial"
    assert f"{address}: this program failed" in caplog.text


async def test_a_robots_txt_that_we_fail_on_forbids_the_host(tmp_path, mistake):
    *place, _ = AT_A_HOST["in robots.txt"]
    mistake(*place)
    result = await both_hosts(tmp_path)
    assert not result.asked["/bad"]
    assert result.skips == {"robots_unread": 2}


async def test_a_mistake_that_every_page_meets_is_told_in_full_once(tmp_path, mistake, caplog):
    mistake(process_url, "classify", lambda _: True)
    result = await both_hosts(tmp_path)
    assert result.run.failed == 3
    assert caplog.text.count("Traceback") == 1
    assert all(url in caplog.text for url in (BAD, GOOD, ELSEWHERE))


async def test_a_disk_that_fails_at_one_page_ends_the_run(tmp_path, mistake):
    mistake(frontier, "settle_fetched", lambda _, url, *__: url == BAD, error=StorageFailed)
    with pytest.raises(StorageFailed):
        await both_hosts(tmp_path)


async def test_a_mistake_costs_a_plan_one_host_too(tmp_path, mistake, caplog):
    *place, _ = AT_A_HOST["in robots.txt"]
    mistake(*place)
    async with faults(PLAYS) as server:
        resolve = dict.fromkeys((HOST, OTHER), ("127.0.0.1", server.port))
        site = Site((HOST, OTHER), (GOOD, ELSEWHERE), resolve=resolve, allow_private=True, delay_s=0, limits=FAST)
        with open_scratch(tmp_path) as store:
            planned = await plan(store, [site], user_agent=AGENT)
    assert planned.is_partial
    assert [(item.url, item.decision) for item in planned.urls] == [(GOOD, "robots_unread"), (ELSEWHERE, "fetch")]
    assert "Traceback" in caplog.text


async def test_a_mistake_ends_the_command_with_its_code_and_its_traceback(tmp_path):
    code = (
        "from verdicts.fetch.run import process_url\n"
        "process_url.classify = lambda _: 1 / 0\n"
        "from verdicts.commands.cli import main\n"
        "main()\n"
    )
    async with faults(PLAYS) as server:
        config = write_config(tmp_path, server.port, "/page")
        done = await asyncio.to_thread(verdicts, "crawl", "--config", config, cwd=tmp_path, code=code)
    assert done.returncode == 2, done.stderr
    assert "1 failed" in done.stdout
    assert "/page: this program failed\nTraceback" in done.stderr
    assert "ZeroDivisionError" in done.stderr
