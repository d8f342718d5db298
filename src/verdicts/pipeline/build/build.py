"""One build: extract new snapshots, make all rows, load what changed."""

import shutil
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.extract.declarations import Declarations
from verdicts.extract.model.stored import StoredObservation, content_sha256, stored
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.care.verify import check_lengths
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.store import checksums
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import Store
from verdicts.normalize.corpus import normalize_stored
from verdicts.normalize.corrections import Correction, corrections_of
from verdicts.normalize.isolation import LeftOut, TooManyFail, reject_of, without_failing
from verdicts.normalize.work import Known
from verdicts.pipeline.build.build_gates import check_reread, weaker_hosts
from verdicts.pipeline.build.build_manifest import (
    BuildManifest,
    Inputs,
    Tables,
    inputs_of,
    read_manifest,
    write_manifest,
)
from verdicts.pipeline.build.extraction import bring_records_up_to_date
from verdicts.pipeline.build.gates import PageReadings, gone_urls, held_readings, hold, in_force, judge_runs
from verdicts.pipeline.build.record_files import files_with, observed_in, read_records
from verdicts.pipeline.corrections import read_corrections
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError, NormalizerBroken
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.progress import Advance, say, step
from verdicts.pipeline.recipes import read_declarations
from verdicts.warehouse.loading.load import LoadReport, load
from verdicts.warehouse.loading.log import has_tools, newest_load
from verdicts.warehouse.loading.rows import AT_A_TIME, Logs, ParquetFiles, Rows, check_contracts, frame, values_of
from verdicts.warehouse.storage.errors import ContractBroken


@dataclass(slots=True)
class Normalized:
    """The rows of a build and their number. `is_loaded`: they fit into the warehouse.

    `keep` is called after the load. It publishes the rows in a store, if any, and says where.
    """

    rows: Mapping[str, Rows]
    total: int
    is_loaded: bool = True
    keep: Callable[[], Tables | None] = lambda: None


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
        rows, found = without_failing(
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


HOLD = GateSettings()

OUTCOMES = {
    "contradicts": "is not applied: another entry decides otherwise",
    "agrees": "is no longer needed: the pages say the same now",
    "gone": "is not applied: its row is gone or has changed",
}
"""What to say of corrections that changed no row."""

Step = Callable[[str, str], AbstractContextManager[Advance]]


class Building(NamedTuple):
    """What the steps of a build share."""

    store: Store
    folder: DataFolder
    declared: Declarations
    failures: FailureLog


class Executor:
    """Extracts and normalizes on this machine. A subclass may do it elsewhere."""

    def extract(self, of: Building, advance: Advance, *, anew: bool) -> list[Path]:
        """Updates the record files, or makes all of them with `anew`. Returns them in order."""
        index, raw, records = of.store.index(), of.folder.raw, of.folder.records
        return bring_records_up_to_date(index, raw, records, advance, of.failures, declared=of.declared, anew=anew)

    def normalize(
        self,
        of: Building,
        files: Sequence[Path],
        inputs: Inputs,
        advance: Advance,  # noqa: ARG002
        *,
        is_checked: bool,
    ) -> Normalized:
        """Makes all rows from the record files. `is_checked` leaves out rows that break a contract."""
        into, profiles = of.folder.parts, of.declared.profiles
        return normalize_files(files, inputs, of.failures, into, profiles=profiles, is_checked=is_checked)


HERE = Executor()


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did. `failed` are the places that this program failed on, mostly addresses.

    `gates` are the rows of each host's newest run. `is_apart`: there are too many rows for the warehouse.
    """

    load: LoadReport
    failed: tuple[str, ...]
    gates: tuple[GateMeasureRow, ...] = ()
    is_apart: bool = False


def build(
    store: Store,
    folder: DataFolder,
    *,
    now: datetime,
    anew: bool = False,
    gates: GateSettings = HOLD,
    show: Step = step,
    executor: Executor = HERE,
) -> BuildReport:
    """Updates the warehouse from the raw store, without any network. `anew` reads every snapshot again.

    Readings that the gates hold are left out, so their rows stay. All rows are made and compared with the warehouse. If
    there are no new pages or tombstones, this is skipped, and only the night is loaded. Raises `StoreDamaged`, before
    anything is loaded, if the raw store or the warehouse does not match its digests.
    """
    failures, declared, corrections = FailureLog(), read_declarations(folder), read_corrections(folder)
    building = Building(store, folder, declared, failures)
    check_lengths(store)
    with show("extract", "pages") as advance:
        files = executor.extract(building, advance, anew=anew)
    index = store.index()
    _note_contents(store, files)
    readings = judge_runs(store, files, index, gates, declared.profiles)
    check_reread(store, folder.records, readings, gates)
    inputs = _inputs(store, files, readings, corrections)
    with checksums.rewritten(folder.warehouse), ExitStack() as stack:
        stack.callback(shutil.rmtree, folder.parts, ignore_errors=True)
        before = None if anew else _built_before(folder)
        if not files:
            _check_empty(folder)
        if before is not None and before.inputs == inputs:
            report = _load(store, folder, None, now)
            _note_build(folder, inputs, before.tables)
            return _report(store, report, failures)
        with show("normalize", "rows") as advance:
            made = executor.normalize(building, files, inputs, advance, is_checked=False)
            if made.is_loaded and (weaker := weaker_hosts(store, folder.warehouse, made.rows, gates)):
                hold(store, weaker)
                inputs = _inputs(store, files, readings, corrections)
                made = executor.normalize(building, files, inputs, advance, is_checked=False)
            advance(made.total, made.total)
        with show("load", "rows changed") as advance:
            try:
                report = _load(store, folder, made, now)
            except ContractBroken:
                failures.add("the rows of this build", "loading", traceback.format_exc())
                # A single page may break the contract.
                made = executor.normalize(building, files, inputs, advance, is_checked=True)
                report = _load(store, folder, made, now)
            advance(report.moved, report.moved)
        _tell_unapplied(made)
        tables = made.keep()
    _note_build(folder, inputs, tables)
    if failures.failed:
        say(f"this program failed on {len(failures.failed):,} pages or steps, the last {failures.failed[-1]}: a bug")
    return replace(_report(store, report, failures), is_apart=not made.is_loaded)


def _report(store: Store, report: LoadReport, failures: FailureLog) -> BuildReport:
    return BuildReport(report, tuple(failures.failed), tuple(in_force(gate_measures(store.state))))


def _inputs(store: Store, files: Sequence[Path], readings: PageReadings, corrections: tuple[Correction, ...]) -> Inputs:
    rows = gate_measures(store.state)
    held = held_readings(readings, rows)
    return inputs_of(files, gone_urls(store, rows), store.moved_urls(), held, corrections)


def _built_before(folder: DataFolder) -> BuildManifest | None:
    """The inputs of the warehouse. None if its newest load is of another build, so that all is built again."""
    manifest = read_manifest(folder.build_manifest)
    return None if manifest is None or newest_load(folder.warehouse) != manifest.load_id else manifest


def _tell_unapplied(made: Normalized) -> None:
    """Says which corrections changed nothing."""
    told = ("correction_id", "kind", "row_key", "made_by", "outcome", "detail")
    for id_, kind, key, by, outcome, detail in values_of(made.rows["corrections"], told):
        if outcome != "applied":
            why = f": {detail}" if detail else ""
            say(f"correction {id_[:12]} of {by} ({kind} {key}) {OUTCOMES[outcome]}{why}; 'verdicts doubts' lists it")


def _note_build(folder: DataFolder, inputs: Inputs, tables: Tables | None) -> None:
    """Stores the inputs with the newest load: a build without changes adds no load."""
    write_manifest(folder.build_manifest, BuildManifest(inputs, newest_load(folder.warehouse) or "", tables))


def _check_empty(folder: DataFolder) -> None:
    """Raises `ConfigError` if a build without pages would delete a corpus."""
    if folder.warehouse.exists() and has_tools(folder.warehouse):
        raise ConfigError(
            f"{folder.root} has a corpus, but no pages to build it from: raw/ was lost, or the corpus was"
            " loaded from a dataset; put raw/ back, or choose another --data"
        )


def _load(store: Store, folder: DataFolder, made: Normalized | None, now: datetime) -> LoadReport:
    return load(
        folder.warehouse,
        None if made is None or not made.is_loaded else made.rows,
        Logs(store.crawls(), store.fetches(), gate_measures(store.state), gate_accepts(store.state)),
        load_id=new_run_id(now, newest_load(folder.warehouse)),
        loaded_at=now,
        extractor_version=EXTRACTOR_VERSION,
    )


def _note_contents(store: Store, files: Sequence[Path]) -> None:
    """Stores content digests of new snapshots, so that the next crawl knows which pages really changed."""
    unread = store.unread()
    new = read_records(files_with(files, unread))
    digests = {item.location: content_sha256(item.extracted) for item in new if item.location in unread}
    store.record_content_digests(digests)
