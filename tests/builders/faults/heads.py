"""Status lines, headers, and what an answer is by its status alone (RFC 9112; RFC 9110)."""

import gzip

from builders.fault_server import (
    PAGE,
    Play,
    answer,
    bare,
    drips,
    first,
    hangs,
    head,
    moved,
    page,
    says,
    status,
)
from builders.faults.crawl_case import FAILED, GOT, HOME, NOT_KEPT, STORED, CrawlCase, Night, alone, every
from builders.faults.robots import finds, index, text, urlset, xml

LENGTH = b"content-length: %d" % len(PAGE)
TYPE, CLOSE = b"content-type: text/html", b"connection: close"
EITHER = ("stored", "protocol_error")


def line(status_line: bytes) -> Play:
    return bare(TYPE, LENGTH, CLOSE, status=status_line)


def lined(*lines: bytes) -> Play:
    return bare(TYPE, LENGTH, CLOSE, *lines)


def long(length: bytes) -> Play:
    return bare(TYPE, b"content-length: " + length, CLOSE)


def typed(value: bytes) -> Play:
    return bare(b"content-type: " + value, LENGTH, CLOSE)


STATUS_LINES = (
    *every("9112 2.3, 4", EITHER, line, {
        "a reason beyond ASCII": b"HTTP/1.1 200 Tr\xe8s bien",
        "a reason in UTF-8": "HTTP/1.1 200 ходошо".encode(),
        "a reason of tabs": b"HTTP/1.1 200 \t\t",
        "no space before no reason": b"HTTP/1.1 200",
        "a reason of 100 KB": b"HTTP/1.1 200 " + b"ok" * 50_000,
        "a reason with a NUL": b"HTTP/1.1 200 O\0K",
        "HTTP/9.9": b"HTTP/9.9 200 OK",
        "HTTP/1.10": b"HTTP/1.10 200 OK",
        "http in small letters": b"http/1.1 200 OK",
        "two spaces": b"HTTP/1.1  200  OK",
    }),
    *every("9110 15", (FAILED,), line, {
        "a status of two digits": b"HTTP/1.1 20 OK",
        "a status of four digits": b"HTTP/1.1 2000 OK",
        "a status that is no number": b"HTTP/1.1 abc OK",
        "a status with a sign": b"HTTP/1.1 +20 OK",
        "a negative status": b"HTTP/1.1 -200 OK",
        "a status in other digits": "HTTP/1.1 ２００ OK".encode(),
        "a status of 10^30": b"HTTP/1.1 1" + b"0" * 30 + b" OK",
        **{f"status {code}": b"HTTP/1.1 %s OK" % code.encode() for code in ("099", "000", "600", "999")},
    }),
    alone("no reason", "9112 4", line(b"HTTP/1.1 200 "), "stored"),
    alone("an empty line first", "9112 2.2", says(b"\r\n" + answer(PAGE)), *EITHER),
)  # fmt: skip

REFUSALS = {
    "client_error": (400, 401, 402, 407, 409, 412, 416, 418, 431, 451, 499),
    "blocked": (403,),
    "not_found": (404,),
    "gone": (410,),
    "server_error": (500, 501, 502, 505, 511, 520, 599),
    "throttled": (429,),
    "unexpected_status": (300, 305),
}
PART, WHOLE = "bytes 0-20/5000", f"bytes 0-{len(PAGE) - 1}/{len(PAGE)}"

STATUSES = (
    *(alone(f"{code} with a page", "A4", status(f"{code} Unasked", content_range=PART), NOT_KEPT)
      for code in (201, 202, 203, 205, 206, 207, 226, 299)),
    *(alone(f"{code}", "docs/crawling", status(f"{code} No"), outcome)
      for outcome, codes in REFUSALS.items() for code in codes),
    alone("204", "docs/crawling", status("204 No Content", b""), "empty"),
    alone("a 304 nobody asked for", "9110 15.4.5", status("304 Not Modified", b""), "protocol_error"),
    alone("a 304 with a body", "9110 15.4.5", status("304 Not Modified"), "protocol_error"),
    alone("202 with a challenge", "faults 34", status("202 Accepted", x_amzn_waf_action="challenge"), "blocked"),
    alone("206 and which part", "A4", status("206 Part", content_range=PART), "incomplete"),
    alone("200 with a part", "A4", status("200 OK", content_range=PART), "incomplete"),
    alone("200 with all as a part", "A4", status("200 OK", content_range=WHOLE), "stored"),
    alone("101 to HTTP/2", "9110 15.2.2",
          says(b"HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\nPRI"), "protocol_error"),
)  # fmt: skip

CONTENTS = (
    *every("faults 34", ("blocked",), lambda body: head(body=body), {
        "a challenge": b"<title>Just a moment...</title><p>Checking.",
        "a challenge in capitals": b"<TITLE>Attention Required! | Cloudflare</TITLE>x",
    }),
    *every("faults 35", ("soft_404",), lambda body: head(body=body), {
        "a soft 404": b"<title>Page not found</title><p>Sorry.",
        "a soft 404 by its number": b"<title>404 - Not Found</title><p>Sorry.",
    }),
    *every("faults 37", ("empty",), lambda body: head(body=body), {"nothing": b"", "blanks": b" \r\n\t "}),
    *every("faults 60", ("not_a_page",), lambda body: head(body=body), {
        "NULs called HTML": b"<html>\0\0\0",
        **{f"{start!r} called HTML": start + b"\0\1\2" * 400
           for start in (b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"PK\x03\x04", b"\xff\xd8\xff\xe0", b"wOF2")},
    }),
    alone("a title that only begins so", "faults 35", head(body=b"<title>Not found wanting: a review</title><p>Words."),
          "stored", body=None),
)  # fmt: skip

LENGTHS = (
    *every("faults 13", ("protocol_error",), long, {
        f"a length of {value!r}": value
        for value in (b"many", b"+89", b"-1", b"89.0", b"0x59", b"8 9", b"\xd9\xa8\xd9\xa9", b"89;")
    }),
    *every("faults 10", ("incomplete", "protocol_error", "too_large"), long, {
        "a length of 30 digits": b"9" * 30, "a length of 6,000 digits": b"9" * 6_000}),
    alone("a length of nothing", "faults 13", bare(TYPE, b"content-length:", CLOSE), *EITHER),
    alone("two equal lengths", "9112 6.3", lined(LENGTH), *EITHER),
    alone("a list of equal lengths", "9112 6.3", bare(TYPE, LENGTH + b", %d" % len(PAGE), CLOSE), *EITHER),
    alone("two other lengths", "faults 12", lined(b"content-length: 9"), "protocol_error"),
    alone("a list of other lengths", "faults 12", long(b"9, 20"), "protocol_error"),
)  # fmt: skip

HEADER_LINES = (
    *every("9110 5, 9112 5", EITHER, lined, {
        "a folded line": b"x-long: one\r\n two",
        "a space before the colon": b"x-space : y",
        "no name": b": nameless",
        "a name beyond ASCII": b"x-\xe9t\xe9: y",
        "a NUL in a value": b"x-nul: a\0b",
        "a bare CR in a value": b"x-cr: a\rb",
    }),
    *every("faults 16, 17", ("protocol_error",), lined, {
        "no colon": b"this is no header", "200 KB of one header": b"x: " + b"y" * 200_000}),
    *every("9110 5.5, A5", ("stored",), lined, {
        f"a {name.decode()} beyond ASCII": name + b": \xff\xfe \xe9\xed\xa0\x80"
        for name in (b"x-robots-tag", b"server", b"retry-after", b"link", b"refresh", b"set-cookie", b"date", b"vary")
    }),
    alone("controls", "9110 5.5", lined(b'etag: "\x1b]0;OWNED\x07"', b"x-a: \x01\x7f\x9f"), "stored"),
    alone("a folded first line", "9112 2.2", bare(b" x: y", TYPE, LENGTH, CLOSE), *EITHER),
    alone("line ends without CR", "9112 2.2", says(answer(PAGE).replace(b"\r\n", b"\n")), *EITHER),
    alone("300,000 headers", "faults 17", lined(b"x: y\r\n" * 299_999 + b"x: y"), *EITHER, "too_large", "deadline"),
    alone("a hundred cookies", "9110 5.3", lined(*[b"set-cookie: a=b; path=/"] * 100), "stored"),
)  # fmt: skip

TYPES = (
    *every("faults 60", ("stored",), typed, {
        f"Content-Type {value!r}": value
        for value in (b"TEXT/HTML ; CHARSET=UTF-8", b"text/html;;;", b'text/html; charset="utf-8',
                      b"text/html; charset=\xff\xfe", b"text/html; x=\xe9; charset=utf-8", b"",
                      b"application/xhtml+xml", b"text/html; charset=idna")
    }),
    *every("faults 60", ("not_a_page",), typed, {
        f"Content-Type {value!r}": value for value in (b"image/png", b"application/pdf", b"application/json")}),
    *every("faults 60", ("not_a_page", "stored"), typed, {
        f"Content-Type {value!r}": value
        for value in (b"application/octet-stream", b"text", b";", b"\xff\xfe/\xe9", b"text/html\xe9")
    }),
    alone("no Content-Type", "faults 60", bare(LENGTH, CLOSE), "stored"),
    alone("two Content-Types", "9110 5.3", lined(b"content-type: image/png"), "not_a_page", "stored"),
)  # fmt: skip

RETRY_AFTER = (
    b"0", b"-7", b"1.5", b"soon", b"315360000", b"9" * 5000, b"Sun, 01 Nov 2026 01:30:00 GMT",
    b"Mon, 31 Dec 9999 23:59:59 GMT", b"Fri, 31 Feb 2026 99:99:99 XYZ", b"\xff\xb2", b"1, 2",
    b"Thu, 01 Jan 1 00:00:00 +2359", b"",
)  # fmt: skip


def pause(code: int, value: bytes) -> Play:
    wait = bare(TYPE, LENGTH, CLOSE, b"retry-after: " + value, status=b"HTTP/1.1 %d Wait" % code)
    return first(wait, head())


PAUSES = tuple(
    alone(f"{code} with Retry-After {value[:24]!r}", "faults 28-30, 9110 10.2.3", pause(code, value), "stored")
    for code in (429, 503)
    for value in RETRY_AFTER
)

VALIDATORS = {
    "an ETag beyond ASCII": (b'etag: "\xff\xe9\xed\xa0\x80"',),
    "an ETag in UTF-8": ('etag: "日本"'.encode(),),
    "a Last-Modified beyond ASCII": (b"last-modified: d\xe9c 2026",),
    "a Last-Modified that is no date": (b"last-modified: yesterday",),
    "an ETag without quotes": (b"etag: one",),
    "an empty ETag": (b"etag:",),
    "an ETag of 20 KB": (b'etag: "' + b"x" * 20_000 + b'"',),
    "two ETags": (b'etag: "one"', b'etag: "two"'),
    "an ETag with a tab and quotes": (b'etag: "a\t"b""',),
}
"""The same page on two nights: what was kept of its headers is sent back."""

TWICE = tuple(
    CrawlCase(name, "9110 8.8, A5", tuple(Night({"/page": head(*lines)}, {"/page": GOT}, {"/page": PAGE}, days=day)
              for day in (0, 1)))
    for name, lines in VALIDATORS.items()
)  # fmt: skip


DENIED = frozenset({"robots_denied"})
LISTED = f"{HOME}/listed"


def broken(line: str, *more: str) -> tuple[tuple[str, Play], ...]:
    """This answer with a body that is worth nothing, in several ways."""
    lines = "".join(f"{name}\r\n" for name in more)
    head = f"HTTP/1.1 {line}\r\n{lines}content-type: text/html\r\ncontent-length: 5000\r\n".encode()
    return (
        ("cut short", says(head + b"\r\nhalf")),
        ("that hangs", hangs(head + b"\r\nhalf")),
        ("that drips", drips(head + b"\r\nhalf")),
        ("of corrupt gzip", says(head.replace(b"5000", b"4") + b"content-encoding: gzip\r\n\r\nhalf")),
        ("of brotli", says(head.replace(b"5000", b"4") + b"content-encoding: br\r\n\r\nhalf")),
        ("of 12 MB", says(head.replace(b"5000", b"12000000") + b"\r\n" + bytes(12_000_000))),
    )


BY_STATUS = tuple(
    alone(f"{line} with a body {how}", "RFC 9110, 15: the status is the answer", play, outcome)
    for line, outcome in (("404 Not Found", "not_found"), ("410 Gone", "gone"), ("403 Forbidden", "blocked"))
    for how, play in broken(line)
)
MOVED = tuple(
    alone(f"301 with a body {how}", "RFC 9110, 15.4.2", play, "redirected", others={"/q": status("200 OK")})
    for how, play in broken("301 Moved", "location: /q")
)  # fmt: skip
RETRIED = tuple(
    alone(f"{line} with a body {how}, then the page", "faults 28, 32", first(play, status("200 OK")), "stored")
    for line in ("503 Busy", "429 Slow down")
    for how, play in broken(line)
)
ROBOTS = tuple(
    CrawlCase(f"robots.txt: 404 with a body {how}", "RFC 9309, 2.3.1.3",
              (Night({"/robots.txt": play, "/page": status("200 OK")}, {"/page": STORED}),))
    for how, play in broken("404 Not Found")
)  # fmt: skip

RULE = b"User-agent: *\nDisallow: /no\n"
LARGE_FILES = (
    *(
        CrawlCase(f"robots.txt of {name}", "RFC 9309, 2.5: what follows 500 KiB is not read",
                  (Night({"/robots.txt": play, "/page": page("/no"), "/no": status("200 OK")}, {"/page": STORED},
                         held={"/page": None}, unasked=("/no",)),))
        for name, play in (
            ("12 MB", text(RULE + b"# a line\n" * 1_300_000)),
            ("40 MB in gzip", text(gzip.compress(RULE + b"#" * 40_000_000), content_encoding="gzip")),
        )
    ),
    finds("30 MB", "sitemaps.org: 50 MB", urlset(" " * 30_000_000 + f"<url><loc>{LISTED}</loc></url>")),
    finds("45 MB in gzip", "sitemaps.org: 50 MB",
          xml(gzip.compress(urlset(" " * 45_000_000 + f"<url><loc>{LISTED}</loc></url>")), content_encoding="gzip")),
)  # fmt: skip

SPELLED = (
    finds("an index names a file with its slash", "faults 63", index(f"{HOME}/maps/"),
          plays={"/maps/": xml(urlset(f"<url><loc>{LISTED}</loc></url>"))}),
    finds("an index names a file with parameters in an order of its own", "faults 63",
          index(f"{HOME}/map?z=1&amp;a=2"), plays={"/map?z=1&a=2": xml(urlset(f"<url><loc>{LISTED}</loc></url>"))}),
    *(
        CrawlCase(f"robots.txt forbids the spelling {spelled}", "RFC 9309, 2.2.2",
                  (Night({"/robots.txt": text(f"User-agent: *\nDisallow: {rule}\n".encode()), "/page": page(spelled),
                          asked: moved(spelled), spelled: status("200 OK")},
                         {"/page": STORED, asked: DENIED}, held={"/page": None}, unasked=(spelled,)),))
        for spelled, asked, rule in (("/no/", "/no", "/no/"), ("/no?b=1&a=2", "/no?a=2&b=1", "/no?b"))
    ),
)  # fmt: skip

BAD = {
    "a corrupt encoding": says(answer(b"no gzip", content_encoding="gzip")),
    "no HTTP": says(b"<html>hello</html>"),
    "too large": says(answer(bytes(11_000_000))),
}


def beside_bad(name: str, play: Play, count: int) -> CrawlCase:
    paths = [f"/bad{number}" for number in range(count)]
    plays = {"/page": page(*paths, "/last"), **dict.fromkeys(paths, play), "/last": status("200 OK")}
    night = Night(plays, {"/last": GOT}, held={"/page": None})
    rule = "a page's own fault says nothing of its host"
    return CrawlCase(f"{count} pages in a row: {name}", rule, (night,), site={"connections": 1})


BREAKER = (
    *(beside_bad(name, play, 12) for name, play in BAD.items()),
    beside_bad("500", status("500 Oops"), 6),
    beside_bad("cut short", says(answer(PAGE, content_length="5000")), 6),
    finds("an index with twelve broken files before a good one", "faults 63",
          index(*(f"{HOME}/bad{number}.xml" for number in range(12)), f"{HOME}/good.xml"),
          plays={"/good.xml": xml(urlset(f"<url><loc>{LISTED}</loc></url>")),
                 **{f"/bad{number}.xml": BAD["a corrupt encoding"] for number in range(12)}}),
)  # fmt: skip

TAGS = tuple(
    alone(f"X-Robots-Tag: {value}", "Google, robots meta tag", status("200 OK", x_robots_tag=value), outcome)
    for value, outcome in (("otherbot: nofollow, verdicts-test: noindex", "noindex"),
                           ("otherbot: noindex, verdicts-test: nofollow", "stored"), ("*: noindex", "noindex"),
                           ("noindex, otherbot: nofollow", "noindex"))
)  # fmt: skip

CASES = {
    "status and headers": (
        *STATUS_LINES, *STATUSES, *CONTENTS, *LENGTHS, *HEADER_LINES, *TYPES, *PAUSES, *TWICE),
    "answers": (*TAGS, *BY_STATUS, *MOVED, *RETRIED, *ROBOTS, *LARGE_FILES, *SPELLED, *BREAKER),
}  # fmt: skip
