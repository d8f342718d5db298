"""What an answer says of its host: a status counts whatever its body is, and one bad page is no bad host."""

import gzip

from builders.fault_server import PAGE, Play, answer, drips, first, hangs, page, redirect, says, status
from builders.faults.crawl_case import GOT, HOME, STORED, CrawlCase, Night, alone
from builders.faults.robots import DENIED, LISTED, finds, index, text, urlset, xml


def break_body(line: str, *more: str) -> tuple[tuple[str, Play], ...]:
    """This answer with a body that is worth nothing, in several ways."""
    lines = "".join(f"{name}\r\n" for name in more)
    head = f"HTTP/1.1 {line}\r\n{lines}content-type: text/html\r\ncontent-length: 5000\r\n".encode()
    return (
        ("cut short", says(head + b"\r\nhalf")),
        ("that hangs", hangs(head + b"\r\nhalf")),
        ("that drips", drips(head + b"\r\nhalf")),
        ("of corrupt gzip", says(head.replace(b"5000", b"4") + b"content-encoding: gzip\r\n\r\nhalf")),
        ("of brotli", says(head.replace(b"5000", b"4") + b"content-encoding: br\r\n\r\nhalf")),
        ("of 12 MB", says(head.replace(b"5000", b"12000000") + b"\r\n" + bytes(12_000_000))),
    )


BY_STATUS = tuple(
    alone(f"{line} with a body {how}", "RFC 9110, 15: the status is the answer", play, outcome)
    for line, outcome in (("404 Not Found", "not_found"), ("410 Gone", "gone"), ("403 Forbidden", "blocked"))
    for how, play in break_body(line)
)
MOVED = tuple(
    alone(f"301 with a body {how}", "RFC 9110, 15.4.2", play, "redirected", others={"/q": status("200 OK")})
    for how, play in break_body("301 Moved", "location: /q")
)  # fmt: skip
RETRIED = tuple(
    alone(f"{line} with a body {how}, then the page", "faults 28, 32", first(play, status("200 OK")), "stored")
    for line in ("503 Busy", "429 Slow down")
    for how, play in break_body(line)
)
ROBOTS = tuple(
    CrawlCase(f"robots.txt: 404 with a body {how}", "RFC 9309, 2.3.1.3",
              (Night({"/robots.txt": play, "/page": status("200 OK")}, {"/page": STORED}),))
    for how, play in break_body("404 Not Found")
)  # fmt: skip

RULE = b"User-agent: *\nDisallow: /no\n"
LARGE_FILES = (
    *(
        CrawlCase(f"robots.txt of {name}", "RFC 9309, 2.5: what follows 500 KiB is not read",
                  (Night({"/robots.txt": play, "/page": page("/no"), "/no": status("200 OK")}, {"/page": STORED},
                         held={"/page": None}, unasked=("/no",)),))
        for name, play in (
            ("12 MB", text(RULE + b"# a line\n" * 1_300_000)),
            ("40 MB in gzip", text(gzip.compress(RULE + b"#" * 40_000_000, 1), content_encoding="gzip")),
        )
    ),
    finds("30 MB", "sitemaps.org: 50 MB", urlset(" " * 30_000_000 + f"<url><loc>{LISTED}</loc></url>")),
    finds("45 MB in gzip", "sitemaps.org: 50 MB",
          xml(gzip.compress(urlset(" " * 45_000_000 + f"<url><loc>{LISTED}</loc></url>"), 1), content_encoding="gzip")),
)  # fmt: skip

SPELLED = (
    finds("an index names a file with its slash", "faults 63", index(f"{HOME}/maps/"),
          plays={"/maps/": xml(urlset(f"<url><loc>{LISTED}</loc></url>"))}),
    finds("an index names a file with parameters in an order of its own", "faults 63",
          index(f"{HOME}/map?z=1&amp;a=2"), plays={"/map?z=1&a=2": xml(urlset(f"<url><loc>{LISTED}</loc></url>"))}),
    *(
        CrawlCase(f"robots.txt forbids the spelling {spelled}", "RFC 9309, 2.2.2",
                  (Night({"/robots.txt": text(f"User-agent: *\nDisallow: {rule}\n".encode()), "/page": page(spelled),
                          asked: redirect(spelled), spelled: status("200 OK")},
                         {"/page": STORED, asked: DENIED}, held={"/page": None}, unasked=(spelled,)),))
        for spelled, asked, rule in (("/no/", "/no", "/no/"), ("/no?b=1&a=2", "/no?a=2&b=1", "/no?b"))
    ),
)  # fmt: skip

BAD = {
    "a corrupt encoding": says(answer(b"no gzip", content_encoding="gzip")),
    "no HTTP": says(b"<html>hello</html>"),
    "too large": says(answer(bytes(11_000_000))),
}


def beside_bad(name: str, play: Play, count: int) -> CrawlCase:
    paths = [f"/bad{number}" for number in range(count)]
    plays = {"/page": page(*paths, "/last"), **dict.fromkeys(paths, play), "/last": status("200 OK")}
    night = Night(plays, {"/last": GOT}, held={"/page": None})
    rule = "a page's own fault says nothing of its host"
    return CrawlCase(f"{count} pages in a row: {name}", rule, (night,), site={"connections": 1})


BREAKER = (
    *(beside_bad(name, play, 12) for name, play in BAD.items()),
    beside_bad("500", status("500 Oops"), 6),
    beside_bad("cut short", says(answer(PAGE, content_length="5000")), 6),
    finds("an index with twelve broken files before a good one", "faults 63",
          index(*(f"{HOME}/bad{number}.xml" for number in range(12)), f"{HOME}/good.xml"),
          plays={"/good.xml": xml(urlset(f"<url><loc>{LISTED}</loc></url>")),
                 **{f"/bad{number}.xml": BAD["a corrupt encoding"] for number in range(12)}}),
)  # fmt: skip

TAGS = tuple(
    alone(f"X-Robots-Tag: {value}", "Google, robots meta tag", status("200 OK", x_robots_tag=value), outcome)
    for value, outcome in (("otherbot: nofollow, verdicts-test: noindex", "noindex"),
                           ("otherbot: noindex, verdicts-test: nofollow", "stored"), ("*: noindex", "noindex"),
                           ("noindex, otherbot: nofollow", "noindex"))
)  # fmt: skip

CASES = {"answers": (*TAGS, *BY_STATUS, *MOVED, *RETRIED, *ROBOTS, *LARGE_FILES, *SPELLED, *BREAKER)}
