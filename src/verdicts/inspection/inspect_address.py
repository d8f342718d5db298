"""Gathers the facts about an address, and explains them. Works while a crawl runs."""

from contextlib import ExitStack
from datetime import datetime

from duckdb import DuckDBPyConnection

from verdicts.fetch.run.address_facts import read_address
from verdicts.fetch.store.store import open_store
from verdicts.inspection.explanation import Explanation, explain
from verdicts.inspection.reading_facts import read_readings
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config import Config
from verdicts.pipeline.steps import demo_site
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.serving.query import open_for_questions
from verdicts.warehouse.storage.warehouse_errors import NothingPublished


def explain_address(
    folder: DataFolder,
    config: Config,
    written: str,
    now: datetime,
    *,
    command: str,
    corpus: DuckDBPyConnection | None = None,
) -> Explanation:
    """The answer about an address. `corpus` is an open copy; by default the published one, if there is any.

    Raises `BadUrl` if the words are not an address, `StoreMissing` if no crawl or ingest left a state.
    """
    sites = tuple(site.site() for site in config.site) or (demo_site(),)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(folder.root, command=command, read_only=True))
        if corpus is None:
            corpus = _open_corpus(folder, stack)
        agent, has_config, share = config.user_agent, bool(config.site), config.share
        facts = read_address(store, sites, agent, written, has_config=has_config, share=share)
        return explain(facts, read_readings(folder, store, corpus, facts), now)


def _open_corpus(folder: DataFolder, stack: ExitStack) -> DuckDBPyConnection | None:
    try:
        return stack.enter_context(open_for_questions(find_published(folder.serve)))
    except NothingPublished:
        return None
