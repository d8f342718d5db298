"""What a page says of itself: canonical addresses, refreshes, robots directives, and from where that is believed."""

from builders.fault_server import Play, answer, says, silence
from builders.faults.crawl_case import GOT, HOME, CrawlCase, Night
from builders.faults.plays import PAGE, html, moved, page, sends, status

KIND = "canonical, refresh, noindex"
STORED, ALIAS = frozenset({"stored"}), frozenset({"alias"})
TO_B = '<link rel="canonical" href="/b">'


def doc(head: str = "", body: str = "", before: str = "") -> bytes:
    return f"{before}<html><head><title>T</title>{head}</head><body><p>Words.</p>{body}</body></html>".encode(
        "utf-8", "surrogateescape"
    )


def shows(body: bytes, **headers: str) -> Play:
    return says(answer(body, **headers))


def kept(name: str, rule: str, body: bytes, **headers: str) -> CrawlCase:
    """The page is stored under its own address."""
    plays = {"/page": shows(body, **headers), "/b": page(), "/evil": page()}
    return CrawlCase(KIND, name, rule, (Night(plays, {"/page": STORED}, {"/page": body}),))


def aliased(name: str, rule: str, body: bytes, target: str = "/b") -> CrawlCase:
    night = Night({"/page": shows(body), target: status("200 OK")}, {target: STORED}, asked=(target,))
    return CrawlCase(KIND, name, rule, (night,))


def dead(name: str, **plays: Play) -> CrawlCase:
    """A's canonical B cannot be had: A's snapshot is kept until B is stored (A2), and B is tried again."""
    body = doc(TO_B)
    others = {f"/{path}": play for path, play in plays.items()}
    night = Night({"/page": shows(body), **others}, {}, {"/page": body})
    healed = Night({"/page": shows(body), "/b": status("200 OK")}, {"/b": GOT}, {"/page": body}, days=40)
    return CrawlCase(KIND, f"canonical to {name}", "A2", (night, healed))


def dead_later(name: str, play: Play, **more: Play) -> CrawlCase:
    """B was there once, is the canonical of A, and fails from the second night on: neither is lost."""
    body = doc(TO_B)
    plays = {"/page": shows(body), "/b": status("200 OK")}
    later = {"/page": shows(body), "/b": play, **{f"/{path}": value for path, value in more.items()}}
    nights = (
        Night(plays, {"/b": STORED}),
        Night(later, {}, {"/b": PAGE}, days=16),
        Night(plays, {}, {"/b": PAGE}, days=50),
    )
    return CrawlCase(KIND, f"canonical to what later is {name}", "A2", nights)


DEAD = (
    *(dead(f"{code}", b=status(f"{code} No")) for code in (404, 410, 401, 403, 500, 503, 206, 202)),
    dead("nothing", b=status("200 OK", b"")),
    dead("a PDF", b=shows(b"%PDF-1.7 ", content_type="application/pdf")),
    dead("noindex", b=page(inside='<meta name="robots" content="noindex">')),
    dead("what robots.txt forbids", **{"robots.txt": shows(b"User-agent: *\nDisallow: /b\n")}, b=page()),
    dead("what leads back", b=moved("/page")),
    dead("what leads out of the site", b=moved("http://c.example/")),
    dead("a redirect to itself", b=moved("/b")),
    dead("a soft 404", b=shows(b"<title>Page not found</title><p>Sorry.")),
    dead("a challenge", b=shows(b"<title>Just a moment...</title><p>Wait.")),
    dead("what never answers", b=silence),
    dead("what breaks off", b=sends(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nhalf")),
    dead("what is no HTTP", b=sends(b"nonsense")),
    dead("what names a dead third", b=shows(doc('<link rel="canonical" href="/c">')), c=status("404 No")),
    *(dead_later(f"{code}", status(f"{code} No")) for code in (404, 410, 500)),
    dead_later("noindex", page(inside='<meta name="robots" content="noindex">')),
    dead_later("a redirect to a 404", moved("/gone"), gone=status("404 No")),
    *(CrawlCase(KIND, f"canonical to {href!r}", "A2, A5",
        (Night({"/page": shows(doc(f'<link rel="canonical" href="{href}">'))}, {},
        {"/page": None}),)) for href in ("\udcff", "&#xD800;", "/&#0;", "/%", "/\U0001f600")),
    CrawlCase(KIND, "two pages name each other", "A2", (Night({"/page": shows(doc(TO_B)), "/b": shows(doc(
        '<link rel="canonical" href="/page">'))}, {}, {"/page": None}),)),
    CrawlCase(KIND, "three pages in a ring", "A2", (Night({"/page": shows(doc(TO_B)), "/b": shows(doc(
        '<link rel="canonical" href="/c">')), "/c": shows(doc('<link rel="canonical" href="/page">'))}, {},
        {"/page": None}),)),
)  # fmt: skip

IGNORED = tuple(
    kept(f"canonical {name}", "A3", doc(head, body))
    for name, head, body in (
        ("in the body", "", TO_B),
        ("in the body, behind a table", "", f"<table><tr><td>x</td></tr></table>{TO_B}"),
        ("in an attribute in the body", "", f"<p title='{TO_B}'>x</p>"),
        ("in an attribute in the head", f"<meta name='description' content='{TO_B}'>", ""),
        ("in a comment", f"<!-- {TO_B} -->", ""),
        ("in a script", f"<script>var x = '{TO_B}'</script>", ""),
        ("in a style", f"<style>/* {TO_B} */</style>", ""),
        ("in a second title", f"<title>{TO_B}</title>", ""),
        ("in a textarea", "", f"<textarea>{TO_B}</textarea>"),
        ("behind a paragraph in the head", f"<p>out of the head</p>{TO_B}", ""),
        ("behind text in the head", f"words end the head {TO_B}", ""),
        ("in a picture in the head", f"<svg><title>{TO_B}</title></svg>", ""),
        ("in a template in the head", f"<template>{TO_B}</template>", ""),
        ("escaped", "&lt;link rel=canonical href=/b&gt;", ""),
        ("without an address", '<link rel="canonical">', ""),
        ("of nothing", '<link rel="canonical" href="">', ""),
        ("of itself", '<link rel="canonical" href="/page">', ""),
        ("of itself with a fragment", '<link rel="canonical" href="#x">', ""),
        ("of itself with utm", '<link rel="canonical" href="/page?utm_source=x">', ""),
        ("of the front page", '<link rel="canonical" href="/">', ""),
        ("of another site", '<link rel="canonical" href="http://c.example/b">', ""),
        ("of a private address", '<link rel="canonical" href="http://127.0.0.1/b">', ""),
        ("of javascript", '<link rel="canonical" href="javascript:1">', ""),
        *((f"of {href!r}"[:50], f'<link rel="canonical" href="{href}">', "") for href in (
            "http://xn--a/", "http://[", "http://a..b/", "http://a.example:99999/", "//", "http://",
            "x" * 20_000, "http://a.example:x/")),
        ("of another rel", '<link rel="notcanonical" href="/b"><link rel="alternate" href="/b">', ""),
        ("as a meta tag", '<meta name="canonical" content="/b">', ""),
    )
)  # fmt: skip

FOLLOWED = tuple(
    aliased(f"canonical {name}", "RFC 6596", doc(head))
    for name, head in (
        ("plain", TO_B), ("in capitals", "<LINK REL=Canonical HREF=/b>"),
        ("in any order", "<link href='/b' rel='canonical'/>"),
        ("among other words", '<link rel="shortlink canonical" href="/b">'),
        ("relative", '<link rel=canonical href="b">'),
        ("whole", f'<link rel=canonical href="{HOME}/b">'), ("by a base",
            '<base href="/x/"><link rel=canonical href="../b">'),
        ("as entities", '<link rel=canonical href="&#47;b">'), ("behind a script", f"<script>'</scr'</script>{TO_B}"),
        ("with a > in an attribute", '<link title=">" rel="canonical" href="/b">'),
    )
)  # fmt: skip


def refresh(content: str) -> str:
    return f'<meta http-equiv="refresh" content="{content}">'


def sent_on(name: str, body: bytes, **headers: str) -> CrawlCase:
    """The target of a refresh is asked for, as after a redirect."""
    night = Night({"/page": shows(body, **headers), "/b": status("200 OK")}, {"/b": STORED}, asked=("/b",))
    return CrawlCase(KIND, f"refresh {name}", "A17, HTML 4.2.5.3", (night,))


REFRESHES = (
    *(sent_on(name, doc(refresh(content))) for name, content in (
        ("plain", "0;url=/b"), ("quoted", "0; url='/b'"), ("in capitals", "0;URL=/b"), ("with a comma", "0, url=/b"),
        ("without url=", "0;/b"), ("after a fraction", "0.5;url=/b"), ("with spaces", "  0 ; url = /b "),
        ("after three seconds", "3;url=/b"), ("whole", f"0;url={HOME}/b"))),
    sent_on("in capitals all over", doc("<META HTTP-EQUIV=REFRESH CONTENT='0;URL=/b'>")),
    sent_on("as a header", doc(), refresh="0;url=/b"),
    sent_on("as a header, quoted", doc(), refresh='0; url="/b"'),
    *(kept(f"refresh {name}", "HTML 4.2.5.3", doc(refresh(content))) for name, content in (
        ("of itself", "30"), ("of itself by name", "300;url=/page"), ("of nothing", ""), ("that is none", "soon"),
        ("to javascript", "0;url=javascript:1"))),
    kept("refresh in a comment", "A3", doc(f"<!-- {refresh('0;url=/evil')} -->")),
    kept("refresh in a script", "A3", doc(f"<script>'{refresh('0;url=/evil')}'</script>")),
    kept("refresh in an attribute", "A3", doc("", f"<p title='{refresh('0;url=/evil')}'>x</p>")),
    *(CrawlCase(KIND, f"refresh to {target!r}"[:50], "A5", (Night({"/page": shows(doc(refresh(f"0;url={target}")))},
        {}),))
      for target in ("http://xn--a/", "http://[", "http://a.example:99999/", "\udcff", "http://127.0.0.1/",
          "http://c.example/",
                     "data:text/html,x", "x" * 9_000)),
    *(CrawlCase(KIND, f"a Refresh header of {value!r}"[:50], "A5", (Night({"/page": sends(
        b"HTTP/1.1 200 OK\r\nrefresh: %s\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (value, len(PAGE),
            PAGE))},
        {}),)) for value in (b"\xff\xe9", b"0;url=\xff\xe9", b"0;url=http://xn--a/", b"9" * 5_000 + b";url=/b",
        b"-1;url=/b")),
    CrawlCase(KIND, "two pages refresh to each other", "A14", (Night({"/page": shows(doc(refresh("0;url=/b"))),
        "/b": shows(doc(
        refresh("0;url=/page")))}, {}),), at_most={"/b": 12, "/page": 12}),
    CrawlCase(KIND, "refreshes without end", "A14", (Night({f"/{path}": shows(doc(refresh(f"0;url=/r{n}"))) for n,
        path in
        enumerate(["page", *(f"r{n}" for n in range(60))])}, {}),), at_most={"/r": 12}),
)  # fmt: skip


def unkept(name: str, head: str = "", before: str = "", **headers: str) -> CrawlCase:
    night = Night({"/page": shows(doc(head, before=before), **headers)}, {"/page": frozenset({"noindex"})})
    return CrawlCase(KIND, f"noindex {name}", "docs/crawling", (night,))


def meta(content: str, name: str = "robots") -> str:
    return f'<meta name="{name}" content="{content}">'


NOINDEX = (
    unkept("plain", meta("noindex")), unkept("in capitals", meta("NOINDEX, NOFOLLOW")), unkept("as none", meta("none")),
    unkept("for our name", meta("noindex", "verdicts-test")), unkept("as a header", x_robots_tag="noindex"),
    unkept("as a header for our name", x_robots_tag="verdicts-test: noindex"), unkept("in any order",
    "<meta content='noindex' name='robots'>"), unkept("among others", meta("max-snippet:5, noindex")),
    kept("noindex for another name", "docs/crawling", doc(meta("noindex", "googlebot"))),
    kept("noindex as a header for another name", "docs/crawling", doc(), x_robots_tag="googlebot: noindex"),
    kept("noindex in a comment", "A3", doc(f"<!-- {meta('noindex')} -->")),
    kept("noindex in a script", "A3", doc(f"<script>'{meta('noindex')}'</script>")),
    kept("noindex in an attribute", "A3", doc("", f"<p title='{meta('noindex')}'>x</p>")),
    kept("noindex in a head's attribute", "A3", doc(f"<meta name='description' content='{meta('noindex')}'>")),
    kept("noindex in the body", "A3", doc("", meta("noindex"))),
    kept("noindex in a textarea", "A3", doc("", f"<textarea>{meta('noindex')}</textarea>")),
    kept("noindex in a second title", "A3", doc(f"<title>{meta('noindex')}</title>")),
    kept("index", "docs/crawling", doc(meta("index, follow"))),
    kept("a date after which it is not to be shown", "docs/crawling", doc(),
        x_robots_tag="unavailable_after: 1 Jan 2099"),
    kept("a canonical of the whole page twice", "RFC 6596", doc('<link rel="canonical" href="/page">' * 2)),
    CrawlCase(KIND, "nofollow", "docs/crawling", (Night({"/page": shows(html("/b", inside=meta("nofollow"))),
        "/b": page()},
        {"/page": STORED}, {"/page": None}, unasked=("/b",)),)),
    CrawlCase(KIND, "nofollow in an attribute", "A3", (Night({"/page": shows(html("/b",
        text=f"<i title='{meta('nofollow')}'>x</i>")),
        "/b": page()}, {"/page": STORED}, {"/page": None}, asked=("/b",)),)),
    CrawlCase(KIND, "noindex over a good copy", "faults 33", (Night({"/page": status("200 OK")}, {"/page": STORED}),
        Night({"/page":
        shows(doc(meta("noindex")))}, {"/page": frozenset({"noindex"})}, {"/page": PAGE}, days=2),
        Night({"/page": status("200 OK")},
        {"/page": GOT}, {"/page": PAGE}, days=4))),
)  # fmt: skip

CASES = (*DEAD, *IGNORED, *FOLLOWED, *REFRESHES, *NOINDEX)
