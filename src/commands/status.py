"""How the corpus stands: the last nights, what is wrong, and what it covers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.options import config_option, data_option
from verdicts.pipeline import exit_codes

if TYPE_CHECKING:
    from verdicts.fetch.store.store import Store
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.engine.cluster import ClusterState
    from verdicts.pipeline.nights.status import FolderStatus


@click.command()
@data_option
@config_option
@click.option("--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True)
def status(data: Path, config: Path | None, form: str) -> int:
    """The last ten nights in words, what is wrong, what the corpus covers, and what workers of a scheduler do."""
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.nights.incidents import Incidents
    from verdicts.pipeline.nights.status import FolderStatus, status_of

    folder = DataFolder(data)
    if folder.pointer.exists() and not folder.state.exists():
        # A dataset that was loaded: it has a corpus, and no nights of its own.
        _show(folder, FolderStatus(None, (), (), None, None, Incidents()), None, _cluster(config), form)
        return exit_codes.DONE
    with open_store(data, command="status", read_only=True) as store:
        _show(folder, status_of(folder, store), store, _cluster(config), form)
    return exit_codes.DONE


def _cluster(config: Path | None) -> ClusterState | None:
    """How the scheduler of the config stands; None where none is configured."""
    from verdicts.pipeline.sources.config import load_config

    scheduler = load_config(config).scale.scheduler
    if scheduler is None:
        return None
    from verdicts.pipeline.engine.engine import check_dask

    check_dask()
    from verdicts.pipeline.engine.cluster import cluster_state

    return cluster_state(scheduler)


def _show(
    folder: DataFolder, state: FolderStatus, store: Store | None, cluster: ClusterState | None, form: str
) -> None:
    from verdicts.commands.printing.cluster_report import print_cluster
    from verdicts.commands.printing.skip_report import print_lines, print_skips
    from verdicts.commands.printing.status_report import as_json, print_nights, print_trouble, print_verification
    from verdicts.commands.printing.summary import summary
    from verdicts.pipeline.progress import SafeConsole
    from verdicts.warehouse.serving.published import published
    from verdicts.warehouse.storage.errors import NothingPublished

    console = SafeConsole(width_elsewhere=160)
    try:
        corpus = published(folder.serve)
        name, counts, nothing = corpus.name, summary(corpus), ""
    except NothingPublished as error:
        name, counts, nothing = None, {}, str(error)
    if form == "json":
        click.echo(as_json(state, name, counts, cluster))
        return
    if store is not None:
        print_nights(console, state)
        if state.newest_crawl is not None:
            print_skips(store, state.newest_crawl)
            print_lines(state.why)
    held = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    console.print(nothing or f"{name}: {held}", soft_wrap=True)
    if store is not None:
        print_verification(console, state.verified)
        print_trouble(console, state)
    if cluster is not None:
        print_cluster(console, cluster)


COMMANDS = (status,)
