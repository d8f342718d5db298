"""Extracted records on disk, one Parquet file per segment, so that a night reads only new segments.

The file name has everything that makes a file stale: extractor version, declarations and number of snapshots. Files are
written under a temporary name and renamed. Each row has a checksum, which is compared when it is read.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import polars as pl
from msgspec.structs import astuple

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.extract.model.records import Observation, Reject
from verdicts.extract.model.stored import StoredObservation
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.snapshot import Location, has_address
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.pipeline.gates.thresholds import GATE_VERSION
from verdicts.pipeline.workers.record_rows import RecordRow
from verdicts.warehouse.storage.durable import parquet_bytes, replace_bytes

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
        "address": pl.String(),
        "crc32": pl.UInt32(),
    }
)
STORED = [*StoredObservation.__struct_fields__, "crc32"]

ROWS_A_GROUP = 256
"""Small groups, because a night reads few rows of most segments."""

VERSIONS = f"v{EXTRACTOR_VERSION}-{NORMALIZER_VERSION}-{GATE_VERSION}"
"""Part of each file name: another version makes the file stale."""


def record_file(folder: Path, segment: str, snapshots: int, declared: Declarations = NOTHING_DECLARED) -> Path:
    by_declared = f".r{declared.digest}" if declared.digest else ""
    return folder / f"{cut_suffixes(segment)}.{VERSIONS}{by_declared}.n{snapshots}.parquet"


def files_with(paths: Iterable[Path], locations: Iterable[Location]) -> list[Path]:
    """The record files of the segments of these snapshots."""
    segments = {cut_suffixes(location.segment) for location in locations}
    return [path for path in paths if cut_suffixes(path.name) in segments]


def write_records(path: Path, rows: Sequence[RecordRow]) -> None:
    """Writes the records of a segment, completely or not at all."""
    values = [(*astuple(row.stored), row.stored.crc32, *row[1:]) for row in rows]
    names = (*STORED, *RecordRow._fields[1:])
    binary = {"record": pl.Binary(), "failure": pl.Binary()}
    frame = pl.DataFrame(values, {name: binary.get(name, SCHEMA[name]) for name in names}, orient="row")
    content = frame.select(SCHEMA.names()).cast({"record": pl.String(), "failure": pl.String()})
    replace_bytes(path, parquet_bytes(content, "zstd", ROWS_A_GROUP))


UNREADABLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars raises for damaged Parquet."""


@contextmanager
def parquet_errors(path: Path) -> Iterator[None]:
    """Raises `StoreDamaged` for a record file, or a folder with one, that cannot be read."""
    try:
        yield
    except UNREADABLE as error:
        raise StoreDamaged(path, None, "its records cannot be read") from error


def is_readable(path: Path) -> bool:
    """Whether every row of the file can be read, and is as it was written."""
    try:
        return all(read_observations(path)) and has_footer(path)
    except StoreDamaged:
        return False


def has_footer(path: Path) -> bool:
    """Whether the file exists and ends like a record file. Its pages are not read."""
    try:
        return path.exists() and pl.Schema(pl.read_parquet_schema(path)) == SCHEMA
    except UNREADABLE:
        return False


def read_records(paths: Sequence[Path]) -> Iterator[Observation]:
    return (stored.observation for path in paths for stored in read_observations(path))


def read_observations(file: Path | IO[bytes]) -> Iterator[StoredObservation]:
    path = file if isinstance(file, Path) else Path("records")
    with parquet_errors(path):
        rows = pl.read_parquet(file, columns=STORED)
    return _make_observations(path, rows)


def _make_observations(path: Path, rows: pl.DataFrame) -> Iterator[StoredObservation]:
    # The decoder takes bytes: a str would take twice the memory and time.
    binary = rows.with_columns(pl.col("record", "failure").cast(pl.Binary))
    for *values, crc32 in binary.iter_rows():
        stored = StoredObservation(*values)
        if stored.crc32 != crc32:
            raise StoreDamaged(path, None, f"its record of {stored.url} is not as it was written")
        yield stored


def count_records(paths: Iterable[Path]) -> int:
    """The number of observations, read from the footers."""
    return sum(pl.scan_parquet(path).select(pl.len()).collect().item() for path in paths)


NAME_ITS_ADDRESS = "if one is a page of another site, name its address in urls.csv or --urls"
"""A file without an address is meant as a page of a panel, and is read as nothing else."""


def why_nothing_was_read(paths: Iterable[Path], crawl_id: str) -> str:
    """The reasons why no snapshot of a run could be read; empty if one could, or if the run kept none.

    One hint follows if files without an address are not comparisons of a panel.
    """
    of_run = [path for path in paths if path.name.startswith(f"{crawl_id}-")]
    reasons: dict[str, tuple[int, str]] = {}
    hint = ""
    for observation in read_records(of_run):
        reject = observation.extracted
        if not isinstance(reject, Reject):
            return ""
        count, example = reasons.get(reject.reason, (0, reject.detail))
        reasons[reject.reason] = count + 1, example
        if reject.reason == "not_a_comparison" and not has_address(observation.url):
            hint = f"; {NAME_ITS_ADDRESS}"
    return "; ".join(f"{count:,} {reason}: {example}" for reason, (count, example) in reasons.items()) + hint


def read_at(paths: Iterable[Path], locations: Collection[Location]) -> Iterator[Observation]:
    offsets: dict[str, list[int]] = defaultdict(list)
    for location in locations:
        offsets[cut_suffixes(location.segment)].append(location.offset)
    for path in paths:
        if chosen := offsets.get(cut_suffixes(path.name)):
            rows = pl.scan_parquet(path).select(STORED)
            with parquet_errors(path):
                stored_rows = rows.filter(pl.col("segment_offset").is_in(chosen)).collect()
            yield from (stored.observation for stored in _make_observations(path, stored_rows))


def cut_suffixes(name: str) -> str:
    """The common start of the names of a segment and its record file."""
    return name.partition(".")[0]
