"""Observations of generated pages: the records that extraction would give of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from builders import normalize_pages
from builders.made_corpora import SEATS, MadePage, MadeTool
from builders.normalize_pages import page as panel_page
from builders.renderings import as_quotes
from verdicts.corpus.enumerations import Rendering
from verdicts.demo_site.facts import Facts, Pair, SeatTake, Tool
from verdicts.demo_site.pages import comparison_page
from verdicts.demo_site.responses import SITE_URL
from verdicts.extract.model.records import Comparison, Observation
from verdicts.fetch.model.snapshot import Location, Snapshot

HOST = "made.example"
FIRST_NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
NO_ADDRESS_SHARE = 4
"""One in this many unlabelled pages is a dump without an address."""


def observations(pages: Iterable[MadePage]) -> Iterator[Observation]:
    """One snapshot per page, all fetched in one night."""
    crawl_id = f"{FIRST_NIGHT:%Y%m%dT%H%M%SZ}-0001"
    for page in pages:
        digest = sha256(f"{page.number}".encode()).hexdigest()
        url = address(page)
        yield Observation(
            url=url or f"urn:sha256:{digest}",
            fetched_at=FIRST_NIGHT + timedelta(seconds=page.number % 3000),
            crawl_id=crawl_id,
            location=Location(f"{crawl_id}-00001.warc.zst", page.number),
            sha256=digest,
            extracted=comparison(page),
        )


def address(page: MadePage) -> str | None:
    """The page's address, None for a dump without one."""
    if not page.is_labelled and page.number % NO_ADDRESS_SHARE == 0:
        return None
    return f"https://{HOST}/compare/{page.a.slug}-vs-{page.b.slug}"


def comparison(page: MadePage) -> Comparison:
    """The page in HTML where it is labelled, else in the rendering that has lost seats, scores and tables."""
    rendering: Rendering = "html" if page.is_labelled else "quotes"
    tools = (page.a, page.b)
    # What a page has lost of a panel is still counted by it.
    whole = panel_page(*(_as_tool(tool, dict(zip(tool.seats, tool.takes, strict=True))) for tool in tools), rendering)
    shown = panel_page(*(_as_tool(tool, _texts(page, tool)) for tool in tools), rendering)
    cards = zip(whole.cards, tools, strict=True)
    of_tools = tuple(replace(card, chip=None, description=f"What {tool.name} is for.") for card, tool in cards)
    return replace(shown, cards=of_tools, decisions=whole.decisions)


def _texts(page: MadePage, tool: MadeTool) -> dict[int, str]:
    """The takes of one of its tools, by seat, as the page words them."""
    return {take.seat: take.text for take in page.takes if take.is_b == (tool is page.b)}


def _as_tool(tool: MadeTool, texts: Mapping[int, str]) -> normalize_pages.Tool:
    votes = dict(zip(tool.seats, tool.votes, strict=True))
    takes = {SEATS[seat]: (text, 60 + seat, "ship" if votes[seat] else "skip") for seat, text in texts.items()}
    return normalize_pages.Tool(tool.slug, tool.name, tool.tagline, takes, category="Tools", pricing="Free")


HTML, TEXT = ("text/html; charset=utf-8", "text/plain; charset=utf-8")


def made_snapshot(page: MadePage, moment: datetime, crawl_id: str) -> Snapshot:
    """The page as ingested at a moment; one in four of those without labels has no address."""
    pair = Pair(page.a.slug, page.b.slug, "html_semantic", "both")
    facts = Facts({tool.slug: _tool(page, tool) for tool in (page.a, page.b)}, (pair,), ())
    body = (comparison_page if page.is_labelled else as_quotes)(facts, pair).encode()
    url = SITE_URL.rstrip("/") + pair.path
    if not page.is_labelled and page.number % NO_ADDRESS_SHARE == 0:
        url = f"urn:sha256:{sha256(body).hexdigest()}"
    status, media_type = (200, HTML) if page.is_labelled else (0, TEXT)
    return Snapshot(url, url, moment, status, (("content-type", media_type),), body, crawl_id)


def _tool(page: MadePage, tool: MadeTool) -> Tool:
    """The same as a fact of the demo site; a text extractor leaves no line ends in a take."""
    takes = tuple(
        SeatTake(seat, score, verdict, " ".join(text.split("\n")))
        for seat, (text, score, verdict) in _as_tool(tool, _texts(page, tool)).takes.items()
    )
    return Tool(tool.slug, tool.name, tool.tagline, "Tools", "Free", f"What {tool.name} is for.", None, takes)
