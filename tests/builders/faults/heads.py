"""Status lines, headers, charsets, and what an answer is by its status alone (RFC 9112; RFC 9110)."""

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
    html,
    moved,
    page,
    says,
    status,
)
from builders.faults.crawl_case import FAILED, GOT, HOME, NOT_KEPT, STORED, CrawlCase, Night, alone
from builders.faults.robots import finds, index, text, urlset, xml

LENGTH = b"content-length: %d" % len(PAGE)
TYPE, CLOSE = b"content-type: text/html", b"connection: close"
EITHER = ("stored", "protocol_error")


def line(status_line: bytes) -> Play:
    return bare(TYPE, LENGTH, CLOSE, status=status_line)


def twice(name: str, rule: str, lines: tuple[bytes, ...], *outcomes: str) -> CrawlCase:
    """The same page on two nights: what was kept of its headers is sent back."""
    allowed = frozenset(outcomes)
    held = {"/page": PAGE} if allowed <= {"stored", "unchanged"} else {}
    nights = tuple(Night({"/page": head(*lines)}, {"/page": allowed}, held, days=day) for day in (0, 1))
    return CrawlCase(name, rule, nights)


STATUS_LINES = (
    alone("a reason beyond ASCII", "9112 4, A5", line(b"HTTP/1.1 200 Tr\xe8s bien"), *EITHER),
    alone("a reason in UTF-8", "9112 4, A5", line("HTTP/1.1 200 ходошо".encode()), *EITHER),
    alone("a reason of tabs", "9112 4", line(b"HTTP/1.1 200 \t\t"), *EITHER),
    alone("no reason", "9112 4", line(b"HTTP/1.1 200 "), "stored"),
    alone("no space before no reason", "9112 4", line(b"HTTP/1.1 200"), *EITHER),
    alone("a reason of 100 KB", "9112 4", line(b"HTTP/1.1 200 " + b"ok" * 50_000), *EITHER),
    alone("a reason with a NUL", "9112 4", line(b"HTTP/1.1 200 O\0K"), *EITHER),
    alone("a status of two digits", "9110 15", line(b"HTTP/1.1 20 OK"), FAILED),
    alone("a status of four digits", "9110 15", line(b"HTTP/1.1 2000 OK"), FAILED),
    alone("a status that is no number", "9110 15", line(b"HTTP/1.1 abc OK"), FAILED),
    alone("a status with a sign", "9110 15", line(b"HTTP/1.1 +20 OK"), FAILED),
    alone("a negative status", "9110 15", line(b"HTTP/1.1 -200 OK"), FAILED),
    alone("a status in other digits", "9110 15", line("HTTP/1.1 ２００ OK".encode()), FAILED),
    alone("a status of 10^30", "9110 15", line(b"HTTP/1.1 1" + b"0" * 30 + b" OK"), FAILED),
    alone("status 099", "9110 15", line(b"HTTP/1.1 099 OK"), FAILED),
    alone("status 000", "9110 15", line(b"HTTP/1.1 000 OK"), FAILED),
    alone("status 600", "9110 15", line(b"HTTP/1.1 600 OK"), FAILED),
    alone("status 999", "9110 15", line(b"HTTP/1.1 999 Request denied"), FAILED),
    alone("HTTP/9.9", "9110 2.5", line(b"HTTP/9.9 200 OK"), *EITHER),
    alone("HTTP/1.10", "9112 2.3", line(b"HTTP/1.10 200 OK"), *EITHER),
    alone("http in small letters", "9112 2.3", line(b"http/1.1 200 OK"), *EITHER),
    alone("two spaces", "9112 4", line(b"HTTP/1.1  200  OK"), *EITHER),
    alone("an empty line first", "9112 2.2", says(b"\r\n" + answer(PAGE)), *EITHER),
)

ONLY_200 = tuple(
    alone(f"{code} with a page", "A4", status(f"{code} Unasked", content_range="bytes 0-20/5000"), NOT_KEPT)
    for code in (201, 202, 203, 205, 206, 207, 226, 299)
)

REFUSALS = (
    alone("204", "docs/crawling", status("204 No Content", b""), "empty"),
    *(
        alone(f"{code}", "docs/crawling", status(f"{code} No"), outcome)
        for code, outcome in (
        (400, "client_error"), (401, "client_error"), (402, "client_error"), (407, "client_error"),
        (409, "client_error"), (412, "client_error"), (416, "client_error"), (418, "client_error"),
        (431, "client_error"), (451, "client_error"), (499, "client_error"), (403, "blocked"), (404, "not_found"),
        (410, "gone"), (500, "server_error"), (501, "server_error"), (502, "server_error"), (505, "server_error"),
        (511, "server_error"), (520, "server_error"), (599, "server_error"), (429, "throttled"),
        )
    ),
)  # fmt: skip

CONTENTS = (
    alone("a 304 nobody asked for", "9110 15.4.5", status("304 Not Modified", b""), "protocol_error"),
    alone("a challenge", "faults 34", head(body=b"<title>Just a moment...</title><p>Checking."), "blocked"),
    alone(
        "a challenge in capitals",
        "faults 34",
        head(body=b"<TITLE>Attention Required! | Cloudflare</TITLE>x"),
        "blocked",
    ),
    alone("a soft 404", "faults 35", head(body=b"<title>Page not found</title><p>Sorry."), "soft_404"),
    alone("a soft 404 by its number", "faults 35", head(body=b"<title>404 - Not Found</title><p>Sorry."), "soft_404"),
    alone(
        "a title that only begins so",
        "faults 35",
        head(body=b"<title>Not found wanting: a review</title><p>Words."),
        "stored",
        body=None,
    ),
    alone("nothing", "faults 37", head(body=b""), "empty"),
    alone("blanks", "faults 37", head(body=b" \r\n\t "), "empty"),
    alone("NULs called HTML", "faults 60", head(body=b"<html>\0\0\0"), "not_a_page"),
)

HEADER_LINES = (
    alone("two equal lengths", "9112 6.3", bare(TYPE, LENGTH, LENGTH, CLOSE), *EITHER),
    alone("a list of equal lengths", "9112 6.3", bare(TYPE, LENGTH + b", %d" % len(PAGE), CLOSE), *EITHER),
    alone("two other lengths", "faults 12", bare(TYPE, b"content-length: 9", LENGTH, CLOSE), "protocol_error"),
    alone("a list of other lengths", "faults 12", bare(TYPE, b"content-length: 9, 20", CLOSE), "protocol_error"),
    *(
        alone(f"a length of {value!r}", "faults 13", bare(TYPE, b"content-length: " + value, CLOSE), "protocol_error")
        for value in (b"many", b"+89", b"-1", b"89.0", b"0x59", b"8 9", b"\xd9\xa8\xd9\xa9", b"89;")
    ),
    alone("a length of nothing", "faults 13", bare(TYPE, b"content-length:", CLOSE), *EITHER),
    alone("a length of 30 digits", "faults 10", bare(TYPE, b"content-length: " + b"9" * 30, CLOSE), "incomplete",
         "protocol_error", "too_large"),
    alone("a length of 6,000 digits", "faults 13", bare(TYPE, b"content-length: " + b"9" * 6_000, CLOSE), "incomplete",
         "protocol_error", "too_large"),
    alone("no colon", "faults 16", bare(TYPE, LENGTH, CLOSE, b"this is no header"), "protocol_error"),
    alone("a folded line", "9112 5.2", bare(TYPE, LENGTH, CLOSE, b"x-long: one\r\n two"), *EITHER),
    alone("a folded first line", "9112 2.2", bare(b" x: y", TYPE, LENGTH, CLOSE), *EITHER),
    alone("a space before the colon", "9112 5.1", bare(TYPE, LENGTH, CLOSE, b"x-space : y"), *EITHER),
    alone("no name", "9110 5.1", bare(TYPE, LENGTH, CLOSE, b": nameless"), *EITHER),
    alone("a name beyond ASCII", "9110 5.1", bare(TYPE, LENGTH, CLOSE, b"x-\xe9t\xe9: y"), *EITHER),
    alone("a NUL in a value", "9110 5.5", bare(TYPE, LENGTH, CLOSE, b"x-nul: a\0b"), *EITHER),
    alone("a bare CR in a value", "9110 5.5", bare(TYPE, LENGTH, CLOSE, b"x-cr: a\rb"), *EITHER),
    alone("line ends without CR", "9112 2.2", says(answer(PAGE).replace(b"\r\n", b"\n")), *EITHER),
    alone("200 KB of one header", "faults 17", bare(TYPE, LENGTH, CLOSE, b"x: " + b"y" * 200_000), "protocol_error"),
    alone("300,000 headers", "faults 17", bare(TYPE, LENGTH, CLOSE, b"x: y\r\n" * 299_999 + b"x: y"), *EITHER,
         "too_large", "deadline"),
    alone("a hundred cookies", "9110 5.3", bare(TYPE, LENGTH, CLOSE, *[b"set-cookie: a=b; path=/"] * 100), "stored"),
    *(
        alone(f"a {name.decode()} beyond ASCII", "9110 5.5, A5",
             bare(TYPE, LENGTH, CLOSE, name + b": \xff\xfe \xe9\xed\xa0\x80"), "stored")
        for name in (b"x-robots-tag", b"server", b"retry-after", b"link", b"refresh", b"set-cookie", b"date", b"vary")
    ),
)  # fmt: skip

TYPES = (
    *(
        alone(f"Content-Type {value!r}", "faults 60", bare(b"content-type: " + value, LENGTH, CLOSE), *outcomes)
        for value, *outcomes in (
            (b"TEXT/HTML ; CHARSET=UTF-8", "stored"),
            (b"text/html;;;", "stored"),
            (b'text/html; charset="utf-8', "stored"),
            (b"text/html; charset=\xff\xfe", "stored"),
            (b"text/html; x=\xe9; charset=utf-8", "stored"),
            (b"", "stored"),
            (b"application/xhtml+xml", "stored"),
            (b"image/png", "not_a_page"),
            (b"application/pdf", "not_a_page"),
            (b"application/json", "not_a_page"),
            (b"application/octet-stream", "not_a_page", "stored"),
            (b"text", "not_a_page", "stored"),
            (b";", "not_a_page", "stored"),
            (b"\xff\xfe/\xe9", "not_a_page", "stored"),
            (b"text/html\xe9", "not_a_page", "stored"),
        )
    ),
    alone("no Content-Type", "faults 60", bare(LENGTH, CLOSE), "stored"),
    alone("two Content-Types", "9110 5.3", bare(b"content-type: image/png", TYPE, LENGTH, CLOSE), "not_a_page",
         "stored"),
    *(
        alone(f"{start!r} called HTML", "faults 60", head(body=start + b"\0\1\2" * 400), "not_a_page")
        for start in (b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"PK\x03\x04", b"\xff\xd8\xff\xe0", b"wOF2")
    ),
)  # fmt: skip

PAUSES = tuple(
    alone(f"{code} with Retry-After {value[:24]!r}", "faults 28-30, 9110 10.2.3",
         first(bare(TYPE, LENGTH, CLOSE, b"retry-after: " + value, status=b"HTTP/1.1 %d Wait" % code), head()),
         "stored")
    for code in (429, 503)
    for value in (b"0", b"-7", b"1.5", b"soon", b"315360000", b"9" * 5000, b"Sun, 01 Nov 2026 01:30:00 GMT",
                  b"Mon, 31 Dec 9999 23:59:59 GMT", b"Fri, 31 Feb 2026 99:99:99 XYZ", b"\xff\xb2", b"1, 2",
                  b"Thu, 01 Jan 1 00:00:00 +2359", b"")
)  # fmt: skip

VALIDATORS = (
    twice("an ETag beyond ASCII", "9110 8.8.3, A5", (b'etag: "\xff\xe9\xed\xa0\x80"',), "stored", "unchanged"),
    twice("an ETag in UTF-8", "9110 8.8.3, A5", ('etag: "日本"'.encode(),), "stored", "unchanged"),
    twice("a Last-Modified beyond ASCII", "A5", (b"last-modified: d\xe9c 2026",), "stored", "unchanged"),
    twice("a Last-Modified that is no date", "9110 8.8.2", (b"last-modified: yesterday",), "stored", "unchanged"),
    twice("an ETag without quotes", "9110 8.8.3", (b"etag: one",), "stored", "unchanged"),
    twice("an empty ETag", "9110 8.8.3", (b"etag:",), "stored", "unchanged"),
    twice("an ETag of 20 KB", "9110 8.8.3", (b'etag: "' + b"x" * 20_000 + b'"',), "stored", "unchanged"),
    twice("two ETags", "9110 8.8.3", (b'etag: "one"', b'etag: "two"'), "stored", "unchanged"),
    twice("an ETag with a tab and quotes", "9110 8.8.3", (b'etag: "a\t"b""',), "stored", "unchanged"),
)

HEADS_CASES = (*STATUS_LINES, *ONLY_200, *REFUSALS, *CONTENTS, *HEADER_LINES, *TYPES, *PAUSES, *VALIDATORS)


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
    alone(f"301 with a body {how}", "RFC 9110, 15.4.2", play, "redirected", plays={"/q": status("200 OK")},
          expect={"/q": STORED})
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

ANSWERS_CASES = (*TAGS, *BY_STATUS, *MOVED, *RETRIED, *ROBOTS, *LARGE_FILES, *SPELLED, *BREAKER)


PYTHON_ONLY = (b"idna", b"undefined", b"utf-7", b"punycode", b"unicode_escape", b"raw_unicode_escape", b"hex",
    b"base64",
               b"rot13", b"zlib", b"bz2", b"mbcs", b"oem", b"cp65001", b"utf_8_sig", b"charmap", b"palmos")  # fmt: skip
"""Codecs of Python that the Encoding standard does not know: to be ignored as unknown labels are."""
STRANGE = (b"none", b"x" * 3_000, b"../../etc", b"os.path", b"utf-8\xff", b"\xd7\xa9", b"utf 8", b"'utf-8", b"-", b"")


def linked(name: str, rule: str, body: bytes, content_type: bytes = b"text/html", follows: bool = True) -> CrawlCase:
    """A page with a link to /next, in letters of ASCII unless the body says otherwise."""
    lines = (b"content-type: " + content_type, b"content-length: %d" % len(body), b"connection: close")
    expect = {"/page": frozenset({"stored"}), **({"/next": frozenset({"stored"})} if follows else {})}
    plays = {"/page": bare(*lines, body=body), "/next": page(text="The next page.")}
    return CrawlCase(name, rule, (Night(plays, expect, {"/page": body, **({"/next": None} if follows else {})}),))


def meta(label: bytes) -> bytes:
    return (
        b'<html><head><meta charset="%s"><title>T</title></head><body>words <a href="/next">n</a></body></html>' % label
    )


PLAIN = html("/next")
BOTH = PLAIN.decode()

CHARSETS_CASES = (
    *(linked(f"the header says {label!r}"[:70], "WHATWG 4.2, A5", PLAIN, b"text/html; charset=" + label)
      for label in (*PYTHON_ONLY, *STRANGE)),
    *(linked(f"a meta tag says {label!r}"[:70], "WHATWG 4.2, A5", meta(label)) for label in (*PYTHON_ONLY, *STRANGE)),
    linked("a meta tag says utf-16 on bytes", "HTML 13.2.3.3, A15", meta(b"utf-16")),
    linked("a meta tag says utf-16be on bytes", "HTML 13.2.3.3, A15", meta(b"utf-16be")),
    linked("a meta tag says x-user-defined", "HTML 13.2.3.3", meta(b"x-user-defined")),
    linked("a meta tag says replacement", "WHATWG 4.2", meta(b"replacement"), follows=False),
    linked("UTF-16 by its mark", "WHATWG 6, A15", b"\xff\xfe" + BOTH.encode("utf-16-le")),
    linked("UTF-16 big end first by its mark", "WHATWG 6, A15", b"\xfe\xff" + BOTH.encode("utf-16-be")),
    linked("a mark against the header", "WHATWG 6, A15", b"\xff\xfe" + BOTH.encode("utf-16-le"),
           b"text/html; charset=utf-8"),
    linked("UTF-16 by its zeros", "Firefox", BOTH.encode("utf-16-le")),
    linked("Latin-1 that the header calls UTF-8", "WHATWG 4.1",
        html("/next", text="Gr\xfc\xdfe").decode().encode("cp1252"), b"text/html; charset=utf-8"),
    linked("UTF-16 by the header", "WHATWG 4.2", BOTH.encode("utf-16-le"), b"text/html; charset=utf-16le"),
    linked("a UTF-8 mark against the header", "WHATWG 6", b"\xef\xbb\xbf" + PLAIN, b"text/html; charset=shift_jis"),
    linked("Shift_JIS with a trailing byte of ASCII", "WHATWG 12.3",
        html("/next", text="\u8868").decode().encode("cp932"),
           b"text/html; charset=shift_jis"),
    linked("ISO-2022-JP", "WHATWG 12.2", html("/next", text="\u8868").decode().encode("iso2022_jp"),
           b"text/html; charset=iso-2022-jp"),
    linked("gb18030", "WHATWG 10", html("/next", text="\U00020000\u4e00").decode().encode("gb18030"),
           b"text/html; charset=gb18030"),
    linked("invalid bytes everywhere", "WHATWG 4.1", PLAIN.replace(b"Words", b"\xff\xfe\xc3\x28\xed\xa0\x80")),
)  # fmt: skip


CASES = {
    "status and headers": HEADS_CASES,
    "answers": ANSWERS_CASES,
    "charsets": CHARSETS_CASES,
}
