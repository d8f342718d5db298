"""The steps of a build: extract new snapshots, make all rows, load what changed."""

import shutil
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.extract.declarations import Declarations
from verdicts.extract.model.stored import StoredObservation, content_sha256, make_stored
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.care.store_verification import find_short_segments
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.parse.rights import Rights
from verdicts.fetch.store.run_log import read_gate_accepts, read_gate_measures
from verdicts.fetch.store.store import Store
from verdicts.normalize.corpus import normalize_stored
from verdicts.normalize.corrections import Correction, collect_corrections
from verdicts.normalize.isolation import LeftOut, TooManyFail, leave_out_failing, make_reject
from verdicts.normalize.work import RunInputs
from verdicts.pipeline.build.build_manifest import (
    BuildManifest,
    Inputs,
    make_inputs,
    read_manifest,
    write_manifest,
)
from verdicts.pipeline.build.extraction import bring_records_up_to_date
from verdicts.pipeline.build.judge_runs import find_absences, find_withheld_readings, judge_runs
from verdicts.pipeline.build.page_readings import PageReadings
from verdicts.pipeline.build.record_files import files_with, read_observations, read_records
from verdicts.pipeline.build.reread import check_reread
from verdicts.pipeline.build.row_files import Normalized, RowFiles
from verdicts.pipeline.build.strike import strike_forgotten
from verdicts.pipeline.correction_files import read_corrections
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.declaration_files import read_declarations
from verdicts.pipeline.gates.holds import pick_newest_rows
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.logs import FailureLog, ids, note
from verdicts.pipeline.pipeline_errors import ConfigError, NormalizerBroken
from verdicts.pipeline.progress import Advance, say, step
from verdicts.warehouse.loading.load import LoadReport, load
from verdicts.warehouse.loading.log import has_tools, newest_load
from verdicts.warehouse.loading.rows import Logs, check_contracts, read_values
from verdicts.warehouse.storage.warehouse_errors import ContractBroken


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
    withheld = {location for location, _ in inputs.held}
    corrections = collect_corrections(inputs.corrections)
    gone, moved, rights = dict(inputs.gone), dict(inputs.moved), dict(inputs.rights)
    run_inputs = RunInputs(gone, moved, profiles, corrections=corrections, rights=rights)

    def read_files() -> Iterator[StoredObservation]:
        return (item for file in files for item in read_observations(file) if item.location not in withheld)

    left_out: list[LeftOut] = []

    def make_rows(some: Iterable[StoredObservation]) -> RowFiles:
        nonlocal left_out
        rows = RowFiles(into)
        left_out = [*normalize_stored(some, run_inputs, rows.keep)]
        if is_checked:
            check_contracts(rows.close().rows)
        return rows

    try:
        rows, failing = leave_out_failing(
            lambda: make_rows(read_files()),
            lambda: [item.observation for item in read_files()],
            lambda some: make_rows(map(make_stored, some)),
        )
    except TooManyFail as too_many:
        _log_failure(too_many.first, failures)
        raise NormalizerBroken(f"{too_many}; nothing was loaded") from too_many
    rows.keep("rejects", [*map(make_reject, failing)])
    for item in (*left_out, *failing):
        _log_failure(item, failures)
    return rows.close()


def _log_failure(item: LeftOut, failures: FailureLog) -> None:
    failures.add(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))


HOLD = GateSettings()


@dataclass(frozen=True, slots=True)
class Building:
    """What the steps of a build share. Made by `begin_build`.

    `now` is the time of the load. With `anew`, every snapshot is read again.
    """

    store: Store
    folder: DataFolder
    declared: Declarations
    corrections: tuple[Correction, ...]
    executor: "Executor"
    gates: GateSettings
    now: datetime
    anew: bool
    failures: FailureLog


class Changes(NamedTuple):
    """Absences of pages, moved addresses with their new ones, and the rights that pages and hosts state."""

    gone: Mapping[str, Absences]
    moved: Mapping[str, str]
    rights: Mapping[str, Rights]


class Executor:
    """Extracts and normalizes on this machine. A subclass may do it elsewhere."""

    def extract(self, building: Building, advance: Advance, *, anew: bool) -> list[Path]:
        """Updates the record files, or makes all of them with `anew`. Returns them in order."""
        index, raw, records = building.store.index(), building.folder.raw, building.folder.records
        return bring_records_up_to_date(
            index, raw, records, advance, building.failures, declared=building.declared, anew=anew
        )

    def add_changes(self, building: Building, own_changes: Changes) -> Changes:  # noqa: ARG002
        """Adds the changes that other fetchers sent."""
        return own_changes

    def normalize(
        self,
        building: Building,
        files: Sequence[Path],
        inputs: Inputs,
        advance: Advance,  # noqa: ARG002
        *,
        is_checked: bool,
    ) -> Normalized:
        """Makes all rows from the record files. `is_checked` leaves out rows that break a contract."""
        into, profiles = building.folder.parts, building.declared.profiles
        return normalize_files(files, inputs, building.failures, into, profiles=profiles, is_checked=is_checked)


HERE = Executor()


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did. `failed` are the places that this program failed on, mostly addresses.

    `gates` are the rows of each host's newest run.
    """

    load: LoadReport
    failed: tuple[str, ...]
    gates: tuple[GateMeasureRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractedPages:
    """The record files of the raw store, in order, what the gates say of their pages, and the inputs of the rows."""

    files: tuple[Path, ...]
    readings: PageReadings
    inputs: Inputs


@contextmanager
def begin_build(
    store: Store,
    folder: DataFolder,
    *,
    now: datetime,
    anew: bool = False,
    gates: GateSettings = HOLD,
    executor: Executor = HERE,
) -> Iterator[Building]:
    """Begins a build: `extract_pages`, `normalize_records` and `load_rows` in this order, without any network.

    Raises `ConfigError` for a mistake in a recipe, a profile or a correction. At the end, removes the files of rows.
    """
    declared, corrections = read_declarations(folder), read_corrections(folder)
    try:
        yield Building(store, folder, declared, corrections, executor, gates, now, anew, FailureLog())
    finally:
        shutil.rmtree(folder.parts, ignore_errors=True)


def extract_pages(building: Building) -> ExtractedPages:
    """Reads new snapshots into record files, and judges the pages of each host by the gates.

    Raises `StoreDamaged` for a damaged record or a missing segment, `HeldBack` if a new extractor reads less.
    """
    store, folder = building.store, building.folder
    for damage in find_short_segments(store):
        raise damage
    with step("extract", "pages") as advance:
        files = building.executor.extract(building, advance, anew=building.anew)
        while store.forgotten.has_words and strike_forgotten(store, folder, files):
            files = building.executor.extract(building, advance, anew=False)
    index = store.index()
    _note_contents(store, files)
    readings = judge_runs(store, files, index, building.gates, building.declared.profiles)
    check_reread(store, folder.records, readings, building.gates)
    return ExtractedPages((*files,), readings, _collect_inputs(building, files, readings))


def normalize_records(building: Building, extracted: ExtractedPages) -> Normalized | None:
    """Makes all rows, without the readings that the gates hold, so that the rows of those stay.

    None if the warehouse was built from the same inputs.
    """
    folder, files, inputs = building.folder, extracted.files, extracted.inputs
    before = None if building.anew else _read_last_build(folder)
    if not files:
        _check_empty(folder)
    if before is not None and before.inputs == inputs:
        return None
    with step("normalize", "rows") as advance:
        normalized = building.executor.normalize(building, files, inputs, advance, is_checked=False)
        advance(normalized.total, normalized.total)
    return normalized


def load_rows(building: Building, extracted: ExtractedPages, normalized: Normalized | None) -> BuildReport:
    """Loads the rows that changed, and the log of the run, in one transaction.

    If rows break their contract, they are made again without the pages that break it.
    """
    folder, failures = building.folder, building.failures
    newest = newest_load(folder.warehouse)
    if normalized is None:
        report = _load_into_warehouse(building, None, newest)
    else:
        with step("load", "rows changed") as advance:
            try:
                report = _load_into_warehouse(building, normalized, newest)
            except ContractBroken:
                failures.add("the rows of this build", "loading", traceback.format_exc())
                # A single page may break the contract.
                normalized = building.executor.normalize(
                    building, extracted.files, extracted.inputs, advance, is_checked=True
                )
                report = _load_into_warehouse(building, normalized, newest)
            advance(report.row_count, report.row_count)
        if unapplied := _count_unapplied(normalized):
            say(f"corrections that changed nothing: {unapplied:,}; 'verdicts doubts' lists the published ones")
    # A load that changes nothing is not noted, and the newest one stays.
    present = report.load_id if report.row_count else newest
    write_manifest(folder.build_manifest, BuildManifest(extracted.inputs, present or ""))
    if normalized is not None and failures.places:
        say(f"this program failed on {len(failures.places):,} pages or steps, the last {failures.places[-1]}: a bug")
    ids.load_id = report.load_id
    note("load", "load ended", is_changed=report.is_changed, rows=report.row_count, failed=len(failures.places))
    gates = pick_newest_rows(read_gate_measures(building.store.state))
    return BuildReport(report, (*failures.places,), (*gates,))


def build(
    store: Store,
    folder: DataFolder,
    *,
    now: datetime,
    anew: bool = False,
    gates: GateSettings = HOLD,
    executor: Executor = HERE,
) -> BuildReport:
    """All steps of a build."""
    with begin_build(store, folder, now=now, anew=anew, gates=gates, executor=executor) as building:
        extracted = extract_pages(building)
        return load_rows(building, extracted, normalize_records(building, extracted))


def _collect_inputs(building: Building, files: Sequence[Path], readings: PageReadings) -> Inputs:
    store = building.store
    rows = read_gate_measures(store.state)
    withheld = find_withheld_readings(store, readings, rows)
    local = Changes(find_absences(store, rows), store.read_moved_urls(), store.read_all_rights(building.now))
    changes = building.executor.add_changes(building, local)
    return make_inputs(files, changes.gone, changes.moved, withheld, building.corrections, changes.rights)


def _read_last_build(folder: DataFolder) -> BuildManifest | None:
    """The inputs of the warehouse. None if its newest load is of another build, so that all is built again."""
    manifest = read_manifest(folder.build_manifest)
    return None if manifest is None or newest_load(folder.warehouse) != manifest.load_id else manifest


def _count_unapplied(normalized: Normalized) -> int:
    """Corrections that changed nothing."""
    outcomes = [outcome for (outcome,) in read_values(normalized.rows["corrections"], ("outcome",))]
    return len(outcomes) - outcomes.count("applied")


def _check_empty(folder: DataFolder) -> None:
    """Raises `ConfigError` if a build without pages would delete a corpus."""
    if folder.warehouse.exists() and has_tools(folder.warehouse):
        raise ConfigError(
            f"{folder.root} has a corpus, but no pages to build it from: raw/ was lost, or the corpus was"
            " loaded from a dataset; put raw/ back, or choose another --data"
        )


def _load_into_warehouse(building: Building, normalized: Normalized | None, newest: str | None) -> LoadReport:
    store, warehouse = building.store, building.folder.warehouse
    return load(
        warehouse,
        None if normalized is None else normalized.rows,
        Logs(
            store.read_crawls(), store.read_fetches(), read_gate_measures(store.state), read_gate_accepts(store.state)
        ),
        load_id=new_run_id(building.now, newest),
        loaded_at=building.now,
        extractor_version=EXTRACTOR_VERSION,
    )


def _note_contents(store: Store, files: Sequence[Path]) -> None:
    """Stores content digests of new snapshots, so that the next crawl knows which pages really changed."""
    unread = store.list_unread()
    new = read_records(files_with(files, unread))
    digests = {item.location: content_sha256(item.extracted) for item in new if item.location in unread}
    store.record_content_digests(digests)
