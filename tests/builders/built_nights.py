"""Builds night by night from record files, as a run does after its crawl, and where a rebuild makes other rows."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest import mock

import duckdb

from corpus.tables import CORPUS_TABLES
from extract.model.records import Observation
from extract.page import EXTRACTOR_VERSION
from pipeline.build import rounds, stored_records
from pipeline.build.build_manifest import manifest_of, read_manifest, write_manifest
from pipeline.build.record_files import write_records
from pipeline.data_folder import DataFolder
from pipeline.failure_log import FailureLog
from pipeline.workers.record_rows import record_row
from warehouse.loading.load import load
from warehouse.loading.log import newest_load
from warehouse.storage.connection import opened

Step = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Built:
    """`normalized` observations were normalized, `made` rows made of them, and `changed` rows were another.

    `is_whole`: all was built, not what the night touched alone.
    """

    normalized: int
    made: int
    changed: int
    is_whole: bool


def keep_night(records: Path, observations: Iterable[Observation]) -> None:
    """The record files of a night, one a segment."""
    records.mkdir(parents=True, exist_ok=True)
    by_segment: dict[str, list[Observation]] = defaultdict(list)
    for item in observations:
        by_segment[item.location.segment].append(item)
    for segment, of_segment in by_segment.items():
        path = records / f"{segment.partition('.')[0]}.parquet"
        write_records(path, [record_row(item) for item in of_segment])


def build_night(
    folder: DataFolder,
    moment: datetime,
    gone: Collection[str] = (),
    moved: Mapping[str, str] = MappingProxyType({}),
    *,
    records: Path | None = None,
    step: Step = nullcontext,
) -> Built:
    """Brings the warehouse up to date with all record files, by its manifest; from nothing where there is none.

    `records` are those of the folder unless given. `step` is entered for `normalize` and for `load`.
    """
    files = sorted((records or folder.records).glob("*.parquet"))
    folder.warehouse.parent.mkdir(parents=True, exist_ok=True)
    before, now = read_manifest(folder.build_manifest), manifest_of(files, gone, moved)
    failures, load_id = FailureLog(), f"{moment:%Y%m%dT%H%M%SZ}-0001"
    count = _Count()
    with (
        step("normalize"),
        mock.patch.object(rounds, "read_records", count.of(rounds.read_records)),
        mock.patch.object(rounds, "read_at", count.of(rounds.read_at)),
        mock.patch.object(stored_records, "read_rows", count.of(stored_records.read_rows)),
    ):
        made = rounds.run_rounds(folder.rounds, files, now, before, failures)
    if failures.failed:
        raise AssertionError(f"normalization failed on {failures.failed}")
    with step("load"):
        report = load(
            folder.warehouse,
            made.rows,
            crawls=(),
            fetches=(),
            load_id=load_id,
            loaded_at=moment,
            extractor_version=EXTRACTOR_VERSION,
            scope=made.scope,
        )
    with step("keep"):
        made.keep(load_id)
    newest = newest_load(folder.warehouse)
    write_manifest(folder.build_manifest, replace(now, load_id=newest or "", state=load_id))
    return Built(count.read, sum(map(len, made.rows.values())), report.moved, made.scope is None)


class _Count:
    """How many observations were read in order to be normalized."""

    def __init__(self) -> None:
        self.read = 0

    def of(self, read: Callable[..., Iterator[Observation]]) -> Callable[..., Iterator[Observation]]:
        def counted(*given: Any) -> Iterator[Observation]:
            for item in read(*given):
                self.read += 1
                yield item

        return counted


def differing_rows(nights: Path, rebuilt: Path, most: int = 2) -> dict[str, list[str]]:
    """The tables of two corpora that have other rows, each with how many and the first ones.

    All columns count but which load brought a row.
    """
    found = {}
    with opened(nights, is_read_only=True) as connection:
        connection.execute(f"ATTACH '{rebuilt}' AS rebuilt (READ_ONLY)")
        for table in CORPUS_TABLES:
            lines = []
            for title, one, other in (("by nights alone", "", "rebuilt."), ("rebuilt alone", "rebuilt.", "")):
                extra = f"(SELECT {_columns(connection, table)} FROM {one}{table} EXCEPT ALL"
                extra += f" SELECT {_columns(connection, table)} FROM {other}{table})"
                ((count,),) = connection.execute(f"SELECT count(*) FROM {extra}").fetchall()
                rows = connection.execute(f"SELECT extra::VARCHAR FROM {extra} AS extra ORDER BY ALL LIMIT {most}")
                lines += [f"{count} {title}: {row[:500]}" for (row,) in rows.fetchall()]
            if lines:
                found[table] = lines
    return found


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    names = [name for name, *_ in connection.execute(f"DESCRIBE {table}").fetchall()]
    return ", ".join(f'"{name}"' for name in names if name != "load_id")
