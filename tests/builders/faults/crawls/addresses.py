"""Addresses that a page links to (WHATWG URL; HTML 4.6): good ones are found, bad ones cost nothing."""

from builders.faults.crawl_case import CrawlCase, Night
from builders.faults.plays import html, page

KIND = "addresses in pages"
STORED = frozenset({"stored"})
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
    return CrawlCase(KIND, name, rule, (Night(plays, {"/page": STORED}, {"/page": body}, asked=asked),),
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
    return CrawlCase(KIND, f"what looks like a link in {where}", "HTML 13.2.5", (
        Night(plays, {"/page": STORED}, {"/page": body}, asked=(GOOD,), unasked=("/evil",)),))  # fmt: skip


CASES = (
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
