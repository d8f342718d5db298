"""The state of the corpus: the last nights, current problems, its size, and the workers of a scheduler."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verdicts.commands.options import config_option, data_option
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DEFAULT_CONFIG, DataFolder
from verdicts.pipeline.terminal import shown_line
from verdicts.warehouse.serving.published import published

if TYPE_CHECKING:
    from rich.console import Console

    from verdicts.fetch.care.verify import NotedVerification
    from verdicts.fetch.store.store import Store
    from verdicts.pipeline.engine.cluster import ClusterState, WorkerState
    from verdicts.pipeline.nights.status import Entry, FolderStatus


@click.command()
@data_option
@config_option
@click.option("--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True)
def status(data: Path, config: Path | None, form: str) -> int:
    """Show the last ten nights, open problems, the size of the corpus, and workers."""
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.nights.incidents import Incidents
    from verdicts.pipeline.nights.status import FolderStatus, status_of

    folder = DataFolder(data)
    if folder.pointer.exists() and not folder.state.exists():
        # A loaded dataset has a corpus, but no nights of its own.
        _show(folder, FolderStatus(None, (), (), None, None, Incidents()), None, _cluster(config), form)
        return exit_codes.DONE
    with open_store(data, command="status", read_only=True) as store:
        _show(folder, status_of(folder, store), store, _cluster(config), form)
    return exit_codes.DONE


def _cluster(config: Path | None) -> ClusterState | None:
    """The state of the configured scheduler, if there is one."""
    if config is None and not DEFAULT_CONFIG.exists():
        return None
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
    from verdicts.commands.printing.summary import print_lines, print_skips, summary
    from verdicts.pipeline.progress import SafeConsole
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


def print_nights(console: Console, status: FolderStatus) -> None:
    from rich.table import Table

    if status.running is not None:
        console.print(shown_line(f"running: {status.running}"), soft_wrap=True)
    table = Table(
        "began, UTC", "", "state", "fetched", "unchanged", "failed", "MB", "in words", box=None, pad_edge=False
    )
    for entry in status.entries:
        table.add_row(f"{entry.began_at:%Y-%m-%d %H:%M}", entry.kind, entry.status, *_counts(entry), _words(entry))
    console.print(table)


def print_trouble(console: Console, status: FolderStatus) -> None:
    """Prints open problems, and recipients who could not be alerted."""
    for incident in status.incidents.open:
        console.print(shown_line(f"open: {incident.line}"), soft_wrap=True)
    for item in status.incidents.undelivered:
        console.print(shown_line(f"not reached: {item.address}, in night {item.night_id}: {item.why}"), soft_wrap=True)


def print_verification(console: Console, last: NotedVerification | None) -> None:
    """Prints when files were last compared with their digests, and the result."""
    if last is None:
        console.print("never verified; run 'verdicts verify'", soft_wrap=True)
        return
    share = "all" if last.share == 1 else f"1/{round(1 / last.share)}"
    found = f"{last.damaged:,} damaged, such as {last.example}" if last.damaged else "nothing damaged"
    line = f"verified {last.verified_at:%Y-%m-%d %H:%M} UTC: {share} of the records, {found}"
    console.print(shown_line(line), soft_wrap=True)


def as_json(status: FolderStatus, corpus: str | None, counts: Mapping[str, int], cluster: ClusterState | None) -> str:
    """The same for programs, with more detail: times in ISO 8601, whole addresses."""
    content = {
        "running": status.running,
        "nights": [_entry(entry) for entry in status.entries],
        "left_alone": [asdict(skip) for skip in status.skips],
        "why": list(status.why),
        "incidents": [asdict(incident) for incident in status.incidents.open],
        "undelivered": [asdict(item) for item in status.incidents.undelivered],
        "verified": None if status.verified is None else asdict(status.verified),
        "published": corpus,
        "corpus": dict(counts),
        "cluster": None if cluster is None else asdict(cluster),
    }
    return json.dumps(content, ensure_ascii=False, indent=1, default=datetime.isoformat)


def _entry(entry: Entry) -> dict[str, Any]:
    crawl = entry.crawl
    numbers = ("fetched", "unchanged", "failed", "bytes")
    return {
        "began_at": entry.began_at,
        "ended_at": entry.ended_at,
        "kind": entry.kind,
        "status": entry.status,
        "words": entry.words,
        "crawl_id": None if crawl is None else crawl.crawl_id,
        **{name: None if crawl is None else getattr(crawl, name) for name in numbers},
    }


def _counts(entry: Entry) -> tuple[str, str, str, str]:
    crawl = entry.crawl
    if crawl is None:
        return "", "", "", ""
    return str(crawl.fetched), str(crawl.unchanged), str(crawl.failed), f"{crawl.bytes / 1e6:.1f}"


def _words(entry: Entry) -> str:
    """A night that went well needs only the numbers beside it."""
    is_said = entry.status in {"done", "running"}
    return "" if is_said else shown_line(entry.words)


SILENT_S = 5.0
"""A worker reports twice a second; after this silence it is stopped, or its network is."""


def print_cluster(console: Console, cluster: ClusterState) -> None:
    """Prints whether the scheduler answers, and the load of each worker."""
    from rich.table import Table

    if cluster.why is not None:
        console.print(shown_line(cluster.why), soft_wrap=True)
        return
    count = f"{len(cluster.workers)} workers" if cluster.workers else "no worker; 'verdicts worker' starts one"
    console.print(
        shown_line(f"scheduler {cluster.scheduler}: {count}, {cluster.waiting:,} batches wait"), soft_wrap=True
    )
    if not cluster.workers:
        return
    table = Table("worker", "process", "threads", "MB", "works on", box=None, pad_edge=False)
    for worker in cluster.workers:
        memory = f"{worker.memory_bytes / 1e6:.0f}"
        table.add_row(
            shown_line(worker.name), f"{worker.host}:{worker.pid}", str(worker.threads), memory, _work(worker)
        )
    console.print(table)


def _work(worker: WorkerState) -> str:
    work = ", ".join(f"{work.batch} ({work.seconds:.0f} s)" for work in worker.work) or "nothing"
    silence = f"; silent for {worker.silent_s:.0f} s" if worker.silent_s > SILENT_S else ""
    return shown_line(work + silence)


COMMANDS = (status,)
