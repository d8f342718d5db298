"""A data folder with as many pages as one likes: raw segments and their state, with nothing built of them yet.

The pages are those of many small dense worlds, so that a page costs the same however many there are: no tool is in two
worlds, and no two worlds have a name in common. Each of several ingest days has its share of every world.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from unittest import mock

from builders.made_corpora import MadePage, MadeTool, make_pages
from builders.made_observations import FIRST_NIGHT, NO_ADDRESS_SHARE, as_tool, select_texts
from builders.renderings import as_quotes
from verdicts.corpus.rows.runs import FetchRow
from verdicts.demo_site.responses import SITE_HOST
from verdicts.demo_site.site_facts import Facts, Pair, ReviewerTake, Tool
from verdicts.demo_site.site_pages import comparison_page
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.store import segments
from verdicts.fetch.store.store import Store, open_store

WORLD_PAGES, WORLD_APPEARANCES = 2_500, 20_500
"""Pages of a world, and appearances of one that is made a little larger: no world ends early."""

DAYS = 3
LABELLED = 0.2
SEGMENT_BYTES = 16_000_000
"""Smaller than a store's own: a segment is the least that a machine is given, and each is to have some."""

HOSTS = tuple(f"h{number}.{SITE_HOST}" for number in range(8))

BATCH = 1_000
"""Pages a commit."""


def fill(folder: Path, pages: int) -> None:
    """Ingests so many pages into a new data folder. The memory it takes is that of one world."""
    with mock.patch.object(segments, "SEGMENT_BYTES", SEGMENT_BYTES), open_store(folder, command="benchmark") as store:
        for day in range(DAYS):
            of_day = (page for page in scale_pages(pages) if page.number % DAYS == day)
            start = FIRST_NIGHT + timedelta(days=day)
            _ingest_day(store, of_day, start, f"{start:%Y%m%dT%H%M%SZ}-0000")


def _host(page: MadePage) -> str:
    return HOSTS[page.number // DAYS % len(HOSTS)]


def scale_pages(pages: int) -> Iterator[MadePage]:
    """The first so many pages of all worlds, numbered through."""
    for number in range(-(-pages // WORLD_PAGES)):
        world = make_pages(WORLD_APPEARANCES, seed=1_000_000 + number, labelled=LABELLED)
        of_world = cache(lambda tool, number=number: _rename_tool(tool, number))
        first = number * WORLD_PAGES
        for place, page in enumerate(islice(world, min(WORLD_PAGES, pages - first)), start=first):
            yield replace(page, number=place, a=of_world(page.a), b=of_world(page.b))


def _rename_tool(tool: MadeTool, number: int) -> MadeTool:
    """The tool under a name that only its world has: `Calm Anchor` is `Calmbc Anchor` in world 12."""
    code = "".join(chr(ord("a") + int(digit)) for digit in str(number))

    def rename(name: str) -> str:
        first, _, rest = name.partition(" ")
        return f"{first}{code} {rest}"

    return replace(tool, slug=f"{tool.slug}-{code}", name=rename(tool.name), family_name=rename(tool.family_name))


def _ingest_day(store: Store, pages: Iterator[MadePage], start: datetime, crawl_id: str) -> None:
    store.begin(crawl_id, "ingest", start)
    ids = (f"{crawl_id}.{number:07d}" for number in count(1))
    moment = start
    while batch := list(islice(pages, BATCH)):
        with store.transaction():
            for page in batch:
                _keep(store, _snapshot(page, moment, crawl_id), next(ids))
        moment += timedelta(seconds=10)
    store.finish(crawl_id, moment)


def _keep(store: Store, snapshot: Snapshot, fetch_id: str) -> None:
    location = store.keep(snapshot)
    asked = (fetch_id, snapshot.crawl_id, snapshot.url, Outcome.STORED, None, 1, snapshot.fetched_at, 0)
    store.log(FetchRow(*asked, len(snapshot.body), snapshot.sha256, *location, None))


HTML, TEXT = ("text/html; charset=utf-8", "text/plain; charset=utf-8")


def _snapshot(page: MadePage, moment: datetime, crawl_id: str) -> Snapshot:
    """The page as ingested at a moment; one in four of those without labels has no address."""
    pair = Pair(page.a.slug, page.b.slug, "html_semantic", "both")
    facts = Facts({tool.slug: _tool(page, tool) for tool in (page.a, page.b)}, (pair,), ())
    body = (comparison_page if page.is_labelled else as_quotes)(facts, pair).encode()
    url = f"http://{_host(page)}{pair.path}"
    if not page.is_labelled and page.number % NO_ADDRESS_SHARE == 0:
        url = f"urn:sha256:{sha256(body).hexdigest()}"
    status, media_type = (200, HTML) if page.is_labelled else (0, TEXT)
    return Snapshot(url, url, moment, status, (("content-type", media_type),), body, crawl_id)


def _tool(page: MadePage, tool: MadeTool) -> Tool:
    """The tool as a fact of the demo site, its reviews as this page words them; a text extractor leaves no line
    ends."""
    takes = tuple(
        ReviewerTake(reviewer, score, verdict, " ".join(text.split("\n")))
        for reviewer, (text, score, verdict) in as_tool(tool, select_texts(page, tool)).takes.items()
    )
    return Tool(tool.slug, tool.name, tool.tagline, "Tools", "Free", f"What {tool.name} is for.", None, takes)
