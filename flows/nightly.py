"""Prefect flows, thin: the order of things, retries and a record of each run. A task is a batch, never a page.

In-process by default: no server has to be started and nothing is sent anywhere. Parameters are plain strings, so that
`prefect.yaml` can deploy every flow.
"""

import asyncio
import os

os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
# A failed flow raises, and the command says so in one line; Prefect would log its traceback beside it.
os.environ.setdefault("PREFECT_LOGGING_LEVEL", "CRITICAL")
os.environ.setdefault("PREFECT_LOGGING_SERVER_LEVEL", "CRITICAL")
# "Service 'EventsWorker' failed with 1 pending item" on a busy machine: nothing of the night is lost with it.
os.environ.setdefault("PREFECT_LOGGING_INTERNAL_LEVEL", "CRITICAL")
# The in-process API takes 9 to 20 s to come up on two cores; the default of 20 s is too close to that.
os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "90")

from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.server.api.server import SubprocessASGIServer

from fetch.store.store import Store, open_store
from pipeline import steps
from pipeline.build import build as build_corpus
from pipeline.data_folder import DataFolder
from pipeline.quality_gate import check


@task(name="crawl-sites", cache_policy=NO_CACHE)
async def _crawl(store: Store, config: str | None) -> str:
    record = await steps.crawl_sites(store, None if config is None else Path(config))
    return record.status


@task(name="build-corpus", cache_policy=NO_CACHE)
def _build(store: Store, data: str, anew: bool) -> str:
    return build_corpus(store, DataFolder(Path(data)), now=steps.now(), anew=anew).load_id


@task(name="publish-corpus", cache_policy=NO_CACHE)
def _publish(data: str) -> str:
    return str(steps.publish_corpus(DataFolder(Path(data))))


@task(name="export-dataset", cache_policy=NO_CACHE)
def _export(data: str, directory: str) -> str:
    return str(steps.export_dataset(DataFolder(Path(data)), Path(directory)).target)


@flow
async def crawl(data: str = "data", config: str | None = None) -> str:
    """Fetch what is due. Returns the crawl's status."""
    with open_store(Path(data), command="crawl") as store:
        return await _crawl(store, config)


@flow
async def build(data: str = "data", anew: bool = False) -> str:
    """Raw store to warehouse. Returns the load id."""
    with open_store(Path(data), command="build") as store:
        return _build(store, data, anew)


@flow
async def publish(data: str = "data") -> str:
    """A copy for readers. Returns its path."""
    return _publish(data)


@flow
async def export(data: str = "data", directory: str | None = None) -> str:
    """The Parquet dataset. Returns its folder."""
    return _export(data, directory or str(DataFolder(Path(data)).dataset))


@flow
async def nightly(data: str = "data", config: str | None = None) -> str:
    """The whole night under one lock: crawl, build, the gates, publish, export. Returns the crawl's status."""
    with open_store(Path(data), command="run") as store:
        status = await _crawl(store, config)
        _build(store, data, anew=False)
        check(steps.drift_now(DataFolder(Path(data))))
        _publish(data)
        _export(data, str(DataFolder(Path(data)).dataset))
    return status


def run_nightly(data: Path, config: Path | None) -> str:
    """Runs the nightly flow here and now, and ends the API that Prefect started for it. Returns the crawl's status."""
    try:
        return asyncio.run(nightly(str(data), None if config is None else str(config)))
    finally:
        SubprocessASGIServer().stop()
