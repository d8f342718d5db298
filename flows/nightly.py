"""Prefect flows, thin: a record of each run and of each of its steps. A task is a batch, never a page.

Parameters and results are plain strings, so that `prefect.yaml` can deploy every flow. The order of a night is
`pipeline.night`'s.
"""

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from fetch.store.store import open_store
from pipeline import steps
from pipeline.data_folder import DataFolder
from pipeline.night import NightSteps, run_night
from pipeline.sources.targets import care_of

P = ParamSpec("P")
R = TypeVar("R")


def _task(step: Callable[P, R]) -> Callable[P, R]:
    """A step as a task: `crawl_sites` becomes `crawl-sites`. A store or a folder is no key of a cache."""
    return task(name=step.__name__.replace("_", "-"), cache_policy=NO_CACHE)(step)


TASKS = NightSteps(
    crawl=_task(steps.crawl_sites),
    build=_task(steps.build_corpus),
    publish=_task(steps.publish_corpus),
    export=_task(steps.export_dataset),
    verify=_task(steps.verify_tonight),
    back_up=_task(steps.back_up_tonight),
)


@flow
def nightly(data: str = "data", config: str | None = None) -> str:
    """The whole night. Returns its status."""
    return run_night(Path(data), _path(config), TASKS).status


@flow
def crawl(data: str = "data", config: str | None = None) -> str:
    """Fetch what is due. Returns the crawl's status."""
    with open_store(Path(data), command="crawl") as store:
        return TASKS.crawl(store, _path(config)).status


@flow
def build(data: str = "data") -> str:
    """Raw store to warehouse. Returns the load id."""
    with open_store(Path(data), command="build") as store:
        return TASKS.build(store, DataFolder(Path(data)), None).load.load_id


@flow
def publish(data: str = "data", config: str | None = None) -> str:
    """A copy for readers. Returns its path."""
    return str(TASKS.publish(DataFolder(Path(data)), care_of(_path(config)).keep))


@flow
def export(data: str = "data", directory: str | None = None) -> str:
    """The Parquet dataset. Returns its folder."""
    folder = DataFolder(Path(data))
    return str(TASKS.export(folder, _path(directory) or folder.dataset).target)


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)
