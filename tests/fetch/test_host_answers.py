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


async def many_headers(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(300):
        writer.write(b"".join(b"x-%d-%d: y\r\n" % (number, line) for line in range(1_000)))
        await writer.drain()


async def hints_for_ever(_, writer):
    while True:
        writer.write(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" * 100)
        await writer.drain()
        await asyncio.sleep(0)


CHUNK = b"2e\r\n" + PAGE + b"\r\n"
ANSWERS = {
    "a reason in Latin-1": (status(b"HTTP/1.1 200 Tr\xe8s bien"), "stored"),
    "no reason": (status(b"HTTP/1.1 200"), "stored"),
    "a reason of 70 KB": (status(b"HTTP/1.1 200 " + b"x" * 70_000), "protocol_error"),
    "status 000": (status(b"HTTP/1.1 000 None"), "protocol_error"),
    "status 999": (status(b"HTTP/1.1 999 Denied"), "server_error"),
    "status 1000": (status(b"HTTP/1.1 1000 Many"), "protocol_error"),
    "status in other digits": (status("HTTP/1.1 ٢٠٠ OK".encode()), "protocol_error"),
    "HTTP/0.9": (says(PAGE), "protocol_error"),
    "HTTP/9.9": (status(b"HTTP/9.9 200 OK"), "protocol_error"),
    "the preface of HTTP/2": (says(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "protocol_error"),
    "another protocol": (says(b"SSH-2.0-OpenSSH_9.0\r\n"), "protocol_error"),
    "all bytes there are": (says(bytes(range(256)) * 20), "protocol_error"),
    "half a status line": (says(b"HTTP/1.1 20"), "incomplete"),
    "101 to HTTP/2": (says(b"HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\nPRI"), "protocol_error"),
    "103, then a page": (says(b"HTTP/1.1 103 Early Hints\r\n\r\n" + answer(PAGE)), "stored"),
    "103 without end": (hints_for_ever, "deadline"),
    "bytes above ASCII in headers": (
        headed(b'etag: "caf\xe9"', b"last-modified: Lun\xe9", b"set-cookie: a=\xff", b"x-a: \xed\xa0\x80"),
        "stored",
    ),
    "controls in headers": (headed(b'etag: "\x1b]0;OWNED\x07"', b"x-a: \x01\x7f\x9f"), "stored"),
    "NUL in a header": (headed(b"x-a: \0"), "protocol_error"),
    "a header folded over lines": (headed(b"x-a: b\r\n c"), "stored"),
    "a header without a name": (headed(b": y"), "protocol_error"),
    "a header name in Latin-1": (headed(b"x-caf\xe9: y"), "protocol_error"),
    "a header name with a bracket": (headed(b"(x): y"), "protocol_error"),
    "an ETag of 60 KB": (headed(b'etag: "' + b"x" * 60_000 + b'"'), "stored"),
    "80 KB of cookies": (headed(*[b"set-cookie: c%d=" % number + b"x" * 4_000 for number in range(20)]), "stored"),
    "300,000 headers": (many_headers, "protocol_error"),
    "a media type in Latin-1": (typed(b"t\xe9xt/html"), "not_a_page"),
    "a media type with ESC": (typed(b"text/\x1bhtml"), "not_a_page"),
    "a charset in no encoding": (typed(b"text/html; charset=\xff\xfe"), "stored"),
    "a charset that is a codec": (typed(b"text/html; charset=idna"), "stored"),
    "a charset that always fails": (typed(b"text/html; charset=undefined"), "stored"),
    "201": (status(b"HTTP/1.1 201 Created"), "unexpected_status"),
    "202": (status(b"HTTP/1.1 202 Accepted"), "unexpected_status"),
    "202 with a challenge": (status(b"HTTP/1.1 202 Accepted", b"x-amzn-waf-action: challenge"), "blocked"),
    "203": (status(b"HTTP/1.1 203 Elsewhere"), "unexpected_status"),
    "205": (status(b"HTTP/1.1 205 Reset"), "empty"),
    "206 nobody asked for": (status(b"HTTP/1.1 206 Part"), "unexpected_status"),
    "206 and which part": (status(b"HTTP/1.1 206 Part", b"content-range: bytes 0-45/1000"), "incomplete"),
    "200 with a part": (headed(b"content-range: bytes 0-45/1000"), "incomplete"),
    "200 with a part of what is not known": (headed(b"content-range: bytes 0-45/*"), "incomplete"),
    "200 with all as a part": (headed(b"content-range: bytes 0-45/46"), "stored"),
    "226": (status(b"HTTP/1.1 226 Delta"), "unexpected_status"),
    "299": (status(b"HTTP/1.1 299 Nearly"), "unexpected_status"),
    "300": (status(b"HTTP/1.1 300 Choices", b"location: /elsewhere"), "unexpected_status"),
    "305": (status(b"HTTP/1.1 305 Proxy", b"location: http://proxy.example/"), "unexpected_status"),
    "a 304 with a body": (says(b"HTTP/1.1 304 Same\r\ncontent-length: 46\r\n\r\n" + PAGE), "protocol_error"),
    "a redirect to no name": (to(b"http://xn--a/"), "protocol_error"),
    "a redirect to an empty label": (to(b"http://a..b/"), "protocol_error"),
    "a redirect to a label of 64": (to(b"http://" + b"a" * 64 + b".example/"), "protocol_error"),
    "a redirect to port 99999": (to(b"http://a.example:99999/"), "protocol_error"),
    "a redirect to half an address": (to(b"http://[::1"), "protocol_error"),
    "a redirect of 60 KB": (to(b"/./" * 20_000), "out_of_scope"),
    "a redirect to surrogates": (to(b"http://\xed\xa0\x80/"), "protocol_error"),
    "two redirects in one": (status(b"HTTP/1.1 301 X", b"location: /a", b"location: /b"), "protocol_error"),
    "an encoding in Latin-1": (headed(b"content-encoding: gz\xefp"), "decode_error"),
    "an extension of a chunk": (chunked(b"2e;a=b\r\n", PAGE, b"\r\n0\r\n\r\n"), "stored"),
    "a negative chunk": (chunked(b"-1\r\n", PAGE, b"\r\n0\r\n\r\n"), "protocol_error"),
    "a chunk of 2^80 bytes": (chunked(b"ffffffffffffffffffff\r\n", PAGE), "protocol_error"),
    "a chunk longer than it says": (chunked(b"2d\r\n", PAGE, b"\r\n0\r\n\r\n"), "protocol_error"),
    "trailers": (chunked(CHUNK, b"0\r\nx-t: y\r\n\r\n"), "stored"),
    "chunks and a length": (
        says(b"HTTP/1.1 200 OK\r\ncontent-length: 46\r\ntransfer-encoding: chunked\r\n\r\n" + CHUNK + b"0\r\n\r\n"),
        "protocol_error",
    ),
    "a coding nobody asked for": (chunked(CHUNK, b"0\r\n\r\n", transfer=b"gzip, chunked"), "protocol_error"),
    "a coding that is none": (chunked(PAGE, transfer=b"chunkedx"), "protocol_error"),
    "a negative length": (says(b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n" + PAGE), "protocol_error"),
    "a length beyond all bounds": (
        says(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\n" + PAGE),
        "protocol_error",
    ),
    "a pause of 5,000 digits": (status(b"HTTP/1.1 503 Busy", b"retry-after: " + b"9" * 5_000), "server_error"),
    "a pause until no date": (
        status(b"HTTP/1.1 503 Busy", b"retry-after: Fri, 31 Dec 1999 23:59:59 +99999999"),
        "server_error",
    ),
}
"""Name, what is answered, and the outcome of a page that is answered so."""


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
