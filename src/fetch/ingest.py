"""Files into the raw store: text dumps, HTML, and anyone's WARC and WET files."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from fetch.canonical import BadUrl, canonicalize
from fetch.crawl import new_crawl_id
from fetch.errors import Outcome
from fetch.log import CrawlRecord, FetchRecord
from fetch.snapshot import Location, Snapshot, has_address
from fetch.store import Store
from fetch.warc import read_archive

ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz")
MEDIA_TYPES = {".html": "text/html", ".htm": "text/html"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and the address it was taken from where that is known."""

    path: Path
    url: str | None


def ingest(store: Store, sources: Iterable[Source], *, clock: Callable[[], datetime]) -> CrawlRecord:
    """Adds files as a run of their own. The same bytes of the same address again are `unchanged`."""
    crawl_id = store.begin(new_crawl_id(clock()), "ingest", clock())
    number = store.next_fetch_number(crawl_id)
    for source in sources:
        for found in _read(source, crawl_id, clock()):
            number += 1
            with store.state:
                _keep(store, found, source, crawl_id, number, clock())
    return store.finish(crawl_id, clock())


def _read(source: Source, crawl_id: str, moment: datetime) -> Iterator[Snapshot | str]:
    """The snapshots of one file, or in words why it cannot be read."""
    try:
        if source.path.name.endswith(ARCHIVES):
            for snapshot in read_archive(source.path):
                yield replace(snapshot, url=_address(snapshot.url), final_url=_address(snapshot.url), crawl_id=crawl_id)
            return
        body = source.path.read_bytes()
        url = f"urn:sha256:{sha256(body).hexdigest()}" if source.url is None else canonicalize(source.url)
    except OSError as error:
        yield f"{source.path}: {error.strerror}"
        return
    except BadUrl as error:
        yield f"{source.path}: {error}"
        return
    media_type = MEDIA_TYPES.get(source.path.suffix.lower(), "text/plain")
    yield Snapshot(url, url, moment, 0, (("content-type", media_type),), body, crawl_id)


def _address(url: str) -> str:
    return canonicalize(url) if has_address(url) else url


def _keep(store: Store, found: Snapshot | str, source: Source, crawl_id: str, number: int, moment: datetime) -> None:
    outcome: Outcome
    location: Location | None = None
    if isinstance(found, str):
        url, digest, size, detail, outcome = (
            source.path.as_uri() if source.path.is_absolute() else str(source.path),
            None,
            0,
            found,
            "unreadable",
        )
    else:
        url, digest, size, detail = found.url, found.sha256, len(found.body), source.path.name
        is_held = store.newest_sha256(url, found.header("content-type")) == digest
        outcome = "unchanged" if is_held else "stored"
        if not is_held:
            location = store.keep(found)
    store.log(
        FetchRecord(
            fetch_id=f"{crawl_id}.{number:07d}",
            crawl_id=crawl_id,
            url=url,
            outcome=outcome,
            status_code=None,
            attempt=1,
            started_at=moment,
            elapsed_ms=0,
            bytes=size,
            body_sha256=digest,
            segment=None if location is None else location.segment,
            segment_offset=None if location is None else location.offset,
            detail=detail,
        )
    )
