"""`verdicts status`: the last nights, and what readers see."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from fetch import CrawlRecord
from flows.folder import DataFolder
from flows.report import summary
from warehouse import NothingPublished, published

NIGHTS = 7


def print_status(crawls: Sequence[CrawlRecord], folder: DataFolder) -> None:
    """A row a night, newest first, then the corpus in one line."""
    console = Console(width=None if Console().is_terminal else 100)
    table = Table("crawl", "kind", "status", "fetched", "unchanged", "failed", "MB", box=None, pad_edge=False)
    for crawl in sorted(crawls, key=lambda crawl: crawl.crawl_id, reverse=True)[:NIGHTS]:
        numbers = (str(crawl.fetched), str(crawl.unchanged), str(crawl.failed), f"{crawl.bytes / 1e6:.1f}")
        table.add_row(crawl.crawl_id, crawl.kind, crawl.status, *numbers)
    console.print(table)
    try:
        corpus = published(folder.serve)
    except NothingPublished as nothing:
        console.print(str(nothing), soft_wrap=True)
        return
    held = summary(corpus).row(0, named=True)
    console.print(f"{corpus.name}: " + ", ".join(f"{count:,} {name}" for name, count in held.items()), soft_wrap=True)
