"""robots.txt by RFC 9309, sitemaps and feeds (sitemaps.org; RSS 2.0; RFC 4287)."""

import gzip
from collections.abc import Callable, Mapping
from typing import Any

from builders.fault_server import (
    PAGE,
    Play,
    answer,
    bare,
    chunk,
    chunks,
    drip,
    endless,
    first,
    later,
    moved,
    page,
    resets,
    says,
    silence,
    stall,
    status,
)
from builders.faults.crawl_case import GOT, HOME, STORED, CrawlCase, Night
from builders.faults.transport import bomb

NONE: frozenset[str] = frozenset()
DENIED = frozenset({"robots_denied"})
NO = b"User-agent: *\nDisallow: /page\n"
ALL = b"User-agent: *\nDisallow: /\n"


def text(body: bytes, line: str = "200 OK", **headers: str) -> Play:
    return says(answer(body, line, content_type=headers.pop("content_type", "text/plain"), **headers))


def after(expect: frozenset[str | None], **seen: Any) -> Callable[..., CrawlCase]:
    """Cases of a robots.txt with which /page must end so. `seen` are more fields of the night."""

    def case(name: str, rule: str, play: Play, **plays: Play) -> CrawlCase:
        others = {f"/{path}.txt": other for path, other in plays.items()}
        shown = {"/page": status("200 OK"), "/robots.txt": play, **others}
        return CrawlCase(name, rule, (Night(shown, {"/page": expect}, **seen),))

    return case


allows = after(STORED)
forbids = after(DENIED, unasked=("/page",))
"""/page is forbidden, its neighbour is not."""
unread = after(NONE | DENIED | {None}, is_down=True, unasked=("/page", "/neighbour"))
"""The host is not asked for pages in this run (RFC 9309, 2.3.1.4)."""
either = after(STORED | DENIED | {None}, is_down=True)
"""Allowed or not: the run goes on, and the bystander is whole."""


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
    unread("closed before a byte", "9309 2.3.1.4", says(b"")),
    unread("cut off", "9309 2.3.1.4", says(answer(b"User-agent: *\n", content_length="5000"))),
    unread("cut off in a chunk", "9309 2.3.1.4", chunks(chunk(b"User-agent: *\n"), end=b"")),
    unread("no status line", "9309 2.3.1.4", says(b"User-agent: *\nDisallow:\n")),
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
    CrawlCase("60 MB, the rule first", "9309 2.5", (Night({"/page": status("200 OK"), "/robots.txt": endless(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n" + NO, b"# filler filler\n" * 1_000)}, {}, is_down=True,
        unasked=("/page",)),)),
    *(CrawlCase(f"{name}: the loop goes on", "A6, A18", (Night({"/page": status("200 OK"), "/" + "a" * 1900:
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
    CrawlCase(f"over nights: {name}", "faults 51", (
        Night({"/page": status("200 OK")}, {"/page": STORED}),
        Night({"/page": status("200 OK"), "/robots.txt": play}, {}, {"/page": PAGE, "/neighbour": None}, is_down=True,
              unasked=("/page",), days=2),
        Night({"/page": status("200 OK")}, {"/page": GOT}, {"/page": PAGE}, days=4)))
    for name, play in (("all forbidden", text(ALL)), ("500", text(b"", "500 Oops")), ("a time-out", silence))
)  # fmt: skip

ROBOTS_CASES = (*STATUSES, *REDIRECTS, *WRITTEN, *OVER_NIGHTS)


LISTED = f"{HOME}/listed"
HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def entry(url: str, inside: str = "") -> str:
    return f"<url><loc>{url}</loc>{inside}</url>"


def urlset(*entries: str) -> bytes:
    return f"{HEADER}<urlset {NS}>{''.join(entries)}</urlset>".encode("utf-8", "surrogateescape")


def index(*urls: str) -> bytes:
    parts = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"{HEADER}<sitemapindex {NS}>{parts}</sitemapindex>".encode()


def xml(body: bytes, line: str = "200 OK", **headers: str) -> Play:
    return says(answer(body, line, content_type=headers.pop("content_type", "application/xml"), **headers))


def finds(name: str, rule: str, body: bytes | Play, paths: tuple[str, ...] = ("/listed",),
    unasked: tuple[str, ...] = (),
          plays: Mapping[str, Play] | None = None, **headers: str) -> CrawlCase:  # fmt: skip
    """A sitemap out of which these paths are asked for, and those are not."""
    play = xml(body, **headers) if isinstance(body, bytes) else body
    shown = {path: status("200 OK") for path in (*paths, *unasked)}
    expect = {"/page": STORED} | dict.fromkeys(paths, STORED)
    night = Night({"/page": status("200 OK"), "/sitemap.xml": play, **shown, **(plays or {})}, expect, unasked=unasked)
    return CrawlCase(name, rule, (night,), at_most={"/": 700})


def bounded(name: str, rule: str, body: bytes | Play, most: int = 40, **plays: Play) -> CrawlCase:
    """Nothing is expected of it but that pages are read all the same, and that it is not asked for without end."""
    play = xml(body) if isinstance(body, bytes) else body
    night = Night({"/page": status("200 OK"), "/sitemap.xml": play,
        **{f"/{path}.xml": play for path, play in plays.items()}},
                  {"/page": STORED})  # fmt: skip
    return CrawlCase(name, rule, (night,), at_most={"/": most})


GOOD = urlset(entry(LISTED))
RSS = f'{HEADER}<rss version="2.0"><channel><title>x</title><link>{HOME}/front</link><item><title>y</title>'
ATOM = f'{HEADER}<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="{HOME}/feed"/><entry>'
DATED = tuple(
    finds(f"lastmod {value!r}"[:60], "sitemaps.org, faults 63", urlset(entry(LISTED, f"<lastmod>{value}</lastmod>")))
    for value in ("", "yesterday", "0000-00-00", "2026-13-45", "9999-12-31", "99999-01-01", "9999-12-31T23:59:59-14:00",
                  "0001-01-01T00:00:00+14:00", "2026", "2026-11", "2026-11-01T25:61:61Z", "2026-11-01T01:00:00+99:99",
                  "2999-01-01", "-2026-11-01", "٢٠٢٦-١١-٠١", "2026-11-01T01:00:00." + "9" * 4000 + "Z", "x" * 100_000,
                  "\udcff\udcfe", "2026-W45-1", "20261101T010000Z", "Sun, 01 Nov 99999 00:00:00 GMT",
                  "&#xD800;"))  # fmt: skip

FORMS = (
    finds("plain", "sitemaps.org", GOOD),
    finds("without a namespace", "faults 63", GOOD.replace(NS.encode(), b"")),
    finds("another namespace", "faults 63", GOOD.replace(b"0.9", b"0.84")),
    finds("a prefix", "XML Names", GOOD.replace(b"<u", b"<s:u").replace(b"</u", b"</s:u").replace(b"<loc", b"<s:loc")
          .replace(b"</loc", b"</s:loc").replace(b"xmlns=", b"xmlns:s=")),
    finds("a byte order mark", "faults 63", b"\xef\xbb\xbf" + GOOD),
    finds("line ends and blanks in loc", "sitemaps.org", urlset(entry(f"\n\t {LISTED} \r\n"))),
    finds("CDATA", "XML 2.7", urlset(entry(f"<![CDATA[{LISTED}]]>"))),
    finds("packed", "sitemaps.org", gzip.compress(GOOD), content_type="application/gzip"),
    finds("packed on the way", "9110 8.4", gzip.compress(GOOD), content_encoding="gzip"),
    finds("packed, and again on the way", "9110 8.4", gzip.compress(gzip.compress(GOOD)), content_encoding="gzip"),
    finds("packed and cut off", "faults 63", gzip.compress(urlset(entry(LISTED), *[entry(f"{HOME}/{n:x}") for n in
          range(9_000_000, 9_000_100)]))[:-40], ("/listed",), plays={f"/{n:x}": page()
          for n in range(9_000_000, 9_000_100)}),
    finds("an unescaped &", "faults 63", urlset(entry(f"{HOME}/listed?a=1&b=2"), entry(LISTED)),
        ("/listed", "/listed?a=1&b=2")),
    finds("an escaped &", "sitemaps.org", urlset(entry(f"{HOME}/listed?a=1&amp;b=2")), ("/listed?a=1&b=2",)),
    finds("an & by its number", "XML 4.1", urlset(entry(f"{HOME}/listed?a=1&#38;b=2")), ("/listed?a=1&b=2",)),
    finds("an index", "sitemaps.org", index(f"{HOME}/s1.xml", f"{HOME}/s2.xml"), plays={"/s1.xml": status("404 No"),
          "/s2.xml": xml(GOOD)}),
    finds("an index whose first part hangs", "faults 63", index(f"{HOME}/s1.xml", f"{HOME}/s2.xml"),
          plays={"/s1.xml": silence, "/s2.xml": xml(GOOD)}),
    finds("an index whose first part is garbage", "faults 63", index(f"{HOME}/s1.xml", f"{HOME}/s2.xml"),
          plays={"/s1.xml": says(b"\xff\xfe garbage"), "/s2.xml": xml(GOOD)}),
    finds("an index that names itself", "faults 63", index(f"{HOME}/sitemap.xml", f"{HOME}/s2.xml"), plays={
          "/s2.xml": xml(GOOD)}),
    finds("an index with dead addresses", "A5", index("http://xn--a/s.xml", "http://[", "http://a.example:99999/s.xml",
          "http://a..b/", f"{HOME}/s2.xml"), plays={"/s2.xml": xml(GOOD)}),
    finds("empty loc", "faults 63", urlset(entry(""), "<url/>", "<url></url>", entry(LISTED))),
    finds("RSS", "RSS 2.0", (RSS + f"<link>{LISTED}</link></item></channel></rss>").encode()),
    finds("RSS, its date behind", "RSS 2.0",
        (RSS + f"<link>{LISTED}</link><pubDate>Sun, 99 Nov</pubDate></item></channel></rss>").encode()),
    finds("Atom", "RFC 4287", (ATOM + f'<link rel="alternate" href="{LISTED}"/></entry></feed>').encode()),
    finds("Atom, quoted otherwise", "RFC 4287", (ATOM + f"<link href='{LISTED}' /></entry></feed>").encode()),
    finds("text", "sitemaps.org", f"{LISTED}\n".encode(), content_type="text/plain"),
    finds("text with a mark and CR", "sitemaps.org", f"\ufeff{HOME}/one\r{LISTED}\r\n".encode(), ("/one", "/listed")),
    finds("truncated between entries", "faults 63", GOOD[: GOOD.index(b"</urlset")]),
    finds("truncated within an address", "faults 63", urlset(entry(LISTED),
        entry(f"{HOME}/cut-in-half")).partition(b"-half")[0],
          unasked=("/cut-in", "/cut")),
    finds("text cut within an address", "faults 63", f"{LISTED}\n{HOME}/cut-in".encode()),
    finds("an address in a comment", "XML 2.5", urlset(entry(LISTED), f"<!-- {entry(HOME + '/ghost')} -->"),
        unasked=("/ghost",)),
    finds("a picture's address", "faults 63", urlset(entry(LISTED,
        f"<image:image><image:loc>{HOME}/pic</image:loc></image:image>")),
          unasked=("/pic",)),
    finds("another language's address", "faults 63", urlset(entry(LISTED,
        f'<xhtml:link rel="alternate" href="{HOME}/de"/>')),
          unasked=("/de",)),
    finds("another host", "sitemaps.org", urlset(entry("http://c.example/there"), entry(LISTED)), unasked=("/there",)),
    finds("private addresses", "faults 44", urlset(entry("http://127.0.0.1/there"), entry("http://[::1]/there"),
        entry(LISTED)),
          unasked=("/there",)),
    finds("dead addresses", "A5", urlset(*map(entry, ("http://xn--a/", "http://[", "http://a.example:99999/",
        "http://a..b/",
          "http://", "//", "&#xD800;", f"{HOME}/&#xDFFF;", "\udcff", f"{HOME}/" + "x" * 50_000, "javascript:1")),
          entry(LISTED))),
    finds("billion laughs", "faults 63", ('<?xml version="1.0"?><!DOCTYPE u [<!ENTITY a "aaaaaaaaaa">' + "".join(
          f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">'
          for n in range(9)) + f"]><urlset>{entry(HOME + '/&j;')}"
          f"{entry(LISTED)}</urlset>").encode()),
    finds("an entity that reads a file", "faults 63",
        ('<?xml version="1.0"?><!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
          f"<urlset>{entry(HOME + '/&x;')}{entry(LISTED)}</urlset>").encode()),
    finds("tags in capitals", "faults 63", GOOD.replace(b"loc>", b"LOC>")),
    finds("attributes on loc", "XML", GOOD.replace(b"<loc>", b"<loc x='1' y=\"2\">")),
    finds("a NUL between", "XML 2.2", GOOD.replace(b"<url>", b"\0<url>")),
    finds("invalid UTF-8 between", "faults 63", GOOD.replace(b"<url>", b"\xff\xfe<url>")),
    finds("robots.txt names it", "9309 2.2.4", status("404 No"), plays={"/robots.txt": says(answer(
          f"Sitemap: {HOME}/other.xml\nUser-agent: *\nDisallow:\n".encode())), "/other.xml": xml(GOOD)}),
    finds("led on", "9110 15.4", moved("/other.xml"), plays={"/other.xml": xml(GOOD)}),
    finds("a declared encoding that is unknown", "A5", GOOD.replace(b"UTF-8", b"idna")),
)  # fmt: skip

BOUNDED = (
    bounded("HTML", "faults 63", PAGE),
    bounded("a PDF", "faults 63", b"%PDF-1.7\n" + bytes(5_000)),
    bounded("nothing", "faults 63", b""),
    bounded("JSON", "faults 63", b'{"urls": ["/x"]}'),
    bounded("no answer", "faults 63", silence),
    bounded("a byte now and then", "faults 63", drip),
    bounded("no status line", "faults 63", says(b"<urlset>")),
    bounded("without end", "faults 61", endless(b"HTTP/1.1 200 OK\r\n\r\n<urlset>", b"<url><loc>" * 5_000)),
    bounded("a bomb on the way", "faults 63", xml(bomb(300), content_encoding="gzip")),
    bounded("a bomb in the file", "faults 63", xml(bomb(300))),
    bounded("a bomb twice packed", "faults 63, A16", xml(bomb(300, 2), content_encoding="gzip, gzip")),
    bounded("to itself", "A14", moved("/sitemap.xml")),
    *(bounded(f"led to {location!r}"[:50], "A5", moved(location)) for location in (
        "http://xn--a/", "http://a..b/", "http://[", "http://a.example:99999/", b"/\xff\xfe", "file:///etc/passwd",
        "http://127.0.0.1/", "http://c.example/s.xml")),
    bounded("an index of 100,000 indexes", "faults 63", index(*(f"{HOME}/i{n}.xml" for n in range(100_000))), most=600),
    bounded("indexes twelve deep", "faults 63", index(f"{HOME}/d1.xml"), most=16,
            **{f"d{n}": xml(index(f"{HOME}/d{n + 1}.xml")) for n in range(1, 13)}),
    bounded("60,000 addresses of other hosts", "sitemaps.org",
        urlset(*(entry(f"http://h{n}.example/") for n in range(60_000)))),
    *(bounded(f"2 MB of {piece!r}"[:50], "A6",
        later(lambda piece=piece: b"<urlset>" + piece * (2_000_000 // len(piece)))) for piece in (
        b"<", b"<loc>", b"<loc ", b"<url", b" ", b"<loc><![CDATA[", b"&", b"<!--", b"</", b"<a:",
        b"<loc>http://a.example/&",
        b"\n", b"]]>", b"<link href=", b"<lastmod>2")),
    CrawlCase("a status beyond ASCII", "A5", (Night({"/page": status("200 OK"), "/sitemap.xml": says(
        b"HTTP/1.1 200 Tr\xe8s\r\ncontent-length: 0\r\n\r\n")}, {"/page": STORED}),)),
    CrawlCase("an ETag and a type beyond ASCII", "A5", (Night({"/page": status("200 OK"), "/sitemap.xml": says(
        b"HTTP/1.1 200 OK\r\netag: \xff\r\ncontent-type: \xe9\r\ncontent-length: %d\r\n\r\n" % len(GOOD) + GOOD),
        "/listed": status("200 OK")},
        {"/page": STORED, "/listed": STORED}),)),
)  # fmt: skip

AS_WRITTEN = (
    *(
        finds(f"an unescaped &{name}=", "faults 63; XML 1.0, 4.6: five entities",
              urlset(entry(f"{HOME}/listed?a=1&{name}=2")),
              paths=(f"/listed?{'&'.join(sorted(('a=1', f'{name}=2')))}",))
        for name in ("copy", "lt", "sect", "times", "amp", "deg")
    ),
    finds("CDATA with &copy=", "XML 1.0, 2.7", urlset(entry(f"<![CDATA[{HOME}/listed?a=1&copy=2]]>")),
          paths=("/listed?a=1&copy=2",)),
    finds("entries in a comment", "XML 1.0, 2.5", urlset("<!--", *[entry(f"{HOME}/old")] * 2000, "-->", entry(LISTED)),
          unasked=("/old",)),
    finds("a comment that never ends", "faults 63", urlset("<!-- broken ", entry(LISTED))),
    finds("CDATA that never ends", "faults 63", urlset("<![CDATA[", entry(LISTED))),
    finds("an entry in an entity", "faults 63",
          f'<!DOCTYPE x [<!ENTITY e "{entry(f"{HOME}/old")}">]>'.encode() + urlset("&e;", entry(LISTED)),
          unasked=("/old",)),
    finds("an address with an entity in it", "faults 63",
          b'<!DOCTYPE x [<!ENTITY e "x">]>' + urlset(entry(f"{HOME}/old&e;"), entry(LISTED)), unasked=("/old&e;",)),
    finds("cut in an address", "faults 63", urlset(entry(LISTED), f"<url><loc>{HOME}/lis").partition(b"</urlset>")[0],
          unasked=("/lis",)),
    finds("HTTP:// in capitals", "RFC 3986, 3.1", urlset(entry(LISTED.replace("http", "HTTP")))),
    finds("a picture under another prefix", "sitemaps.org extensions",
          urlset(f"<url><loc>{LISTED}</loc><i:image><i:loc>{HOME}/old</i:loc></i:image></url>"), unasked=("/old",)),
    finds("a warning of PHP before it", "faults 63", b"Warning: x in y.php<br>\n" + urlset(entry(LISTED))),
    finds("an index behind 50 KB of comment", "faults 63", b"<!--" + b"x" * 50_000 + b"-->" + index(f"{HOME}/s.xml"),
          plays={"/s.xml": xml(urlset(entry(LISTED)))}),
    finds("markup in the words of a feed", "RSS 2.0",
          f"{RSS}<link>{LISTED}</link><description><![CDATA[<link>{HOME}/old</link>]]></description></item></channel></rss>"
          .encode(), unasked=("/old",)),
)  # fmt: skip

SITEMAPS_CASES = (*AS_WRITTEN, *FORMS, *DATED, *BOUNDED)


CASES = {
    "robots": ROBOTS_CASES,
    "sitemaps": SITEMAPS_CASES,
}
