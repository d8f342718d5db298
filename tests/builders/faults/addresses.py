"""Addresses of links and redirects (WHATWG URL; RFC 9110, 15.4), and which of them are one (RFC 3986, 6)."""

from collections.abc import Mapping

from builders.fault_server import PAGE, Play, Request, answer, bare, html, moved, page, status
from builders.faults.crawl_case import FAILED, GOT, HOME, NOT_KEPT, STORED, CrawlCase, Night, alone

GOOD = "/good"


def linked(
    name: str, rule: str, href: str, target: str | None, inside: str = "", raw: bytes | None = None
) -> CrawlCase:
    """A page with this link and a good one. `target`: the path that browsers ask for; None: any or none."""
    body = html(href, GOOD, inside=inside) if raw is None else raw
    plays = {"/page": page(href, GOOD, inside=inside) if raw is None else page(), GOOD: page(text="Good.")}
    if raw is not None:
        plays["/page"] = lambda _, writer: _write(writer, raw)
    asked = (GOOD,) if target is None else (GOOD, target)
    if target is not None:
        plays[target] = page(text="Found.")
    return CrawlCase(name, rule, (Night(plays, {"/page": STORED}, {"/page": body}, asked=asked),),
                     at_most={"/": 40})  # fmt: skip


async def _write(writer, body: bytes) -> None:
    writer.write(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
    )
    writer.write(body)
    await writer.drain()


HOSTILE = (
    "http://xn--a/", "http://a..b/", f"http://{'a' * 64}.a.example/", "http://a.example:99999/", "http://a.example:x/",
    "http://[", "http://[::1", "http://[v1]/", "//", "http://", "http:///x", "http://a.example:80:80/", "http://%00/",
    "http://\u00ad/", "http://\u200d.example/", "http://faß.example/", "http://xn--zca.example/", "http://١.example/",
    "http://a.example:٣/", "javascript:alert(1)", "data:text/html,x", "mailto:x", "tel:1", "about:blank", "blob:x",
    "http://127.0.0.1/", "http://[::ffff:127.0.0.1]/", "&#xD800;", "/&#xDFFF;x", "/&#0;", "/&#x110000;",
    "/&#99999999999;",
    "/\udcff\udcfe", "?\udce9=1", "#", "", " ", ".", "..", "/" + "x" * 50_000, "/?" + "a=b&amp;" * 20_000,
    "/" + "a/" * 20_000,
    "http://" + "a." * 20_000, "&amp;" * 20_000, "/%", "/%zz?%=%", "/;;;;", "/\ufffe", "/\U0010ffff", "urn:x",
    "http://a.example@/",
    "HTTP://A.EXAMPLE:00080/x", "http://a.example:0/", "/\x01\x1f", "//a.example:443", "http:", "https:", ":", "://",
    "//@:",
)  # fmt: skip

READ_BY_BROWSERS = (
    ("a path", "/next", "/next"), ("relative", "next", "/next"), ("dots", "/x/../next", "/next"),
    ("escaped dots", "/x/%2e%2e/next", "/next"), ("a backslash", "\\next", "/next"),
    ("two backslashes", "\\\\a.example\\next", "/next"), ("a tab within", "/ne\txt", "/next"),
    ("a line end within", "/ne\nxt", "/next"), ("CR and LF within", "/ne\r\nxt", "/next"),
    ("spaces around", " \n /next \t", "/next"), ("the host in capitals", "http://A.EXAMPLE/next", "/next"),
    ("the scheme in capitals", "HTTP://a.example/next", "/next"), ("the default port", "http://a.example:80/next",
        "/next"),
    ("a fragment", "/next#part", "/next"), ("an entity", "/next?a=1&amp;b=2", "/next?a=1&b=2"),
    ("an entity without its end", "/next?a=1&b=2", "/next?a=1&b=2"), ("letters as entities", "&#47;n&#x65;xt", "/next"),
    ("a dot behind the host", "http://a.example./next", "/next"), ("one slash", "http:/next", "/next"),
    ("no slash", "http:next", "/next"), ("user info", "http://me@a.example/next", "/next"),
    ("wide letters in the host", "http://ａ.example/next", "/next"),
    ("an escape in the host", "http://%61.example/next", "/next"),
    ("letters beyond ASCII", "/café", "/caf%C3%A9"), ("a space within", "/two words", "/two%20words"),
    ("an emoji", "/\U0001f600", "/%F0%9F%98%80"), ("quotes as entities", "/a&quot;b", "/a%22b"),
)  # fmt: skip

MARKUP = (
    ("single quotes", b"<a href='/next'>n</a>"), ("no quotes", b"<a href=/next>n</a>"),
    ("spaces around the equals sign", b"<a  href = \"/next\" >n</a>"), ("capitals", b"<A HREF='/next'>n</A>"),
    ("attributes before", b"<a class=x data-x='>' title=\"<a href='/evil'>\" href=/next>n</a>"),
    ("line ends between", b"<a\n\thref='/next'\r\n>n</a>"), ("the first of two", b"<a href=/next href=/evil>n</a>"),
    ("behind a comment that ends at once", b"<!--><a href=/next>n</a><!-- -->"),
    ("behind a comment with a bang", b"<!-- x --!><a href=/next>n</a>"),
    ("an area", b"<map><area href=/next></map><a href=/next>n</a>"),
    ("behind a script that holds a tag", b"<script>'<a href=/evil>'</script><a href=/next>n</a>"),
    ("behind an open quote in text", b"<p>it's \"so</p><a href=/next>n</a>"),
    ("a slash before the attribute", b"<a/href=/next>n</a>"),
    ("a base", b"<base href='/x/y/'><a href=../../next>n</a>"),
)  # fmt: skip

HIDDEN = (
    ("a comment", b"<!-- <a href=/evil>x</a> -->"), ("a script", b"<script>document.write('<a href=/evil>')</script>"),
    ("a style", b"<style>/* <a href=/evil> */</style>"), ("an attribute", b"<p title='<a href=/evil>x</a>'>y</p>"),
    ("a textarea", b"<textarea><a href=/evil></textarea>"), ("a title", b"<title><a href=/evil></title>"),
)  # fmt: skip


def in_body(markup: bytes) -> bytes:
    return b"<html><head><title>T</title></head><body><p>Words.</p>" + markup + b" <a href=/good>g</a></body></html>"


def hidden(where: str, markup: bytes) -> CrawlCase:
    body = in_body(markup)
    plays = {"/page": lambda _, writer: _write(writer, body), GOOD: page(), "/evil": page()}
    return CrawlCase(f"what looks like a link in {where}", "HTML 13.2.5", (
        Night(plays, {"/page": STORED}, {"/page": body}, asked=(GOOD,), unasked=("/evil",)),))  # fmt: skip


ADDRESSES_CASES = (
    *(linked(f"links to {href!r}"[:60], "A5", href, None) for href in HOSTILE),
    *(linked(name, "WHATWG URL", href, target) for name, href, target in READ_BY_BROWSERS),
    *(linked(name, "HTML 13.2.5", "", "/next", raw=in_body(markup)) for name, markup in MARKUP),
    *(hidden(where, markup) for where, markup in HIDDEN),
    *(
        linked(f"a base of {base!r}"[:50], "HTML 4.2.3, A5", "", None, raw=in_body(b"").replace(
               b"<title>", f'<base href="{base}"><title>'.encode("utf-8", "surrogateescape")).replace(
               b"=/good", b"=http://a.example/good"))
        for base in ("http://xn--a/", "http://[", "http://a.example:99999/", "data:x", "javascript:1", "",
            "http://a..b/",
                     "\udcff", "&#xD800;", "x" * 50_000)
    ),
)  # fmt: skip


ON = frozenset({"redirected"})
OUT = frozenset({"out_of_scope", "blocked_address", "protocol_error", "redirect_limit"})
"""A target that is no address of the site: any outcome that says so."""


def leads(name: str, rule: str, location: str | bytes, target: str = "/next") -> CrawlCase:
    """A Location that browsers read as `target`, which is asked for and stored."""
    plays = {"/page": moved(location), target: status("200 OK")}
    return CrawlCase(name, rule, (Night(plays, {"/page": ON}, asked=(target,)),))


def nowhere(name: str, rule: str, location: str | bytes) -> CrawlCase:
    """A Location that is no address of the site: typed, and nothing but the site is asked."""
    return alone(name, rule, moved(location), OUT)


def loop(name: str, rule: str, plays: Mapping[str, Play], **more) -> CrawlCase:
    """A redirect without an end: counted as a failure (A14)."""
    allowed = {"/page": frozenset({"redirected", "redirect_limit"})}
    return CrawlCase(name, rule, (Night(plays, allowed, logged=("redirect_limit",)),), at_most={"/": 80}, **more)


class Cookies:
    """A host that redirects to the same address until a cookie comes back, which no crawler of ours sends."""

    async def __call__(self, request: Request, writer) -> None:
        if "cookie" in request.headers:
            writer.write(answer(PAGE))
        else:
            writer.write(answer(b"", "302 Found", location=request.path, set_cookie="seen=1"))


def chain(length: int) -> dict[str, Play]:
    plays = {"/page": moved("/c1")} | {f"/c{number}": moved(f"/c{number + 1}") for number in range(1, length)}
    return plays | {f"/c{length}": status("200 OK")}


LEADING = (
    leads("a path", "9110 10.2.2", "/next"),
    leads("a relative path", "3986 5.2", "next"),
    leads("dots", "3986 5.2.4", "/x/.././next"),
    leads("more dots than folders", "3986 5.2.4", "../../../next"),
    leads("escaped dots", "WHATWG URL 4.1", "/x/%2e%2E/next"),
    leads("without a scheme", "3986 4.2", "//a.example/next"),
    leads("scheme and host in capitals", "3986 6.2.2.1", "HTTP://A.EXAMPLE/next"),
    leads("the port of http", "3986 6.2.3", "http://a.example:80/next"),
    leads("an empty port", "3986 6.2.3", "http://a.example:/next"),
    leads("spaces around", "9110 5.5", "   /next  "),
    leads("a backslash", "WHATWG URL 4.4", "\\next"),
    leads("backslashes all over", "WHATWG URL 4.4", "http:\\\\a.example\\next"),
    leads("a tab within", "WHATWG URL 4.4", "/ne\txt"),
    leads("a fragment", "9110 10.2.2", "/next#part"),
    leads("user and password", "3986 3.2.1", "http://me:secret@a.example/next"),
    leads("a dot behind the host", "3986 3.2.2", "http://a.example./next"),
    leads("one slash behind the scheme", "WHATWG URL 4.4", "http:/next"),
    leads("no slash behind the scheme", "WHATWG URL 4.4", "http:next"),
    leads("an escape in the host", "WHATWG URL 3.5", "http://%61.example/next"),
    leads("a host in wide letters", "UTS 46, A19", "http://ａ.example/next"),
    leads("an ideographic full stop", "UTS 46, A19", "http://a。example/next"),
    leads("UTF-8 in the path", "WHATWG URL 1.3", "/café".encode(), "/caf%C3%A9"),
    leads("a letter escaped for nothing", "3986 6.2.2.2", "/%6Eext"),
)

NOWHERE = tuple(
    nowhere(f"leads to {location!r}"[:70], rule, location)
    for rule, location in (
        ("A5", "http://xn--a/"), ("A5", "http://xn--/"), ("A5", "http://xn--zz--zz.a.example/"), ("A5", "http://a..b/"),
        ("A5", "http://.a.example/"), ("A5", f"http://{'a' * 64}.example/"), ("A5", f"http://{'a.' * 200}example/"),
        ("A5", "http://a.example:99999/"), ("A5", "http://a.example:-1/"), ("A5", "http://a.example:abc/"),
        ("A5", "http://a.example:80:80/"), ("A5", f"http://a.example:{'9' * 5000}/"), ("A5", "http://a.example:٣/"),
        ("A5", "http://"), ("A5", "http:///"), ("A5", "//"), ("A5", "http://["), ("A5", "http://[::1"),
        ("A5", "http://]/"), ("A5", "http://[v1.x]/"), ("A5", "http://[fe80::1%25eth0]/"), ("A5", "http://[1:2]/"),
        ("A5", "http://a.example%00/"), ("A5", "http://a.exa mple/"), ("A5", "http://a.example<>/"),
        ("A5", "http://\u200d/"), ("A5", "http://\u00ad/"), ("A5", "http://faß.example/"), ("A5", "http://İ.example/"),
        ("A5", b"http://\xe9.example/"), ("A5", b"http://\xff\xfe/"), ("A5", "http://日本.example/"),
        ("A5", "http://@/"), ("A5", "http://a.example\x7f/"), ("A5", "http://%/"), ("A5", "http://%zz.example/"),
        ("faults 41", "http://127.0.0.1/"), ("faults 41", "http://169.254.169.254/latest/"),
        ("faults 41", "http://[::1]/"), ("faults 41", "http://[::ffff:10.0.0.1]/"), ("faults 41", "http://0.0.0.0/"),
        ("faults 41", "http://2130706433/"), ("faults 41", "http://0x7f.1/"), ("faults 41", "http://0177.0.0.1/"),
        ("faults 41", "http://127.1/"), ("faults 41", "http://①②⑦.0.0.1/"), ("faults 41", "http://localhost/"),
        ("faults 43", "file:///etc/passwd"), ("faults 43", "ftp://a.example/x"), ("faults 43", "data:text/html,x"),
        ("faults 43", "javascript:alert(1)"), ("faults 43", "mailto:a@a.example"), ("faults 43", "gopher://a.example/"),
        ("faults 43", "view-source:http://a.example/next"), ("faults 43", "blob:http://a.example/1"),
        ("faults 40", "http://c.example/next"), ("faults 40", "http://a.example.evil.example/next"),
        ("faults 40", "http://a.example@c.example/next"), ("faults 40", "//c.example/next"),
        ("faults 40", "http://c.example\\@a.example/"), ("faults 40", "http://a.example:8080/next"),
    )
)  # fmt: skip

ODD = (
    *(
        alone(f"the path {location!r}"[:60], "A5", moved(location), NOT_KEPT)
        for location in ("/%zz", "/%", "/%00", "/%c3%28", "/\x01\x02", "/" + "x" * 60_000, "/" + "a/" * 5_000, "/\x7f",
                         b"/\xff\xfe", b"/caf\xe9", "/%ED%A0%80", "?" + "a=b&" * 3_000, "/\U0001f600", "/x;" * 200)
    ),
    alone("two Locations", "9110 5.3", bare(b"location: /one", b"location: /two", b"content-length: 0",
         b"connection: close", status=b"HTTP/1.1 302 Found", body=b""), NOT_KEPT),
    *(alone(f"{code} without a Location", "A14", moved(None, f"{code} Moved"), FAILED) for code in (301, 302, 303, 307,
                                                                                                  308)),
    alone("300 without a Location", "9110 15.4.1", status("300 Multiple Choices"), NOT_KEPT),
    alone("306 with a page", "9110 15.4.7", status("306 Unused"), NOT_KEPT),
    alone("399 with a page", "9110 15.4", status("399 What"), NOT_KEPT),
    *(
        CrawlCase(f"{code} leads on", "9110 15.4", (Night({"/page": moved("/next", f"{code} On"),
                  "/next": status("200 OK")}, {"/page": ON, "/next": STORED}),))
        for code in (301, 302, 303, 307, 308)
    ),
    CrawlCase("a body beside the Location", "A4", (Night({"/page": status("302 Found", location="/next"),
              "/next": status("200 OK")}, {"/page": ON, "/next": STORED}),)),
    CrawlCase("two addresses lead to one", "9110 15.4", (Night({"/page": page("/x", "/y"), "/x": moved("/z"),
              "/y": moved("/z"), "/z": status("200 OK")}, {"/x": ON, "/y": ON, "/z": STORED},
              {"/page": None}),), at_most={"/z": 1}),
)  # fmt: skip

LOOPS = (
    loop("to itself", "A14", {"/page": moved("/page")}),
    loop("to itself by 301", "A14", {"/page": moved("/page", "301 Moved")}),
    alone("to nothing, which is itself", "A14", moved(""), FAILED),
    loop("to a fragment of itself", "A14", {"/page": moved("#top")}),
    loop("to itself with a tracking parameter", "A14", {"/page": moved("/page?utm_source=x"),
         "/page?utm_source=x": moved("/page")}),
    loop("to itself with a slash and back", "A14", {"/page": moved("/page/"), "/page/": moved("/page")}),
    loop("two to each other", "A14", {"/page": moved("/b"), "/b": moved("/page")}),
    loop("three in a ring", "A14", {"/page": moved("/b"), "/b": moved("/c"), "/c": moved("/page")}),
    loop("a page before a ring", "A14", {"/page": moved("/b"), "/b": moved("/c"), "/c": moved("/b")}),
    loop("a wall of cookies", "A14", {"/page": Cookies()}),
    loop("25 in a row", "faults 39", chain(25)),
    loop("another address each time", "A14", {"/page": moved("/n?i=0"),
         **{f"/n?i={number}": moved(f"/n?i={number + 1}") for number in range(60)}}),
    CrawlCase("five in a row", "docs/crawling", (Night(chain(5), {"/page": ON, "/c5": STORED}),)),
)  # fmt: skip

REDIRECTS_CASES = (*LEADING, *NOWHERE, *ODD, *LOOPS)


def one(name: str, rule: str, first: str, second: str, **site) -> CrawlCase:
    """Two spellings of one address: one request."""
    paths = {spelling.removeprefix(HOME).partition("#")[0] or "/" for spelling in (first, second)}
    plays = {path: status("200 OK") for path in paths if path.startswith("/")}
    night = Night({"/start": page(first, second), **plays}, {"/start": STORED}, {"/start": None})
    return CrawlCase(f"one: {name}", rule, (night,), starts=("/start",), site=site, at_most={"/doc": 1, "/x/": 1})


def two(name: str, rule: str, first: str, second: str) -> CrawlCase:
    """Two addresses that may be two pages: both are asked for."""
    night = Night({"/start": page(first, second), first: page(text="First."), second: page(text="Second.")},
                  {"/start": STORED}, {"/start": None}, asked=(first, second))  # fmt: skip
    return CrawlCase(f"two: {name}", rule, (night,), starts=("/start",))


ONE = (
    one("a fragment", "3986 3.5", "/doc", "/doc#part"),
    one("utm parameters", "faults 57", "/doc", "/doc?utm_source=x&amp;utm_medium=y"),
    one("click ids", "faults 57", "/doc?gclid=1", "/doc?fbclid=2"),
    one("utm among others", "faults 57", "/doc?a=1", "/doc?utm_campaign=z&amp;a=1"),
    one("a session in the path", "faults 57", "/doc", "/doc;jsessionid=1A2B"),
    one("the order of parameters", "faults 57", "/doc?a=1&amp;b=2", "/doc?b=2&amp;a=1"),
    one("the host's case", "3986 6.2.2.1", "/doc", "http://A.Example/doc"),
    one("the scheme's case", "3986 6.2.2.1", "/doc", "HTTP://a.example/doc"),
    one("the default port", "3986 6.2.3", "/doc", "http://a.example:80/doc"),
    one("an empty port", "3986 6.2.3", "/doc", "http://a.example:/doc"),
    one("dots", "3986 6.2.2.3", "/doc", "/x/../doc"),
    one("a dot", "3986 6.2.2.3", "/doc", "/./doc"),
    one("escaped dots", "WHATWG URL", "/doc", "/x/%2e%2e/doc"),
    one("a needless escape", "3986 6.2.2.2", "/doc~1", "/doc%7E1"),
    one("the case of an escape", "3986 6.2.2.1", "/doc%c3%a9", "/doc%C3%A9"),
    one("a letter and its escape", "3986 2.5", "/docé", "/doc%C3%A9"),
    one("an empty query", "3986 6.2.3", "/doc", "/doc?"),
    one("a slash at the end", "faults 57", "/doc", "/doc/"),
    one("a dot behind the host", "3986 3.2.2", "/doc", "http://a.example./doc"),
    one("user info", "3986 3.2.1", "/doc", "http://me:pw@a.example/doc"),
    one("www, where the config names both", "faults 57", "/doc", "http://www.a.example/doc",
        hosts=("a.example", "www.a.example")),
    one("wide letters", "UTS 46", "/doc", "http://ａ.example/doc"),
    one("blanks around", "WHATWG URL", "/doc", " /doc "),
    one("two slashes", "faults 57", "/x/doc", "/x//doc"),
)  # fmt: skip

TWO = (
    two("the path's case", "3986 6.2.2.1", "/doc", "/Doc"),
    two("an escaped slash", "3986 2.2", "/a/b", "/a%2Fb"),
    two("another value", "3986 3.4", "/doc?a=1", "/doc?a=2"),
    two("an ending", "3986", "/doc", "/doc.html"),
    two("a query", "3986 3.4", "/doc", "/doc?page=2"),
    two("an escaped question mark", "3986 2.2", "/doc?a=1", "/doc%3Fa=1"),
    two("an escaped percent sign", "3986 2.4", "/doc%2541", "/docA"),
    two("a plus and its escape", "3986 2.2, HTML forms", "/doc?a=1+1", "/doc?a=1%2B1"),
)


def page_of_text(text: str) -> bytes:
    return f"<html><head><title>T</title></head><body><p>{text}</p></body></html>".encode()


def meaning(name: str, parameter: str) -> CrawlCase:
    """Sixty addresses of sixty texts: all are kept."""
    paths = [f"/s?{parameter}={number}" for number in range(60)]
    plays = {"/page": page(*paths), **{path: status("200 OK", page_of_text(f"Text of {path}.")) for path in paths}}
    nights = tuple(Night(plays, {"/page": STORED if day == 0 else GOT,
        **dict.fromkeys(paths, STORED if day == 0 else GOT)},
                         {"/page": None, **dict.fromkeys(paths)}, days=day) for day in (0, 40))  # fmt: skip
    return CrawlCase(f"?{name}= names sixty pages", "A17", nights)


MANY = (
    meaning("id", "id"), meaning("page", "page"), meaning("sid", "sid"),
    CrawlCase("one page led to from twelve spellings", "faults 57",
        (Night({"/start": page(*(f"/old{n}" for n in range(12))),
        **{f"/old{n}": moved("/doc") for n in range(12)}, "/doc": status("200 OK")},
        {"/start": STORED, "/doc": STORED}, {"/start": None}),),
        starts=("/start",), at_most={"/doc": 1}),
)  # fmt: skip

IDENTITY_CASES = (*ONE, *TWO, *MANY)


CASES = {
    "addresses in pages": ADDRESSES_CASES,
    "redirects": REDIRECTS_CASES,
    "identity of addresses": IDENTITY_CASES,
}
