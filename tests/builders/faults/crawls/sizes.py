"""Size, time and shape: pages too large, endless sites, and pages that make a scan for links slow (A6, A18)."""

from collections.abc import Callable

from builders.fault_server import Play, Request, answer, says
from builders.faults.crawl_case import LIMITS, CrawlCase, Night, alone
from builders.faults.plays import PAGE, bare, endless, html, later, page, sends, status

KIND = "size and time"
STORED = frozenset({"stored"})
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"
MEGABYTE = 1_000_000


def case(name: str, rule: str, play: Play, *outcomes: str, **more) -> CrawlCase:
    return alone(KIND, name, rule, play, *outcomes, **more)


def large(body: bytes) -> Play:
    return says(answer(body))


def slow(name: str, make: Callable[[], bytes], finds: bool = False) -> CrawlCase:
    """A page that may be stored or not; the loop must not be held, and the other hosts are read."""
    night = Night({"/page": later(make), "/next": status("200 OK")},
        {"/page": STORED | {"not_a_page", "soft_404", "too_large"}},
                  asked=("/next",) if finds else ())  # fmt: skip
    return CrawlCase(KIND, name, "A6", (night,), at_most={"/": 500}, site={"limits": LIMITS, "max_pages": 300})


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
    case("60 MB", "faults 61", endless(HEAD + b"content-length: 60000000\r\n\r\n", b"x" * MEGABYTE, 60), "too_large"),
    case("60 MB that claims 1 MB", "9112 6.3",
        endless(HEAD + b"content-length: 1000000\r\nconnection: close\r\n\r\n<html>",
         b"x" * MEGABYTE, 60), "stored", "protocol_error", "incomplete", "too_large", body=None),
    case("without end", "faults 61", endless(HEAD + b"\r\n", b"x" * 50_000), "too_large"),
    case("chunks without end", "faults 61", endless(HEAD + b"transfer-encoding: chunked\r\n\r\n",
        b"c350\r\n" + b"x" * 50_000 +
         b"\r\n"), "too_large"),
    case("9 MB", "docs/crawling", later(lambda: b"<html><body>" + b"<p>words</p>" * 750_000), "stored", body=None),
    case("a line of 9 MB", "faults 61", later(lambda: b"<html><body>" + b"x" * 9 * MEGABYTE), "stored", body=None),
    case("NULs", "faults 61", large(b"<html>" + bytes(MEGABYTE)), "not_a_page"),
    case("blanks", "faults 37", large(b" \t\r\n" * 100_000), "empty"),
    case("a byte", "docs/crawling", large(b"x"), "stored", body=b"x"),
    case("a byte order mark alone", "faults 37", large(b"\xef\xbb\xbf"), "empty", "stored", body=None),
    case("text", "docs/crawling", bare(b"content-type: text/plain", b"content-length: 5", b"connection: close",
        body=b"words"),
         "stored", body=b"words"),
    case("three bytes a chunk", "9112 7",
        sends(HEAD + b"transfer-encoding: chunked\r\n\r\n" + b"3\r\nabc\r\n" * 50_000 +
         b"0\r\n\r\n"), "stored", body=b"abc" * 50_000),
)  # fmt: skip

PIECES = (
    b"<", b">", b"<a ", b"<a href=", b'<a href="', b"<a href='", b"<a x=''", b"<!--", b"<!-", b"-->", b"<script",
    b"<script>", b"</script",
    b"<style>", b"<title", b"<title>", b"<meta ", b"<meta charset=", b"<link ", b"<link rel=canonical href=",
    b"<base href=", b"<base ",
    b"charset=", b"charset = ", b"<a a", b"<a =", b"<a/", b"<a \"'", b"''", b'""', b"&", b"&#", b"&amp", b"<html ",
    b"<template>", b"<textarea>",
    b"<svg>", b"<head>", b"<body>", b"<noscript>", b"<!", b"<?", b"</", b"\xff", b"\xe3\x81", b" ", b"\n", b"=",
    b"<a\n", b"<m", b"<p title='",
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
    *(slow(f"2 MB of {piece!r}", lambda piece=piece: b"<html><head>" + piece * (2 * MEGABYTE // len(piece)))
        for piece in PIECES),
    CrawlCase(KIND, "a Content-Type of 60 KB", "A18",
        (Night({"/page": bare(b"content-type: text/html" + b"; charset" * 6_000,
        b"content-length: %d" % len(PAGE), b"connection: close")}, {"/page": STORED}),)),
    CrawlCase(KIND, "an X-Robots-Tag of 60 KB", "A18", (Night({"/page": bare(b"content-type: text/html",
        b"x-robots-tag: " + b"a:" *
        30_000, b"content-length: %d" % len(PAGE), b"connection: close")}, {"/page": STORED}),)),
    CrawlCase(KIND, "a Location of 60 KB of dots", "A18", (Night({"/page": bare(b"location: /" + b"../" * 20_000,
        b"content-length: 0",
        b"connection: close", status=b"HTTP/1.1 302 Found", body=b"")}, {}),)),
)  # fmt: skip

TRAPS = (
    CrawlCase(KIND, "a calendar without end", "faults 64", (Night({"/page": page("/day/0"),
        **paths("/day/", calendar, 400)}, {"/page": STORED},
        {"/page": None}),), site={"max_depth": 10}, at_most={"/day/": 60}),
    CrawlCase(KIND, "a calendar and a budget", "faults 64", (Night({"/page": page("/day/0"),
        **paths("/day/", calendar, 400)}, {"/page": STORED},
        {"/page": None}),), site={"max_pages": 30}, at_most={"/": 60}),
    CrawlCase(KIND, "a relative link that grows", "faults 64",
        (Night({"/page": page("/deeper/again/page"), **{"/deeper" + "/again/deeper" * n +
        "/again/page": nested for n in range(40)}}, {"/page": STORED}, {"/page": None}),), at_most={"/deeper": 6}),
    CrawlCase(KIND, "a budget of bytes", "faults 64", (Night({"/page": page("/day/0"),
        **paths("/day/", calendar, 400)}, {"/page": STORED},
        {"/page": None}),), site={"max_bytes": 3_000}, at_most={"/day/": 60}),
)  # fmt: skip

CASES = (*SIZES, *SLOW, *TRAPS)
