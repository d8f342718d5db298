"""What a page says of itself (canonical, refresh, noindex), and what becomes of a good copy over nights."""

from builders.fault_server import (
    NEIGHBOUR,
    PAGE,
    Play,
    Request,
    answer,
    bare,
    chunk,
    chunks,
    drip,
    html,
    moved,
    page,
    resets,
    says,
    silence,
    stall,
    status,
)
from builders.faults.crawl_case import FAILED, GOT, HOME, STORED, CrawlCase, Night

TO_B = '<link rel="canonical" href="/b">'


def doc(head: str = "", body: str = "") -> bytes:
    return f"<html><head><title>T</title>{head}</head><body><p>Words.</p>{body}</body></html>".encode(
        "utf-8", "surrogateescape"
    )


def shows(body: bytes, **headers: str) -> Play:
    return says(answer(body, **headers))


def kept(name: str, rule: str, body: bytes, **headers: str) -> CrawlCase:
    """The page is stored under its own address."""
    plays = {"/page": shows(body, **headers), "/b": page(), "/evil": page()}
    return CrawlCase(name, rule, (Night(plays, {"/page": STORED}, {"/page": body}),))


def aliased(name: str, rule: str, body: bytes) -> CrawlCase:
    night = Night({"/page": shows(body), "/b": status("200 OK")}, {"/b": STORED}, asked=("/b",))
    return CrawlCase(name, rule, (night,))


def dead(name: str, **plays: Play) -> CrawlCase:
    """A's canonical B cannot be had: A's snapshot is kept until B is stored (A2), and B is tried again."""
    body = doc(TO_B)
    others = {f"/{path}": play for path, play in plays.items()}
    night = Night({"/page": shows(body), **others}, {}, {"/page": body})
    healed = Night({"/page": shows(body), "/b": status("200 OK")}, {"/b": GOT}, {"/page": body}, days=40)
    return CrawlCase(f"canonical to {name}", "A2", (night, healed))


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
    return CrawlCase(f"canonical to what later is {name}", "A2", nights)


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
    dead("what breaks off", b=says(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nhalf")),
    dead("what is no HTTP", b=says(b"nonsense")),
    dead("what names a dead third", b=shows(doc('<link rel="canonical" href="/c">')), c=status("404 No")),
    *(dead_later(f"{code}", status(f"{code} No")) for code in (404, 410, 500)),
    dead_later("noindex", page(inside='<meta name="robots" content="noindex">')),
    dead_later("a redirect to a 404", moved("/gone"), gone=status("404 No")),
    *(CrawlCase(f"canonical to {href!r}", "A2, A5",
        (Night({"/page": shows(doc(f'<link rel="canonical" href="{href}">'))}, {},
        {"/page": None}),)) for href in ("\udcff", "&#xD800;", "/&#0;", "/%", "/\U0001f600")),
    CrawlCase("two pages name each other", "A2", (Night({"/page": shows(doc(TO_B)), "/b": shows(doc(
        '<link rel="canonical" href="/page">'))}, {}, {"/page": None}),)),
    CrawlCase("three pages in a ring", "A2", (Night({"/page": shows(doc(TO_B)), "/b": shows(doc(
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
    return CrawlCase(f"refresh {name}", "A17, HTML 4.2.5.3", (night,))


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
    *(CrawlCase(f"refresh to {target!r}"[:50], "A5", (Night({"/page": shows(doc(refresh(f"0;url={target}")))},
        {}),))
      for target in ("http://xn--a/", "http://[", "http://a.example:99999/", "\udcff", "http://127.0.0.1/",
          "http://c.example/",
                     "data:text/html,x", "x" * 9_000)),
    *(CrawlCase(f"a Refresh header of {value!r}"[:50], "A5", (Night({"/page": says(
        b"HTTP/1.1 200 OK\r\nrefresh: %s\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (value, len(PAGE),
            PAGE))},
        {}),)) for value in (b"\xff\xe9", b"0;url=\xff\xe9", b"0;url=http://xn--a/", b"9" * 5_000 + b";url=/b",
        b"-1;url=/b")),
    CrawlCase("two pages refresh to each other", "A14", (Night({"/page": shows(doc(refresh("0;url=/b"))),
        "/b": shows(doc(
        refresh("0;url=/page")))}, {}),), at_most={"/b": 12, "/page": 12}),
    CrawlCase("refreshes without end", "A14", (Night({f"/{path}": shows(doc(refresh(f"0;url=/r{n}"))) for n,
        path in
        enumerate(["page", *(f"r{n}" for n in range(60))])}, {}),), at_most={"/r": 12}),
)  # fmt: skip


def unkept(name: str, head: str = "", **headers: str) -> CrawlCase:
    night = Night({"/page": shows(doc(head), **headers)}, {"/page": frozenset({"noindex"})})
    return CrawlCase(f"noindex {name}", "docs/crawling", (night,))


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
    CrawlCase("nofollow", "docs/crawling", (Night({"/page": shows(html("/b", inside=meta("nofollow"))),
        "/b": page()},
        {"/page": STORED}, {"/page": None}, unasked=("/b",)),)),
    CrawlCase("nofollow in an attribute", "A3", (Night({"/page": shows(html("/b",
        text=f"<i title='{meta('nofollow')}'>x</i>")),
        "/b": page()}, {"/page": STORED}, {"/page": None}, asked=("/b",)),)),
    CrawlCase("noindex over a good copy", "faults 33", (Night({"/page": status("200 OK")}, {"/page": STORED}),
        Night({"/page":
        shows(doc(meta("noindex")))}, {"/page": frozenset({"noindex"})}, {"/page": PAGE}, days=2),
        Night({"/page": status("200 OK")},
        {"/page": GOT}, {"/page": PAGE}, days=4))),
)  # fmt: skip

DECLARED_CASES = (*DEAD, *IGNORED, *FOLLOWED, *REFRESHES, *NOINDEX)


ANY: frozenset[str] = frozenset()
NEW = PAGE.replace(b"words", b"new words")


def healed(name: str, rule: str, play: Play, outcomes: frozenset[str] | None = None, days: tuple[int, int] = (20, 40),
         **plays: Play) -> CrawlCase:  # fmt: skip
    """A good copy, a night with the fault, and one in which the host has healed and says something new."""
    others = {f"/{path}": value for path, value in plays.items()}
    expect = {} if outcomes is None else {"/page": outcomes}
    return CrawlCase(name, rule, (
        Night({"/page": status("200 OK", etag='"one"')}, {"/page": STORED}),
        Night({"/page": play, **others}, expect, {"/page": PAGE}, days=days[0]),
        Night({"/page": status("200 OK", NEW, etag='"two"')}, {"/page": STORED}, {"/page": NEW},
            days=days[1])))  # fmt: skip


def only(*outcomes: str) -> frozenset[str]:
    return frozenset(outcomes)


class Tagged:
    """Answers conditions: 304 where the ETag is still the one it sent."""

    def __init__(self, body: bytes, etag: str, is_stuck: bool = False) -> None:
        self.body, self.etag, self.is_stuck = body, etag, is_stuck

    async def __call__(self, request: Request, writer) -> None:
        is_known = "if-none-match" in request.headers and (
            self.is_stuck or request.headers["if-none-match"] == self.etag
        )
        head = {"etag": self.etag}
        writer.write(answer(b"", "304 Not Modified", **head) if is_known else answer(self.body, **head))


def same_twice(
    name: str, rule: str, first: Play, second: Play, outcome: str, body: bytes = PAGE, day: float = 2
) -> CrawlCase:
    return CrawlCase(name, rule, (Night({"/page": first}, {"/page": STORED}),
                     Night({"/page": second}, {"/page": only(outcome)}, {"/page": body}, days=day)))  # fmt: skip


FAULTS = (
    *(healed(f"{code}", "faults 33", status(f"{code} Oops"), FAILED) for code in (500, 502, 503, 520, 403, 429)),
    healed("404", "faults 36", status("404 No"), only("not_found")),
    healed("410", "faults 36", status("410 Gone"), only("gone"), (20, 90)),
    healed("a soft 404", "faults 35", says(answer(b"<title>Page not found</title><p>x")), only("soft_404")),
    healed("a challenge", "faults 34", says(answer(b"<title>Just a moment...</title><p>x")), only("blocked")),
    healed("401", "docs/crawling", status("401 No"), only("client_error")),
    healed("nothing", "faults 37", status("200 OK", b""), only("empty")),
    healed("blanks", "faults 37", status("200 OK", b" \n"), only("empty")),
    healed("204", "faults 37", status("204 No Content", b""), only("empty")),
    healed("206 with half of it", "A4", says(answer(PAGE[:40], "206 Partial Content", content_range="bytes 0-39/90"))),
    healed("202 with a script", "A4", says(answer(b"<script>challenge()</script>", "202 Accepted"))),
    healed("a PDF", "faults 60", says(answer(b"%PDF-1.7 ", content_type="application/pdf")), only("not_a_page")),
    healed("cut off", "faults 8", says(answer(PAGE, content_length="900")), only("incomplete")),
    healed("no last chunk", "faults 9", chunks(chunk(PAGE), end=b""), only("incomplete")),
    healed("a reset", "faults 7", resets(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nhalf"), only("incomplete")),
    healed("no answer", "faults 4", silence, only("read_timeout", "deadline")),
    healed("half of it", "faults 5", stall, only("read_timeout", "deadline")),
    healed("a byte now and then", "faults 6", drip, only("deadline")),
    healed("no HTTP", "faults 15", says(b"nonsense"), only("protocol_error")),
    healed("a reason beyond ASCII and 500", "A5", bare(b"content-length: 0", status=b"HTTP/1.1 500 Erreur\xe9",
        body=b"")),
    healed("a broken encoding", "faults 19", says(answer(b"\x1f\x8bjunk", content_encoding="gzip")),
        only("decode_error")),
    healed("too many bytes", "faults 61", says(answer(bytes(11_000_000))), only("too_large")),
    healed("a redirect to itself", "A14", moved("/page"), FAILED),
    healed("a ring", "A14", moved("/b"), b=moved("/page")),
    healed("a redirect to a 404", "A2", moved("/b"), b=status("404 No")),
    healed("a redirect to a 500", "A2", moved("/b"), b=status("500 No")),
    healed("a redirect to nothing", "A2", moved("/b"), b=status("200 OK", b"")),
    healed("a redirect out of the site", "A2", moved("http://c.example/"), only("out_of_scope")),
    healed("a redirect to a dead address", "A2", moved("http://xn--a/")),
    healed("a redirect without a Location", "A14", moved(None), FAILED),
    healed("a refresh to a 404", "A2, A17", page(inside='<meta http-equiv="refresh" content="0;url=/b">'),
        b=status("404 No")),
    healed("noindex", "docs/crawling", page(inside='<meta name="robots" content="noindex">'), only("noindex")),
    healed("a 304 to another ETag", "9110 15.4.5", Tagged(PAGE, '"other"', is_stuck=True), GOT | only("protocol_error"),
        (2, 40)),
    CrawlCase("the name is lost", "faults 1", (Night({"/page": status("200 OK")}, {"/page": STORED}),
        Night({}, {"/page": ANY}, {"/page": PAGE}, is_down=True, address=("127.0.0.1", 1), days=20),
        Night({"/page": status("200 OK")}, {"/page": GOT}, {"/page": PAGE}, days=40))),
)  # fmt: skip

CHANGES = (
    same_twice("the same under a new ETag", "faults 54", status("200 OK", etag='"a"'), status("200 OK", etag='"b"'),
        "unchanged"),
    same_twice("304 as asked", "faults 53", Tagged(PAGE, '"a"'), Tagged(PAGE, '"a"'), "unchanged"),
    same_twice("a weak ETag", "9110 8.8.3.2", Tagged(PAGE, 'W/"a"'), Tagged(PAGE, 'W/"a"'), "unchanged"),
    same_twice("another page under another ETag", "faults 53", Tagged(PAGE, '"a"'), Tagged(NEW, '"b"'), "stored", NEW),
    same_twice("another page under the same ETag, in time", "faults 55", Tagged(PAGE, '"a"'), Tagged(NEW, '"a"'),
        "stored", NEW, 20),
    CrawlCase("404 for three nights, then back", "faults 36",
        (Night({"/page": status("200 OK")}, {"/page": STORED}),
        *(Night({"/page": status("404 No")}, {"/page": only("not_found")}, {"/page": PAGE}, days=day)
            for day in (20, 21, 22)),
        Night({"/page": status("200 OK", NEW)}, {"/page": STORED}, {"/page": NEW}, days=60))),
    CrawlCase("404 and 200 in turns", "faults 36", tuple(Night({"/page": status("404 No") if day % 2
        else status("200 OK")},
        {"/page": only("not_found") if day % 2 else GOT}, {"/page": PAGE}, days=day * 16) for day in range(5))),
    CrawlCase("a redirect, then a page again", "A2", (Night({"/page": status("200 OK")}, {"/page": STORED}),
        Night({"/page": moved("/b"), "/b": status("200 OK", NEW)}, {"/page": only("redirected"), "/b": STORED},
            {"/page": PAGE, "/b": NEW}, days=20),
        Night({"/page": status("200 OK", NEW)}, {"/page": GOT}, {"/page": NEW}, days=60))),
    CrawlCase("a page fails every night of a week", "faults 33",
        (Night({"/page": status("200 OK")}, {"/page": STORED}),
        *(Night({"/page": status("500 No")}, {"/page": only("server_error")}, {"/page": PAGE}, days=20 + day)
            for day in range(6)),
        Night({"/page": status("200 OK")}, {"/page": GOT}, {"/page": PAGE}, days=27))),
    CrawlCase("never had, fails at first", "docs/crawling",
        (Night({"/page": status("500 No")}, {"/page": only("server_error")}),
        Night({"/page": status("200 OK")}, {"/page": STORED}, days=1))),
    CrawlCase("never had, too large at first", "docs/crawling",
        (Night({"/page": says(answer(bytes(11_000_000)))}, {"/page":
        only("too_large")}), Night({"/page": status("200 OK")}, {"/page": STORED}, days=1))),
    CrawlCase("never had, a redirect to itself at first", "A14",
        (Night({"/page": moved("/page")}, {"/page": FAILED}),
        Night({"/page": status("200 OK")}, {"/page": STORED}, days=1))),
)  # fmt: skip

CLOCKS = tuple(
    CrawlCase(f"the clock jumps {name}", "faults 67", (
        Night({"/page": status("200 OK")}, {"/page": STORED}),
        Night({"/page": status("200 OK", NEW)}, {}, {"/neighbour": NEIGHBOUR}, is_down=True, days=days),
        Night({"/page": status("200 OK", NEW)}, {"/page": GOT}, {"/page": NEW}, days=max(days, 0) + 20)))
    for name, days in (("a day ahead", 1), ("a day back", -1), ("ten years ahead", 3_650), ("ten years back", -3_650),
        ("a second back",
                       -1 / 86_400), ("an hour back", -1 / 24))
)  # fmt: skip

WORDS = {name: " ".join(f"{name}-{number}" for number in range(60)) for name in ("one", "two")}


def told(inside: str, canonical: str = "") -> bytes:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return f"<html><head><title>A page</title>{link}</head><body><p>{inside}</p></body></html>".encode()


LEANING = told(WORDS["one"], "/q")
DATA = {
    "data in a script": '<script type="application/ld+json">{{"@type":"Review","reviewBody":"{}"}}</script>',
    "microdata": '<i itemscope itemtype="http://schema.org/Review"><meta itemprop="reviewBody" content="{}"></i>',
    "names of icons": '<img src="/i.png" alt="{}">',
}
HELD = (
    CrawlCase("an alias whose page says something else", "A2", (
        *(Night({"/page": status("200 OK", LEANING), "/q": status("200 OK", told(WORDS["one"]))}, days=day)
          for day in (0, 20)),
        Night({"/page": status("200 OK", LEANING), "/q": status("200 OK", told(WORDS["two"]))}, {"/page": GOT},
              {"/page": LEANING}, days=22))),
    *(
        CrawlCase(f"a canonical page that differs in {name}", "A2",
                  tuple(Night({"/page": status("200 OK", own), "/q": status("200 OK", told(form.format(WORDS["two"])))},
                              {"/page": GOT}, {"/page": own}, days=day) for day in (0, 2)))
        for name, form in DATA.items()
        for own in [told(form.format(WORDS["one"]), "/q")]
    ),
    CrawlCase("noindex in a 304", "9111 4.3.4", (
        Night({"/page": status("200 OK", etag='"a"')}, {"/page": STORED}),
        Night({"/page": status("304 Not Modified", b"", etag='"a"', x_robots_tag="noindex")},
              {"/page": only("noindex")}, {"/page": PAGE}, days=2))),
    CrawlCase("a 304 that confirms another ETag, then the page", "9111 4.3.4", (
        Night({"/page": status("200 OK", etag='"a"')}, {"/page": STORED}),
        Night({"/page": says(answer(b"", "304 Not Modified", etag='"b"'), answer(NEW, etag='"b"'))}, {"/page": STORED},
              {"/page": NEW}, days=2))),
    CrawlCase("a page that moves every day", "A2", tuple(
        Night({**{f"/v{old}": status("410 Gone") for old in range(day - 1)}, f"/v{day - 1}": moved(f"/v{day}"),
               f"/v{day}": page()}, {f"/v{day}": STORED}, {f"/v{day}": None}, days=day) for day in range(9)),
              starts=("/v0",)),
)  # fmt: skip

NIGHTS_CASES = (*HELD, *FAULTS, *CHANGES, *CLOCKS)


CASES = {
    "canonical, refresh, noindex": DECLARED_CASES,
    "over nights": NIGHTS_CASES,
}
