"""Extracted records on disk: one Parquet file a segment, so that a night reads only what is new.

A file belongs to one segment, one extractor version, one set of recipes and one number of snapshots; if any differs it
is made anew. Files are written aside and renamed, so a file that is there was whole; the digest beside it says whether
it still is, as polars writes no checksums of pages.
"""

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

import polars as pl

from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import StoredObservation
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.extract.recipes.recipe import NO_RECIPES, Recipes, digest_of
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store import checksums
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.pipeline.gates.thresholds import GATE_VERSION
from verdicts.pipeline.workers.record_rows import RecordRow

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
        "amounts": pl.List(pl.Float32()),
        "tool_amounts": pl.List(pl.Float32()),
        "failure": pl.String(),
    }
)
"""The columns of `RecordRow`."""

ROWS_A_GROUP = 256
"""Rows that are read where one is wanted: a night reads few of most segments."""

VERSIONS = f"v{EXTRACTOR_VERSION}-{NORMALIZER_VERSION}-{GATE_VERSION}"
"""In the name of each record file: what makes it stale."""


def record_file(folder: Path, segment: str, snapshots: int, recipes: Recipes = NO_RECIPES) -> Path:
    """Where the records of a segment lie; the name changes with all that makes them stale."""
    digest = digest_of(recipes)
    by_recipes = f".r{digest}" if digest else ""
    return folder / f"{segment.removesuffix('.warc.zst')}.{VERSIONS}{by_recipes}.n{snapshots}.parquet"


def files_with(paths: Iterable[Path], locations: Iterable[Location]) -> list[Path]:
    """The record files of the segments that these snapshots lie in."""
    segments = {begin_of(location.segment) for location in locations}
    return [path for path in paths if begin_of(path.name) in segments]


def write_records(path: Path, rows: Sequence[RecordRow]) -> None:
    """Writes one segment's observations. Complete or not there at all."""
    checksums.forget(path)
    aside = path.with_suffix(".tmp")
    pl.DataFrame(rows, schema=SCHEMA, orient="row").write_parquet(
        aside, compression="zstd", row_group_size=ROWS_A_GROUP
    )
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


def read_records(paths: Sequence[Path]) -> Iterator[Observation]:
    """The observations of several segments."""
    return (stored.observation for path in paths for stored in observed_in(path))


def observed_in(file: Path | IO[bytes]) -> Iterator[StoredObservation]:
    """The observations of one record file, as they are stored."""
    return _stored(pl.read_parquet(file, columns=list(StoredObservation.__struct_fields__)))


def _stored(rows: pl.DataFrame) -> Iterator[StoredObservation]:
    # Bytes are what is decoded: as a string of Python a record takes twice the room and the time.
    binary = rows.with_columns(pl.col("record", "failure").cast(pl.Binary))
    return (StoredObservation(*row) for row in binary.iter_rows())


def count_records(paths: Iterable[Path]) -> int:
    """How many observations several segments have, by their footers alone."""
    return sum(pl.scan_parquet(path).select(pl.len()).collect().item() for path in paths)


def read_at(paths: Iterable[Path], places: Collection[Location]) -> Iterator[Observation]:
    """The observations at some places of several segments."""
    offsets: dict[str, list[int]] = defaultdict(list)
    for place in places:
        offsets[begin_of(place.segment)].append(place.offset)
    for path in paths:
        if wanted := offsets.get(begin_of(path.name)):
            rows = pl.scan_parquet(path).select(StoredObservation.__struct_fields__)
            found = rows.filter(pl.col("segment_offset").is_in(wanted))
            yield from (stored.observation for stored in _stored(found.collect()))


def begin_of(name: str) -> str:
    """What the names of a segment and of its record file begin with."""
    return name.partition(".")[0]


def rows_at(path: Path, locations: Collection[Location]) -> list[RecordRow]:
    """The rows of one segment's records at some places."""
    if not locations:
        return []
    rows = pl.read_parquet(path).filter(pl.col("segment_offset").is_in([place.offset for place in locations]))
    return [RecordRow(*row) for row in rows.iter_rows()]
