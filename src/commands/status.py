"""`verdicts status`: the last nights, and what readers see."""

from rich.console import Console
from rich.table import Table

from commands.skip_report import print_left_alone
from commands.summary import summary
from fetch.store.store import Store
from pipeline.data_folder import DataFolder
from warehouse.serving.publish import published
from warehouse.storage.errors import NothingPublished

NIGHTS = 7


def print_status(store: Store, folder: DataFolder) -> None:
    """A row a night, newest first, what the last crawl left alone, then the corpus in one line."""
    crawls = sorted(store.crawls(), key=lambda crawl: crawl.crawl_id, reverse=True)
    console = Console(width=None if Console().is_terminal else 100)
    table = Table("crawl", "kind", "status", "fetched", "unchanged", "failed", "MB", box=None, pad_edge=False)
    for crawl in crawls[:NIGHTS]:
        numbers = (str(crawl.fetched), str(crawl.unchanged), str(crawl.failed), f"{crawl.bytes / 1e6:.1f}")
        table.add_row(crawl.crawl_id, crawl.kind, crawl.status, *numbers)
    console.print(table)
    for crawl in [crawl for crawl in crawls if crawl.kind == "crawl"][:1]:
        print_left_alone(store, crawl.crawl_id)
    try:
        corpus = published(folder.serve)
    except NothingPublished as nothing:
        console.print(str(nothing), soft_wrap=True)
        return
    held = summary(corpus).row(0, named=True)
    console.print(f"{corpus.name}: " + ", ".join(f"{count:,} {name}" for name, count in held.items()), soft_wrap=True)
