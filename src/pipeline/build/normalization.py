"""Makes rows from record files, in this process. What it fails on is left out, logged, and listed in `rejects`."""

import shutil
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import StoredObservation
from verdicts.normalize.corpus import normalize_stored
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE, LeftOut, TooManyFail, find_sound, reject_of
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


_Made: TypeAlias = tuple[Normalized, Sequence[LeftOut]]


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
        """All rows."""
        for table, waiting in self._waiting.items():
            if waiting:
                self._write(table, waiting)
        rows = {table: ParquetFiles((*self._paths[table],)) if self._paths[table] else () for table in CORPUS_TABLES}
        return Normalized(rows, self._total)

    def _write(self, table: str, rows: Sequence[Any]) -> None:
        path = self._folder / f"{table}.{len(self._paths[table])}.parquet"
        frame(table, rows, load_id="none").write_parquet(path, compression="lz4")
        self._paths[table].append(path)
        self._total += len(rows)


def normalize_files(
    files: Sequence[Path], inputs: Inputs, failures: FailureLog, into: Path, *, is_checked: bool = False
) -> Normalized:
    """The rows of the record files, without held readings, in files of the folder `into`.

    Leaves out what cannot be normalized, and with `is_checked` also rows that break their contract. Raises
    `NormalizerBroken` if that is too much. Errors of storage and memory are raised.
    """
    held = {place for place, _ in inputs.held}
    known = Known(frozenset(inputs.gone), dict(inputs.moved))

    def observed() -> Iterator[StoredObservation]:
        return (item for file in files for item in observed_in(file) if item.location not in held)

    def made_of(some: Iterable[StoredObservation], found: Sequence[LeftOut] = ()) -> _Made:
        rows = RowFiles(into)
        left_out = [*normalize_stored(some, known, rows.keep), *found]
        rows.keep("rejects", [*map(reject_of, found)])
        made = rows.close()
        if is_checked:
            check_contracts(made.rows)
        return made, left_out

    try:
        made, left_out = _sound(observed, made_of)
    except TooManyFail as too_many:
        _tell(too_many.first, failures)
        raise NormalizerBroken(f"{too_many}; nothing was loaded") from too_many
    for item in left_out:
        _tell(item, failures)
    return made


def _sound(observed: Callable[[], Iterable[StoredObservation]], made_of: Callable[..., _Made]) -> _Made:
    """Normalizes all observations, or those that can be normalized together.

    After a failure they are read again instead of being kept, because they would take most of the memory.
    """
    try:
        return made_of(observed())
    except (*NO_FAULT_OF_A_PAGE, TooManyFail):
        raise
    except Exception:
        every = {item.location: item for item in observed()}

        def attempt(some: Iterable[Observation], found: Sequence[LeftOut] = ()) -> _Made:
            return made_of((every[item.location] for item in some), found)

        kept, found = find_sound([item.observation for item in every.values()], attempt)
        if not found:
            raise
        return attempt(kept, found)


def _tell(item: LeftOut, failures: FailureLog) -> None:
    failures.add(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
