"""The closing lines of a build or a night: what changed, and what the corpus holds now."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from verdicts.pipeline.build.build import BuildReport

OTHER_SITES = "pages of other sites"


def summary(corpus: Path) -> dict[str, int]:
    """Numbers of pages, tools, distinct reviews, repeated takes folded and rejects, under these names.

    Where other sites compare or describe tools, the number of their pages, too.
    """
    from verdicts.warehouse.serving.query import ask

    counts = ask(corpus, (Path(__file__).parent / "summary.sql").read_text(encoding="utf-8"))
    numbers = dict(zip(counts.columns, counts.rows[0], strict=True))
    return {name: number for name, number in numbers.items() if number or name != OTHER_SITES}


def print_build(report: BuildReport) -> None:
    """Says whether a build changed anything."""
    # Rows that were not loaded are told where their manifest is.
    if not report.is_apart:
        click.echo(f"{report.load.load_id}: {'rows changed' if report.load.is_changed else 'nothing changed'}")


def tell_held(report: BuildReport) -> None:
    """Says what the gates hold back. Raises `HeldBack` where that is anything."""
    from verdicts.pipeline.gates.words import check_held, held_lines
    from verdicts.pipeline.progress import say

    for line in held_lines(report.gates):
        say(line)
    check_held(report.gates)


def print_last(line: str) -> None:
    """The last line of a command, on both streams: whoever keeps one of them has it. Once where both are one."""
    from verdicts.pipeline.terminal import shown_line

    click.echo(shown_line(line))
    with suppress(OSError, ValueError):
        if os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno()):
            return
    click.echo(shown_line(line), err=True)


def print_summary(corpus: Path, seconds: float, next_command: str) -> None:
    """Prints the summary as a table, and the next command to try."""
    from rich.table import Table

    from verdicts.pipeline.progress import SafeConsole

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="left")
    table.add_column(justify="right", style="bold", min_width=len("1,000,000"))
    for name, count in summary(corpus).items():
        table.add_row(name, f"{count:,}")
    table.add_row("seconds", f"{seconds:.1f}")
    console = SafeConsole(width_elsewhere=80)
    console.print(table)
    console.print(f"\nnext: {next_command}", soft_wrap=True)
