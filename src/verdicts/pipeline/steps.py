"""The steps of a night, each usable alone, for the command line, the night and the flows.

A step imports its stage when it is called, so that each command loads only what it uses.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.logs import ids, note
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.progress import say, step
from verdicts.warehouse.exporting.contents import DEFAULT_SETTINGS, DatasetSettings

if TYPE_CHECKING:
    from verdicts.corpus.rows.runs import CrawlRow
    from verdicts.fetch.care.store_verification import Verified
    from verdicts.fetch.model.addresses import AddressPattern
    from verdicts.fetch.model.site import Site
    from verdicts.fetch.run.crawl import CrawlSite
    from verdicts.fetch.run.endings import CrawlReasons
    from verdicts.fetch.run.ingest import Source
    from verdicts.fetch.run.plan import Plan
    from verdicts.fetch.store.store import Store
    from verdicts.normalize.corrections import Correction
    from verdicts.pipeline.backup import Snapshot
    from verdicts.pipeline.build.build import Building, BuildReport
    from verdicts.pipeline.sources.config import Config
    from verdicts.warehouse.exporting.export import ExportReport
    from verdicts.warehouse.loading.load import LoadReport
    from verdicts.warehouse.serving.published import Keep


SHORTFALLS_MAX = 3
"""Hosts that one line names."""


def now() -> datetime:
    """The current time in whole seconds, the precision of the corpus."""
    return datetime.now(UTC).replace(microsecond=0)


@contextmanager
def open_sites(config: Config) -> Iterator[tuple[Site, ...]]:
    """The sites of a config. Without any, serves the demo site on loopback while the context is open."""
    if config.site:
        yield tuple(site.site() for site in config.site)
        return
    from verdicts.demo_site.responses import SITE_HOST
    from verdicts.demo_site.server import serve

    with serve() as address:
        yield (replace(demo_site(), resolve={SITE_HOST: address}),)


def demo_site() -> Site:
    """The demo site; always due, so that a second run of the demo crawls again."""
    from verdicts.demo_site.responses import SITE_HOST, SITE_URL
    from verdicts.fetch.model.site import Site
    from verdicts.fetch.model.url_state import Revisit

    return Site(
        hosts=(SITE_HOST,),
        start_urls=(SITE_URL,),
        allow_private=True,
        delay_s=0,
        connections=4,
        revisit=Revisit(least=timedelta(), most=timedelta()),
    )


def crawl_sites(
    store: Store, config: Config, *, everything: bool = False, crawl_site: CrawlSite | None = None
) -> CrawlRow:
    """Crawls the sites of this fetcher at once: the due addresses, or all known ones.

    `crawl_site` is called for each site, and awaits its part of the crawl.
    """
    from verdicts.fetch.run.crawl import await_part, crawl

    with open_sites(config) as sites, step("crawl", "addresses") as advance:
        run = asyncio.run(
            crawl(
                store,
                sites,
                user_agent=config.user_agent,
                everything=everything,
                share=config.share,
                on_progress=advance,
                crawl_site=crawl_site or await_part,
            )
        )
    ids.crawl_id = run.crawl_id
    note(
        "crawl",
        "crawl ended",
        status=run.status,
        fetched=run.fetched,
        unchanged=run.unchanged,
        failed=run.failed,
        bytes=run.bytes,
    )
    return run


def describe_crawl(crawl: CrawlRow) -> str:
    """`20261121T023000Z-9f3c: 12 fetched, 216 unchanged, 0 failed`."""
    return f"{crawl.crawl_id}: {crawl.fetched} fetched, {crawl.unchanged} unchanged, {crawl.failed} failed"


def list_missing(store: Store, crawl: CrawlRow, reasons: CrawlReasons) -> list[str]:
    """What the crawl could not fetch, and what happens to it. Empty if it fetched everything."""
    from verdicts.fetch.run.why import explain_clock, explain_host, list_shortfalls

    clock = [str(explain_clock(reasons.clock))] if reasons.clock is not None and reasons.clock.waiting else []
    if crawl.status == "done":
        return clock
    causes = [line for host in reasons.hosts if (line := explain_host(host)) is not None]
    if causes and store.state.execute("SELECT 1 FROM snapshots LIMIT 1").fetchone() is None:
        return [f"there are no rows yet: {'; '.join(causes[:SHORTFALLS_MAX])}"]
    lines = list_shortfalls(reasons) or [f"addresses that could not be fetched: {crawl.failed:,}"]
    more = f" and {len(lines) - SHORTFALLS_MAX:,} more hosts" if len(lines) > SHORTFALLS_MAX else ""
    hosts = ", ".join(lines[:SHORTFALLS_MAX])
    return [*clock, f"{hosts}{more}; their rows stay as they were; the next run asks again"]


def send_segments(store: Store, folder: DataFolder, config: Config) -> None:
    """Sends what a crawl left to the store of `[scale]`, if the config has one: the hub builds from there."""
    if config.scale.store is None:
        return
    from verdicts.fetch.objects import open_objects
    from verdicts.pipeline.scale.shipping import ship

    with step("send", "segments") as advance:
        ship(store, folder, open_objects(config.scale.store), advance)


def plan_crawl(data: Path, config: Config) -> Plan:
    """What a crawl would do now. Reads robots.txt and sitemaps, and writes nothing."""
    from verdicts.fetch.run.plan import plan
    from verdicts.fetch.store.store import open_scratch

    with open_sites(config) as sites, open_scratch(data) as store:
        return asyncio.run(plan(store, sites, user_agent=config.user_agent, share=config.share))


def ingest_files(store: Store, sources: Sequence[Source], include: AddressPattern | None = None) -> CrawlRow:
    """Ingests files into the raw store, as a run of its own."""
    from verdicts.fetch.run.ingest import ingest

    with step("ingest", "files") as advance:
        total = len(sources)
        record = ingest(store, sources, clock=now, include=include, on_progress=lambda done: advance(done, total))
        advance(total, total)
    return record


@contextmanager
def begin_build(
    store: Store, folder: DataFolder, config: Config | None = None, *, anew: bool = False
) -> Iterator[Building]:
    """Begins a build through the gates, on this machine or past it. `anew` reads every snapshot again."""
    from verdicts.pipeline.build import build
    from verdicts.pipeline.scale.executor import make_executor
    from verdicts.pipeline.sources.config import DEMO

    moment, config = now(), config or DEMO
    executor = make_executor(config.scale, folder)
    with build.begin_build(
        store, folder, now=moment, anew=anew, gates=config.gate_settings, executor=executor
    ) as building:
        yield building


def build_corpus(store: Store, folder: DataFolder, config: Config | None = None, *, anew: bool = False) -> BuildReport:
    """Builds the warehouse from the raw store, through the gates. `anew` reads every snapshot again."""
    from verdicts.pipeline.build.build import extract_pages, load_rows, normalize_records

    with begin_build(store, folder, config, anew=anew) as building:
        extracted = extract_pages(building)
        return load_rows(building, extracted, normalize_records(building, extracted))


def verify_data(folder: DataFolder) -> Verified:
    """Verifies the raw store and the state. Raises `StoreMissing`."""
    from verdicts.fetch.care.store_verification import verify

    folder.check_is_one()
    with step("verify", "segments") as advance:
        return verify(folder.root, advance)


def verify_tonight(store: Store) -> Verified:
    """Verifies the share of the raw store that is due tonight."""
    from verdicts.fetch.care.store_verification import verify_segments

    with step("verify", "segments") as advance:
        return verify_segments(store, advance, now().date())


def snapshot_data(folder: DataFolder, target: Path) -> Snapshot:
    """Copies the data folder as of one moment, without its lock."""
    from verdicts.pipeline.backup import take_snapshot

    with step("snapshot", "segments") as advance:
        return take_snapshot(folder, target, advance)


def check_declarations(folder: DataFolder) -> None:
    """Raises `ConfigError` for a mistake in a recipe, a profile or a correction, before any work."""
    from verdicts.pipeline.correction_files import read_corrections
    from verdicts.pipeline.declaration_files import read_declarations

    read_declarations(folder)
    read_corrections(folder)


def note_correction(folder: DataFolder, kind: str, entry: Mapping[str, object], *, by: str, why: str) -> Correction:
    """Notes a decision of a person. It takes effect with the next build. Raises `ConfigError`."""
    from verdicts.pipeline.correction_files import add

    return add(folder, kind, {**entry, "by": by, "when": now(), "why": why})


def check_free_disk(data: Path, least_gb: float) -> None:
    """Raises `StorageFailed` if less is free on the disk of the data folder, which need not exist yet."""
    present = next(path for path in (data.absolute(), *data.absolute().parents) if path.exists())
    free = shutil.disk_usage(present).free
    if free < least_gb * 1e9:
        raise StorageFailed(
            f"{free / 1e9:.1f} GB of the disk of {data} are free, but nothing starts below min_free_gb = {least_gb:g}"
        )


def publish_corpus(folder: DataFolder, keep: Keep | None = None) -> Path:
    """Publishes a copy of the warehouse, and returns its path. `keep` says which older copies stay.

    The copy is a draft until it is whole. Then it gets its name, and the pointer moves. Whatever ends this process,
    also a crash in DuckDB, readers keep what they have, and the next publication removes the draft.
    """
    if not folder.warehouse.exists():
        raise ConfigError(f"{folder.root} has no warehouse yet; run 'verdicts run' or 'verdicts build' first")
    from verdicts.warehouse.serving.copy import make_copy
    from verdicts.warehouse.serving.published import publish

    with step("publish", "copies") as advance:
        path = publish(folder.serve, lambda draft: make_copy(folder.warehouse, draft, now()), keep)
        advance(1, 1)
    return path


def roll_back(folder: DataFolder) -> Path:
    """Points readers to the previous copy and returns it. Raises `WarehouseBroken` if that copy is damaged."""
    from verdicts.warehouse.serving.published import copy_before, rollback
    from verdicts.warehouse.storage.connection import check_blocks

    check_blocks(copy_before(folder.serve))
    return rollback(folder.serve)


def export_dataset(folder: DataFolder, target: Path, settings: DatasetSettings = DEFAULT_SETTINGS) -> ExportReport:
    """Exports the published corpus to a folder, or to a file by the end of its name, and says what is left out."""
    from verdicts.warehouse.exporting.export import export as write
    from verdicts.warehouse.serving.published import find_published

    if target.suffix:
        # Loads the writers of workbooks.
        from verdicts.warehouse.exporting.single_file import WRITERS, export_file

        write = export_file if target.suffix.lower() in WRITERS else write
    with step("export", "files") as advance:
        report = write(find_published(folder.serve), target, settings)
        advance(report.files, report.files)
    if report.reserved:
        pages = "1 page reserves its" if report.reserved == 1 else f"{report.reserved:,} pages reserve their"
        say(f"{pages} texts, so the dataset has only addresses and titles of them; 'export_reserved' includes them")
    for line in report.notes:
        say(line)
    return report


def load_dataset(folder: DataFolder, directory: Path) -> LoadReport:
    """Loads an exported dataset into a warehouse, for readers who have only the dataset."""
    if folder.state.exists():
        raise ConfigError(
            f"{folder.root} has pages of its own, and its warehouse is built from them; choose another --data"
        )
    from verdicts.fetch.model.snapshot import new_run_id
    from verdicts.warehouse.exporting.dataset import read_dataset, translate_load_errors
    from verdicts.warehouse.loading.load import load
    from verdicts.warehouse.loading.log import newest_load

    moment = now()
    dataset = read_dataset(directory)
    with translate_load_errors(dataset), step("load", "rows changed") as advance:
        report = load(
            folder.warehouse,
            dataset.rows,
            dataset.logs,
            load_id=new_run_id(moment, newest_load(folder.warehouse)),
            loaded_at=moment,
            extractor_version=dataset.extractor_version,
        )
        advance(report.row_count, report.row_count)
    return report
