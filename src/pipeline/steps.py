"""The steps of a night, each usable alone. The command line, the night and Prefect's flows all call these.

A step imports its stage when it begins: a command pays for the stages it uses, and a night says what it does at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import event_loop
from pipeline.data_folder import DataFolder
from pipeline.errors import ConfigError
from pipeline.memory import check_address_space
from pipeline.progress import step
from pipeline.quality_gate import Drift, drift_of

if TYPE_CHECKING:
    from corpus.rows.runs import CrawlRow
    from fetch.run.ingest import Source
    from fetch.run.plan import Plan
    from fetch.store.store import Store
    from pipeline.build.build import BuildReport
    from pipeline.verify import Verification
    from warehouse.exporting.export import ExportReport
    from warehouse.loading.load import LoadReport


def now() -> datetime:
    """The clock of the night. In whole seconds: nothing in the corpus is finer."""
    return datetime.now(UTC).replace(microsecond=0)


def crawl_sites(store: Store, config: Path | None, *, everything: bool = False) -> CrawlRow:
    """One crawl of all sites of the config: of what is due, or of everything known."""
    from fetch.run.crawl import crawl
    from pipeline.sources.targets import open_target

    with open_target(config) as target, step("crawl", "addresses") as advance:
        return event_loop.run(
            crawl(
                store,
                target.sites,
                user_agent=target.user_agent,
                everything=everything,
                on_progress=lambda progress: advance(progress.done, progress.total),
            )
        )


def plan_crawl(data: Path, config: Path | None) -> Plan:
    """What a crawl would do now. Reads robots.txt and sitemaps, writes nothing."""
    from fetch.run.plan import plan
    from fetch.store.store import open_scratch
    from pipeline.sources.targets import open_target

    with open_target(config) as target, open_scratch(data) as store:
        return event_loop.run(plan(store, target.sites, user_agent=target.user_agent))


def ingest_files(store: Store, sources: Sequence[Source]) -> CrawlRow:
    """Files into the raw store, as a crawl of their own."""
    from fetch.run.ingest import ingest

    with step("ingest", "files") as advance:
        record = ingest(store, sources, clock=now)
        advance(len(sources), len(sources))
    return record


def build_corpus(store: Store, folder: DataFolder, *, anew: bool = False) -> BuildReport:
    """Raw store to warehouse. `anew` reads every snapshot again."""
    check_address_space()
    from pipeline.build.build import build

    return build(store, folder, now=now(), anew=anew)


def drift_of_last_run(folder: DataFolder) -> Drift:
    """How the pages known before read after the last run."""
    from pipeline.build.record_files import check_records, read_kinds

    files = sorted(folder.records.glob("*.parquet"))
    check_records(files)
    return drift_of(read_kinds(files))


def verify_data(folder: DataFolder, share: float) -> Verification:
    """A share of the data folder against its digests."""
    from pipeline.verify import verify

    with step("verify", "records") as advance:
        return verify(folder, share, advance, at=now())


def verify_tonight(store: Store, folder: DataFolder) -> Verification:
    """The share of the data folder whose turn it is tonight."""
    from pipeline.verify import verify_tonight

    with step("verify", "records") as advance:
        return verify_tonight(store, folder, advance, at=now())


def publish_corpus(folder: DataFolder) -> Path:
    """A read-only copy of the warehouse for readers, and the pointer moved to it. Returns its path."""
    if not folder.warehouse.exists():
        raise ConfigError(f"{folder.root} has no warehouse yet; run 'verdicts run' or 'verdicts build' first")
    check_address_space()
    from fetch.store import checksums
    from warehouse.serving.publish import publish

    with step("publish", "copies") as advance:
        checksums.forget(folder.pointer)
        with checksums.rewritten(folder.warehouse):
            path = publish(folder.warehouse, folder.serve, at=now())
        checksums.note(path)
        checksums.note(folder.pointer)
        checksums.forget_removed(folder.serve)
        advance(1, 1)
    return path


def roll_back(folder: DataFolder) -> Path:
    """Readers pointed at the copy published before, which is returned. Raises `StoreDamaged` where it is damaged."""
    from fetch.store import checksums
    from warehouse.serving.published import WITHDRAWN, copy_before, rollback

    checksums.check(copy_before(folder.serve))
    for file in (folder.pointer, folder.serve / WITHDRAWN):
        checksums.forget(file)
    path = rollback(folder.serve)
    for file in (folder.pointer, folder.serve / WITHDRAWN):
        checksums.note(file)
    return path


def export_dataset(
    folder: DataFolder, directory: Path, *, tables: Sequence[str] | None = None, forms: Sequence[str] = ("parquet",)
) -> ExportReport:
    """The published corpus as a dataset in `directory`; all tables where none are named."""
    check_address_space()
    from corpus.tables import TABLES
    from warehouse.exporting.export import export
    from warehouse.serving.published import published

    with step("export", "files") as advance:
        report = export(published(folder.serve), directory, tables=tables or tuple(TABLES), forms=forms)
        advance(len(report.files), len(report.files))
    return report


def load_dataset(folder: DataFolder, directory: Path) -> LoadReport:
    """A warehouse out of an exported dataset, for readers who have that alone."""
    if folder.state.exists():
        raise ConfigError(
            f"{folder.root} has pages of its own, and its warehouse is built from them; choose another --data"
        )
    check_address_space()
    from fetch.model.run_id import new_run_id
    from fetch.store import checksums
    from warehouse.exporting.dataset import loading, read_dataset
    from warehouse.loading.load import load

    moment = now()
    dataset = read_dataset(directory)
    with checksums.rewritten(folder.warehouse), loading(dataset), step("load", "rows changed") as advance:
        report = load(
            folder.warehouse,
            dataset.rows,
            crawls=dataset.files["crawls"],
            fetches=dataset.files["fetches"],
            load_id=new_run_id(moment),
            loaded_at=moment,
            extractor_version=dataset.extractor_version,
        )
        advance(report.moved, report.moved)
    return report
