"""The steps of a night as Prefect tasks. A task is a batch, never a page."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import ParamSpec, TypeVar

from prefect import task
from prefect.cache_policies import NO_CACHE

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.store.store import Store
from verdicts.pipeline import steps
from verdicts.pipeline.night import NightSteps
from verdicts.pipeline.sources.config import Config

P = ParamSpec("P")
R = TypeVar("R")

WRITES_AGAIN = 2
"""A copy or an export that failed leaves nothing behind, so that a disk that was full for a minute costs no night.

The crawl has its own retries, address by address; a build that failed would fail again.
"""
WRITES_AFTER_S = 30


def tasks_of_night(config: Config, *, everything: bool = False) -> NightSteps:
    """The steps as tasks whose runs say what they are for: `crawl 2026-11-21 a.example`."""
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
            # A store or a folder is no key of a cache.
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
