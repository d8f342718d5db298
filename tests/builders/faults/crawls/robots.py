"""robots.txt by RFC 9309: what its answer allows, and what is written in it."""

import gzip

from builders.fault_server import Play, answer, drip, says, silence, stall
from builders.faults.crawl_case import GOT, CrawlCase, Night
from builders.faults.plays import PAGE, bare, chunk, chunks, endless, first, moved, resets, sends, status

KIND = "robots"
NONE: frozenset[str] = frozenset()
STORED, DENIED = frozenset({"stored"}), frozenset({"robots_denied"})
NO = b"User-agent: *\nDisallow: /page\n"
ALL = b"User-agent: *\nDisallow: /\n"


def text(body: bytes, line: str = "200 OK", **headers: str) -> Play:
    return says(answer(body, line, content_type=headers.pop("content_type", "text/plain"), **headers))


def unread(name: str, rule: str, play: Play, **plays: Play) -> CrawlCase:
    """The host is not asked for pages in this run (RFC 9309, 2.3.1.4)."""
    night = Night({"/page": status("200 OK"), "/robots.txt": play, **_paths(plays)}, {"/page": NONE | DENIED | {None}},
                  is_down=True, unasked=("/page", "/neighbour"))  # fmt: skip
    return CrawlCase(KIND, name, rule, (night,))


def allows(name: str, rule: str, play: Play, **plays: Play) -> CrawlCase:
    night = Night({"/page": status("200 OK"), "/robots.txt": play, **_paths(plays)}, {"/page": STORED})
    return CrawlCase(KIND, name, rule, (night,))


def forbids(name: str, rule: str, play: Play, **plays: Play) -> CrawlCase:
    """/page is forbidden, its neighbour is not."""
    night = Night({"/page": status("200 OK"), "/robots.txt": play, **_paths(plays)}, {"/page": DENIED},
                  unasked=("/page",))  # fmt: skip
    return CrawlCase(KIND, name, rule, (night,))


def either(name: str, rule: str, play: Play, **plays: Play) -> CrawlCase:
    """Allowed or not: the run goes on, and the bystander is whole."""
    night = Night({"/page": status("200 OK"), "/robots.txt": play, **_paths(plays)},
                  {"/page": STORED | DENIED | {None}}, is_down=True)  # fmt: skip
    return CrawlCase(KIND, name, rule, (night,))


def _paths(plays: dict[str, Play]) -> dict[str, Play]:
    return {f"/{name}.txt": play for name, play in plays.items()}


def written(name: str, rule: str, body: bytes, *, is_forbidden: bool = True) -> CrawlCase:
    return (forbids if is_forbidden else allows)(name, rule, text(body))


STATUSES = (
    *(allows(f"{code}", "9309 2.3.1.3, faults 46", text(ALL, f"{code} No"))
      for code in (400, 401, 402, 403, 404, 405, 410, 418, 451, 499)),
    *(unread(f"{code}", "9309 2.3.1.4, faults 47", text(ALL, f"{code} Oops")) for code in (500, 502, 503, 504, 520,
        599)),
    unread("429", "faults 48", text(ALL, "429 Slow down")),
    unread("a time-out", "9309 2.3.1.4", silence),
    unread("half a body, then nothing", "9309 2.3.1.4", stall),
    unread("a byte now and then", "9309 2.3.1.4", drip),
    unread("a reset", "9309 2.3.1.4", resets(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nUser-agent: *")),
    unread("closed before a byte", "9309 2.3.1.4", sends(b"")),
    unread("cut off", "9309 2.3.1.4", says(answer(b"User-agent: *\n", content_length="5000"))),
    unread("cut off in a chunk", "9309 2.3.1.4", chunks(chunk(b"User-agent: *\n"), end=b"")),
    unread("no status line", "9309 2.3.1.4", sends(b"User-agent: *\nDisallow:\n")),
    unread("status 999", "9110 15", text(b"", "999 No")),
    unread("gzip cut off", "9309 2.3.1.4", text(gzip.compress(b"User-agent: *\n" * 90)[:-20], content_encoding="gzip")),
    unread("gzip that is none", "9309 2.3.1.4", text(NO, content_encoding="gzip")),
    allows("500 once, then there", "docs/crawling", first(text(b"", "500 Oops"), text(b""))),
    *(forbids(f"{code} with rules", "9309 2.3.1.1, A8", text(NO, f"{code} Success"))
        for code in (201, 202, 203, 206, 226,
                                                                                                 299)),
    allows("204", "9309 2.3.1.1", text(b"", "204 No Content")),
    unread("a reason beyond ASCII and 500", "A5", bare(b"content-length: 0",
        status=b"HTTP/1.1 500 Erreur int\xe9rieure",
           body=b"")),
    either("a reason beyond ASCII", "A5", bare(b"content-length: 0", status=b"HTTP/1.1 200 Tr\xe8s bien", body=b"")),
    either("a Content-Type beyond ASCII", "A5", bare(b"content-type: \xff\xfe; charset=\xe9", b"content-length: 0",
           body=b"")),
    either("a 304 nobody asked for", "9110 15.4.5", text(b"", "304 Not Modified")),
)  # fmt: skip

REDIRECTS = (
    forbids("led on to rules", "9309 2.3.1.2", moved("/r.txt"), r=text(NO)),
    forbids("led on five times", "9309 2.3.1.2", moved("/r1.txt"),
        **{f"r{n}": moved(f"/r{n + 1}.txt") for n in range(1, 5)},
            r5=text(NO)),
    forbids("led to another host", "9309 2.3.1.2", moved("http://c.example/r.txt"), r=text(NO)),
    allows("led on to a 404", "9309 2.3.1.2", moved("/r.txt")),
    unread("led on to a 500", "9309 2.3.1.2", moved("/r.txt"), r=text(b"", "500 Oops")),
    either("to itself", "9309 2.3.1.2", moved("/robots.txt")),
    either("a ring", "9309 2.3.1.2", moved("/r.txt"), r=moved("/robots.txt")),
    either("without a Location", "9110 15.4", moved(None)),
    *(either(f"led to {location!r}"[:60], "A5", moved(location)) for location in (
        "http://xn--a/", "http://a..b/", f"http://{'a' * 64}.example/", "http://a.example:99999/", "http://[",
        "http://",
        "file:///etc/passwd", "http://nowhere.invalid/", b"http://\xff\xe9/",
        "/\udcff".encode("utf-8", "surrogateescape"),
        "http://a.example:x/", "http://%00/", "http://\u00ad/", "http://faß.invalid/", "http://" + "a." * 300,
        "http://a b/", "http://a.example:0/", "javascript:1", "http://[v1]/", "//"))
)  # fmt: skip

WRITTEN = (
    written("plain", "9309 2.2", NO),
    written("a mark at the start", "9309 2.3", b"\xef\xbb\xbf" + NO),
    written("CR and LF", "9309 2.2", NO.replace(b"\n", b"\r\n")),
    written("CR alone", "9309 2.2", NO.replace(b"\n", b"\r")),
    written("in capitals", "9309 2.2", b"USER-AGENT: *\nDISALLOW: /page\n"),
    written("our name", "9309 2.2.1", b"User-agent: other\nAllow: /\n\nUser-agent: verdicts-test\nDisallow: /page\n"),
    written("our name in capitals", "9309 2.2.1", b"User-agent: Verdicts-TEST\nDisallow: /page\n"),
    written("our name's group alone counts", "9309 2.2.1",
        b"User-agent: *\nDisallow: /\n\nUser-agent: verdicts-test\nAllow: /\n",
            is_forbidden=False),
    written("two groups of one name", "9309 2.2.1",
            b"User-agent: verdicts-test\nDisallow: /x\n\nUser-agent: verdicts-test\nDisallow: /page\n"),
    written("names above one group", "9309 2.2.1", b"User-agent: other\nUser-agent: verdicts-test\nDisallow: /page\n"),
    written("another name only", "9309 2.2.1", b"User-agent: other\nDisallow: /\n", is_forbidden=False),
    written("a longer allow wins", "9309 2.2.2", b"User-agent: *\nDisallow: /p\nAllow: /page\n", is_forbidden=False),
    written("a longer disallow wins", "9309 2.2.2", b"User-agent: *\nAllow: /p\nDisallow: /page\n"),
    written("equal length: allow", "9309 2.2.2", b"User-agent: *\nDisallow: /page\nAllow: /page\n", is_forbidden=False),
    written("empty Disallow", "9309 2.2.2", b"User-agent: *\nDisallow:\n", is_forbidden=False),
    written("a star", "9309 2.2.3", b"User-agent: *\nDisallow: /*ge\n"),
    written("a dollar that fits", "9309 2.2.3", b"User-agent: *\nDisallow: /page$\n"),
    written("a dollar that does not", "9309 2.2.3", b"User-agent: *\nDisallow: /pag$\n", is_forbidden=False),
    written("another case", "9309 2.2.2", b"User-agent: *\nDisallow: /PAGE\n", is_forbidden=False),
    written("an escaped letter", "9309 2.2.2", b"User-agent: *\nDisallow: /%70age\n"),
    written("a comment behind", "9309 2.2", b"User-agent: * # all\nDisallow: /page # not this\n"),
    written("no space", "9309 2.2", b"User-agent:*\nDisallow:/page\n"),
    written("tabs and spaces", "9309 2.2", b"\tUser-agent \t: *  \n  Disallow\t:\t/page \t\n"),
    written("no line end at the end", "9309 2.2", b"User-agent: *\nDisallow: /page"),
    written("a rule before any group", "9309 2.2.1", b"Disallow: /page\nUser-agent: *\nDisallow: /x\n",
        is_forbidden=False),
    written("other lines between", "9309 2.2.4",
        b"User-agent: *\nSitemap: http://a.example/none\nfoo: bar\nDisallow: /page\n"),
    written("letters of latin-1", "9309 2.3", b"# caf\xe9\nUser-agent: *\nDisallow: /caf\xe9\nDisallow: /page\n"),
    written("NULs between the lines", "faults 49", b"\0\0\nUser-agent: *\nDisallow: /page\n\0"),
    written("HTML", "faults 49", PAGE, is_forbidden=False),
    written("nothing", "9309 2.2", b"", is_forbidden=False),
    written("random bytes", "faults 49", bytes(range(256)) * 500, is_forbidden=False),
    written("2 MB, the rule first", "9309 2.5", NO + b"# filler filler filler\n" * 90_000),
    written("490 KB before the rule", "9309 2.5", b"# filler filler\n" * 30_000 + NO),
    written("one line of 2 MB behind the rule", "9309 2.5", NO + b"#" * 2_000_000),
    written("a rule cut at 500 KiB is none", "9309 2.5", b"User-agent: *\nDisallow: /x\n" + b"#" * 511_950 + b"\n" +
            b"Disallow: /" + b"z" * 90_000, is_forbidden=False),
    *(written(f"Crawl-delay {value.decode()}", "faults 52",
        b"User-agent: *\nCrawl-delay: " + value + b"\nDisallow: /page\n")
      for value in (b"abc", b"-1", b"nan", b"inf", b"1e400", b"0.01", b"", b"0,5x", "٣x".encode())),
    forbids("called an image", "9309 2.3", text(NO, content_type="image/png")),
    forbids("packed", "9110 8.4", text(gzip.compress(NO), content_encoding="gzip")),
    forbids("packed twice", "A16", text(gzip.compress(gzip.compress(NO)), content_encoding="gzip, gzip")),
    CrawlCase(KIND, "60 MB, the rule first", "9309 2.5", (Night({"/page": status("200 OK"), "/robots.txt": endless(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n" + NO, b"# filler filler\n" * 1_000)}, {}, is_down=True,
        unasked=("/page",)),)),
    *(CrawlCase(KIND, f"{name}: the loop goes on", "A6, A18", (Night({"/page": status("200 OK"), "/" + "a" * 1900:
        status("200 OK"), "/robots.txt": text(b"User-agent: *\nAllow: /nothing\n" + rules)}, {"/page": STORED}),),
        starts=("/page", "/" + "a" * 1900))
      for name, rules in (
          ("stars", b"Disallow: /" + b"*a" * 200 + b"*b\n"),
          ("stars in a row", b"Disallow: /" + b"*" * 5_000 + b"zq\n"),
          ("a thousand rules of stars", b"".join(b"Disallow: /*a*a*a*%db$\n" % n for n in range(1_000))),
          ("20,000 rules", b"".join(b"Disallow: /rule/%d\n" % n for n in range(20_000))),
          ("20,000 groups", b"\n" + b"".join(b"User-agent: bot%d\nDisallow: /\n\n" % n for n in range(20_000))),
          ("20,000 names", b"".join(b"User-agent: bot%d\n" % n for n in range(20_000)) + b"Disallow: /\n"),
          ("escapes", b"Disallow: /" + b"%61" * 20_000 + b"z\n"),
      )),
    *(allows(f"a sitemap at {url!r}"[:60], "A5", text(b"User-agent: *\nSitemap: " + url + b"\n")) for url in (
        b"http://xn--a/", b"http://[", b"http://a.example:99999/", b"http://a..b/", b"\xff\xfe", b"http://127.0.0.1/",
        b"", b"file:///etc/passwd", b"/relative.xml", b"http://" + b"a" * 5_000)),
)  # fmt: skip

OVER_NIGHTS = tuple(
    CrawlCase(KIND, f"over nights: {name}", "faults 51", (
        Night({"/page": status("200 OK")}, {"/page": STORED}),
        Night({"/page": status("200 OK"), "/robots.txt": play}, {}, {"/page": PAGE, "/neighbour": None}, is_down=True,
              unasked=("/page",), days=2),
        Night({"/page": status("200 OK")}, {"/page": GOT}, {"/page": PAGE}, days=4)))
    for name, play in (("all forbidden", text(ALL)), ("500", text(b"", "500 Oops")), ("a time-out", silence))
)  # fmt: skip

CASES = (*STATUSES, *REDIRECTS, *WRITTEN, *OVER_NIGHTS)
