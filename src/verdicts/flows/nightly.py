"""The night as a Prefect flow: each step is a task, and the crawl is a task per site.

    python flows/nightly.py                        run it once
    python flows/nightly.py --cron "30 2 * * *"    run it every night, by a Prefect API that runs already
    prefect deploy --all                           deploy it to a work pool (prefect.yaml)

`verdicts run` is the same night without a server. `verdicts.pipeline.night` has the order of the steps for both.
"""

from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State

from verdicts.fetch.care.store_verification import Verified
from verdicts.fetch.model.site import Site
from verdicts.fetch.run.crawl import SitePart
from verdicts.fetch.store.store import Store
from verdicts.flows import states
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
from verdicts.pipeline.night import NightSteps, run_night
from verdicts.pipeline.nights.record import NightRecord
from verdicts.pipeline.nights.reporting import load_night_config
from verdicts.warehouse.exporting.contents import DatasetSettings
from verdicts.warehouse.exporting.export import ExportReport
from verdicts.warehouse.serving.published import Keep


@task(task_run_name="crawl {site.hosts[0]}", cache_policy=NO_CACHE)
async def crawl(site: Site, part: SitePart) -> None:
    """Crawls a site. All sites are crawled at once, in one event loop; an address has retries of its own."""
    await part(site)


@task(task_run_name="extract", cache_policy=NO_CACHE)
def extract(building: Building) -> ExtractedPages:
    """Snapshots in, records out."""
    return extract_pages(building)


@task(task_run_name="normalize", cache_policy=NO_CACHE)
def normalize(building: Building, extracted: ExtractedPages) -> Normalized | None:
    """Records in, rows out."""
    return normalize_records(building, extracted)


@task(task_run_name="load", cache_policy=NO_CACHE)
def load(building: Building, extracted: ExtractedPages, normalized: Normalized | None) -> BuildReport:
    """Rows into DuckDB, in one transaction."""
    return load_rows(building, extracted, normalized)


# A failed copy or export leaves nothing behind, and the disk may be full only for a minute.
@task(task_run_name="publish", retries=2, retry_delay_seconds=30, cache_policy=NO_CACHE)
def publish(folder: DataFolder, keep: Keep | None) -> Path:
    """A read-only copy for readers."""
    return steps.publish_corpus(folder, keep)


@task(task_run_name="export", retries=2, retry_delay_seconds=30, cache_policy=NO_CACHE)
def export(folder: DataFolder, directory: Path, settings: DatasetSettings) -> ExportReport:
    """The Parquet dataset."""
    return steps.export_dataset(folder, directory, settings)


@task(task_run_name="verify", cache_policy=NO_CACHE)
def verify(store: Store) -> Verified:
    """A share of the raw store, compared with its checksums."""
    return steps.verify_tonight(store)


@flow(flow_run_name="nightly {data}")
def nightly(
    data: Path = Path("data"), config: Path | None = None, everything: bool = False, wait_minutes: float = 0
) -> State[None]:
    """The whole night. `everything` asks for every known page; `wait_minutes` for another run on the data folder."""
    states.keep_log()
    began_at, folder = steps.now(), DataFolder(data)

    def night() -> NightRecord:
        settings = load_night_config(folder, config)
        states.note_run(folder)

        tasks = NightSteps(crawl, extract, normalize, load, publish, export, verify)
        return run_night(data, settings, tasks, everything=everything, wait_minutes=wait_minutes)

    state = states.end_in_state(night)
    states.keep_report(folder, began_at)
    return state


if __name__ == "__main__":
    from verdicts.flows.command import cli

    cli()
