"""Faults of a host over real sockets, and what the log and the store hold afterwards."""

import asyncio
import gzip
import resource
import socket
import zlib

import pytest

from builders.command import verdicts
from builders.fault_server import answer, drip, faults, reset, says, silence, stall
from builders.nights import DAY, FAST, HOST, START, URL, night, page
from fetch.http.content_encoding import decode
from fetch.model.site import Limits

pytestmark = pytest.mark.once

PAGE = b"<html><body><p>A whole page.</p></body></html>"
CHUNK = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"


def raw(*lines):
    """A response with these header lines and a whole page."""
    return says(b"\r\n".join([b"HTTP/1.1 200 OK", *lines]) + b"\r\n\r\n" + PAGE)


def packed(body, encoding="gzip"):
    return says(answer(body, content_encoding=encoding))


RAW_DEFLATE = zlib.compressobj(wbits=-15)
DEFLATED = RAW_DEFLATE.compress(PAGE) + RAW_DEFLATE.flush()

FAILURES = {
    "no answer": (silence, "read_timeout", 2),
    "headers and half a body, then nothing": (stall, "read_timeout", 2),
    "a byte now and then for ever": (drip, "deadline", 2),
    "reset in the body": (reset, "incomplete", 2),
    "closed before Content-Length is met": (says(answer(PAGE, content_length="5000")), "incomplete", 2),
    "chunked without a last chunk": (says(CHUNK), "incomplete", 2),
    "closed without a word": (says(b""), "incomplete", 2),
    "two Content-Lengths": (raw(b"content-length: 10", b"content-length: 46"), "protocol_error", 1),
    "a Content-Length that is no number": (raw(b"content-length: many"), "protocol_error", 1),
    "no status line": (says(b"<html>no status line</html>"), "protocol_error", 1),
    "a header without a colon": (raw(b"content-length: 46", b"this is no header"), "protocol_error", 1),
    "200 KB of one header": (says(answer(PAGE, x_flood="x" * 200_000)), "protocol_error", 1),
    "a 304 nobody asked for": (says(answer(b"", "304 Not Modified")), "protocol_error", 2),
    "corrupt gzip": (packed(b"\x1f\x8b\x08\x00broken-from-here-on"), "decode_error", 1),
    "gzip cut short, its length right": (packed(gzip.compress(PAGE * 50)[:-12]), "incomplete", 2),
    "a gzip bomb": (packed(gzip.compress(bytes(3_000_000))), "too_large", 1),
    "brotli nobody asked for": (packed(PAGE, "br"), "decode_error", 1),
    "zstd nobody asked for": (packed(PAGE, "zstd"), "decode_error", 1),
    "more bytes than the limit": (says(answer(bytes(60_000))), "too_large", 1),
    "500": (says(answer(PAGE, "500 Oops")), "server_error", 2),
    "429 for ever": (says(answer(PAGE, "429 Slow down")), "throttled", 2),
    "403": (says(answer(PAGE, "403 Forbidden")), "blocked", 1),
    "a challenge with 200": (says(answer(b"<title>Just a moment...</title><p>Checking.")), "blocked", 1),
    "an empty body": (says(answer(b"")), "empty", 1),
    "white space": (says(answer(b" \r\n\t ")), "empty", 1),
    "204": (says(answer(b"", "204 No Content")), "empty", 1),
    "a redirect to itself": (says(answer(b"", "302 Found", location="#again")), "redirect_limit", 1),
}


@pytest.mark.parametrize("fault", FAILURES)
async def test_a_failure_is_logged_at_every_attempt_and_nothing_of_it_is_stored(tmp_path, fault):
    play, outcome, attempts = FAILURES[fault]
    result = await night(tmp_path, {"/page": play})
    assert result.outcomes() == [outcome] * attempts
    assert [item.attempt for item in result.log if item.url == URL] == list(range(1, attempts + 1))
    assert (result.stored, result.run.status, result.run.failed) == ([], "partial", 1)


@pytest.mark.parametrize("fault", FAILURES)
async def test_a_good_copy_survives_every_failure(tmp_path, fault):
    await night(tmp_path, {"/page": page(etag='"one"')})
    result = await night(tmp_path, {"/page": FAILURES[fault][0]}, at=START + 20 * DAY)
    assert result.run.status == "partial"
    assert len(result.stored) == 1
    healed = await night(tmp_path, {"/page": page("/new")}, at=START + 40 * DAY)
    assert healed.outcomes() == ["stored"]


@pytest.mark.parametrize("fault", ["no status line", "403", "reset in the body", "500", "corrupt gzip"])
async def test_a_failure_ends_the_command_with_its_code_and_no_traceback(tmp_path, fault):
    async with faults({"/page": FAILURES[fault][0]}) as server:
        config = tmp_path / "verdicts.toml"
        config.write_text(
            f'user_agent = "test"\n[[site]]\nhosts = ["127.0.0.1"]\nallow_private = true\ndelay_s = 0\n'
            f'start_urls = ["http://127.0.0.1:{server.port}/page"]\n'
        )
        done = await asyncio.to_thread(verdicts, "crawl", "--config", config, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "1 failed" in done.stdout
    assert "Traceback" not in done.stderr


ANSWERS = {
    "404": (says(answer(PAGE, "404 Not Found")), "not_found"),
    "410": (says(answer(PAGE, "410 Gone")), "gone"),
    "401": (says(answer(PAGE, "401 Unauthorized")), "client_error"),
    "a soft 404": (says(answer(b"<title>Page not found</title><p>Sorry.")), "soft_404"),
    "an image": (says(answer(b"\x89PNG", content_type="image/png")), "not_a_page"),
    "a PDF that says it is HTML": (says(answer(b"%PDF-1.7 ...")), "not_a_page"),
    "NULs that say they are HTML": (says(answer(b"<html>\0\0\0")), "not_a_page"),
}


@pytest.mark.parametrize("kind", ANSWERS)
async def test_an_answer_that_is_no_page_is_no_failure(tmp_path, kind):
    play, outcome = ANSWERS[kind]
    result = await night(tmp_path, {"/page": play})
    assert (result.outcomes(), result.stored, result.run.status) == ([outcome], [], "done")


WHOLE = {
    "gzip": packed(gzip.compress(PAGE)),
    "gzip of several members": packed(gzip.compress(PAGE[:20]) + gzip.compress(PAGE[20:])),
    "gzip with junk behind": packed(gzip.compress(PAGE) + b"junk behind"),
    "gzip twice": packed(gzip.compress(gzip.compress(PAGE)), "gzip, X-GZIP"),
    "gzip of deflate, said in two lines": packed(
        gzip.compress(DEFLATED), "deflate\r\ncontent-encoding: identity,, gzip"
    ),
    "deflate as zlib": packed(zlib.compress(PAGE), "deflate"),
    "deflate as it is": packed(DEFLATED, "deflate"),
    "HTML without a content type": raw(b"content-length: 46"),
    "chunks": says(CHUNK.replace(b"5\r\nhello\r\n", b"2e\r\n" + PAGE + b"\r\n0\r\n\r\n")),
    "busy twice, then there": says(answer(b"", "503 Busy"), answer(b"", "503 Busy"), answer(PAGE)),
    "throttled, then there": says(answer(b"", "429 Slow down", retry_after="0"), answer(PAGE)),
    "garbage in Retry-After": says(answer(b"", "429 Slow down", retry_after="soon²"), answer(PAGE)),
}


@pytest.mark.parametrize("kind", WHOLE)
async def test_a_page_is_unconditional_however_it_is_sent(tmp_path, kind):
    result = await night(tmp_path, {"/page": WHOLE[kind]}, limits=Limits(attempts=3, backoff_s=0))
    assert [snapshot.body for snapshot in result.stored] == [PAGE]
    assert result.run.status == "done"


async def test_a_host_without_a_name_is_given_up_after_its_retries(tmp_path):
    result = await night(tmp_path, {}, starts=("http://nowhere.invalid/page",), hosts=("nowhere.invalid",), resolve={})
    assert result.outcomes("http://nowhere.invalid/robots.txt") == ["dns_error"] * 2
    assert (result.run.status, result.skips) == ("partial", {"robots_unread": 1})


async def test_a_refused_connection_is_tried_again(tmp_path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    result = await night(tmp_path, {}, resolve={HOST: ("127.0.0.1", port)})
    assert result.outcomes("/robots.txt") == ["connect_error"] * 2


async def test_a_host_that_swallows_connections_fails_at_the_connect_limit(tmp_path):
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for filler in (first, second):
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        limits = Limits(connect_s=0.3, total_s=30, attempts=1)
        result = await night(tmp_path, {}, resolve={HOST: ("127.0.0.1", full.getsockname()[1])}, limits=limits)
    (attempt,) = result.log
    assert attempt.outcome == "connect_timeout"
    assert attempt.elapsed_ms < 3_000


async def test_a_bomb_costs_no_more_memory_than_its_limit():
    bomb = gzip.compress(bytes(300_000_000), compresslevel=9)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Exception, match="inflates to more than"):
        decode([bomb], "gzip", 20_000_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


async def test_a_page_without_end_stops_at_the_wire_limit(tmp_path):
    async def endless(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n")
        for _ in range(2_000):
            writer.write(b"x" * 50_000)
            await writer.drain()

    result = await night(tmp_path, {"/page": endless}, limits=FAST)
    assert (result.outcomes(), result.stored) == (["too_large"], [])


async def test_one_bad_page_costs_its_neighbours_nothing(tmp_path):
    plays = {"/page": page(*(f"/p{number}" for number in range(len(FAILURES))), "/good"), "/good": page()}
    plays |= {f"/p{number}": play for number, (play, _, _) in enumerate(FAILURES.values())}
    limits = Limits(read_s=0.3, total_s=0.6, attempts=1, breaker=1000, wire_bytes=50_000, decoded_bytes=200_000)
    result = await night(tmp_path, plays, limits=limits)
    assert result.outcomes("/good") == ["stored"]
    assert result.run.failed == len(FAILURES)
