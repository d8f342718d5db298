"""Observations of generated pages: the records that extraction would give of them."""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from builders.made_corpora import SEATS, MadePage, MadeTake, MadeTool
from verdicts.corpus.enumerations import Side
from verdicts.extract.model.records import Card, Comparison, Decision, Observation, Span, Take
from verdicts.fetch.model.snapshot import Location

HOST = "made.example"
FIRST_NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
NO_ADDRESS_SHARE = 4
"""One in this many unlabelled pages is a dump without an address."""


def observations(pages: Iterable[MadePage], *, first: int = 1) -> Iterator[Observation]:
    """One snapshot per page, all fetched in one night: the first, the second, ..."""
    start = FIRST_NIGHT + timedelta(days=first - 1)
    for page in pages:
        crawl_id = f"{start:%Y%m%dT%H%M%SZ}-0001"
        digest = hashlib.sha256(f"{page.number}".encode()).hexdigest()
        url = address(page)
        yield Observation(
            url=url or f"urn:sha256:{digest}",
            fetched_at=start + timedelta(seconds=page.number % 3000),
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
