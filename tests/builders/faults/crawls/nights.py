"""Over nights: a good copy, then a fault, then the host heals; clocks that jump; pages that come and go."""

from builders.fault_server import Play, Request, answer, drip, says, silence, stall
from builders.faults.crawl_case import FAILED, GOT, CrawlCase, Night
from builders.faults.plays import NEIGHBOUR, PAGE, bare, chunk, chunks, moved, page, resets, sends, status

KIND = "over nights"
STORED = frozenset({"stored"})
ANY: frozenset[str] = frozenset()
NEW = PAGE.replace(b"words", b"new words")


def kept(name: str, rule: str, play: Play, outcomes: frozenset[str] | None = None, days: tuple[float, float] = (20, 40),
         **plays: Play) -> CrawlCase:  # fmt: skip
    """A good copy, a night with the fault, and one in which the host has healed and says something new."""
    others = {f"/{path}": value for path, value in plays.items()}
    expect = {} if outcomes is None else {"/page": outcomes}
    return CrawlCase(KIND, name, rule, (
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
    return CrawlCase(KIND, name, rule, (Night({"/page": first}, {"/page": STORED}),
                     Night({"/page": second}, {"/page": only(outcome)}, {"/page": body}, days=day)))  # fmt: skip


FAULTS = (
    *(kept(f"{code}", "faults 33", status(f"{code} Oops"), FAILED) for code in (500, 502, 503, 520, 403, 429)),
    kept("404", "faults 36", status("404 No"), only("not_found")),
    kept("410", "faults 36", status("410 Gone"), only("gone"), (20, 90)),
    kept("a soft 404", "faults 35", says(answer(b"<title>Page not found</title><p>x")), only("soft_404")),
    kept("a challenge", "faults 34", says(answer(b"<title>Just a moment...</title><p>x")), only("blocked")),
    kept("401", "docs/crawling", status("401 No"), only("client_error")),
    kept("nothing", "faults 37", status("200 OK", b""), only("empty")),
    kept("blanks", "faults 37", status("200 OK", b" \n"), only("empty")),
    kept("204", "faults 37", status("204 No Content", b""), only("empty")),
    kept("206 with half of it", "A4", says(answer(PAGE[:40], "206 Partial Content", content_range="bytes 0-39/90"))),
    kept("202 with a script", "A4", says(answer(b"<script>challenge()</script>", "202 Accepted"))),
    kept("a PDF", "faults 60", says(answer(b"%PDF-1.7 ", content_type="application/pdf")), only("not_a_page")),
    kept("cut off", "faults 8", says(answer(PAGE, content_length="900")), only("incomplete")),
    kept("no last chunk", "faults 9", chunks(chunk(PAGE), end=b""), only("incomplete")),
    kept("a reset", "faults 7", resets(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nhalf"), only("incomplete")),
    kept("no answer", "faults 4", silence, only("read_timeout", "deadline")),
    kept("half of it", "faults 5", stall, only("read_timeout", "deadline")),
    kept("a byte now and then", "faults 6", drip, only("deadline")),
    kept("no HTTP", "faults 15", sends(b"nonsense"), only("protocol_error")),
    kept("a reason beyond ASCII and 500", "A5", bare(b"content-length: 0", status=b"HTTP/1.1 500 Erreur\xe9",
        body=b"")),
    kept("a broken encoding", "faults 19", says(answer(b"\x1f\x8bjunk", content_encoding="gzip")),
        only("decode_error")),
    kept("too many bytes", "faults 61", says(answer(bytes(11_000_000))), only("too_large")),
    kept("a redirect to itself", "A14", moved("/page"), FAILED),
    kept("a ring", "A14", moved("/b"), b=moved("/page")),
    kept("a redirect to a 404", "A2", moved("/b"), b=status("404 No")),
    kept("a redirect to a 500", "A2", moved("/b"), b=status("500 No")),
    kept("a redirect to nothing", "A2", moved("/b"), b=status("200 OK", b"")),
    kept("a redirect out of the site", "A2", moved("http://c.example/"), only("out_of_scope")),
    kept("a redirect to a dead address", "A2", moved("http://xn--a/")),
    kept("a redirect without a Location", "A14", moved(None), FAILED),
    kept("a refresh to a 404", "A2, A17", page(inside='<meta http-equiv="refresh" content="0;url=/b">'),
        b=status("404 No")),
    kept("noindex", "docs/crawling", page(inside='<meta name="robots" content="noindex">'), only("noindex")),
    kept("a 304 to another ETag", "9110 15.4.5", Tagged(PAGE, '"other"', is_stuck=True), GOT | only("protocol_error"),
        (2, 40)),
    CrawlCase(KIND, "the name is lost", "faults 1", (Night({"/page": status("200 OK")}, {"/page": STORED}),
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
    CrawlCase(KIND, "404 for three nights, then back", "faults 36",
        (Night({"/page": status("200 OK")}, {"/page": STORED}),
        *(Night({"/page": status("404 No")}, {"/page": only("not_found")}, {"/page": PAGE}, days=day)
            for day in (20, 21, 22)),
        Night({"/page": status("200 OK", NEW)}, {"/page": STORED}, {"/page": NEW}, days=60))),
    CrawlCase(KIND, "404 and 200 in turns", "faults 36", tuple(Night({"/page": status("404 No") if day % 2
        else status("200 OK")},
        {"/page": only("not_found") if day % 2 else GOT}, {"/page": PAGE}, days=day * 16) for day in range(5))),
    CrawlCase(KIND, "a redirect, then a page again", "A2", (Night({"/page": status("200 OK")}, {"/page": STORED}),
        Night({"/page": moved("/b"), "/b": status("200 OK", NEW)}, {"/page": only("redirected"), "/b": STORED},
            {"/page": PAGE, "/b": NEW}, days=20),
        Night({"/page": status("200 OK", NEW)}, {"/page": GOT}, {"/page": NEW}, days=60))),
    CrawlCase(KIND, "a page fails every night of a week", "faults 33",
        (Night({"/page": status("200 OK")}, {"/page": STORED}),
        *(Night({"/page": status("500 No")}, {"/page": only("server_error")}, {"/page": PAGE}, days=20 + day)
            for day in range(6)),
        Night({"/page": status("200 OK")}, {"/page": GOT}, {"/page": PAGE}, days=27))),
    CrawlCase(KIND, "never had, fails at first", "docs/crawling",
        (Night({"/page": status("500 No")}, {"/page": only("server_error")}),
        Night({"/page": status("200 OK")}, {"/page": STORED}, days=1))),
    CrawlCase(KIND, "never had, too large at first", "docs/crawling",
        (Night({"/page": says(answer(bytes(11_000_000)))}, {"/page":
        only("too_large")}), Night({"/page": status("200 OK")}, {"/page": STORED}, days=1))),
    CrawlCase(KIND, "never had, a redirect to itself at first", "A14",
        (Night({"/page": moved("/page")}, {"/page": FAILED}),
        Night({"/page": status("200 OK")}, {"/page": STORED}, days=1))),
)  # fmt: skip

CLOCKS = tuple(
    CrawlCase(KIND, f"the clock jumps {name}", "faults 67", (
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
    CrawlCase(KIND, "an alias whose page says something else", "A2", (
        *(Night({"/page": status("200 OK", LEANING), "/q": status("200 OK", told(WORDS["one"]))}, days=day)
          for day in (0, 20)),
        Night({"/page": status("200 OK", LEANING), "/q": status("200 OK", told(WORDS["two"]))}, {"/page": GOT},
              {"/page": LEANING}, days=22))),
    *(
        CrawlCase(KIND, f"a canonical page that differs in {name}", "A2",
                  tuple(Night({"/page": status("200 OK", own), "/q": status("200 OK", told(form.format(WORDS["two"])))},
                              {"/page": GOT}, {"/page": own}, days=day) for day in (0, 2)))
        for name, form in DATA.items()
        for own in [told(form.format(WORDS["one"]), "/q")]
    ),
    CrawlCase(KIND, "noindex in a 304", "9111 4.3.4", (
        Night({"/page": status("200 OK", etag='"a"')}, {"/page": STORED}),
        Night({"/page": status("304 Not Modified", b"", etag='"a"', x_robots_tag="noindex")},
              {"/page": only("noindex")}, {"/page": PAGE}, days=2))),
    CrawlCase(KIND, "a 304 that confirms another ETag, then the page", "9111 4.3.4", (
        Night({"/page": status("200 OK", etag='"a"')}, {"/page": STORED}),
        Night({"/page": says(answer(b"", "304 Not Modified", etag='"b"'), answer(NEW, etag='"b"'))}, {"/page": STORED},
              {"/page": NEW}, days=2))),
    CrawlCase(KIND, "a page that moves every day", "A2", tuple(
        Night({**{f"/v{old}": status("410 Gone") for old in range(day - 1)}, f"/v{day - 1}": moved(f"/v{day}"),
               f"/v{day}": page()}, {f"/v{day}": STORED}, {f"/v{day}": None}, days=day) for day in range(9)),
              starts=("/v0",)),
)  # fmt: skip

CASES = (*HELD, *FAULTS, *CHANGES, *CLOCKS)
