"""The night: the order of its steps, under one lock of the data folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fetch.store.store import Store, open_store
from pipeline import steps
from pipeline.care.free_disk import check_free_disk
from pipeline.data_folder import DataFolder
from pipeline.gates.words import check_held, held_lines
from pipeline.progress import say
from pipeline.sources.targets import care_of, describe_target

if TYPE_CHECKING:
    from corpus.rows.runs import CrawlRow
    from pipeline.build.build import BuildReport
    from pipeline.sources.care_config import CareConfig
    from pipeline.verify import Verification
    from warehouse.exporting.export import ExportReport
    from warehouse.serving.retention import Keep


@dataclass(frozen=True, slots=True)
class NightSteps:
    """The steps of a night. A scheduler passes these wrapped, to keep its own record of each."""

    crawl: Callable[[Store, Path | None], CrawlRow] = steps.crawl_sites
    build: Callable[[Store, DataFolder, Path | None], BuildReport] = steps.build_corpus
    publish: Callable[[DataFolder, Keep | None], Path] = steps.publish_corpus
    export: Callable[[DataFolder, Path], ExportReport] = steps.export_dataset
    verify: Callable[[Store, DataFolder, CareConfig], Verification] = steps.verify_tonight
    back_up: Callable[[DataFolder, CareConfig], bool] = steps.back_up_tonight


@dataclass(frozen=True, slots=True)
class Night:
    """What a night came to: whether all of it is there, its load, and the files that readers and users open."""

    status: str
    """That of the crawl; `partial` too where this program failed on a page, and where the backup failed."""
    crawl: CrawlRow
    load_id: str
    corpus: Path
    dataset: Path

    @property
    def in_words(self) -> str:
        """One line for whoever looks at the night from outside."""
        return f"{crawl_in_words(self.crawl)}; readers have {self.corpus.name}"


def crawl_in_words(crawl: CrawlRow) -> str:
    """`20261121T023000Z-9f3c: 12 fetched, 216 unchanged, 0 failed`."""
    return f"{crawl.crawl_id}: {crawl.fetched} fetched, {crawl.unchanged} unchanged, {crawl.failed} failed"


def run_night(data: Path, config: Path | None, night_steps: NightSteps | None = None) -> Night:
    """Crawl, build, publish, export, a look at a share of what was stored before, the due backup.

    Raises `StoreLocked` where another command holds the data folder, `StorageFailed` before anything is made where the
    disk is nearly full. Once readers have the night: `StoreDamaged` where that look finds damage, `HeldBack` where a
    gate holds a host, of which readers have the rows as they were.
    """
    do = night_steps or NightSteps()
    folder, care = DataFolder(data), care_of(config)
    check_free_disk(data, care.min_free_gb)
    with open_store(data, command="run") as store:
        say(f"crawl: {describe_target(config)}")
        crawl = do.crawl(store, config)
        built = do.build(store, folder, config)
        corpus = do.publish(folder, care.keep)
        export = do.export(folder, folder.dataset)
        # Last: whatever has become of an old record, readers have the night's corpus.
        damaged = do.verify(store, folder, care).damaged
        for damage in damaged:
            say(damage.line)
        if damaged:
            raise damaged[0]
        is_safe = do.back_up(folder, care)
    for line in held_lines(built.gates):
        say(line)
    check_held(built.gates)
    status = crawl.status if is_safe and not built.failed else "partial"
    return Night(status, crawl, built.load.load_id, corpus, export.target)
