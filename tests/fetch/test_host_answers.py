"""What hosts answer, byte by byte: each a typed outcome of its address, beside a host that is served as always."""

import asyncio

import pytest

from builders.fault_server import answer, says
from builders.nights import DAY, FAST, HOST, OTHER, START, night, page
from verdicts.fetch.http.client import HttpClient
from verdicts.fetch.model.site import Limits, Site

pytestmark = pytest.mark.once

BYSTANDER = f"http://{OTHER}/page"
PAGE = b"<html><body><p>A whole page.</p></body></html>"
ONCE = Limits(connect_s=5, read_s=1, total_s=1.5, attempts=1, backoff_s=0, retry_after_max_s=0, breaker=1000)


def status(line, *headers, body=PAGE, media_type=b"text/html"):
    length = b"content-length: %d" % len(body)
    return says(b"\r\n".join([line, b"content-type: " + media_type, length, b"connection: close", *headers, b"", body]))


def headed(*headers):
    return status(b"HTTP/1.1 200 OK", *headers)


def typed(media_type):
    return status(b"HTTP/1.1 200 OK", media_type=media_type)


def chunked(*parts, transfer=b"chunked"):
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ntransfer-encoding: " + transfer
    return says(head + b"\r\n\r\n" + b"".join(parts))


def to(location):
    return status(b"HTTP/1.1 302 Found", b"location: " + location, body=b"")


async def hints_for_ever(_, writer):
    while True:
        writer.write(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" * 100)
        await writer.drain()
        await asyncio.sleep(0)


CHUNK = b"2e\r\n" + PAGE + b"\r\n"
ANSWERS = {
    "a reason in Latin-1": (status(b"HTTP/1.1 200 Tr\xe8s bien"), "stored"),
    "HTTP/0.9": (says(PAGE), "protocol_error"),
    "the preface of HTTP/2": (says(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "protocol_error"),
    "all bytes there are": (says(bytes(range(256)) * 20), "protocol_error"),
    "half a status line": (says(b"HTTP/1.1 20"), "incomplete"),
    "101 to HTTP/2": (says(b"HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\nPRI"), "protocol_error"),
    "103, then a page": (says(b"HTTP/1.1 103 Early Hints\r\n\r\n" + answer(PAGE)), "stored"),
    "103 without end": (hints_for_ever, "deadline"),
    "bytes above ASCII in headers": (
        headed(b'etag: "caf\xe9"', b"last-modified: Lun\xe9", b"x-a: \xed\xa0\x80"),
        "stored",
    ),
    "controls in headers": (headed(b'etag: "\x1b]0;OWNED\x07"', b"x-a: \x01\x7f\x9f"), "stored"),
    "a charset that is a codec": (typed(b"text/html; charset=idna"), "stored"),
    "202 with a challenge": (status(b"HTTP/1.1 202 Accepted", b"x-amzn-waf-action: challenge"), "blocked"),
    "206 and which part": (status(b"HTTP/1.1 206 Part", b"content-range: bytes 0-45/1000"), "incomplete"),
    "200 with a part": (headed(b"content-range: bytes 0-45/1000"), "incomplete"),
    "200 with all as a part": (headed(b"content-range: bytes 0-45/46"), "stored"),
    "300": (status(b"HTTP/1.1 300 Choices", b"location: /elsewhere"), "unexpected_status"),
    "305": (status(b"HTTP/1.1 305 Proxy", b"location: http://proxy.example/"), "unexpected_status"),
    "a 304 with a body": (says(b"HTTP/1.1 304 Same\r\ncontent-length: 46\r\n\r\n" + PAGE), "protocol_error"),
    "a redirect to no name": (to(b"http://xn--a/"), "protocol_error"),
    "a redirect to half an address": (to(b"http://[::1"), "protocol_error"),
    "a redirect of 60 KB": (to(b"/./" * 20_000), "out_of_scope"),
    "two redirects in one": (status(b"HTTP/1.1 301 X", b"location: /a", b"location: /b"), "protocol_error"),
    "an extension of a chunk": (chunked(b"2e;a=b\r\n", PAGE, b"\r\n0\r\n\r\n"), "stored"),
    "a negative chunk": (chunked(b"-1\r\n", PAGE, b"\r\n0\r\n\r\n"), "protocol_error"),
    "a chunk longer than it says": (chunked(b"2d\r\n", PAGE, b"\r\n0\r\n\r\n"), "protocol_error"),
    "trailers": (chunked(CHUNK, b"0\r\nx-t: y\r\n\r\n"), "stored"),
    "chunks and a length": (headed(b"transfer-encoding: chunked"), "protocol_error"),
    "a coding nobody asked for": (chunked(CHUNK, b"0\r\n\r\n", transfer=b"gzip, chunked"), "protocol_error"),
}
"""Name, what is answered, and the outcome of a page. Status lines, headers and encodings are in `test_fault_matrix`."""


async def test_every_answer_is_an_outcome_of_its_page(tmp_path):
    paths = {name: f"/p{number}" for number, name in enumerate(ANSWERS)}
    plays = {paths[name]: play for name, (play, _) in ANSWERS.items()} | {f"{OTHER}/page": page()}
    starts = (*(f"http://{HOST}{path}" for path in paths.values()), BYSTANDER)
    for moment in (START, START + 5 * DAY):
        result = await night(tmp_path, plays, at=moment, starts=starts, hosts=(HOST, OTHER), limits=ONCE)
        seen = {name: result.outcomes(path)[-1] for name, path in paths.items()}
        assert seen == {name: again(outcome, moment) for name, (_, outcome) in ANSWERS.items()}
        assert result.outcomes(BYSTANDER) == [again("stored", moment)]
    assert len(result.stored) == 1 + sum(outcome == "stored" for _, outcome in ANSWERS.values())


def again(outcome, moment):
    """What a page is on the second night: its validators were sent back where that is possible."""
    return "unchanged" if outcome == "stored" and moment > START else outcome


@pytest.mark.parametrize("file", ["robots.txt", "sitemap.xml"])
async def test_every_answer_at_a_host_is_its_own(tmp_path, file):
    hosts = {name: f"h{number}.example" for number, name in enumerate(ANSWERS)}
    plays = {f"{hosts[name]}/{file}": play for name, (play, _) in ANSWERS.items()} | {"/page": page()}
    starts = tuple(f"http://{host}/page" for host in (*hosts.values(), OTHER))
    result = await night(tmp_path, plays, starts=starts, hosts=(*hosts.values(), OTHER), limits=ONCE)
    assert result.outcomes(BYSTANDER) == ["stored"]
    for name, host in hosts.items():
        *_, last = (item for item in result.log if item.url == f"http://{host}/{file}")
        is_read = last.outcome == "support"
        assert is_read or last.outcome.is_failure or last.outcome in {"redirected", "out_of_scope"}, name
        is_fetched = result.outcomes(f"http://{host}/page") == ["stored"]
        assert is_fetched is (is_read or file == "sitemap.xml"), name


async def test_bytes_behind_a_body_are_not_the_next_page():
    """A body that is sent twice, the second time when the connection waits for its next request."""

    async def serve(reader, writer):
        try:
            while True:
                path = (await reader.readuntil(b"\r\n\r\n")).split()[1]
                body = b"<p>words of " + path
                writer.write(answer(body, connection="keep-alive"))
                await writer.drain()
                await asyncio.sleep(0.01)
                writer.write(answer(b"<p>words of no page", connection="keep-alive"))
        except (ConnectionError, asyncio.IncompleteReadError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    address = server.sockets[0].getsockname()
    site = Site((HOST,), (), resolve={HOST: address[:2]}, allow_private=True, limits=FAST)
    async with server, HttpClient(site, "test") as client:
        for number in range(3):
            response = await client.get(f"http://{HOST}/{number}", {})
            assert response.body == b"<p>words of /%d" % number
            await asyncio.sleep(0.05)


async def test_headers_are_kept_byte_for_byte_and_are_text_everywhere_else(tmp_path):
    value = b'"caf\xe9 \xed\xa0\x80 \x1b]0;X\x07"'
    result = await night(tmp_path, {"/page": headed(b"etag: " + value, b"x-latin: \xff")})
    (kept,) = result.stored
    assert dict(kept.headers)["etag"].encode("utf-8", "surrogateescape") == value
    assert kept.header("etag") == '"caf\ufffd \ufffd\ufffd\ufffd \ufffd]0;X\ufffd"'
