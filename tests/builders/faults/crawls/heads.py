"""Status lines, header lines and the headers a crawler reads (RFC 9112, 4 and 5; RFC 9110, 8, 10 and 15)."""

from builders.fault_server import Play, answer, says
from builders.faults.crawl_case import FAILED, NOT_KEPT, CrawlCase, Night, alone
from builders.faults.plays import PAGE, bare, first, head, sends, status

KIND = "status and headers"
LENGTH = b"content-length: %d" % len(PAGE)
TYPE, CLOSE = b"content-type: text/html", b"connection: close"
EITHER = ("stored", "protocol_error")


def case(name: str, rule: str, play: Play, *outcomes: str | frozenset[str], **more) -> CrawlCase:
    return alone(KIND, name, rule, play, *outcomes, **more)


def line(status_line: bytes) -> Play:
    return bare(TYPE, LENGTH, CLOSE, status=status_line)


def twice(name: str, rule: str, lines: tuple[bytes, ...], *outcomes: str) -> CrawlCase:
    """The same page on two nights: what was kept of its headers is sent back."""
    allowed = frozenset(outcomes)
    held = {"/page": PAGE} if allowed <= {"stored", "unchanged"} else {}
    nights = tuple(Night({"/page": head(*lines)}, {"/page": allowed}, held, days=day) for day in (0, 1))
    return CrawlCase(KIND, name, rule, nights)


STATUS_LINES = (
    case("a reason beyond ASCII", "9112 4, A5", line(b"HTTP/1.1 200 Tr\xe8s bien"), *EITHER),
    case("a reason in UTF-8", "9112 4, A5", line("HTTP/1.1 200 ходошо".encode()), *EITHER),
    case("a reason of tabs", "9112 4", line(b"HTTP/1.1 200 \t\t"), *EITHER),
    case("no reason", "9112 4", line(b"HTTP/1.1 200 "), "stored"),
    case("no space before no reason", "9112 4", line(b"HTTP/1.1 200"), *EITHER),
    case("a reason of 100 KB", "9112 4", line(b"HTTP/1.1 200 " + b"ok" * 50_000), *EITHER),
    case("a reason with a NUL", "9112 4", line(b"HTTP/1.1 200 O\0K"), *EITHER),
    case("a status of two digits", "9110 15", line(b"HTTP/1.1 20 OK"), FAILED),
    case("a status of four digits", "9110 15", line(b"HTTP/1.1 2000 OK"), FAILED),
    case("a status that is no number", "9110 15", line(b"HTTP/1.1 abc OK"), FAILED),
    case("a status with a sign", "9110 15", line(b"HTTP/1.1 +20 OK"), FAILED),
    case("a negative status", "9110 15", line(b"HTTP/1.1 -200 OK"), FAILED),
    case("a status in other digits", "9110 15", line("HTTP/1.1 ２００ OK".encode()), FAILED),
    case("a status of 10^30", "9110 15", line(b"HTTP/1.1 1" + b"0" * 30 + b" OK"), FAILED),
    case("status 099", "9110 15", line(b"HTTP/1.1 099 OK"), FAILED),
    case("status 000", "9110 15", line(b"HTTP/1.1 000 OK"), FAILED),
    case("status 600", "9110 15", line(b"HTTP/1.1 600 OK"), FAILED),
    case("status 999", "9110 15", line(b"HTTP/1.1 999 Request denied"), FAILED),
    case("HTTP/9.9", "9110 2.5", line(b"HTTP/9.9 200 OK"), *EITHER),
    case("HTTP/1.10", "9112 2.3", line(b"HTTP/1.10 200 OK"), *EITHER),
    case("http in small letters", "9112 2.3", line(b"http/1.1 200 OK"), *EITHER),
    case("two spaces", "9112 4", line(b"HTTP/1.1  200  OK"), *EITHER),
    case("an empty line first", "9112 2.2", sends(b"\r\n" + answer(PAGE)), *EITHER),
)

ONLY_200 = tuple(
    case(f"{code} with a page", "A4", status(f"{code} Unasked", content_range="bytes 0-20/5000"), NOT_KEPT)
    for code in (201, 202, 203, 205, 206, 207, 226, 299)
)

REFUSALS = (
    case("204", "docs/crawling", status("204 No Content", b""), "empty"),
    *(
        case(f"{code}", "docs/crawling", status(f"{code} No"), outcome)
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
    case("a 304 nobody asked for", "9110 15.4.5", status("304 Not Modified", b""), "protocol_error"),
    case("a challenge", "faults 34", head(body=b"<title>Just a moment...</title><p>Checking."), "blocked"),
    case(
        "a challenge in capitals",
        "faults 34",
        head(body=b"<TITLE>Attention Required! | Cloudflare</TITLE>x"),
        "blocked",
    ),
    case("a soft 404", "faults 35", head(body=b"<title>Page not found</title><p>Sorry."), "soft_404"),
    case("a soft 404 by its number", "faults 35", head(body=b"<title>404 - Not Found</title><p>Sorry."), "soft_404"),
    case(
        "a title that only begins so",
        "faults 35",
        head(body=b"<title>Not found wanting: a review</title><p>Words."),
        "stored",
        body=None,
    ),
    case("nothing", "faults 37", head(body=b""), "empty"),
    case("blanks", "faults 37", head(body=b" \r\n\t "), "empty"),
    case("NULs called HTML", "faults 60", head(body=b"<html>\0\0\0"), "not_a_page"),
)

HEADER_LINES = (
    case("two equal lengths", "9112 6.3", bare(TYPE, LENGTH, LENGTH, CLOSE), *EITHER),
    case("a list of equal lengths", "9112 6.3", bare(TYPE, LENGTH + b", %d" % len(PAGE), CLOSE), *EITHER),
    case("two other lengths", "faults 12", bare(TYPE, b"content-length: 9", LENGTH, CLOSE), "protocol_error"),
    case("a list of other lengths", "faults 12", bare(TYPE, b"content-length: 9, 20", CLOSE), "protocol_error"),
    *(
        case(f"a length of {value!r}", "faults 13", bare(TYPE, b"content-length: " + value, CLOSE), "protocol_error")
        for value in (b"many", b"+89", b"-1", b"89.0", b"0x59", b"8 9", b"\xd9\xa8\xd9\xa9", b"89;")
    ),
    case("a length of nothing", "faults 13", bare(TYPE, b"content-length:", CLOSE), *EITHER),
    case("a length of 30 digits", "faults 10", bare(TYPE, b"content-length: " + b"9" * 30, CLOSE), "incomplete",
         "protocol_error", "too_large"),
    case("a length of 6,000 digits", "faults 13", bare(TYPE, b"content-length: " + b"9" * 6_000, CLOSE), "incomplete",
         "protocol_error", "too_large"),
    case("no colon", "faults 16", bare(TYPE, LENGTH, CLOSE, b"this is no header"), "protocol_error"),
    case("a folded line", "9112 5.2", bare(TYPE, LENGTH, CLOSE, b"x-long: one\r\n two"), *EITHER),
    case("a folded first line", "9112 2.2", bare(b" x: y", TYPE, LENGTH, CLOSE), *EITHER),
    case("a space before the colon", "9112 5.1", bare(TYPE, LENGTH, CLOSE, b"x-space : y"), *EITHER),
    case("no name", "9110 5.1", bare(TYPE, LENGTH, CLOSE, b": nameless"), *EITHER),
    case("a name beyond ASCII", "9110 5.1", bare(TYPE, LENGTH, CLOSE, b"x-\xe9t\xe9: y"), *EITHER),
    case("a NUL in a value", "9110 5.5", bare(TYPE, LENGTH, CLOSE, b"x-nul: a\0b"), *EITHER),
    case("a bare CR in a value", "9110 5.5", bare(TYPE, LENGTH, CLOSE, b"x-cr: a\rb"), *EITHER),
    case("line ends without CR", "9112 2.2", says(answer(PAGE).replace(b"\r\n", b"\n")), *EITHER),
    case("200 KB of one header", "faults 17", bare(TYPE, LENGTH, CLOSE, b"x: " + b"y" * 200_000), "protocol_error"),
    case("300,000 headers", "faults 17", bare(TYPE, LENGTH, CLOSE, b"x: y\r\n" * 299_999 + b"x: y"), *EITHER,
         "too_large", "deadline"),
    case("a hundred cookies", "9110 5.3", bare(TYPE, LENGTH, CLOSE, *[b"set-cookie: a=b; path=/"] * 100), "stored"),
    *(
        case(f"a {name.decode()} beyond ASCII", "9110 5.5, A5",
             bare(TYPE, LENGTH, CLOSE, name + b": \xff\xfe \xe9\xed\xa0\x80"), "stored")
        for name in (b"x-robots-tag", b"server", b"retry-after", b"link", b"refresh", b"set-cookie", b"date", b"vary")
    ),
)  # fmt: skip

TYPES = (
    *(
        case(f"Content-Type {value!r}", "faults 60", bare(b"content-type: " + value, LENGTH, CLOSE), *outcomes)
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
    case("no Content-Type", "faults 60", bare(LENGTH, CLOSE), "stored"),
    case("two Content-Types", "9110 5.3", bare(b"content-type: image/png", TYPE, LENGTH, CLOSE), "not_a_page",
         "stored"),
    *(
        case(f"{start!r} called HTML", "faults 60", head(body=start + b"\0\1\2" * 400), "not_a_page")
        for start in (b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"PK\x03\x04", b"\xff\xd8\xff\xe0", b"wOF2")
    ),
)  # fmt: skip

PAUSES = tuple(
    case(f"{code} with Retry-After {value[:24]!r}", "faults 28-30, 9110 10.2.3",
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

CASES = (*STATUS_LINES, *ONLY_200, *REFUSALS, *CONTENTS, *HEADER_LINES, *TYPES, *PAUSES, *VALIDATORS)
