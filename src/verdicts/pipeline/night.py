"""The night: its steps in order, under the lock of the data folder."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.fetch.care.store_verification import Verified
from verdicts.fetch.model.fetch_errors import StoreLocked
from verdicts.fetch.run.crawl import CrawlSite
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.why import explain_clock
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.build import (
    Building,
    BuildReport,
    ExtractedPages,
    extract_pages,
    load_rows,
    normalize_records,
)
from verdicts.pipeline.build.row_files import Normalized
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import describe_error
from verdicts.pipeline.gates.holds import check_holds, list_holds
from verdicts.pipeline.nights.record import NightRecord
from verdicts.pipeline.nights.reporting import record_crawl, record_night, report_unbegun, save_record
from verdicts.pipeline.progress import say
from verdicts.pipeline.sources.config import Config
from verdicts.warehouse.exporting.contents import DatasetSettings
from verdicts.warehouse.exporting.export import ExportReport
from verdicts.warehouse.serving.published import Keep

TRIES_EVERY_S = 5.0
"""Seconds between attempts to lock the data folder."""


@dataclass(frozen=True, slots=True)
class NightSteps:
    """The steps of a night, in their order. A scheduler wraps them to record each."""

    crawl: CrawlSite | None = None
    """Called for each site: all are crawled at once, by one crawl in one event loop."""
    extract: Callable[[Building], ExtractedPages] = extract_pages
    normalize: Callable[[Building, ExtractedPages], Normalized | None] = normalize_records
    load: Callable[[Building, ExtractedPages, Normalized | None], BuildReport] = load_rows
    publish: Callable[[DataFolder, Keep | None], Path] = steps.publish_corpus
    export: Callable[[DataFolder, Path, DatasetSettings], ExportReport] = steps.export_dataset
    verify: Callable[[Store], Verified] = steps.verify_tonight


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
    folder = DataFolder(data)
    waits_until = time.monotonic() + 60 * wait_minutes
    waits_for: str | None = None
    while True:
        try:
            with record_night(folder, config) as night:
                gates = _run_steps(folder, config, night_steps or NightSteps(), night, everything=everything)
                # Inside the context, so that the report of a held night says what readers have.
                for line in list_holds(gates):
                    say(line)
                check_holds(gates)
        except StoreLocked as error:
            if time.monotonic() >= waits_until:
                report_unbegun(folder, config, error)
                raise
            if waits_for != (waits_for := describe_error(error)):
                say(f"waits: {waits_for}")
            time.sleep(TRIES_EVERY_S)
        else:
            return night


def _run_steps(
    folder: DataFolder, config: Config, night_steps: NightSteps, night: NightRecord, *, everything: bool
) -> Sequence[GateMeasureRow]:
    """Runs the steps, fills the record, and returns what the gates say of each host."""
    care = config.care
    steps.check_free_disk(folder.root, care.min_free_gb)
    steps.check_declarations(folder)
    with open_store(folder.root, command="run") as store:
        save_record(folder, night)
        say(f"crawl: {config.in_words}")
        if config.share_line is not None:
            say(config.share_line)
        crawl = steps.crawl_sites(store, config, everything=everything, crawl_site=night_steps.crawl)
        night.crawl_id = crawl.crawl_id
        reasons = read_reasons(store, crawl.crawl_id)
        if (line := explain_clock(reasons.clock)) is not None:
            say(line)
        night.crawl = record_crawl(crawl, reasons)
        for host in night.crawl.hosts:
            if host.why is not None:
                say(f"{host.host}: {host.why}", "host", host=host.host)
        with steps.begin_build(store, folder, config) as building:
            extracted = night_steps.extract(building)
            normalized = night_steps.normalize(building, extracted)
            built = night_steps.load(building, extracted, normalized)
        night.load_id = built.load.load_id
        night.gates = tuple(row for row in built.gates if row.state != "passed" or row.measure == "gone")
        night.published = night_steps.publish(folder, care.keep).name
        night_steps.export(folder, folder.dataset, config.dataset_settings)
        # Verified last: damage to an old record does not keep the night from readers.
        verified = night_steps.verify(store)
        for damage in verified.damaged:
            say(damage.line)
        if verified.damaged:
            raise verified.damaged[0]
        night.verified = f"{verified.records:,} records, {verified.bytes / 1e6:,.1f} MB, nothing damaged"
        missing = steps.list_missing(store, crawl, reasons)
    if built.failed:
        missing.append(f"this program failed on {len(built.failed):,} pages or steps: please report it")
    night.status, night.in_part = "partial" if missing else "done", "; ".join(missing)
    night.headline = f"{steps.describe_crawl(crawl)}; readers have {night.published}"
    if missing:
        night.headline = f"done in part: {night.in_part}"
    return built.gates
