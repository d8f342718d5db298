"""The steps of a night as plain functions, each usable alone. Prefect's flows and the command line both call these."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from corpus.tables import TABLES
from demo_site.server import serve
from demo_site.site import SITE_HOST, SITE_URL
from fetch.model.log import CrawlRecord
from fetch.model.revisit import Revisit
from fetch.model.run_id import new_run_id
from fetch.model.site import Site
from fetch.run.crawl import crawl
from fetch.run.ingest import Source, ingest
from fetch.run.plan import Planned, plan
from fetch.store.store import Store, open_scratch
from pipeline.config import ConfigError, read_config
from pipeline.data_folder import DataFolder
from pipeline.progress import step
from pipeline.quality_gate import Drift, drift_of
from pipeline.record_files import read_kinds
from warehouse.exporting.dataset import read_dataset
from warehouse.exporting.export import ExportReport, export
from warehouse.loading.load import LoadReport, load
from warehouse.serving.publish import publish, published

DEFAULT_CONFIG = Path("verdicts.toml")
DEMO_USER_AGENT = "verdicts/0.1 (demo on loopback)"
DEMO_CONNECTIONS = 4


@dataclass(frozen=True, slots=True)
class Target:
    """What to crawl, and as whom."""

    sites: tuple[Site, ...]
    user_agent: str
    is_demo: bool


def now() -> datetime:
    """The clock of the night. In whole seconds: nothing in the corpus is finer."""
    return datetime.now(UTC).replace(microsecond=0)


def check_config(config: Path | None) -> None:
    """Raises `ConfigError` before anything is made or opened for a config that cannot be used."""
    chosen = _chosen(config)
    if chosen is not None:
        read_config(chosen)


def _chosen(config: Path | None) -> Path | None:
    return config if config is not None or not DEFAULT_CONFIG.exists() else DEFAULT_CONFIG


@contextmanager
def target(config: Path | None) -> Iterator[Target]:
    """The sites of a config; without one, the bundled demo site, served on loopback while the context is open."""
    chosen = _chosen(config)
    if chosen is not None:
        settings = read_config(chosen)
        yield Target(tuple(site.site() for site in settings.site), settings.user_agent, is_demo=False)
        return
    # Always due: whoever runs the demo twice wants to see it crawl twice.
    with serve() as (host, port):
        demo = Site(
            hosts=(SITE_HOST,),
            start_urls=(SITE_URL,),
            resolve={SITE_HOST: (host, port)},
            allow_private=True,
            delay_s=0,
            connections=DEMO_CONNECTIONS,
            revisit=Revisit(least=timedelta(), most=timedelta()),
        )
        yield Target((demo,), DEMO_USER_AGENT, is_demo=True)


async def crawl_sites(store: Store, config: Path | None, *, everything: bool = False) -> CrawlRecord:
    """One crawl of all sites: of what is due, or of everything known."""
    with target(config) as chosen, step("crawl", "addresses") as advance:
        return await crawl(
            store,
            chosen.sites,
            user_agent=chosen.user_agent,
            everything=everything,
            on_progress=lambda progress: advance(progress.done, progress.total),
        )


def crawl_now(store: Store, config: Path | None, *, everything: bool = False) -> CrawlRecord:
    """`crawl_sites` for callers without an event loop."""
    return asyncio.run(crawl_sites(store, config, everything=everything))


def plan_now(data: Path, config: Path | None) -> list[Planned]:
    """What a crawl would do now. Reads robots.txt and sitemaps, writes nothing."""
    with target(config) as chosen, open_scratch(data) as store:
        return asyncio.run(plan(store, chosen.sites, user_agent=chosen.user_agent))


def ingest_files(store: Store, sources: Sequence[Source]) -> CrawlRecord:
    """Files into the raw store, as a crawl of their own."""
    with step("ingest", "files") as advance:
        record = ingest(store, sources, clock=now)
        advance(len(sources), len(sources))
    return record


def drift_now(folder: DataFolder) -> Drift:
    """What the last run did to the pages known before."""
    return drift_of(read_kinds(sorted(folder.records.glob("*.parquet"))))


def publish_corpus(folder: DataFolder) -> Path:
    """A read-only copy of the warehouse for readers, and the pointer moved to it."""
    if not folder.warehouse.exists():
        raise ConfigError(f"{folder.root} has no warehouse yet; run 'verdicts run' or 'verdicts build' first")
    with step("publish", "copies") as advance:
        path = publish(folder.warehouse, folder.serve, at=now())
        advance(1, 1)
    return path


def load_dataset(folder: DataFolder, directory: Path) -> LoadReport:
    """A warehouse out of an exported dataset, for whoever has that alone."""
    if folder.state.exists():
        raise ConfigError(
            f"{folder.root} has pages of its own, and its warehouse is built from them; choose another --data"
        )
    moment = now()
    with step("load", "rows changed") as advance:
        dataset = read_dataset(directory)
        report = load(
            folder.warehouse,
            dataset.rows,
            crawls=dataset.crawls,
            fetches=dataset.fetches,
            load_id=new_run_id(moment),
            loaded_at=moment,
            extractor_version=dataset.extractor_version,
        )
        advance(report.moved, report.moved)
    return report


def export_dataset(
    folder: DataFolder, directory: Path, *, tables: Sequence[str] = tuple(TABLES), forms: Sequence[str] = ("parquet",)
) -> ExportReport:
    """The published corpus as a dataset."""
    with step("export", "files") as advance:
        report = export(published(folder.serve), directory, tables=tables, forms=forms)
        advance(len(report.files), len(report.files))
    return report
