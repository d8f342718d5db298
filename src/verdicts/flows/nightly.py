"""The flows. `verdicts.pipeline.night` has the order of a night, `verdicts.flows.states` the final states.

Each step of a night is a task for a whole batch, never for a page. All parameters are plain values or paths, so
that `prefect.yaml` can deploy every flow.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import ParamSpec, TypeVar

from prefect import flow, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.model.errors import StoreLocked
from verdicts.fetch.store.store import Store, open_store
from verdicts.flows.states import end_soon_and_quietly, ended, keep_in_run, state_of
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import message
from verdicts.pipeline.gates.words import check_held
from verdicts.pipeline.night import NightSteps, crawl_in_words, run_night
from verdicts.pipeline.nights.kept_reports import newest_report
from verdicts.pipeline.nights.reporting import report_refusal
from verdicts.pipeline.progress import say
from verdicts.pipeline.sources.config import Config, load_config
from verdicts.pipeline.sources.page_files import compiled, find_sources

P = ParamSpec("P")
R = TypeVar("R")

WRITES_AGAIN = 2
"""A failed copy or export leaves nothing behind, so it is tried again: the disk may be full only for a minute.

The crawl has retries per address. A failed build would fail again.
"""
WRITES_AFTER_S = 30


def tasks_of_night(config: Config, *, everything: bool = False) -> NightSteps:
    """The steps as tasks with names such as `crawl 2026-11-21 a.example`."""
    day = datetime.now(UTC).date().isoformat()

    def crawl(store: Store, config: Config) -> CrawlRow:
        return steps.crawl_sites(store, config, everything=everything)

    def as_task(step: Callable[P, R], name: str, retries: int = 0) -> Callable[P, R]:
        decorated = task(
            name=name,
            task_run_name=f"{name} {day} {config.in_words}".replace("{", "{{").replace("}", "}}"),
            tags=["verdicts", name],
            retries=retries,
            retry_delay_seconds=WRITES_AFTER_S,
            # Stores and folders cannot be cache keys.
            cache_policy=NO_CACHE,
        )
        return decorated(step)

    return NightSteps(
        crawl=as_task(crawl, "crawl"),
        build=as_task(steps.build_corpus, "build"),
        publish=as_task(steps.publish_corpus, "publish", WRITES_AGAIN),
        export=as_task(steps.export_dataset, "export", WRITES_AGAIN),
        verify=as_task(steps.verify_tonight, "verify"),
    )


KEY = "night-report"


@contextmanager
def report_as_artifact(folder: DataFolder) -> Iterator[None]:
    """Keeps the report of the body as an artifact, even if the body fails. Failing to keep it fails nothing."""
    before = newest_report(folder)
    try:
        yield
    finally:
        # A new report would be that of the other run.
        if not isinstance(sys.exception(), StoreLocked):
            _keep_newer(folder, before)


def _keep_newer(folder: DataFolder, before: Path | None) -> None:
    try:
        newest = newest_report(folder)
        if newest is not None and newest != before:
            text = newest.read_text(encoding="utf-8")
            create_markdown_artifact(text, key=KEY, description=f"The report of night {newest.stem}")
    except Exception as error:
        # The night is done, whatever fails in server or client.
        say(f"the report could not be kept as an artifact: {type(error).__name__}: {message(error)}")


@flow(flow_run_name="nightly {data}")
def nightly(
    data: Path = Path("data"), config: Path | None = None, everything: bool = False, wait_minutes: float = 0
) -> State[str]:
    """The whole night. `everything` asks for every known page, due or not."""

    def work(config: Config) -> State[str]:
        with report_as_artifact(DataFolder(data)):
            night = run_night(data, config, tasks_of_night(config, everything=everything))
        return ended(night.status, night.headline)

    def refused(error: StoreLocked) -> None:
        report_refusal(DataFolder(data), load_config(config), error)

    return _run(work, config, wait_minutes, refused)


@flow(flow_run_name="crawl {data}")
def crawl(
    data: Path = Path("data"), config: Path | None = None, everything: bool = False, wait_minutes: float = 0
) -> State[str]:
    """Crawls the due pages into the raw store."""

    def work(config: Config) -> State[str]:
        tasks = tasks_of_night(config, everything=everything)
        with open_store(data, command="crawl") as store:
            record = tasks.crawl(store, config)
        return ended(record.status, crawl_in_words(record))

    return _run(work, config, wait_minutes)


@flow(flow_run_name="build {data}")
def build(data: Path = Path("data"), config: Path | None = None, wait_minutes: float = 0) -> State[str]:
    """Builds the warehouse from the raw store."""

    def work(config: Config) -> State[str]:
        with open_store(data, command="build") as store:
            built = tasks_of_night(config).build(store, DataFolder(data), config)
        check_held(built.gates)
        return ended("partial" if built.failed else "done", f"load {built.load.load_id}")

    return _run(work, config, wait_minutes)


@flow(flow_run_name="ingest {data}")
def ingest(
    paths: list[Path],
    data: Path = Path("data"),
    config: Path | None = None,
    urls: Path | None = None,
    include: str | None = None,
    wait_minutes: float = 0,
) -> State[str]:
    """Ingests files and archives, builds, and publishes.

    `include` is a regular expression: only archive records with a matching address are ingested.
    """

    def work(config: Config) -> State[str]:
        folder, tasks = DataFolder(data), tasks_of_night(config)
        sources, wanted = find_sources(paths, urls), compiled(include)
        with open_store(data, command="ingest") as store:
            record = steps.ingest_files(store, sources, wanted)
            built = tasks.build(store, folder, config)
            corpus = tasks.publish(folder, config.care.keep)
        check_held(built.gates)
        status = "partial" if record.failed or built.failed else "done"
        return ended(status, f"{crawl_in_words(record)}; {corpus.name}")

    return _run(work, config, wait_minutes)


@flow(flow_run_name="publish {data}")
def publish(data: Path = Path("data"), config: Path | None = None) -> State[str]:
    """Publishes a copy for readers."""

    def work(config: Config) -> State[str]:
        return ended("done", str(tasks_of_night(config).publish(DataFolder(data), config.care.keep)))

    return _run(work, config)


@flow(flow_run_name="export {data}")
def export(data: Path = Path("data"), directory: Path | None = None) -> State[str]:
    """Exports the Parquet dataset."""

    def work(config: Config) -> State[str]:
        folder = DataFolder(data)
        return ended("done", str(tasks_of_night(config).export(folder, directory or folder.dataset).target))

    return _run(work, None)


def _run(
    work: Callable[[Config], State[str]],
    config: Path | None,
    wait_minutes: float = 0,
    refused: Callable[[StoreLocked], None] | None = None,
) -> State[str]:
    keep_in_run()
    end_soon_and_quietly()

    def checked() -> State[str]:
        # First of all, so that a wrong config leaves nothing but the state of the run.
        return work(load_config(config, for_night=True))

    return state_of(checked, wait_minutes=wait_minutes, refused=refused)
