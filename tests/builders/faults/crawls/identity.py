"""One page, one address (RFC 3986, 6; faults 57): spellings that are one, and addresses that must stay two."""

from builders.faults.crawl_case import GOT, HOME, CrawlCase, Night
from builders.faults.plays import moved, page, status

KIND = "identity of addresses"
STORED = frozenset({"stored"})


def one(name: str, rule: str, first: str, second: str, **site) -> CrawlCase:
    """Two spellings of one address: one request."""
    paths = {spelling.removeprefix(HOME).partition("#")[0] or "/" for spelling in (first, second)}
    plays = {path: status("200 OK") for path in paths if path.startswith("/")}
    night = Night({"/start": page(first, second), **plays}, {"/start": STORED}, {"/start": None})
    return CrawlCase(KIND, f"one: {name}", rule, (night,), starts=("/start",), site=site, at_most={"/doc": 1, "/x/": 1})


def two(name: str, rule: str, first: str, second: str) -> CrawlCase:
    """Two addresses that may be two pages: both are asked for."""
    night = Night({"/start": page(first, second), first: page(text="First."), second: page(text="Second.")},
                  {"/start": STORED}, {"/start": None}, asked=(first, second))  # fmt: skip
    return CrawlCase(KIND, f"two: {name}", rule, (night,), starts=("/start",))


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
    return CrawlCase(KIND, f"?{name}= names sixty pages", "A17", nights)


MANY = (
    meaning("id", "id"), meaning("page", "page"), meaning("sid", "sid"),
    CrawlCase(KIND, "one page led to from twelve spellings", "faults 57",
        (Night({"/start": page(*(f"/old{n}" for n in range(12))),
        **{f"/old{n}": moved("/doc") for n in range(12)}, "/doc": status("200 OK")},
        {"/start": STORED, "/doc": STORED}, {"/start": None}),),
        starts=("/start",), at_most={"/doc": 1}),
)  # fmt: skip

CASES = (*ONE, *TWO, *MANY)
