"""The closing table of a night: what a person wants to know of it."""

from pathlib import Path

import click
import polars as pl
from rich.console import Console
from rich.table import Table

from warehouse.loading.load import LoadReport
from warehouse.serving.query import ask

SUMMARY = (Path(__file__).parent / "summary.sql").read_text(encoding="utf-8")


def summary(corpus: Path) -> pl.DataFrame:
    """One row: pages, tools, reviews, folded, rejects."""
    return ask(corpus, SUMMARY)


def print_load(report: LoadReport) -> None:
    """Says whether a build changed anything."""
    click.echo(f"{report.load_id}: {'rows changed' if report.is_changed else 'nothing changed'}")


def print_summary(corpus: Path, seconds: float, next_command: str) -> None:
    """Prints the table and the next command to try."""
    counts = summary(corpus).row(0, named=True)
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="left")
    table.add_column(justify="right", style="bold")
    for name, count in counts.items():
        table.add_row(name, f"{count:,}")
    table.add_row("seconds", f"{seconds:.1f}")
    console = Console(width=None if Console().is_terminal else 80)
    console.print(table)
    console.print(f"\nnext: {next_command}", highlight=False, soft_wrap=True)
