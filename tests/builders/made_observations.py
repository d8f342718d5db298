"""Observations of generated pages: the records that extraction would give of them."""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from builders.made_corpora import SEATS, MadePage, MadeTake, MadeTool
from builders.renderings import as_quotes
from verdicts.corpus.enumerations import Side
from verdicts.demo_site.facts import Facts, Pair, SeatTake, Tool
from verdicts.demo_site.pages import comparison_page
from verdicts.demo_site.responses import SITE_URL
from verdicts.extract.model.records import Card, Comparison, Decision, Observation, Span, Take
from verdicts.fetch.model.snapshot import Location, Snapshot

HOST = "made.example"
FIRST_NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
NO_ADDRESS_SHARE = 4
"""One in this many unlabelled pages is a dump without an address."""


def observations(pages: Iterable[MadePage]) -> Iterator[Observation]:
    """One snapshot per page, all fetched in one night."""
    crawl_id = f"{FIRST_NIGHT:%Y%m%dT%H%M%SZ}-0001"
    for page in pages:
        digest = hashlib.sha256(f"{page.number}".encode()).hexdigest()
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
    return Comparison(
        profile="shiporskip",
        rendering="html" if page.is_labelled else "quotes",
        title=f"{page.a.name} vs {page.b.name}",
        canonical_url=None,
        cards=(_card("a", page.a, page.is_labelled), _card("b", page.b, page.is_labelled)),
        decisions=(_decision("a", page.a), _decision("b", page.b)) if page.is_labelled else (),
        takes=tuple(_take(page, position, take) for position, take in enumerate(page.takes)),
        missing_takes=(),
    )


def _card(side: Side, tool: MadeTool, is_labelled: bool) -> Card:
    return Card(
        side=side,
        name=tool.name,
        slug=tool.slug if is_labelled else None,
        tagline=tool.tagline,
        category="Tools",
        chip=None,
        panel_ship=f"{panel_pct(tool)}%",
        community=None,
        entry="Free",
        description=f"What {tool.name} is for.",
        span=Span(0, 9),
    )


def panel_pct(tool: MadeTool) -> int:
    """The site's arithmetic: 2 of 3 is 67."""
    return int(100 * sum(tool.votes) / len(tool.votes) + 0.5)


def _decision(side: Side, tool: MadeTool) -> Decision:
    ships = sum(tool.votes)
    word = "Ship" if panel_pct(tool) > 50 else "Mixed" if panel_pct(tool) == 50 else "Skip"
    votes = f"{word} · {ships} ship / {len(tool.votes) - ships} skip"
    return Decision(side, tool.name, votes, "No community votes yet", "Free", tool.tagline, "Tools", Span(10, 19))


def _take(page: MadePage, position: int, take: MadeTake) -> Take:
    tool = page.b if take.is_b else page.a
    seat = tool.seats.index(take.seat)
    is_labelled = page.is_labelled
    return Take(
        position=position,
        row=take.seat if is_labelled else None,
        side=("b" if take.is_b else "a") if is_labelled else None,
        seat=SEATS[take.seat] if is_labelled else None,
        score=f"{60 + take.seat}/100" if is_labelled else None,
        verdict=("ship" if tool.votes[seat] else "skip") if is_labelled else None,
        text=take.text,
        span=Span(20 + position, 20 + position),
    )


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
