"""Fetchers ask a share of the hosts each, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from builders.fault_server import answer, faults, redirect, says
from builders.nights import DAY, FAST, HOST, OTHER, START, crawl_night, page
from verdicts.fetch.model.share import Share
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.run.endings import read_endings, read_reasons
from verdicts.fetch.run.why import reason_lines
from verdicts.fetch.store.store import open_store

NAMES = st.from_regex(r"[a-z0-9-]{1,20}\.example(:[1-9][0-9]{3})?", fullmatch=True)


@given(NAMES, st.integers(1, 40))
def test_a_host_is_of_exactly_one_share_and_moves_only_to_a_new_fetcher(host, total):
    (before,) = [number for number in range(1, total + 1) if Share(number, total).has(host)]
    (after,) = [number for number in range(1, total + 2) if Share(number, total + 1).has(host)]
    assert after in {before, total + 1}


def test_the_share_of_a_host_is_the_highest_hash_on_every_machine():
    # printf '1 a.example' | b2sum -l 64: 526d1cccbcdec529; '2 a.example': fc5641c61c5bec01; 3: 44bf2c938c7507be
    assert [Share(number, 3).has("a.example") for number in (1, 2, 3)] == [False, True, False]
    # printf '1 b.example' | b2sum -l 64: 6e639939f6b39989; '2 b.example': 2950d3a0182e4449; 3: 329437d054ae659e
    assert [Share(number, 3).has("b.example") for number in (1, 2, 3)] == [True, False, False]


@given(st.integers(1, 256), st.data())
def test_fetchers_that_start_in_the_same_second_have_other_ids(total, data):
    first, second = (data.draw(st.integers(1, total)) for _ in range(2))
    ids = [{new_run_id(START, None, Share(number, total)) for _ in range(20)} for number in (first, second)]
    assert first == second or not ids[0] & ids[1]


def test_hosts_of_one_site_stay_together_and_a_port_counts():
    site = Site(("www.a.example", "a.example", "shop.a.example"), ("http://a.example/", "http://www.a.example:8080/"))
    assert site.home == "www.a.example:8080"
    assert Site(("a.example",), ("https://a.example/",)).home == "a.example"


def sites(port, *names):
    settings = {"allow_private": True, "delay_s": 0, "limits": FAST}
    return [
        Site((name,), (f"http://{name}/",), resolve=dict.fromkeys(names, ("127.0.0.1", port)), **settings)
        for name in names
    ]


async def test_links_and_redirects_to_hosts_of_another_share_are_recorded_and_not_asked(tmp_path):
    plays = {
        f"{HOST}/": page(f"http://{OTHER}/x", "/away", "http://c.example/"),
        f"{HOST}/away": redirect(f"http://{OTHER}/y"),
        f"{OTHER}/": page("/x"),
        f"{OTHER}/x": page(),
    }
    async with faults(plays) as server:
        result = await crawl_night(tmp_path, sites(server.port, HOST, OTHER), lambda: START, share=Share(2, 2))
    assert result.skips == {"other_site": 1, "other_host": 1}
    assert result.outcomes(f"http://{HOST}/away") == ["out_of_scope"]
    asked = {f"http://{HOST}{path}" for path in ("/", "/away", "/robots.txt", "/sitemap.xml")}
    assert {item.url for item in result.log} == asked
    with open_store(tmp_path, command="test", read_only=True) as store:
        lines = reason_lines(read_reasons(store, result.run.crawl_id))
    assert [line for line in lines if OTHER in line and "which no [[site]] names" in line] == []


async def test_a_host_that_passed_to_another_fetcher_is_left_alone_with_its_addresses(tmp_path):
    plays = {"/": page("/b"), "/b": says(answer(b"words"))}
    async with faults(plays) as server:
        known = sites(server.port, HOST, OTHER)
        await crawl_night(tmp_path, known, lambda: START)
        result = await crawl_night(tmp_path, known, lambda: START + 2 * DAY, share=Share(1, 2), everything=True)
    assert {item.url.split("/")[2] for item in result.log} == {OTHER}
    with open_store(tmp_path, command="test", read_only=True) as store:
        endings = {(item.host, item.ending, item.addresses) for item in read_endings(store.state, result.run.crawl_id)}
        lines = reason_lines(read_reasons(store, result.run.crawl_id))
    assert (HOST, "other_site", 2) in endings
    assert [line for line in lines if HOST in line] == []
