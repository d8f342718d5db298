"""How the corpus stands: the last nights, and what it covers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.options import data_option
from pipeline import exit_codes
from pipeline.terminal.streams import shown_line

if TYPE_CHECKING:
    from rich.console import Console

    from fetch.store.store import Store

NIGHTS = 7
"""Crawls that `verdicts status` shows."""


@click.command()
@data_option
def status(data: Path) -> int:
    """The last nights and what the corpus covers."""
    from fetch.store.lock import holder_of_store
    from fetch.store.store import open_store
    from pipeline.data_folder import DataFolder
    from pipeline.terminal.console import SafeConsole

    console = SafeConsole(width_elsewhere=100)
    if DataFolder(data).pointer.exists() and not DataFolder(data).state.exists():
        # A dataset that was loaded: it has a corpus, and no nights of its own.
        _print_corpus(console, data)
        return exit_codes.DONE
    with open_store(data, command="status", read_only=True) as store:
        holder = holder_of_store(data)
        if holder is not None:
            console.print(shown_line(f"running: {holder}"), soft_wrap=True)
        _print_crawls(console, store, is_held=holder is not None)
        _print_corpus(console, data)
        _print_verification(console, store)
    return exit_codes.DONE


def _print_crawls(console: Console, store: Store, *, is_held: bool) -> None:
    """One row per crawl, newest first, then what the newest one skipped. Nothing runs in a folder that nobody holds."""
    from rich.table import Table

    from commands.printing.skip_report import print_skips

    crawls = sorted(store.crawls(), key=lambda crawl: crawl.crawl_id, reverse=True)
    table = Table("crawl", "kind", "status", "fetched", "unchanged", "failed", "MB", box=None, pad_edge=False)
    for crawl in crawls[:NIGHTS]:
        numbers = (str(crawl.fetched), str(crawl.unchanged), str(crawl.failed), f"{crawl.bytes / 1e6:.1f}")
        is_dead = crawl.status == "running" and not is_held
        table.add_row(crawl.crawl_id, crawl.kind, "interrupted" if is_dead else crawl.status, *numbers)
    console.print(table)
    for crawl in [crawl for crawl in crawls if crawl.kind == "crawl"][:1]:
        print_skips(store, crawl.crawl_id)


def _print_verification(console: Console, store: Store) -> None:
    """When files were last compared with their digests, and what came of it."""
    from fetch.care.noted import last_verification

    last = last_verification(store)
    if last is None:
        console.print("never verified; 'verdicts verify' reads every record", soft_wrap=True)
        return
    share = "all" if last.share == 1 else f"1/{round(1 / last.share)}"
    found = f"{last.damaged:,} damaged, such as {last.example}" if last.damaged else "nothing damaged"
    line = f"verified {last.verified_at:%Y-%m-%d %H:%M} UTC: {share} of the records, {found}"
    console.print(shown_line(line), soft_wrap=True)


def _print_corpus(console: Console, data: Path) -> None:
    """The published corpus in one line."""
    from commands.printing.summary import summary
    from pipeline.data_folder import DataFolder
    from warehouse.serving.published import published
    from warehouse.storage.errors import NothingPublished

    try:
        corpus = published(DataFolder(data).serve)
    except NothingPublished as nothing:
        console.print(str(nothing), soft_wrap=True)
        return
    counts = ", ".join(f"{count:,} {name}" for name, count in summary(corpus).items())
    console.print(f"{corpus.name}: {counts}", soft_wrap=True)


COMMANDS = (status,)
