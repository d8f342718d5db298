"""The closing lines of a command: changes, the size of the corpus, and what a crawl skipped."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.pipeline.terminal import shown_line

if TYPE_CHECKING:
    from verdicts.fetch.run.plan import Planned
    from verdicts.fetch.store.store import Store
    from verdicts.pipeline.build.build import BuildReport

OTHER_SITES = "pages of other sites"


def summary(corpus: Path) -> dict[str, int]:
    """Counts of the corpus, by name; with pages of other sites only if there are any."""
    from verdicts.warehouse.serving.query import ask

    counts = ask(corpus, (Path(__file__).parent / "summary.sql").read_text(encoding="utf-8"))
    numbers = dict(zip(counts.columns, counts.rows[0], strict=True))
    return {name: number for name, number in numbers.items() if number or name != OTHER_SITES}


def print_build(report: BuildReport) -> None:
    """Prints whether a build changed anything."""
    # Rows that were not loaded are reported with their manifest.
    if not report.is_apart:
        click.echo(f"{report.load.load_id}: {'rows changed' if report.load.is_changed else 'nothing changed'}")


def tell_held(report: BuildReport) -> None:
    """Prints what the gates hold back. Raises `HeldBack` if there is anything."""
    from verdicts.pipeline.gates.words import check_held, held_lines
    from verdicts.pipeline.progress import say

    for line in held_lines(report.gates):
        say(line)
    check_held(report.gates)


def print_last(line: str) -> None:
    """Prints the last line of a command on both streams, or once if both are one."""
    click.echo(shown_line(line))
    with suppress(OSError, ValueError):
        if os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno()):
            return
    click.echo(shown_line(line), err=True)


def print_summary(corpus: Path, seconds: float, next_command: str) -> None:
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


WORTH_A_LINE = ("robots_denied", "noindex", "alias", "blocked", "soft_404", "out_of_scope")
"""Outcomes that are no failure of the host, but that an operator will ask about."""


FIRST = 10
"""Shown addresses of those to fetch."""


_WIDTH = 160
"""Characters of a line that is not on a terminal."""


_MEANINGS: dict[str, str] = {
    **{str(outcome): outcome.meaning for outcome in Outcome},
    **{str(reason): reason.meaning for reason in SkipReason},
    "fetch": "would be fetched",
}


def print_skips(store: Store, crawl_id: str) -> None:
    """One line per host and reason of a crawl's skips, if there are any."""
    outcomes = [outcome for outcome in store.outcomes(crawl_id) if outcome.reason in WORTH_A_LINE]
    skips = [*store.skips(crawl_id), *outcomes]
    if skips:
        _print("left alone", [(skip.host, skip.reason, skip.skipped, skip.example) for skip in skips])


def print_lines(lines: Sequence[str]) -> None:
    """Why a host gave nothing, or less than expected: one line each."""
    from verdicts.pipeline.progress import SafeConsole

    console = SafeConsole(width_elsewhere=_WIDTH)
    for line in lines:
        console.print(shown_line(line), soft_wrap=True)


def print_plan(planned: Sequence[Planned]) -> None:
    """A crawl's plan: one line per host and decision, then its first addresses."""
    from verdicts.pipeline.progress import SafeConsole

    counts = Counter((item.host, item.decision) for item in planned)
    examples = {(item.host, item.decision): item.url for item in reversed(planned)}
    _print("decision", [(*key, number, examples[key]) for key, number in sorted(counts.items(), key=_fetch_first)])
    console = SafeConsole(width_elsewhere=_WIDTH)
    for item in [item for item in planned if item.decision == "fetch"][:FIRST]:
        console.print(shown_line(f"fetch {item.url}"), soft_wrap=True)
    console.print("Links on these pages will be fetched, too, if the config and the budget allow it.", soft_wrap=True)


def _fetch_first(item: tuple[tuple[str, str], int]) -> tuple[str, bool, str]:
    (host, decision), _ = item
    return host, decision != "fetch", decision


def _print(title: str, rows: Sequence[tuple[str, str, int, str]]) -> None:
    from rich.table import Table

    from verdicts.pipeline.progress import SafeConsole

    table = Table("host", title, "count", "means", "for example", box=None, pad_edge=False)
    for host, reason, number, example in rows:
        table.add_row(shown_line(host), reason, f"{number:,}", _MEANINGS[reason], shown_line(example))
    SafeConsole(width_elsewhere=_WIDTH).print(table)
