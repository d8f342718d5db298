"""The rows of a build in files, until they are loaded."""

import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.warehouse.loading.rows import AT_A_TIME, ParquetFiles, Rows, frame
from verdicts.warehouse.storage.durable import parquet_bytes, write_bytes


class Normalized(NamedTuple):
    """The rows of a build and their number."""

    rows: Mapping[str, Rows]
    total: int


class RowFiles:
    """Writes rows to Parquet files as they are made: those of a million appearances take a gigabyte of memory."""

    def __init__(self, folder: Path) -> None:
        """Replaces what is in the folder."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._folder = folder
        self._waiting: dict[str, list[Any]] = defaultdict(list)
        self._paths: dict[str, list[Path]] = defaultdict(list)
        self._total = 0

    def keep(self, table: str, rows: Sequence[Any]) -> None:
        waiting = self._waiting[table]
        waiting += rows
        while len(waiting) >= AT_A_TIME:
            self._write(table, waiting[:AT_A_TIME])
            del waiting[:AT_A_TIME]

    def close(self) -> Normalized:
        for table, waiting in self._waiting.items():
            if waiting:
                self._write(table, waiting)
                waiting.clear()
        rows = {table: ParquetFiles((*self._paths[table],)) if self._paths[table] else () for table in CORPUS_TABLES}
        return Normalized(rows, self._total)

    def _write(self, table: str, rows: Sequence[Any]) -> None:
        path = self._folder / f"{table}.{len(self._paths[table])}.parquet"
        write_bytes(path, parquet_bytes(frame(table, rows, load_id="none"), "lz4"))
        self._paths[table].append(path)
        self._total += len(rows)
