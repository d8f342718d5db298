"""The night: the order of its steps, under one lock of the data folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fetch.store.store import Store, open_store
from pipeline import steps
from pipeline.data_folder import DataFolder
from pipeline.progress import say
from pipeline.quality_gate import Drift, check
from pipeline.sources.targets import describe_target

if TYPE_CHECKING:
    from corpus.rows.runs import CrawlRow
    from pipeline.build.build import BuildReport
    from pipeline.verify import Verification
    from warehouse.exporting.export import ExportReport


@dataclass(frozen=True, slots=True)
class NightSteps:
    """The steps of a night. A scheduler passes these wrapped, to keep its own record of each."""

    crawl: Callable[[Store, Path | None], CrawlRow] = steps.crawl_sites
    build: Callable[[Store, DataFolder], BuildReport] = steps.build_corpus
    drift: Callable[[DataFolder], Drift] = steps.drift_of_last_run
    publish: Callable[[DataFolder], Path] = steps.publish_corpus
    export: Callable[[DataFolder, Path], ExportReport] = steps.export_dataset
    verify: Callable[[Store, DataFolder], Verification] = steps.verify_tonight


@dataclass(frozen=True, slots=True)
class Night:
    """What a night came to: whether all of it is there, its load, and the files that readers and users open."""

    status: str
    """That of the crawl; `partial` too where this program failed on a page."""
    load_id: str
    corpus: Path
    dataset: Path


def run_night(data: Path, config: Path | None, night_steps: NightSteps | None = None) -> Night:
    """Crawl, build, the quality gate, publish, export, and a look at a share of what was stored before.

    Raises `HeldBack` where the gate is shut: the warehouse is built then, and readers keep the corpus they have.
    Raises `StoreLocked` where another command holds the data folder, `StoreDamaged` where that look finds damage.
    """
    do = night_steps or NightSteps()
    folder = DataFolder(data)
    with open_store(data, command="run") as store:
        say(f"crawl: {describe_target(config)}")
        crawl = do.crawl(store, config)
        built = do.build(store, folder)
        check(do.drift(folder))
        corpus = do.publish(folder)
        export = do.export(folder, folder.dataset)
        # Last: whatever has become of an old record, readers have the night's corpus.
        damaged = do.verify(store, folder).damaged
        for damage in damaged:
            say(damage.line)
        if damaged:
            raise damaged[0]
    status = "partial" if built.failed else crawl.status
    return Night(status, built.load.load_id, corpus, export.target)
