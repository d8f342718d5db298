"""Connections, framing, content encodings and sizes (RFC 9112, 6 to 8; RFC 9110, 8.4): what breaks below the page."""

import gzip
import socket
import struct
import zlib
from collections.abc import Callable

from builders.fault_server import (
    PAGE,
    Play,
    Request,
    answer,
    bare,
    chunk,
    chunks,
    drip,
    drips,
    endless,
    first,
    hangs,
    head,
    html,
    later,
    page,
    resets,
    says,
    silence,
    stall,
    status,
)
from builders.faults.crawl_case import FAILED, LIMITS, STORED, CrawlCase, Night, alone

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"
TIME_OUT = ("read_timeout", "deadline")
BROKEN = ("protocol_error", "incomplete")
LENGTH = b"content-length: %d" % len(PAGE)
CLOSE = b"connection: close"


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
    return CrawlCase(name, rule, (Night({}, expect, is_down=True, address=address),))


TRANSPORT_CASES = (
    alone("no answer", "faults 4", silence, *TIME_OUT),
    alone("half a body, then nothing", "faults 5", stall, *TIME_OUT),
    alone("headers, then nothing", "faults 5", hangs(HEAD + LENGTH + b"\r\n\r\n"), *TIME_OUT),
    alone("half a status line, then nothing", "faults 5", hangs(b"HTTP/1.1 20"), *TIME_OUT),
    alone("half of the headers, then nothing", "faults 5", hangs(HEAD), *TIME_OUT),
    alone("a byte now and then", "faults 6", drip, "deadline"),
    alone("a header's byte now and then", "faults 6", drips(HEAD + b"x-slow: "), *TIME_OUT),
    alone("a status line's byte now and then", "faults 6", drips(b"HTTP/1.1 200 "), *TIME_OUT, "protocol_error"),
    alone("a chunk now and then", "faults 6", drips(HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
         "deadline"),
    alone("100 Continue now and then", "faults 6", drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), *TIME_OUT,
         "protocol_error"),
    alone("100 Continue without end", "9110 15.2", endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), *TIME_OUT,
         "protocol_error"),
    alone("reset in the body", "faults 7", resets(HEAD + b"content-length: 5000\r\n\r\nhalf"), "incomplete"),
    alone("reset before a byte", "faults 7", resets(b""), "incomplete", "connect_error"),
    alone("reset in the headers", "faults 7", resets(HEAD), "incomplete", "protocol_error"),
    alone("closed in the body", "9112 8", says(answer(PAGE, content_length="5000")), "incomplete"),
    alone("closed before a byte", "9112 8", says(b""), "incomplete"),
    alone("closed in the headers", "9112 8", says(HEAD + b"x-hal"), *BROKEN),
    alone("closed in the status line", "9112 8", says(b"HTTP/1.1 2"), *BROKEN),
    alone("closed once, then there", "faults 8", first(says(b""), says(answer(PAGE))), "stored"),
    alone("no last chunk", "9112 8", chunks(chunk(PAGE), end=b""), "incomplete"),
    alone("no first chunk", "9112 8", chunks(end=b""), "incomplete"),
    alone("the last chunk cut off", "9112 8", chunks(chunk(PAGE), end=b"0\r\n"), *BROKEN, "stored"),
    alone("closed within a chunk", "9112 8", chunks(b"ff\r\nhalf", end=b""), "incomplete"),
    alone("a chunk size that is no number", "9112 7.1", chunks(b"zz\r\nhello\r\n"), *BROKEN),
    alone("a negative chunk size", "9112 7.1", chunks(b"-5\r\nhello\r\n"), *BROKEN),
    alone("a chunk size of 30 digits", "9112 7.1", chunks(b"f" * 30 + b"\r\nhello\r\n"), *BROKEN, "too_large"),
    alone("a chunk longer than its size", "9112 7.1", chunks(b"2\r\nhello\r\n"), *BROKEN),
    alone("no line end after a chunk", "9112 7.1", chunks(b"5\r\nhello"), *BROKEN),
    alone("a chunk size with a prefix", "9112 7.1", chunks(b"0x5\r\nhello\r\n"), *BROKEN),
    alone("an empty chunk size", "9112 7.1", chunks(b"\r\nhello\r\n"), *BROKEN),
    alone("chunks with extensions and trailers", "9112 7.1.1",
         chunks(b"%x;name=value\r\n%s\r\n" % (len(PAGE), PAGE), end=b"0\r\nx-sum: 1\r\n\r\n"), "stored"),
    alone("a chunk a byte", "9112 7.1", chunks(*(b"1\r\n%c\r\n" % byte for byte in PAGE)), "stored"),
    alone("a chunk extension of 200 KB", "9112 7.1.1",
         chunks(b"%x;x=%s\r\n%s\r\n" % (len(PAGE), b"y" * 200_000, PAGE)), "stored", *BROKEN, "too_large"),
    alone("trailers without end", "9112 7.1.2",
         endless(HEAD + b"transfer-encoding: chunked\r\n\r\n0\r\n", b"x-trailer: y\r\n" * 1000), *BROKEN, *TIME_OUT,
         "too_large"),
    alone("chunked beside a Content-Length", "9112 6.3", chunks(chunk(PAGE), lines=(b"content-length: 5",)), "stored",
         "protocol_error", body=None),
    alone("gzip as a transfer coding", "9112 7.2",
         bare(b"content-type: text/html", b"transfer-encoding: gzip, chunked", CLOSE,
              body=chunk(gzip.compress(PAGE)) + b"0\r\n\r\n"), "stored", *BROKEN, "decode_error", "not_a_page"),
    alone("an unknown transfer coding", "9112 6.1",
         bare(b"content-type: text/html", b"transfer-encoding: rot13", CLOSE), *BROKEN, "decode_error", "stored"),
    alone("chunked twice", "9112 7", bare(b"content-type: text/html", b"transfer-encoding: chunked, chunked", CLOSE,
         body=chunk(PAGE) + b"0\r\n\r\n"), *BROKEN, "stored", body=None),
    alone("HTTP/1.0 until it closes", "9112 6.3", says(b"HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n" + PAGE),
         "stored"),
    alone("no length, until it closes", "9112 6.3", bare(b"content-type: text/html", CLOSE), "stored"),
    alone("a length of 0 before a body", "9112 6.3", bare(b"content-type: text/html", b"content-length: 0", CLOSE),
         "empty", "protocol_error"),
    alone("a length shorter than what is sent", "9112 6.3", bare(b"content-type: text/html", b"content-length: 4",
         CLOSE, body=b"word and more"), "stored", "protocol_error", body=None),
    alone("early hints first", "9110 15.2", says(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" + answer(PAGE)),
         "stored"),
    alone("three times 100 Continue first", "9110 15.2", says(b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + answer(PAGE)),
         "stored"),
    alone("102 Processing first", "9110 15.2", says(b"HTTP/1.1 102 Processing\r\n\r\n" + answer(PAGE)), "stored"),
    alone("101 Switching Protocols", "9110 15.2.2", bare(b"upgrade: h2c", b"connection: upgrade",
         status=b"HTTP/1.1 101 Switching Protocols"), *BROKEN, *TIME_OUT, "client_error"),
    alone("a response that nobody asked for", "9112 9.2", unsolicited(), "stored", *BROKEN, body=None),
    alone("no status line", "faults 15", says(b"<html><p>no status line"), "protocol_error"),
    alone("another protocol speaks", "faults 15", says(b"SSH-2.0-OpenSSH_9.6\r\n"), "protocol_error"),
    alone("TLS on the port of http", "faults 15", says(b"\x15\x03\x01\x00\x02\x02\x28"), *BROKEN),
    alone("a shoutcast line", "faults 15", says(b"ICY 200 OK\r\ncontent-type: text/html\r\n\r\n" + PAGE),
         "protocol_error"),
    alone("random bytes", "faults 15", says(bytes(range(256)) * 40), *BROKEN),
    alone("HTTP/2 frames", "faults 15", says(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + bytes(18)), *BROKEN),
    host_down("connection refused", "faults 2", "connect_error", closed_port()),
)  # fmt: skip


ZIPPED = gzip.compress(PAGE)
LONG = gzip.compress(bytes(range(256)) * 200)


def coded(body: bytes, *names: bytes) -> Play:
    """A body, and a Content-Encoding line for each name."""
    return head(*(b"content-encoding: " + name for name in names), body=body)


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def with_all_fields(data: bytes) -> bytes:
    """A gzip member with an extra field, a name, a comment and a header checksum (RFC 1952)."""
    start = b"\x1f\x8b\x08\x1e" + struct.pack("<I", 0) + b"\0\x03" + struct.pack("<H", 4) + b"abcd" + b"name\0comment\0"
    start += struct.pack("<H", zlib.crc32(start) & 0xFFFF)
    return start + raw_deflate(data) + struct.pack("<II", zlib.crc32(data), len(data))


def in_flushes(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=31)
    parts = [
        packer.compress(data[start : start + 7]) + packer.flush(zlib.Z_SYNC_FLUSH) for start in range(0, len(data), 7)
    ]
    return b"".join(parts) + packer.flush()


def zeros(megabytes: int) -> bytes:
    """Raw deflate of so many megabytes of zeros, made by repeating one full flush."""
    packer = zlib.compressobj(9, wbits=-15)
    first = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + again * (megabytes - 1) + packer.flush()


def bomb(megabytes: int, layers: int = 1) -> bytes:
    packed = ZIPPED[:10] + zeros(megabytes) + bytes(8)
    for _ in range(layers - 1):
        packed = gzip.compress(packed)
    return packed


def broken(position: int, value: int = 0xFF) -> bytes:
    data = bytearray(LONG)
    data[position] ^= value
    return bytes(data)


LARGE = PAGE.replace(b"words", b"".join(b"word %d " % number for number in range(40_000)))

WHOLE = (
    alone("gzip", "9110 8.4.1.3", coded(ZIPPED, b"gzip"), "stored"),
    alone("x-gzip", "9110 8.4.1.3", coded(ZIPPED, b"x-gzip"), "stored"),
    alone("GZIP", "9110 8.4.1", coded(ZIPPED, b"GZIP"), "stored"),
    alone("identity", "9110 8.4", coded(PAGE, b"identity"), "stored"),
    alone("deflate as zlib", "faults 27", coded(zlib.compress(PAGE), b"deflate"), "stored"),
    alone("deflate as it is", "faults 27", coded(raw_deflate(PAGE), b"deflate"), "stored"),
    alone("several members", "faults 21", coded(gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]), b"gzip"), "stored"),
    alone("three large members", "faults 21", coded(b"".join(gzip.compress(LARGE[start : start + 150_000])
         for start in range(0, len(LARGE), 150_000)), b"gzip"), "stored", body=LARGE),
    alone("a large member and a small one", "faults 21",
         coded(gzip.compress(LARGE[:-50]) + gzip.compress(LARGE[-50:]), b"gzip"), "stored", body=LARGE),
    alone("empty members between", "faults 21",
         coded(gzip.compress(b"") + ZIPPED + gzip.compress(b"") * 3, b"gzip"), "stored"),
    alone("a member a byte", "faults 21", coded(b"".join(gzip.compress(bytes([byte])) for byte in PAGE), b"gzip"),
         "stored"),
    alone("junk behind", "faults 22", coded(ZIPPED + b"junk behind", b"gzip"), "stored"),
    alone("zeros behind", "faults 22", coded(ZIPPED + bytes(512), b"gzip"), "stored"),
    alone("a line end behind", "faults 22", coded(ZIPPED + b"\r\n", b"gzip"), "stored"),
    alone("all optional fields", "RFC 1952", coded(with_all_fields(PAGE), b"gzip"), "stored"),
    alone("stored blocks", "RFC 1951", coded(gzip.compress(PAGE, compresslevel=0), b"gzip"), "stored"),
    alone("a flush every seven bytes", "RFC 1951", coded(in_flushes(PAGE), b"gzip"), "stored"),
    alone("gzip, gzip", "9110 8.4, A16", coded(gzip.compress(ZIPPED), b"gzip, gzip"), "stored"),
    alone("gzip, identity", "9110 8.4, A16", coded(ZIPPED, b"gzip, identity"), "stored"),
    alone("identity, gzip", "9110 8.4, A16", coded(ZIPPED, b"identity, gzip"), "stored"),
    alone("identity twice", "9110 8.4, A16", coded(PAGE, b"identity, identity"), "stored"),
    alone("two lines of gzip", "9110 5.3, A16", coded(gzip.compress(ZIPPED), b"gzip", b"gzip"), "stored"),
    alone("two lines, deflate then gzip", "9110 5.3, A16", coded(gzip.compress(zlib.compress(PAGE)), b"deflate",
         b"gzip"), "stored"),
    alone("deflate, gzip", "9110 8.4, A16", coded(gzip.compress(zlib.compress(PAGE)), b"deflate, gzip"), "stored"),
    alone("gzip, deflate", "9110 8.4, A16", coded(zlib.compress(ZIPPED), b"gzip, deflate"), "stored"),
    alone("gzip three times", "9110 8.4, A16", coded(gzip.compress(gzip.compress(ZIPPED)), b"gzip,gzip ,\tgzip"),
         "stored"),
    alone("empty parts of the list", "9110 5.6.1", coded(ZIPPED, b", gzip ,,"), "stored"),
    alone("an empty encoding", "9110 5.6.1", coded(PAGE, b""), "stored"),
)  # fmt: skip

ENCODINGS_BROKEN = (
    alone("cut off", "faults 20", coded(LONG[:-60], b"gzip"), "incomplete"),
    alone("its trailer cut off", "faults 20", coded(LONG[:-8], b"gzip"), "incomplete"),
    alone("its last byte cut off", "faults 20", coded(LONG[:-1], b"gzip"), "incomplete"),
    alone("its header cut off", "faults 20", coded(LONG[:5], b"gzip"), "incomplete", "decode_error"),
    alone("the second member cut off", "faults 20", coded(ZIPPED + LONG[:-20], b"gzip"), "incomplete"),
    alone("the inner layer cut off", "faults 20, A16", coded(gzip.compress(LONG[:-20]), b"gzip, gzip"), "incomplete"),
    alone("deflate cut off", "faults 20", coded(zlib.compress(PAGE * 20)[:-20], b"deflate"), "incomplete"),
    alone("raw deflate cut off", "faults 20", coded(raw_deflate(PAGE * 20)[:-1], b"deflate"), "incomplete"),
    alone("a wrong checksum", "faults 19", coded(broken(-8), b"gzip"), "decode_error"),
    alone("a wrong length", "faults 19", coded(broken(-1), b"gzip"), "decode_error"),
    alone("a wrong method", "faults 19", coded(broken(2), b"gzip"), "decode_error"),
    alone("reserved flags", "RFC 1952", coded(broken(3, 0xE0), b"gzip"), "decode_error", "incomplete"),
    alone("a flipped byte", "faults 19", coded(broken(len(LONG) // 2), b"gzip"), "decode_error", "incomplete"),
    alone("a corrupt second member", "faults 19", coded(ZIPPED + ZIPPED[:10] + b"\xff" * 30, b"gzip"), "decode_error"),
    alone("not gzip at all", "faults 19", coded(PAGE, b"gzip"), "decode_error"),
    alone("deflate that is none", "faults 19", coded(PAGE, b"deflate"), "decode_error", "incomplete"),
    alone("gzip, gzip packed once", "A16", coded(ZIPPED, b"gzip, gzip"), "decode_error"),
    alone("gzip that nobody declares", "faults 60", coded(ZIPPED), "not_a_page", "stored"),
    alone("nothing, called gzip", "faults 37", coded(b"", b"gzip"), "empty", "incomplete", "decode_error"),
    *(
        alone(f"{name.decode()} unasked, {len(body)} bytes", "faults 25", coded(body, name), "decode_error")
        for name, body in ((b"br", PAGE), (b"br", b"\x0b\x02\x80\xff\xff"), (b"zstd", b"\x28\xb5\x2f\xfd\x04\0junk"),
                           (b"compress", b"\x1f\x9d\x90junk"), (b"gzip, br", ZIPPED), (b"br, gzip", ZIPPED))
    ),
    *(
        alone(f"the encoding {name!r}", "faults 25", coded(PAGE, name), "decode_error", "stored")
        for name in (b"utf-8", b"none", b"\xff\xe9", b"gzip\xe9", b"*", b"gzip;q=1.0", b"text/html")
    ),
)  # fmt: skip

BOMBS = (
    alone("300 MB in 292 KB", "faults 23", coded(bomb(300), b"gzip"), "too_large"),
    alone("300 MB, packed twice", "faults 23, A16", coded(bomb(300, 2), b"gzip, gzip"), "too_large", "decode_error"),
    alone("300 MB, packed four times", "faults 23, A16", coded(bomb(300, 4), b"gzip, gzip, gzip, gzip"), "too_large",
         "decode_error"),
    alone("300 MB as raw deflate", "faults 23", coded(zeros(300), b"deflate"), "too_large"),
    alone("100 members of 3 MB", "faults 23", coded(gzip.compress(bytes(3_000_000)) * 100, b"gzip"), "too_large"),
    alone("200,000 empty members", "faults 21", coded(gzip.compress(b"") * 200_000, b"gzip"), FAILED),
    alone("a thousand layers by name", "A16", coded(ZIPPED, b", ".join([b"gzip"] * 1_000)), FAILED),
    alone("a thousand layers of identity", "A16", coded(PAGE, b", ".join([b"identity"] * 1_000)), FAILED | {"stored"}),
)  # fmt: skip

ENCODINGS_CASES = (*WHOLE, *ENCODINGS_BROKEN, *BOMBS)


MEGABYTE = 1_000_000


def large(body: bytes) -> Play:
    return says(answer(body))


def slow(name: str, make: Callable[[], bytes], finds: bool = False) -> CrawlCase:
    """A page that may be stored or not; the loop must not be held, and the other hosts are read."""
    night = Night({"/page": later(make), "/next": status("200 OK")},
        {"/page": STORED | {"not_a_page", "soft_404", "too_large"}},
                  asked=("/next",) if finds else ())  # fmt: skip
    return CrawlCase(name, "A6", (night,), at_most={"/": 500}, site={"limits": LIMITS, "max_pages": 300})


async def calendar(request: Request, writer) -> None:
    day = int(request.path.rpartition("/")[2] or 0)
    writer.write(answer(html(f"/day/{day + 1}", f"/day/{day + 2}", text=f"Day {day}.")))


async def facets(request: Request, writer) -> None:
    links = [f"{request.path}{'&amp;' if '?' in request.path else '?'}f{n}={n}" for n in range(6)]
    writer.write(answer(html(*links, text=request.path)))


async def nested(request: Request, writer) -> None:
    writer.write(answer(html("deeper/again/page", text=request.path)))


def paths(prefix: str, play: Play, many: int) -> dict[str, Play]:
    return {f"{prefix}{number}": play for number in range(many)}


SIZES = (
    alone("60 MB", "faults 61", endless(HEAD + b"content-length: 60000000\r\n\r\n", b"x" * MEGABYTE, 60), "too_large"),
    alone("60 MB that claims 1 MB", "9112 6.3",
        endless(HEAD + b"content-length: 1000000\r\nconnection: close\r\n\r\n<html>",
         b"x" * MEGABYTE, 60), "stored", "protocol_error", "incomplete", "too_large", body=None),
    alone("without end", "faults 61", endless(HEAD + b"\r\n", b"x" * 50_000), "too_large"),
    alone("chunks without end", "faults 61", endless(HEAD + b"transfer-encoding: chunked\r\n\r\n",
        b"c350\r\n" + b"x" * 50_000 +
         b"\r\n"), "too_large"),
    alone("9 MB", "docs/crawling", later(lambda: b"<html><body>" + b"<p>words</p>" * 750_000), "stored", body=None),
    alone("a line of 9 MB", "faults 61", later(lambda: b"<html><body>" + b"x" * 9 * MEGABYTE), "stored", body=None),
    alone("NULs", "faults 61", large(b"<html>" + bytes(MEGABYTE)), "not_a_page"),
    alone("blanks", "faults 37", large(b" \t\r\n" * 100_000), "empty"),
    alone("a byte", "docs/crawling", large(b"x"), "stored", body=b"x"),
    alone("a byte order mark alone", "faults 37", large(b"\xef\xbb\xbf"), "empty", "stored", body=None),
    alone("text", "docs/crawling", bare(b"content-type: text/plain", b"content-length: 5", b"connection: close",
        body=b"words"),
         "stored", body=b"words"),
    alone("three bytes a chunk", "9112 7",
        says(HEAD + b"transfer-encoding: chunked\r\n\r\n" + b"3\r\nabc\r\n" * 50_000 +
         b"0\r\n\r\n"), "stored", body=b"abc" * 50_000),
)  # fmt: skip

SLOW = (
    slow("a tag of 80 KB",
        lambda: b"<html><body>" + b"<a " + (b"a" * 1999 + b'""') * 40 + b">" + b"<a href=/next>n</a>"),
    slow("forty tags of 80 KB", lambda: b"<html><body>" + (b"<a " + (b"a" * 1999 + b'""') * 40 + b">") * 40),
    slow("a link tag of 80 KB", lambda: b"<html><head>" + b"<link " + (b"a" * 1999 + b'""') * 40 + b">"),
    slow("attributes without end", lambda: b"<html><body><a " + b"a='' " * 200_000 + b"href=/next>"),
    slow("20,000 attributes", lambda: b"<html><body><a " + b" ".join(b"a%d=1" % n
        for n in range(20_000)) + b" href=/next>n</a>"),
    slow("a thousand bases", lambda: b"<html><head>" + b"<base href='/x/'>" * 30_000 + b"<a href=/next>n</a>",
        finds=True),
    slow("a thousand directives",
        lambda: b"<html><head>" + b"<meta name=robots content='max-snippet:1,'>" * 5_000 + b"<a href=/next>n</a>",
         finds=True),
    slow("an address of entities",
        lambda: b"<html><body><a href='/" + b"&amp" * 300_000 + b"'>x</a><a href=/next>n</a>"),
    slow("an address of dots", lambda: b"<html><body><a href='" + b"../" * 300_000 + b"'>x</a><a href=/next>n</a>"),
    slow("an address of escapes", lambda: b"<html><body><a href='/" + b"%41" * 300_000 + b"'>x</a><a href=/next>n</a>"),
    slow("a query of parameters", lambda: b"<html><body><a href='/?" + b"a&" * 300_000 + b"'>x</a><a href=/next>n</a>"),
    slow("a host of dots", lambda: b"<html><body><a href='http://" + b"a." * 300_000 + b"/'>x</a><a href=/next>n</a>"),
    slow("a host of wide letters",
        lambda: b"<html><body><a href='http://" + "ａ".encode() * 50_000 + b"/'>x</a><a href=/next>n</a>"),
    slow("100,000 links", lambda: html(*(f"/l{n}" for n in range(100_000)))),
    slow("100,000 links to other hosts", lambda: html(*(f"http://h{n}.example/" for n in range(100_000)), "/next"),
        finds=True),
    CrawlCase("a Content-Type of 60 KB", "A18",
        (Night({"/page": bare(b"content-type: text/html" + b"; charset" * 6_000,
        b"content-length: %d" % len(PAGE), b"connection: close")}, {"/page": STORED}),)),
    CrawlCase("an X-Robots-Tag of 60 KB", "A18", (Night({"/page": bare(b"content-type: text/html",
        b"x-robots-tag: " + b"a:" *
        30_000, b"content-length: %d" % len(PAGE), b"connection: close")}, {"/page": STORED}),)),
    CrawlCase("a Location of 60 KB of dots", "A18", (Night({"/page": bare(b"location: /" + b"../" * 20_000,
        b"content-length: 0",
        b"connection: close", status=b"HTTP/1.1 302 Found", body=b"")}, {}),)),
)  # fmt: skip

TRAPS = (
    CrawlCase("a calendar without end", "faults 64", (Night({"/page": page("/day/0"),
        **paths("/day/", calendar, 400)}, {"/page": STORED},
        {"/page": None}),), site={"max_depth": 10}, at_most={"/day/": 60}),
    CrawlCase("a calendar and a budget", "faults 64", (Night({"/page": page("/day/0"),
        **paths("/day/", calendar, 400)}, {"/page": STORED},
        {"/page": None}),), site={"max_pages": 30}, at_most={"/": 60}),
    CrawlCase("a relative link that grows", "faults 64",
        (Night({"/page": page("/deeper/again/page"), **{"/deeper" + "/again/deeper" * n +
        "/again/page": nested for n in range(40)}}, {"/page": STORED}, {"/page": None}),), at_most={"/deeper": 6}),
    CrawlCase("a budget of bytes", "faults 64", (Night({"/page": page("/day/0"),
        **paths("/day/", calendar, 400)}, {"/page": STORED},
        {"/page": None}),), site={"max_bytes": 3_000}, at_most={"/day/": 60}),
)  # fmt: skip

SIZES_CASES = (*SIZES, *SLOW, *TRAPS)


CASES = {
    "transport": TRANSPORT_CASES,
    "content encodings": ENCODINGS_CASES,
    "size and time": SIZES_CASES,
}
