"""One build: extract new snapshots, make all rows, load what changed."""

import shutil
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.extract.declarations import Declarations
from verdicts.extract.model.stored import content_sha256
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.care.verify import check_lengths
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.store import checksums
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import Store
from verdicts.normalize.corrections import Correction
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
from verdicts.pipeline.build.normalization import Normalized, normalize_files
from verdicts.pipeline.build.record_files import files_with, read_records
from verdicts.pipeline.corrections import read_corrections
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.progress import Advance, say, step
from verdicts.pipeline.recipes import read_declarations
from verdicts.warehouse.loading.load import LoadReport, load
from verdicts.warehouse.loading.log import has_tools, newest_load
from verdicts.warehouse.loading.rows import Logs, values_of
from verdicts.warehouse.storage.errors import ContractBroken

HOLD = GateSettings()

OUTCOMES = {
    "contradicts": "is not applied, as another one decides otherwise",
    "agrees": "is needed no more, as the pages say the same now",
    "gone": "is not applied, as its target is gone or another one",
}
"""In words, what corrections did that changed no row."""

Step = Callable[[str, str], AbstractContextManager[Advance]]


class Executor:
    """Extracts and normalizes on this machine. A subclass may do it elsewhere."""

    def extract(
        self,
        store: Store,
        folder: DataFolder,
        declared: Declarations,
        failures: FailureLog,
        advance: Advance,
        *,
        anew: bool,
    ) -> list[Path]:
        """Updates the record files, or makes all of them with `anew`. Returns them in order."""
        return bring_records_up_to_date(
            store.index(), folder.raw, folder.records, advance, failures, declared=declared, anew=anew
        )

    def normalize(
        self,
        folder: DataFolder,
        files: Sequence[Path],
        inputs: Inputs,
        declared: Declarations,
        failures: FailureLog,
        advance: Advance,  # noqa: ARG002
        *,
        is_checked: bool,
    ) -> Normalized:
        """Makes all rows from the record files. `is_checked` leaves out rows that break a contract."""
        return normalize_files(files, inputs, failures, folder.parts, profiles=declared.profiles, is_checked=is_checked)


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
    check_lengths(store)
    with show("extract", "pages") as advance:
        files = executor.extract(store, folder, declared, failures, advance, anew=anew)
    index = store.index()
    _note_contents(store, files)
    readings = judge_runs(store, files, index, gates, declared.profiles)
    check_reread(store, folder.records, readings, gates)
    inputs = _inputs(store, files, readings, corrections)
    with checksums.rewritten(folder.warehouse), _removed_at_the_end(folder.parts):
        before = None if anew else _built_before(folder)
        if not files:
            _check_empty(folder)
        if before is not None and before.inputs == inputs:
            report = _load(store, folder, None, now)
            _note_build(folder, inputs, before.tables)
            return _report(store, report, failures)
        with show("normalize", "rows") as advance:
            made = executor.normalize(folder, files, inputs, declared, failures, advance, is_checked=False)
            if made.is_loaded and (weaker := weaker_hosts(store, folder.warehouse, made.rows, gates)):
                hold(store, weaker)
                inputs = _inputs(store, files, readings, corrections)
                made = executor.normalize(folder, files, inputs, declared, failures, advance, is_checked=False)
            advance(made.total, made.total)
        with show("load", "rows changed") as advance:
            try:
                report = _load(store, folder, made, now)
            except ContractBroken:
                failures.add("the rows of this build", "loading", traceback.format_exc())
                # A single page may break the contract.
                made = executor.normalize(folder, files, inputs, declared, failures, advance, is_checked=True)
                report = _load(store, folder, made, now)
            advance(report.moved, report.moved)
        _tell_unapplied(made)
        tables = made.keep()
    _note_build(folder, inputs, tables)
    if failures.failed:
        say(f"this program failed on {len(failures.failed):,} pages or steps, the last {failures.failed[-1]}: a bug")
    return replace(_report(store, report, failures), is_apart=not made.is_loaded)


@contextmanager
def _removed_at_the_end(folder: Path) -> Iterator[None]:
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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
            say(f"correction {id_[:12]} of {by} ({kind} {key}) {OUTCOMES[outcome]}{why}")


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
