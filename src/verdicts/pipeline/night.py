"""The night: its steps in order, under the lock of the data folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from verdicts.fetch.model.fetch_errors import StoreLocked
from verdicts.fetch.run.endings import CrawlReasons, read_reasons
from verdicts.fetch.run.why import explain_clock, shortfalls, why
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import message
from verdicts.pipeline.gates.holds import check_holds, list_holds
from verdicts.pipeline.nights.record import NightRecord
from verdicts.pipeline.nights.reporting import record_crawl, record_night, report_unbegun, save_record
from verdicts.pipeline.progress import say

if TYPE_CHECKING:
    from verdicts.corpus.rows.runs import CrawlRow, GateMeasureRow
    from verdicts.fetch.care.store_verification import Verified
    from verdicts.fetch.run.crawl import CrawlSite
    from verdicts.pipeline.build.build import Building, BuildReport, Extracted
    from verdicts.pipeline.build.row_files import Normalized
    from verdicts.pipeline.sources.config import Config
    from verdicts.warehouse.exporting.contents import DatasetSettings
    from verdicts.warehouse.exporting.export import ExportReport
    from verdicts.warehouse.serving.published import Keep


SHORTFALLS_MAX = 3
"""Hosts that one line names."""


TRIES_EVERY_S = 5.0
"""Seconds between attempts to lock the data folder."""


@dataclass(frozen=True, slots=True)
class NightSteps:
    """The steps of a night, in their order. A scheduler wraps them to record each."""

    crawl: CrawlSite | None = None
    """Called for each site: all are crawled at once, by one crawl in one event loop."""
    extract: Callable[[Building], Extracted] = steps.extract_pages
    normalize: Callable[[Building, Extracted], Normalized | None] = steps.normalize_records
    load: Callable[[Building, Extracted, Normalized | None], BuildReport] = steps.load_rows
    publish: Callable[[DataFolder, Keep | None], Path] = steps.publish_corpus
    export: Callable[[DataFolder, Path, DatasetSettings], ExportReport] = steps.export_dataset
    verify: Callable[[Store], Verified] = steps.verify_tonight


def describe_crawl(crawl: CrawlRow) -> str:
    """`20261121T023000Z-9f3c: 12 fetched, 216 unchanged, 0 failed`."""
    return f"{crawl.crawl_id}: {crawl.fetched} fetched, {crawl.unchanged} unchanged, {crawl.failed} failed"


def run_night(
    data: Path,
    config: Config,
    night_steps: NightSteps | None = None,
    *,
    everything: bool = False,
    wait_minutes: float = 0,
) -> NightRecord:
    """Crawls, builds, publishes, exports, and verifies a share of the stored data. Returns how it ended.

    `everything` asks for every known page, due or not. `wait_minutes` is how long to wait for another command on the
    data folder. Raises `StoreLocked` if another command holds the data folder, and `StorageFailed` if the disk is
    nearly full. After publication, raises `StoreDamaged` if the verification finds damage, and `HeldBack` if a gate
    holds a host, whose old rows readers keep. Every ending is logged and reported (`verdicts.pipeline.nights`).
    """
    folder, do = DataFolder(data), night_steps or NightSteps()
    waits_until = time.monotonic() + 60 * wait_minutes
    waits_for: str | None = None
    while True:
        try:
            with record_night(folder, config) as night:
                held = _run(folder, config, do, night, everything=everything)
                # Inside the context, so that the report of a held night says what readers have.
                for line in list_holds(held):
                    say(line)
                check_holds(held)
        except StoreLocked as error:
            if time.monotonic() >= waits_until:
                report_unbegun(folder, config, error)
                raise
            if waits_for != (waits_for := message(error)):
                say(f"waits: {waits_for}")
            time.sleep(TRIES_EVERY_S)
        else:
            return night


def _run(
    folder: DataFolder, config: Config, do: NightSteps, night: NightRecord, *, everything: bool
) -> Sequence[GateMeasureRow]:
    care = config.care
    steps.check_free_disk(folder.root, care.min_free_gb)
    steps.check_declarations(folder)
    with open_store(folder.root, command="run") as store:
        save_record(folder, night)
        say(f"crawl: {config.in_words}")
        if config.share_line is not None:
            say(config.share_line)
        crawl = steps.crawl_sites(store, config, everything=everything, crawl_site=do.crawl)
        night.crawl_id = crawl.crawl_id
        reasons = read_reasons(store, crawl.crawl_id)
        if (line := explain_clock(reasons.clock)) is not None:
            say(line)
        night.crawl = record_crawl(crawl, reasons)
        for host in night.crawl.hosts:
            if host.why is not None:
                say(f"{host.host}: {host.why}", "host", host=host.host)
        with steps.begin_build(store, folder, config) as building:
            extracted = do.extract(building)
            normalized = do.normalize(building, extracted)
            built = do.load(building, extracted, normalized)
        night.load_id = built.load.load_id
        night.gates = tuple(row for row in built.gates if row.state != "passed" or row.measure == "gone")
        night.published = do.publish(folder, care.keep).name
        do.export(folder, folder.dataset, config.dataset_settings)
        # Verified last: damage to an old record does not keep the night from readers.
        verified = do.verify(store)
        for damage in verified.damaged:
            say(damage.line)
        if verified.damaged:
            raise verified.damaged[0]
        night.verified = f"{verified.records:,} records, {verified.bytes / 1e6:,.1f} MB, nothing damaged"
        missing = list_missing(store, crawl, reasons)
    if built.failed:
        missing.append(f"this program failed on {len(built.failed):,} pages or steps: please report it")
    night.status, night.in_part = "partial" if missing else "done", "; ".join(missing)
    night.headline = f"{describe_crawl(crawl)}; readers have {night.published}"
    if missing:
        night.headline = f"done in part: {night.in_part}"
    return built.gates


def list_missing(store: Store, crawl: CrawlRow, reasons: CrawlReasons) -> list[str]:
    """What the crawl could not fetch, and what happens to it. Empty if it fetched everything."""
    clock = [str(explain_clock(reasons.clock))] if reasons.clock is not None and reasons.clock.waiting else []
    if crawl.status == "done":
        return clock
    causes = [line for host in reasons.hosts if (line := why(host)) is not None]
    if causes and store.state.execute("SELECT 1 FROM snapshots LIMIT 1").fetchone() is None:
        return [f"there are no rows yet: {'; '.join(causes[:SHORTFALLS_MAX])}"]
    lines = shortfalls(reasons) or [f"addresses that could not be fetched: {crawl.failed:,}"]
    more = f" and {len(lines) - SHORTFALLS_MAX:,} more hosts" if len(lines) > SHORTFALLS_MAX else ""
    named = ", ".join(lines[:SHORTFALLS_MAX])
    return [*clock, f"{named}{more}; their rows stay as they were; the next run asks again"]
