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
    redirect,
    resets,
    says,
    silence,
    stall,
    status,
)
from builders.faults.crawl_case import HOME, STORED, CrawlCase, Night
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
    forbids("led on to rules", "9309 2.3.1.2", redirect("/r.txt"), r=text(NO)),
    forbids("led to another host", "9309 2.3.1.2", redirect("http://c.example/r.txt"), r=text(NO)),
    allows("led on to a 404", "9309 2.3.1.2", redirect("/r.txt")),
    unread("led on to a 500", "9309 2.3.1.2", redirect("/r.txt"), r=text(b"", "500 Oops")),
    *(either(f"led to {location!r}"[:60], "A5", redirect(location)) for location in (
        "http://xn--a/", "http://a.example:99999/", "http://[", "file:///etc/passwd", b"http://\xff\xe9/", "//"))
)  # fmt: skip

DEAD = (b"http://xn--a/", b"http://[", b"http://a.example:99999/", b"http://a..b/", b"\xff\xfe", b"http://127.0.0.1/",
        b"", b"file:///etc/passwd", b"/relative.xml", b"http://" + b"a" * 5_000)  # fmt: skip
READ = (
    forbids("called an image", "9309 2.3", text(NO, content_type="image/png")),
    forbids("packed", "9110 8.4", text(gzip.compress(NO), content_encoding="gzip")),
    forbids("packed twice", "A16", text(gzip.compress(gzip.compress(NO)), content_encoding="gzip, gzip")),
    forbids("2 MB, the rule first", "9309 2.5", text(NO + b"# filler filler filler\n" * 90_000)),
    allows("sitemaps at dead addresses", "A5", text(b"User-agent: *\n" + b"".join(b"Sitemap: %s\n" % u for u in DEAD))),
    after(NONE | DENIED | {None}, is_down=True, unasked=("/page",))("60 MB, the rule first", "9309 2.5", endless(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n" + NO, b"# filler filler\n" * 1_000)),
)  # fmt: skip

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


def bound(name: str, rule: str, body: bytes | Play, most: int = 40, **plays: Play) -> CrawlCase:
    """Nothing is expected of it but that pages are read all the same, and that it is not asked for without end."""
    play = xml(body) if isinstance(body, bytes) else body
    night = Night({"/page": status("200 OK"), "/sitemap.xml": play,
        **{f"/{path}.xml": play for path, play in plays.items()}},
                  {"/page": STORED})  # fmt: skip
    return CrawlCase(name, rule, (night,), at_most={"/": most})


GOOD = urlset(entry(LISTED))
PARTS = {
    "is missing": status("404 No"),
    "hangs": silence,
    "is garbage": says(b"\xff\xfe garbage"),
}
FORMS = (
    finds("plain", "sitemaps.org", GOOD),
    finds("packed", "sitemaps.org", gzip.compress(GOOD), content_type="application/gzip"),
    finds("packed on the way", "9110 8.4", gzip.compress(GOOD), content_encoding="gzip"),
    finds("packed, and again on the way", "9110 8.4", gzip.compress(gzip.compress(GOOD)), content_encoding="gzip"),
    *(finds(f"an index whose first part {how}", "faults 63", index(f"{HOME}/s1.xml", f"{HOME}/s2.xml"),
            plays={"/s1.xml": play, "/s2.xml": xml(GOOD)}) for how, play in PARTS.items()),
    finds("an index that names itself", "faults 63", index(f"{HOME}/sitemap.xml", f"{HOME}/s2.xml"),
          plays={"/s2.xml": xml(GOOD)}),
    finds("an index with dead addresses", "A5", index("http://xn--a/s.xml", "http://[", "http://a.example:99999/s.xml",
          "http://a..b/", f"{HOME}/s2.xml"), plays={"/s2.xml": xml(GOOD)}),
    finds("an & by its number", "XML 4.1", urlset(entry(f"{HOME}/listed?a=1&#38;b=2")), ("/listed?a=1&b=2",)),
    finds("other hosts and private addresses", "sitemaps.org, faults 44", urlset(entry("http://c.example/there"),
          entry("http://127.0.0.1/there"), entry("http://[::1]/there"), entry(LISTED)), unasked=("/there",)),
    finds("dead addresses", "A5", urlset(*map(entry, ("http://xn--a/", "http://[", "http://a.example:99999/",
          "http://a..b/", "http://", "//", "&#xD800;", f"{HOME}/&#xDFFF;", "\udcff", f"{HOME}/" + "x" * 50_000,
          "javascript:1")), entry(LISTED))),
    finds("robots.txt names it", "9309 2.2.4", status("404 No"), plays={"/robots.txt": says(answer(
          f"Sitemap: {HOME}/other.xml\nUser-agent: *\nDisallow:\n".encode())), "/other.xml": xml(GOOD)}),
    finds("led on", "9110 15.4", redirect("/other.xml"), plays={"/other.xml": xml(GOOD)}),
)  # fmt: skip

BOUNDED = (
    *(bound(name, "faults 63", body) for name, body in (
        ("HTML", PAGE), ("a PDF", b"%PDF-1.7\n" + bytes(5_000)), ("nothing", b""), ("no answer", silence),
        ("a byte now and then", drip), ("no status line", says(b"<urlset>")))),
    bound("without end", "faults 61", endless(b"HTTP/1.1 200 OK\r\n\r\n<urlset>", b"<url><loc>" * 5_000)),
    bound("a bomb on the way", "faults 63", xml(bomb(300), content_encoding="gzip")),
    bound("a bomb in the file", "faults 63", xml(bomb(300))),
    bound("to itself", "A14", redirect("/sitemap.xml")),
    *(bound(f"led to {location!r}"[:50], "A5", redirect(location)) for location in (
        "http://a..b/", b"/\xff\xfe", "http://127.0.0.1/", "http://c.example/s.xml")),
    bound("an index of 100,000 indexes", "faults 63", index(*(f"{HOME}/i{n}.xml" for n in range(100_000))), most=600),
    bound("indexes twelve deep", "faults 63", index(f"{HOME}/d1.xml"), most=16,
            **{f"d{n}": xml(index(f"{HOME}/d{n + 1}.xml")) for n in range(1, 13)}),
)  # fmt: skip


CASES = {"robots": (*STATUSES, *REDIRECTS, *READ), "sitemaps": (*FORMS, *BOUNDED)}
