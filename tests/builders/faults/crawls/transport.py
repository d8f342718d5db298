"""Connections that fail, and message framing (RFC 9112, 6 to 8)."""

import gzip
import socket

from builders.fault_server import Play, answer, drip, says, silence, stall
from builders.faults.crawl_case import CrawlCase, Night, alone
from builders.faults.plays import PAGE, bare, chunk, chunks, drips, endless, first, hangs, resets, sends

KIND = "transport"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"
TIME_OUT = ("read_timeout", "deadline")
BROKEN = ("protocol_error", "incomplete")
LENGTH = b"content-length: %d" % len(PAGE)
CLOSE = b"connection: close"


def case(name: str, rule: str, play: Play, *outcomes: str, **more) -> CrawlCase:
    return alone(KIND, name, rule, play, *outcomes, **more)


def unsolicited() -> Play:
    """Keeps the connection and sends a second response that nobody asked for."""
    evil = answer(b"<html><p>unasked</p></html>", connection="keep-alive")

    async def play(_, writer) -> None:
        writer.write(answer(PAGE, connection="keep-alive") + evil)
        await writer.drain()

    return play


def closed_port() -> tuple[str, int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()


def host_down(name: str, rule: str, outcome: str, address: tuple[str, int]) -> CrawlCase:
    expect = {"/robots.txt": frozenset({outcome}), "/page": frozenset()}
    return CrawlCase(KIND, name, rule, (Night({}, expect, is_down=True, address=address),))


CASES = (
    case("no answer", "faults 4", silence, *TIME_OUT),
    case("half a body, then nothing", "faults 5", stall, *TIME_OUT),
    case("headers, then nothing", "faults 5", hangs(HEAD + LENGTH + b"\r\n\r\n"), *TIME_OUT),
    case("half a status line, then nothing", "faults 5", hangs(b"HTTP/1.1 20"), *TIME_OUT),
    case("half of the headers, then nothing", "faults 5", hangs(HEAD), *TIME_OUT),
    case("a byte now and then", "faults 6", drip, "deadline"),
    case("a header's byte now and then", "faults 6", drips(HEAD + b"x-slow: "), *TIME_OUT),
    case("a status line's byte now and then", "faults 6", drips(b"HTTP/1.1 200 "), *TIME_OUT, "protocol_error"),
    case("a chunk now and then", "faults 6", drips(HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
         "deadline"),
    case("100 Continue now and then", "faults 6", drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), *TIME_OUT,
         "protocol_error"),
    case("100 Continue without end", "9110 15.2", endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), *TIME_OUT,
         "protocol_error"),
    case("reset in the body", "faults 7", resets(HEAD + b"content-length: 5000\r\n\r\nhalf"), "incomplete"),
    case("reset before a byte", "faults 7", resets(b""), "incomplete", "connect_error"),
    case("reset in the headers", "faults 7", resets(HEAD), "incomplete", "protocol_error"),
    case("closed in the body", "9112 8", says(answer(PAGE, content_length="5000")), "incomplete"),
    case("closed before a byte", "9112 8", sends(b""), "incomplete"),
    case("closed in the headers", "9112 8", sends(HEAD + b"x-hal"), *BROKEN),
    case("closed in the status line", "9112 8", sends(b"HTTP/1.1 2"), *BROKEN),
    case("closed once, then there", "faults 8", first(sends(b""), sends(answer(PAGE))), "stored"),
    case("no last chunk", "9112 8", chunks(chunk(PAGE), end=b""), "incomplete"),
    case("no first chunk", "9112 8", chunks(end=b""), "incomplete"),
    case("the last chunk cut off", "9112 8", chunks(chunk(PAGE), end=b"0\r\n"), *BROKEN, "stored"),
    case("closed within a chunk", "9112 8", chunks(b"ff\r\nhalf", end=b""), "incomplete"),
    case("a chunk size that is no number", "9112 7.1", chunks(b"zz\r\nhello\r\n"), *BROKEN),
    case("a negative chunk size", "9112 7.1", chunks(b"-5\r\nhello\r\n"), *BROKEN),
    case("a chunk size of 30 digits", "9112 7.1", chunks(b"f" * 30 + b"\r\nhello\r\n"), *BROKEN, "too_large"),
    case("a chunk longer than its size", "9112 7.1", chunks(b"2\r\nhello\r\n"), *BROKEN),
    case("no line end after a chunk", "9112 7.1", chunks(b"5\r\nhello"), *BROKEN),
    case("a chunk size with a prefix", "9112 7.1", chunks(b"0x5\r\nhello\r\n"), *BROKEN),
    case("an empty chunk size", "9112 7.1", chunks(b"\r\nhello\r\n"), *BROKEN),
    case("chunks with extensions and trailers", "9112 7.1.1",
         chunks(b"%x;name=value\r\n%s\r\n" % (len(PAGE), PAGE), end=b"0\r\nx-sum: 1\r\n\r\n"), "stored"),
    case("a chunk a byte", "9112 7.1", chunks(*(b"1\r\n%c\r\n" % byte for byte in PAGE)), "stored"),
    case("a chunk extension of 200 KB", "9112 7.1.1",
         chunks(b"%x;x=%s\r\n%s\r\n" % (len(PAGE), b"y" * 200_000, PAGE)), "stored", *BROKEN, "too_large"),
    case("trailers without end", "9112 7.1.2",
         endless(HEAD + b"transfer-encoding: chunked\r\n\r\n0\r\n", b"x-trailer: y\r\n" * 1000), *BROKEN, *TIME_OUT,
         "too_large"),
    case("chunked beside a Content-Length", "9112 6.3", chunks(chunk(PAGE), lines=(b"content-length: 5",)), "stored",
         "protocol_error", body=None),
    case("gzip as a transfer coding", "9112 7.2",
         bare(b"content-type: text/html", b"transfer-encoding: gzip, chunked", CLOSE,
              body=chunk(gzip.compress(PAGE)) + b"0\r\n\r\n"), "stored", *BROKEN, "decode_error", "not_a_page"),
    case("an unknown transfer coding", "9112 6.1",
         bare(b"content-type: text/html", b"transfer-encoding: rot13", CLOSE), *BROKEN, "decode_error", "stored"),
    case("chunked twice", "9112 7", bare(b"content-type: text/html", b"transfer-encoding: chunked, chunked", CLOSE,
         body=chunk(PAGE) + b"0\r\n\r\n"), *BROKEN, "stored", body=None),
    case("HTTP/1.0 until it closes", "9112 6.3", sends(b"HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n" + PAGE),
         "stored"),
    case("no length, until it closes", "9112 6.3", bare(b"content-type: text/html", CLOSE), "stored"),
    case("a length of 0 before a body", "9112 6.3", bare(b"content-type: text/html", b"content-length: 0", CLOSE),
         "empty", "protocol_error"),
    case("a length shorter than what is sent", "9112 6.3", bare(b"content-type: text/html", b"content-length: 4", CLOSE,
         body=b"word and more"), "stored", "protocol_error", body=None),
    case("early hints first", "9110 15.2", sends(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" + answer(PAGE)),
         "stored"),
    case("three times 100 Continue first", "9110 15.2", sends(b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + answer(PAGE)),
         "stored"),
    case("102 Processing first", "9110 15.2", sends(b"HTTP/1.1 102 Processing\r\n\r\n" + answer(PAGE)), "stored"),
    case("101 Switching Protocols", "9110 15.2.2", bare(b"upgrade: h2c", b"connection: upgrade",
         status=b"HTTP/1.1 101 Switching Protocols"), *BROKEN, *TIME_OUT, "client_error"),
    case("a response that nobody asked for", "9112 9.2", unsolicited(), "stored", *BROKEN, body=None),
    case("no status line", "faults 15", sends(b"<html><p>no status line"), "protocol_error"),
    case("another protocol speaks", "faults 15", sends(b"SSH-2.0-OpenSSH_9.6\r\n"), "protocol_error"),
    case("TLS on the port of http", "faults 15", sends(b"\x15\x03\x01\x00\x02\x02\x28"), *BROKEN),
    case("a shoutcast line", "faults 15", sends(b"ICY 200 OK\r\ncontent-type: text/html\r\n\r\n" + PAGE),
         "protocol_error"),
    case("random bytes", "faults 15", sends(bytes(range(256)) * 40), *BROKEN),
    case("HTTP/2 frames", "faults 15", sends(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + bytes(18)), *BROKEN),
    host_down("connection refused", "faults 2", "connect_error", closed_port()),
)  # fmt: skip
