"""What becomes of a good copy over nights: it is kept until the host says something new."""

from builders.fault_server import PAGE, Play, answer, page, redirect, says, status
from builders.faults.crawl_case import GOT, STORED, CrawlCase, Night

WORDS = {name: " ".join(f"{name}-{number}" for number in range(60)) for name in ("one", "two")}
NEW = PAGE.replace(b"words", b"new words")
GOOD, OTHER = Night({"/page": status("200 OK")}, {"/page": STORED}), {"/page": status("200 OK", NEW)}
NOINDEX = frozenset({"noindex"})


def write_page(inside: str, canonical: str = "") -> bytes:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return f"<html><head><title>A page</title>{link}</head><body><p>{inside}</p></body></html>".encode()


LEANING = write_page(WORDS["one"], "/q")
DATA = {
    "data in a script": '<script type="application/ld+json">{{"@type":"Review","reviewBody":"{}"}}</script>',
    "microdata": '<i itemscope itemtype="http://schema.org/Review"><meta itemprop="reviewBody" content="{}"></i>',
    "names of icons": '<img src="/i.png" alt="{}">',
}


def differ(form: str) -> tuple[Night, ...]:
    own, other = write_page(form.format(WORDS["one"]), "/q"), write_page(form.format(WORDS["two"]))
    plays = {"/page": status("200 OK", own), "/q": status("200 OK", other)}
    return tuple(Night(plays, {"/page": GOT}, {"/page": own}, days=day) for day in (0, 2))


def make_leaning(words: str, day: int, **more) -> Night:
    return Night(
        {"/page": status("200 OK", LEANING), "/q": status("200 OK", write_page(WORDS[words]))}, days=day, **more
    )


def every_day(day: int) -> Night:
    """A page that moved to another address since yesterday, and was forgotten at all before that."""
    gone = {f"/v{old}": status("410 Gone") for old in range(day - 1)}
    plays = {**gone, f"/v{day - 1}": redirect(f"/v{day}"), f"/v{day}": page()}
    return Night(plays, {f"/v{day}": STORED}, {f"/v{day}": None}, days=day)


TAGGED = Night({"/page": status("200 OK", etag='"a"')}, {"/page": STORED})
THEN_ANOTHER = says(answer(b"", "304 Not Modified", etag='"b"'), answer(NEW, etag='"b"'))
SIXTY = [f"/s?sid={number}" for number in range(60)]
TEXTS = {path: status("200 OK", write_page(" ".join(f"{path[7:]}-{word}" for word in range(60)))) for path in SIXTY}


def heal(play: Play, *outcomes: str, **plays: Play) -> tuple[Night, ...]:
    """A good copy, a night with the fault, and one in which the host says something new."""
    expect = {"/page": frozenset(outcomes)} if outcomes else {}
    fault = Night({"/page": play, **plays}, expect, {"/page": PAGE}, days=20)
    return (GOOD, fault, Night(OTHER, {"/page": STORED}, {"/page": NEW}, days=40))


CASES = {
    "over nights": (
        CrawlCase("a name that is lost", "faults 1", (
            GOOD, Night({}, {"/page": frozenset()}, {"/page": PAGE}, is_down=True, address=("127.0.0.1", 1), days=20),
            Night({"/page": status("200 OK")}, {"/page": GOT}, {"/page": PAGE}, days=40))),
        CrawlCase("noindex", "faults 33",
                  heal(page(inside='<meta name="robots" content="noindex">'), "noindex")),
        CrawlCase("a refresh to a 404", "A2, A17",
                  heal(page(inside='<meta http-equiv="refresh" content="0;url=/b">'), **{"/b": status("404 No")})),
        CrawlCase("a page that is too large", "faults 61", heal(says(answer(bytes(11_000_000))), "too_large")),
        CrawlCase("404 for three nights, then back", "faults 36", (
            GOOD, *(Night({"/page": status("404 No")}, {"/page": frozenset({"not_found"})}, {"/page": PAGE}, days=day)
                    for day in (20, 21, 22)),
            Night(OTHER, {"/page": STORED}, {"/page": NEW}, days=60))),
        CrawlCase("an alias whose page says something else", "A2", (
            make_leaning("one", 0), make_leaning("one", 20),
            make_leaning("two", 22, expect={"/page": GOT}, held={"/page": LEANING}))),
        *(CrawlCase(f"a canonical page that differs in {name}", "A2", differ(form)) for name, form in DATA.items()),
        CrawlCase("noindex in a 304", "9111 4.3.4", (
            TAGGED, Night({"/page": status("304 Not Modified", b"", etag='"a"', x_robots_tag="noindex")},
                          {"/page": NOINDEX}, {"/page": PAGE}, days=2))),
        CrawlCase("a 304 that confirms another ETag, then the page", "9111 4.3.4", (
            TAGGED, Night({"/page": THEN_ANOTHER}, {"/page": STORED}, {"/page": NEW}, days=2))),
        CrawlCase("a page that moves every day", "A2", tuple(map(every_day, range(9))), starts=("/v0",)),
        CrawlCase("a parameter that names sixty pages", "A17", tuple(
            Night({"/page": page(*SIXTY), **TEXTS}, dict.fromkeys(["/page", *SIXTY], GOT if day else STORED),
                  dict.fromkeys(["/page", *SIXTY]), days=day) for day in (0, 40))),
    ),
}  # fmt: skip
