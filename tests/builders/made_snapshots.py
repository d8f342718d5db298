"""Generated pages as a store keeps them: HTML where they are labelled, else a text dump without seats and scores."""

from datetime import datetime
from hashlib import sha256

from builders.made_corpora import SEATS, MadePage, MadeTool
from builders.made_observations import NO_ADDRESS_SHARE
from builders.renderings import as_quotes
from verdicts.demo_site.facts import Facts, Pair, SeatTake, Tool
from verdicts.demo_site.pages import comparison_page
from verdicts.demo_site.responses import SITE_URL
from verdicts.fetch.model.snapshot import Snapshot

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
    """The tool with its takes as this page words them; a text extractor leaves no line ends in a take."""
    shown = {take.seat: " ".join(take.text.split("\n")) for take in page.takes if take.is_b == (tool is page.b)}
    takes = tuple(
        SeatTake(SEATS[seat], 60 + seat, "ship" if vote else "skip", shown[seat])
        for seat, vote in zip(tool.seats, tool.votes, strict=True)
        if seat in shown
    )
    return Tool(tool.slug, tool.name, tool.tagline, "Tools", "Free", f"What {tool.name} is for.", None, takes)
