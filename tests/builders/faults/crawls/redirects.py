"""Redirects: where they lead (RFC 9110, 15.4; WHATWG URL), and where they must not."""

from collections.abc import Mapping

from builders.fault_server import Play, Request, answer
from builders.faults.crawl_case import FAILED, NOT_KEPT, CrawlCase, Night, alone
from builders.faults.plays import PAGE, bare, moved, page, status

KIND = "redirects"
STORED = frozenset({"stored"})
ON = frozenset({"redirected"})
OUT = frozenset({"out_of_scope", "blocked_address", "protocol_error", "redirect_limit"})
"""A target that is no address of the site: any outcome that says so."""


def case(name: str, rule: str, play: Play, *outcomes: str | frozenset[str], **more) -> CrawlCase:
    return alone(KIND, name, rule, play, *outcomes, **more)


def leads(name: str, rule: str, location: str | bytes, target: str = "/next") -> CrawlCase:
    """A Location that browsers read as `target`, which is asked for and stored."""
    plays = {"/page": moved(location), target: status("200 OK")}
    return CrawlCase(KIND, name, rule, (Night(plays, {"/page": ON}, asked=(target,)),))


def nowhere(name: str, rule: str, location: str | bytes) -> CrawlCase:
    """A Location that is no address of the site: typed, and nothing but the site is asked."""
    return case(name, rule, moved(location), OUT)


def loop(name: str, rule: str, plays: Mapping[str, Play], **more) -> CrawlCase:
    """A redirect without an end: counted as a failure (A14)."""
    allowed = {"/page": frozenset({"redirected", "redirect_limit"})}
    return CrawlCase(KIND, name, rule, (Night(plays, allowed, logged=("redirect_limit",)),), at_most={"/": 80}, **more)


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
        case(f"the path {location!r}"[:60], "A5", moved(location), NOT_KEPT)
        for location in ("/%zz", "/%", "/%00", "/%c3%28", "/\x01\x02", "/" + "x" * 60_000, "/" + "a/" * 5_000, "/\x7f",
                         b"/\xff\xfe", b"/caf\xe9", "/%ED%A0%80", "?" + "a=b&" * 3_000, "/\U0001f600", "/x;" * 200)
    ),
    case("two Locations", "9110 5.3", bare(b"location: /one", b"location: /two", b"content-length: 0",
         b"connection: close", status=b"HTTP/1.1 302 Found", body=b""), NOT_KEPT),
    *(case(f"{code} without a Location", "A14", moved(None, f"{code} Moved"), FAILED) for code in (301, 302, 303, 307,
                                                                                                  308)),
    case("300 without a Location", "9110 15.4.1", status("300 Multiple Choices"), NOT_KEPT),
    case("306 with a page", "9110 15.4.7", status("306 Unused"), NOT_KEPT),
    case("399 with a page", "9110 15.4", status("399 What"), NOT_KEPT),
    *(
        CrawlCase(KIND, f"{code} leads on", "9110 15.4", (Night({"/page": moved("/next", f"{code} On"),
                  "/next": status("200 OK")}, {"/page": ON, "/next": STORED}),))
        for code in (301, 302, 303, 307, 308)
    ),
    CrawlCase(KIND, "a body beside the Location", "A4", (Night({"/page": status("302 Found", location="/next"),
              "/next": status("200 OK")}, {"/page": ON, "/next": STORED}),)),
    CrawlCase(KIND, "two addresses lead to one", "9110 15.4", (Night({"/page": page("/x", "/y"), "/x": moved("/z"),
              "/y": moved("/z"), "/z": status("200 OK")}, {"/x": ON, "/y": ON, "/z": STORED},
              {"/page": None}),), at_most={"/z": 1}),
)  # fmt: skip

LOOPS = (
    loop("to itself", "A14", {"/page": moved("/page")}),
    loop("to itself by 301", "A14", {"/page": moved("/page", "301 Moved")}),
    case("to nothing, which is itself", "A14", moved(""), FAILED),
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
    CrawlCase(KIND, "five in a row", "docs/crawling", (Night(chain(5), {"/page": ON, "/c5": STORED}),)),
)  # fmt: skip

CASES = (*LEADING, *NOWHERE, *ODD, *LOOPS)
