"""Makes rows from record files, in this process. What it fails on is left out, logged, and listed in `rejects`."""

import shutil
import traceback
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.extract.model.stored import StoredObservation, stored
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.normalize.corpus import normalize_stored
from verdicts.normalize.corrections import corrections_of
from verdicts.normalize.isolation import LeftOut, TooManyFail, of_the_sound, reject_of
from verdicts.normalize.work import Known
from verdicts.pipeline.build.build_manifest import Inputs, Tables
from verdicts.pipeline.build.record_files import observed_in
from verdicts.pipeline.errors import NormalizerBroken
from verdicts.pipeline.failure_log import FailureLog
from verdicts.warehouse.loading.rows import AT_A_TIME, ParquetFiles, Rows, check_contracts, frame


@dataclass(slots=True)
class Normalized:
    """The rows of a build and their number. `is_loaded`: they fit into the warehouse. Call `keep` after the load."""

    rows: Mapping[str, Rows]
    total: int
    is_loaded: bool = True

    def keep(self) -> Tables | None:
        """Publishes the rows in a store, if any, and says where."""
        return None


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
        """Adds rows of a table."""
        waiting = self._waiting[table]
        waiting += rows
        while len(waiting) >= AT_A_TIME:
            self._write(table, waiting[:AT_A_TIME])
            del waiting[:AT_A_TIME]

    def close(self) -> Normalized:
        """All rows so far."""
        for table, waiting in self._waiting.items():
            if waiting:
                self._write(table, waiting)
                waiting.clear()
        rows = {table: ParquetFiles((*self._paths[table],)) if self._paths[table] else () for table in CORPUS_TABLES}
        return Normalized(rows, self._total)

    def _write(self, table: str, rows: Sequence[Any]) -> None:
        path = self._folder / f"{table}.{len(self._paths[table])}.parquet"
        frame(table, rows, load_id="none").write_parquet(path, compression="lz4")
        self._paths[table].append(path)
        self._total += len(rows)


def normalize_files(
    files: Sequence[Path],
    inputs: Inputs,
    failures: FailureLog,
    into: Path,
    *,
    profiles: Profiles = SHIPPED,
    is_checked: bool = False,
) -> Normalized:
    """The rows of the record files, without held readings, in files of the folder `into`.

    Leaves out what cannot be normalized, and with `is_checked` also rows that break their contract. Raises
    `NormalizerBroken` if that is too much. Errors of storage and memory are raised.
    """
    held = {place for place, _ in inputs.held}
    corrections = corrections_of(inputs.corrections)
    known = Known(frozenset(inputs.gone), dict(inputs.moved), profiles, corrections=corrections)

    def observed() -> Iterator[StoredObservation]:
        return (item for file in files for item in observed_in(file) if item.location not in held)

    left_out: list[LeftOut] = []

    def made_of(some: Iterable[StoredObservation]) -> RowFiles:
        nonlocal left_out
        rows = RowFiles(into)
        left_out = [*normalize_stored(some, known, rows.keep)]
        if is_checked:
            check_contracts(rows.close().rows)
        return rows

    try:
        rows, found = of_the_sound(
            lambda: made_of(observed()),
            lambda: [item.observation for item in observed()],
            lambda some: made_of(map(stored, some)),
        )
    except TooManyFail as too_many:
        _tell(too_many.first, failures)
        raise NormalizerBroken(f"{too_many}; nothing was loaded") from too_many
    rows.keep("rejects", [*map(reject_of, found)])
    for item in (*left_out, *found):
        _tell(item, failures)
    return rows.close()


def _tell(item: LeftOut, failures: FailureLog) -> None:
    failures.add(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
