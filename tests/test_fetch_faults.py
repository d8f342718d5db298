"""What hosts do to a crawler, over real sockets, and what the log and the store say afterwards."""

import gzip
from datetime import UTC, datetime

import pytest

from fault_server import answer, drip, faults, says, silence
from fetch import Limits, Site, crawl, open_store
from fetch.errors import MEANINGS

HOST = "a.example"
URL = f"http://{HOST}/page"
PAGE = b"<html><body><p>A whole page.</p></body></html>"
FAST = Limits(connect_s=1, read_s=0.3, total_s=0.6, attempts=2, backoff_s=0, wire_bytes=50_000, decoded_bytes=200_000)


def clock():
    return datetime(2026, 11, 1, tzinfo=UTC)


async def night(tmp_path, plays, *, limits=FAST, **changes):
    """One crawl of /page on a server that plays faults. Gives the run, its log for that page, and what was stored."""
    async with faults(plays) as server:
        resolve = {HOST: ("127.0.0.1", server.port)}
        site = Site(**({"hosts": (HOST,), "start_urls": (URL,), "resolve": resolve, "allow_private": True, "delay_s": 0,
                        "limits": limits} | changes))  # fmt: skip
        with open_store(tmp_path / "data", command="test") as store:
            run = await crawl(store, [site], user_agent="verdicts-test (test@example.org)", clock=clock)
            log = [item for item in store.fetches() if item.crawl_id == run.crawl_id]
            assert {item.outcome for item in log} <= set(MEANINGS)
            return run, [item for item in log if item.url == URL], [store.read(item.location) for item in store.index()]


@pytest.mark.parametrize(
    ("play", "outcome", "attempts"),
    [
        (says(answer(PAGE, content_length="5000")), "incomplete", 2),
        (says(answer(gzip.compress(PAGE * 50)[:-12], content_encoding="gzip")), "incomplete", 2),
        (
            says(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"),
            "incomplete",
            2,
        ),
        (says(answer(b"\x1f\x8b\x08\x00broken-from-here-on", content_encoding="gzip")), "decode_error", 1),
        (says(answer(gzip.compress(bytes(3_000_000)), content_encoding="gzip")), "too_large", 1),
        (says(answer(bytes(60_000))), "too_large", 1),
        (says(answer(PAGE, content_encoding="br")), "decode_error", 1),
        (says(b"<html>no status line</html>"), "protocol_error", 1),
        (says(answer(PAGE, x_flood="x" * 100_000)), "protocol_error", 1),
        (says(answer(PAGE, content_length="many")), "protocol_error", 1),
        (silence, "read_timeout", 2),
        (drip, "deadline", 2),
        (says(answer(PAGE, "500 Oops")), "server_error", 2),
        (says(answer(b"")), "empty", 1),
    ],
)
async def test_a_failure_is_logged_at_every_attempt_and_never_stored(tmp_path, play, outcome, attempts):
    run, log, stored = await night(tmp_path, {"/page": play})
    assert [item.outcome for item in log] == [outcome] * attempts
    assert [item.attempt for item in log] == list(range(1, attempts + 1))
    assert stored == []
    assert run.status == "partial"
    assert run.failed == 1


@pytest.mark.parametrize(
    ("play", "outcome"),
    [
        (says(answer(PAGE, "404 Not Found")), "not_found"),
        (says(answer(PAGE, "410 Gone")), "gone"),
        (says(answer(PAGE, "403 Forbidden")), "client_error"),
        (says(answer(b"\x89PNG", content_type="image/png")), "not_a_page"),
        (says(answer(b"", "302 Found", location="http://169.254.169.254/latest/")), "out_of_scope"),
        (says(answer(b"", "302 Found", location="file:///etc/passwd")), "out_of_scope"),
        (says(answer(b"", "302 Found", location="/page")), "redirected"),
    ],
)
async def test_an_answer_that_is_no_page_is_no_failure(tmp_path, play, outcome):
    run, log, stored = await night(tmp_path, {"/page": play})
    assert [item.outcome for item in log] == [outcome]
    assert stored == []
    assert run.status == "done"


async def test_a_host_that_recovers_is_read_at_the_third_attempt(tmp_path):
    busy = answer(b"busy", "503 Busy")
    limits = Limits(attempts=3, backoff_s=0)
    run, log, stored = await night(tmp_path, {"/page": says(busy, busy, answer(PAGE))}, limits=limits)
    assert [item.outcome for item in log] == ["server_error", "server_error", "stored"]
    assert [snapshot.body for snapshot in stored] == [PAGE]
    assert run.status == "done"


async def test_every_member_of_a_gzip_stream_is_read(tmp_path):
    body = gzip.compress(PAGE[:20]) + gzip.compress(PAGE[20:]) + b"junk behind"
    _, _, stored = await night(tmp_path, {"/page": says(answer(body, content_encoding="gzip"))})
    assert [snapshot.body for snapshot in stored] == [PAGE]


async def test_a_good_copy_survives_a_bad_night(tmp_path):
    await night(tmp_path, {"/page": says(answer(PAGE))})
    run, log, stored = await night(tmp_path, {"/page": says(answer(b"", "500 Oops"))})
    assert {item.outcome for item in log} == {"server_error"}
    assert run.status == "partial"
    assert [snapshot.body for snapshot in stored] == [PAGE]


async def test_an_unchanged_page_is_asked_for_with_its_etag_and_not_stored_twice(tmp_path):
    seen = {}

    async def tagged(request, writer):
        seen[request.before] = request.headers.get("if-none-match")
        writer.write(answer(b"", "304 Not Modified") if seen[request.before] else answer(PAGE, etag='"one"'))

    await night(tmp_path, {"/page": tagged})
    _, log, stored = await night(tmp_path, {"/page": tagged})
    assert seen[0] == '"one"'
    assert [item.outcome for item in log] == ["unchanged"]
    assert len(stored) == 1


async def test_the_same_bytes_under_a_new_etag_are_unchanged(tmp_path):
    await night(tmp_path, {"/page": says(answer(PAGE, etag='"one"'))})
    _, log, stored = await night(tmp_path, {"/page": says(answer(PAGE, etag='"two"'))})
    assert [item.outcome for item in log] == ["unchanged"]
    assert len(stored) == 1


@pytest.mark.parametrize(
    "robots", [answer(b"", "500 Oops"), answer(b"", "429 Slow down"), answer(b"", content_length="9")]
)
async def test_a_robots_txt_that_cannot_be_read_forbids_the_host(tmp_path, robots):
    _, log, stored = await night(tmp_path, {"/robots.txt": says(robots), "/page": says(answer(PAGE))})
    assert log == []
    assert stored == []


@pytest.mark.parametrize("robots", [answer(b"", "404 Not Found"), answer(b"", "403 Forbidden")])
async def test_an_absent_robots_txt_allows_everything(tmp_path, robots):
    _, log, _ = await night(tmp_path, {"/robots.txt": says(robots), "/page": says(answer(PAGE))})
    assert [item.outcome for item in log] == ["stored"]


async def test_what_robots_txt_forbids_is_logged_and_not_asked_for(tmp_path):
    rules = answer(b"User-agent: *\nDisallow: /page\n", content_type="text/plain")
    run, log, stored = await night(tmp_path, {"/robots.txt": says(rules), "/page": says(answer(PAGE))})
    assert [item.outcome for item in log] == ["robots_denied"]
    assert stored == []
    assert run.status == "done"


async def test_a_private_address_is_refused_unless_the_config_allows_it(tmp_path):
    run, _, stored = await night(tmp_path, {"/page": says(answer(PAGE))}, allow_private=False)
    assert stored == []
    assert run.status == "partial"


async def test_a_host_that_fails_all_the_time_is_left_alone(tmp_path):
    links = "".join(f'<a href="/p{number}">x</a>' for number in range(50)).encode()
    broken = {f"/p{number}": says(answer(b"", "500 Oops")) for number in range(50)}
    limits = Limits(attempts=1, backoff_s=0, breaker=5)
    async with faults({"/page": says(answer(links)), **broken}) as server:
        site = Site((HOST,), (URL,), resolve={HOST: ("127.0.0.1", server.port)}, allow_private=True, delay_s=0,
                    connections=1, limits=limits)  # fmt: skip
        with open_store(tmp_path / "data", command="test") as store:
            await crawl(store, [site], user_agent="verdicts-test (test@example.org)", clock=clock)
        assert sum(count for path, count in server.asked.items() if path.startswith("/p") and path != "/page") == 5
