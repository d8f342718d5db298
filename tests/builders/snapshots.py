"""Snapshots and observations made by hand."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256

from builders.read_documents import ReadDocument, as_read
from verdicts.demo_site.responses import SITE_HOST, SITE_URL
from verdicts.demo_site.site_facts import Facts, Pair, load_facts
from verdicts.demo_site.site_pages import render_comparison
from verdicts.extract.grids.grid import Grid
from verdicts.extract.grids.page_grids import page_grids
from verdicts.extract.html.html_page import Page
from verdicts.extract.model.records import Document, Observation
from verdicts.extract.page import extract
from verdicts.fetch.model.snapshot import Headers, Location, Response, Snapshot, has_address
from verdicts.fetch.parse.page_head import read_head
from verdicts.fetch.parse.page_links import PageLinks, read_page_links
from verdicts.fetch.store.store import Store
from verdicts.normalize.corpus import Corpus, normalize

NIGHT = datetime(2026, 11, 1, 2, 0, tzinfo=UTC)


def snapshot(body: str | bytes, url: str | None = None, *, media_type: str = "text/plain", night: int = 1) -> Snapshot:
    data = body.encode() if isinstance(body, str) else body
    address = url or f"urn:sha256:{sha256(data).hexdigest()}"
    moment = NIGHT + timedelta(days=night)
    crawl_id = f"{moment:%Y%m%dT%H%M%SZ}-0000"
    return Snapshot(address, address, moment, 200, (("content-type", media_type),), data, crawl_id)


def html(body: str | bytes, url: str | None = None, *, night: int = 1) -> Snapshot:
    return snapshot(body, url, media_type="text/html; charset=utf-8", night=night)


def page_links(
    body: bytes, url: str, *, charset: str | None = None, token: str = "", headers: Headers = ()
) -> PageLinks:
    """What a page at this address links to. `charset`: of its Content-Type; `token`: our product token."""
    kind = (("content-type", f"text/html; charset={charset}"),) if charset is not None else ()
    response = Response(200, (*headers, *kind), body, elapsed_ms=1, wire_bytes=len(body))
    return read_page_links(response, url, read_head(response.head, token))


PROSE = "We kept each of them for a week and wrote down what it did to our notes. " * 8


def article(body: str, title: str, *, head: str = "", url: str = "http://other.example/notes") -> ReadDocument:
    """What is read of a page of another site that has this title, and this body behind some prose."""
    main = f"<main><h1>{title}</h1><p>{PROSE}</p>{body}</main>"
    document = extract(html(f"<html><head><title>{title}</title>{head}</head><body>{main}</body></html>", url))
    assert isinstance(document, Document), document
    return as_read(document)


def table(*rows: str) -> str:
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def line(*cells: str, head: bool = False) -> str:
    tag = "th" if head else "td"
    return "".join(f"<{tag}>{cell}</{tag}>" for cell in cells)


def make_table(first: Sequence[str], *others: Sequence[str], has_heads: bool = True) -> str:
    return table(line(*first, head=has_heads), *(line(*row) for row in others))


def list_doubts(document: Document | ReadDocument) -> list[tuple[str, str]]:
    return [(doubt.rule, doubt.found) for doubt in document.doubts]


def observe(*snapshots: Snapshot) -> list[Observation]:
    """What extraction makes of snapshots, each at a place of its own in the raw store."""
    return [
        Observation(
            url=item.final_url,
            fetched_at=item.fetched_at,
            crawl_id=item.crawl_id,
            location=Location(f"{item.crawl_id}-00001.warc.gz", int(item.sha256[:8], 16) + number),
            sha256=item.sha256,
            extracted=extract(item),
            address=item.final_url if has_address(item.final_url) else None,
        )
        for number, item in enumerate(snapshots)
    ]


CRAWL = "20261101T013000Z-0001"
MOMENT = datetime(2026, 11, 1, 1, 30, 1, tzinfo=UTC)


def demo_observation(url: str, body: str, media_type: str, offset: int) -> Observation:
    snapshot = Snapshot(url, url, MOMENT, 200, (("content-type", media_type),), body.encode(), CRAWL)
    place, address = Location("demo", offset), url if has_address(url) else None
    return Observation(url, MOMENT, CRAWL, place, snapshot.sha256, extract(snapshot), address=address)


def demo_site(
    host: str | None = SITE_HOST, render: Callable[[Facts, Pair], str] = render_comparison, first: int = 0
) -> list[Observation]:
    """All comparisons of the demo site, on a host or as dumps without an address; `first` is the first one's offset."""
    facts = load_facts()
    media_type = f"text/{'html' if render is render_comparison else 'plain'}; charset=utf-8"
    return [
        demo_observation(
            f"http://{host}{pair.path}" if host else f"urn:sha256:{offset:064x}",
            render(facts, pair),
            media_type,
            offset,
        )
        for offset, pair in enumerate(facts.pairs, first)
    ]


@cache
def demo_corpus() -> Corpus:
    return normalize(demo_site())


def read_grids(html: str) -> tuple[Grid, ...]:
    return page_grids(Page(html).body)


def keep_pages(
    store: Store, pages: Iterable[tuple[str, bytes]], at: datetime, site: str = SITE_URL.rstrip("/")
) -> None:
    """Stores pages, each by its path, as one crawl fetched them."""
    crawl_id = store.begin(f"{at:%Y%m%dT%H%M%SZ}-aaaa", "crawl", at).crawl_id
    with store.transaction():
        for path, body in pages:
            url = f"{site}{path}"
            store.keep(Snapshot(url, url, at, 200, (("content-type", "text/html"),), body, crawl_id))
    store.finish(crawl_id, at)
