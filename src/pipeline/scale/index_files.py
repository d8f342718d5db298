"""What is known of the snapshots of a segment, beside it in the store: a build needs no state of the crawling machine.

`index/20261101T013000Z-0001-00001.n20.parquet` is of the segment of that name and 20 snapshots. As in the name of its
record file the number says which work there is, with nothing opened.
"""

from collections.abc import Sequence
from io import BytesIO
from pathlib import PurePath
from typing import Any

import polars as pl

from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.fetch.store.segments import SUFFIX

FOLDER = "index"

SCHEMA = pl.Schema(
    {
        "segment": pl.String(),
        "segment_offset": pl.Int64(),
        "url": pl.String(),
        "final_url": pl.String(),
        "fetched_at": pl.Datetime("us", "UTC"),
        "crawl_id": pl.String(),
        "sha256": pl.String(),
        "media_type": pl.String(),
        "is_lost": pl.Boolean(),
    }
)


def index_object(segment: str, snapshots: int) -> str:
    """The object that has the index of a segment."""
    return f"{FOLDER}/{segment.removesuffix(SUFFIX)}.n{snapshots}.parquet"


def segment_of(name: str) -> tuple[str, int]:
    """The segment whose index an object has, and how many snapshots of it there are."""
    begin, count, _ = PurePath(name).name.rsplit(".", 2)
    return begin + SUFFIX, int(count.removeprefix("n"))


def index_bytes(entries: Sequence[IndexEntry]) -> bytes:
    """The entries of one segment as Parquet, the same bytes for the same entries."""
    written = BytesIO()
    pl.DataFrame([*map(_row, entries)], schema=SCHEMA, orient="row").write_parquet(written, compression="zstd")
    return written.getvalue()


def index_entries(content: bytes) -> list[IndexEntry]:
    """The entries again."""
    return [_entry(*row) for row in pl.read_parquet(BytesIO(content)).iter_rows()]


def _row(entry: IndexEntry) -> tuple[object, ...]:
    return (
        *entry.location,
        entry.url,
        entry.final_url,
        entry.fetched_at,
        entry.crawl_id,
        entry.sha256,
        entry.media_type,
        entry.is_lost,
    )


def _entry(*row: Any) -> IndexEntry:  # noqa: ANN401  a row as polars gives it
    segment, offset, url, final_url, fetched_at, crawl_id, sha256, media_type, is_lost = row
    location = Location(segment, offset)
    return IndexEntry(location, url, final_url, fetched_at, crawl_id, sha256, media_type, is_lost)
