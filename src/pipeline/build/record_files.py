"""Extracted records on disk: one Parquet file a segment, so that a night reads only what is new.

A file belongs to one segment, one extractor version and one number of snapshots; if any differs it is made anew. Files
are written aside and renamed, so a file that is there was whole; the digest beside it says whether it still is, as
polars writes no checksums of pages.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl

from extract.model.records import Observation
from extract.page import EXTRACTOR_VERSION
from fetch.model.snapshot import Location
from fetch.store import checksums
from normalize.corpus import NORMALIZER_VERSION
from pipeline.gates.thresholds import GATE_VERSION
from pipeline.workers.record_rows import RecordRow, observation_of

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
        "amounts": pl.List(pl.Float32()),
        "failure": pl.String(),
    }
)
"""The columns of `RecordRow`."""

_OBSERVATION = (*RecordRow._fields[:8], "failure")
"""The columns that an observation is made of again."""


def versions() -> str:
    """All that makes records stale but their snapshots, as the name of their file has it."""
    return f"v{EXTRACTOR_VERSION}-{NORMALIZER_VERSION}-{GATE_VERSION}"


def record_file(folder: Path, segment: str, snapshots: int) -> Path:
    """Where the records of a segment lie; the name changes with all that makes them stale."""
    return folder / f"{segment.removesuffix('.warc.zst')}.{versions()}.n{snapshots}.parquet"


def files_with(paths: Iterable[Path], locations: Iterable[Location]) -> list[Path]:
    """The record files of the segments that these snapshots lie in."""
    segments = {location.segment.partition(".")[0] for location in locations}
    return [path for path in paths if path.name.partition(".")[0] in segments]


def write_records(path: Path, rows: Sequence[RecordRow]) -> None:
    """Writes one segment's observations. Complete or not there at all."""
    checksums.forget(path)
    aside = path.with_suffix(".tmp")
    pl.DataFrame(rows, schema=SCHEMA, orient="row").write_parquet(aside, compression="zstd")
    with aside.open("rb") as file:
        os.fsync(file.fileno())
    aside.rename(path)
    checksums.note(path)


def is_whole(path: Path) -> bool:
    """Whether a record file is there as it was written; one without a digest counts as not."""
    return path.exists() and checksums.is_as_noted(path) is True


def check_records(paths: Iterable[Path]) -> None:
    """Raises `StoreDamaged` for a record file that is not as it was written."""
    for path in paths:
        checksums.check(path)


def read_records(paths: Sequence[Path], urls: Collection[str] | None = None) -> Iterator[Observation]:
    """The observations of several segments; of some addresses alone where `urls` are given."""
    for path in paths:
        rows = pl.scan_parquet(path).select(_OBSERVATION)
        if urls is not None:
            rows = rows.filter(pl.col("url").is_in(urls))
        for row in rows.collect().iter_rows():
            yield observation_of(*row)


def rows_at(path: Path, locations: Collection[Location]) -> list[RecordRow]:
    """The rows of one segment's records at some places."""
    if not locations:
        return []
    rows = pl.read_parquet(path).filter(pl.col("segment_offset").is_in([place.offset for place in locations]))
    return [RecordRow(*row) for row in rows.iter_rows()]
