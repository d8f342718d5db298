"""Extracted records on disk: one Parquet file a segment, so that a night reads only what is new.

A file belongs to one segment, one extractor version and one number of snapshots; if any differs it is made anew. Files
are written aside and renamed, so a file that is there is whole.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl
from pydantic import TypeAdapter

from extract.model.records import Comparison, Document, Extracted, Observation, Reject
from extract.page import EXTRACTOR_VERSION
from fetch.model.snapshot import Location
from normalize.corpus import NORMALIZER_VERSION
from normalize.incremental.dependencies import DependencyKeys, dependency_keys

_ADAPTERS: dict[str, TypeAdapter[Extracted]] = {
    "comparison": TypeAdapter(Comparison),
    "document": TypeAdapter(Document),
    "reject": TypeAdapter(Reject),
}

SCHEMA = pl.Schema(
    {
        "url": pl.String(),
        "fetched_at": pl.Datetime("us", "UTC"),
        "crawl_id": pl.String(),
        "segment": pl.String(),
        "segment_offset": pl.Int64(),
        "sha256": pl.String(),
        "kind": pl.String(),
        "record": pl.String(),
        "tools": pl.List(pl.UInt64()),
        "is_open": pl.Boolean(),
        "is_ambiguous": pl.Boolean(),
        "texts": pl.List(pl.UInt64()),
        "sides": pl.List(pl.Int8()),
    }
)
"""An observation a row; from `tools` on its dependency keys (`DependencyKeys`), null for what is no comparison."""


_OBSERVATION = ("url", "fetched_at", "crawl_id", "segment", "segment_offset", "sha256", "kind", "record")
_NO_KEYS = (None,) * len(DependencyKeys._fields)


def record_file(folder: Path, segment: str, snapshots: int) -> Path:
    """Where the records of a segment lie; the name changes with all that makes them stale."""
    return (
        folder / f"{segment.removesuffix('.warc.zst')}.v{EXTRACTOR_VERSION}-{NORMALIZER_VERSION}.n{snapshots}.parquet"
    )


def files_with(paths: Iterable[Path], locations: Iterable[Location]) -> list[Path]:
    """The record files of the segments that these snapshots lie in."""
    segments = {location.segment.partition(".")[0] for location in locations}
    return [path for path in paths if path.name.partition(".")[0] in segments]


def write_records(path: Path, observations: Iterable[Observation]) -> None:
    """Writes one segment's observations. Complete or not there at all."""
    rows = [_row(observation) for observation in observations]
    aside = path.with_suffix(".tmp")
    pl.DataFrame(rows, schema=SCHEMA, orient="row").write_parquet(aside, compression="zstd")
    with aside.open("rb") as file:
        os.fsync(file.fileno())
    aside.rename(path)


def read_records(paths: Sequence[Path], urls: Collection[str] | None = None) -> Iterator[Observation]:
    """The observations of several segments; of some addresses alone where `urls` are given."""
    for path in paths:
        rows = pl.scan_parquet(path).select(_OBSERVATION)
        if urls is not None:
            rows = rows.filter(pl.col("url").is_in(urls))
        for url, fetched_at, crawl_id, segment, offset, sha256, kind, record in rows.collect().iter_rows():
            extracted = _ADAPTERS[kind].validate_json(record)
            yield Observation(url, fetched_at, crawl_id, Location(segment, offset), sha256, extracted)


def read_kinds(paths: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    """(address, crawl, kind of record) of the observations of several segments."""
    for path in paths:
        yield from pl.read_parquet(path, columns=["url", "crawl_id", "kind"]).iter_rows()


def _row(observation: Observation) -> tuple[object, ...]:
    kind = type(observation.extracted).__name__.lower()
    return (
        observation.url,
        observation.fetched_at,
        observation.crawl_id,
        observation.location.segment,
        observation.location.offset,
        observation.sha256,
        kind,
        _ADAPTERS[kind].dump_json(observation.extracted).decode(),
        *(dependency_keys(observation) or _NO_KEYS),
    )
