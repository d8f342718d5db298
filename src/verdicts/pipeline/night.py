"""The night: its steps in order, under the lock of the data folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from verdicts.fetch.run.endings import CrawlReasons, read_reasons
from verdicts.fetch.run.why import shortfalls, why
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.gates.words import check_held, held_lines
from verdicts.pipeline.nights.night_log import NightProgress
from verdicts.pipeline.nights.reporting import reported
from verdicts.pipeline.progress import say

if TYPE_CHECKING:
    from verdicts.corpus.rows.runs import CrawlRow, GateMeasureRow
    from verdicts.pipeline.build.build import BuildReport
    from verdicts.pipeline.sources.config import Config
    from verdicts.pipeline.sources.config_sections import CareConfig
    from verdicts.pipeline.verify import Verification
    from verdicts.warehouse.exporting.export import ExportReport
    from verdicts.warehouse.serving.published import Keep


SHORTFALLS_MAX = 3
"""Hosts that one line names."""


@dataclass(frozen=True, slots=True)
class NightSteps:
    """The steps of a night. A scheduler wraps them to record each."""

    crawl: Callable[[Store, Config], CrawlRow] = steps.crawl_sites
    build: Callable[[Store, DataFolder, Config], BuildReport] = steps.build_corpus
    publish: Callable[[DataFolder, Keep | None], Path] = steps.publish_corpus
    export: Callable[[DataFolder, Path], ExportReport] = steps.export_dataset
    verify: Callable[[Store, DataFolder, CareConfig], Verification] = steps.verify_tonight


def crawl_in_words(crawl: CrawlRow) -> str:
    """`20261121T023000Z-9f3c: 12 fetched, 216 unchanged, 0 failed`."""
    return f"{crawl.crawl_id}: {crawl.fetched} fetched, {crawl.unchanged} unchanged, {crawl.failed} failed"


def run_night(data: Path, config: Config, night_steps: NightSteps | None = None) -> NightProgress:
    """Crawls, builds, publishes, exports, and verifies a share of the stored data. Returns how it ended.

    Raises `StoreLocked` if another command holds the data folder, and `StorageFailed` if the disk is nearly full. After
    publication, raises `StoreDamaged` if the verification finds damage, and `HeldBack` if a gate holds a host, whose
    old rows readers keep. Every ending is logged and reported (`verdicts.pipeline.nights`), except `StoreLocked`, which
    the caller reports if it does not wait.
    """
    folder = DataFolder(data)
    with reported(folder, config) as night:
        held = _run(folder, config, night_steps or NightSteps(), night)
        # Inside the context, so that the report of a held night says what readers have.
        for line in held_lines(held):
            say(line)
        check_held(held)
    return night


def _run(folder: DataFolder, config: Config, do: NightSteps, night: NightProgress) -> Sequence[GateMeasureRow]:
    care = config.care
    steps.check_free_disk(folder.root, care.min_free_gb)
    steps.check_declarations(folder)
    with open_store(folder.root, command="run") as store:
        night.begin()
        say(f"crawl: {config.in_words}")
        crawl = do.crawl(store, config)
        night.crawl_id = crawl.crawl_id
        reasons = read_reasons(store, crawl.crawl_id)
        for host in reasons.hosts:
            if (line := why(host)) is not None:
                say(line, "host", host=host.host)
        built = do.build(store, folder, config)
        night.load_id = built.load.load_id
        night.published = do.publish(folder, care.keep).name
        do.export(folder, folder.dataset)
        # Verified last: damage to an old record does not keep the night from readers.
        damaged = do.verify(store, folder, care).damaged
        for damage in damaged:
            say(damage.line)
        if damaged:
            raise damaged[0]
        missing = missing_of(store, crawl, reasons)
    if built.failed:
        missing.append(f"this program failed on {len(built.failed):,} pages or steps: please report it")
    night.status, night.in_part = "partial" if missing else "done", "; ".join(missing)
    night.headline = f"{crawl_in_words(crawl)}; readers have {night.published}"
    if missing:
        night.headline = f"done in part: {night.in_part}"
    return built.gates


def missing_of(store: Store, crawl: CrawlRow, reasons: CrawlReasons) -> list[str]:
    """What the crawl could not fetch, and what happens to it. Empty if it fetched everything."""
    if crawl.status == "done":
        return []
    causes = [line for host in reasons.hosts if (line := why(host)) is not None]
    if causes and store.state.execute("SELECT 1 FROM snapshots LIMIT 1").fetchone() is None:
        return [f"there are no rows yet: {'; '.join(causes[:SHORTFALLS_MAX])}"]
    lines = shortfalls(reasons) or [f"addresses that could not be fetched: {crawl.failed:,}"]
    more = f" and {len(lines) - SHORTFALLS_MAX:,} more hosts" if len(lines) > SHORTFALLS_MAX else ""
    named = ", ".join(lines[:SHORTFALLS_MAX])
    return [f"{named}{more}; their rows stay as they were; the next run asks again"]
