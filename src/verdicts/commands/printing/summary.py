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

from verdicts.commands.options import add_data
from verdicts.fetch.model.outcome import Outcome, SkipReason, SkipRecord
from verdicts.pipeline.terminal import escape_line

if TYPE_CHECKING:
    from verdicts.fetch.run.plan import Planned
    from verdicts.fetch.store.store import Store
    from verdicts.pipeline.build.build import BuildReport

OTHER_SITES, OF_OTHER_SITES = "pages of other sites", ("tools on them", "values of tools")


def count_corpus(corpus: Path) -> dict[str, int]:
    """Counts of the corpus, by name: of a panel, of pages of other sites, or of both, as it has them."""
    from verdicts.warehouse.serving.query import ask

    (numbers,) = ask(corpus, (Path(__file__).parent / "summary.sql").read_text(encoding="utf-8")).records
    if numbers[OTHER_SITES] and not numbers["pages"]:
        return {"pages": numbers[OTHER_SITES]} | {name: numbers[name] for name in (*OF_OTHER_SITES, "rejects")}
    return {name: number for name, number in numbers.items() if number or name not in (OTHER_SITES, *OF_OTHER_SITES)}


def print_build(report: BuildReport) -> None:
    """Prints whether a build changed anything."""
    click.echo(f"{report.load.load_id}: {'rows changed' if report.load.is_changed else 'nothing changed'}")


def print_held(report: BuildReport) -> None:
    """Prints what the gates hold back. Raises `HeldBack` if there is anything."""
    from verdicts.pipeline.gates.holds import check_holds, list_holds
    from verdicts.pipeline.progress import say

    for line in list_holds(report.gates):
        say(line)
    check_holds(report.gates)


def print_last(line: str) -> None:
    """Prints the last line of a command on both streams, or once if both are one."""
    print_line(line)
    with suppress(OSError, ValueError):
        if os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno()):
            return
    print_line(line, is_error=True)


def print_summary(corpus: Path, seconds: float, next_command: str) -> None:
    from rich.table import Table

    from verdicts.pipeline.progress import SafeConsole

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="left")
    table.add_column(justify="right", style="bold", min_width=len("1,000,000"))
    counts = count_corpus(corpus)
    for name, count in counts.items():
        table.add_row(name, f"{count:,}")
    table.add_row("seconds", f"{seconds:.1f}")
    SafeConsole(width_elsewhere=80).print(table)
    if "tools" in counts and counts["pages"]:
        print_next(next_command)
    elif counts["pages"]:
        print_next("verdicts query list_mentioned")


def print_next(*commands: str) -> None:
    """Prints what to do next, one after the other, as a person types it here."""
    click.echo(f"\nnext: {', then '.join(map(add_data, commands))}")


def print_line(line: str, *, is_error: bool = False) -> None:
    """Prints one line, whatever it quotes."""
    click.echo(escape_line(line), err=is_error)


def print_columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints rows below their headings, without borders, each value in one line."""
    from rich.table import Table

    from verdicts.pipeline.progress import SafeConsole

    table = Table(*headings, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(escape_line, row))
    SafeConsole(width_elsewhere=_WIDTH).print(table)


WORTH_A_LINE = ("robots_denied", "noindex", "alias", "blocked", "soft_404", "out_of_scope")
"""Outcomes that are not failures of the host, but that an operator will ask about."""

_FIRST = 10
"""Shown addresses of those to fetch."""

_WIDTH = 160
"""Characters of a line that is not on a terminal."""

_MEANINGS: dict[str, str] = {
    **{str(outcome): outcome.meaning for outcome in Outcome},
    **{str(reason): reason.meaning for reason in SkipReason},
    "fetch": "would be fetched",
}


def list_skips(store: Store, crawl_id: str, *, is_demo: bool) -> list[SkipRecord]:
    """What a crawl skipped, by host and reason; without other hosts, if it is the demo, whose config names no host."""
    from verdicts.fetch.run.endings import read_endings

    endings = (ending for ending in read_endings(store.state, crawl_id) if ending.ending in WORTH_A_LINE)
    skips = (skip for skip in store.read_skips(crawl_id) if not (is_demo and skip.reason == SkipReason.OTHER_HOST))
    return [*skips, *(SkipRecord(ending.host, ending.ending, ending.addresses, ending.example) for ending in endings)]


def print_skips(skips: Sequence[SkipRecord]) -> None:
    if skips:
        _print_reasons("left alone", [(skip.host, skip.reason, skip.skipped, skip.example) for skip in skips])


def print_plan(planned: Sequence[Planned]) -> None:
    """A crawl's plan: one line per host and decision, then its first addresses."""
    counts = Counter((item.host, item.decision) for item in planned)
    examples = {(item.host, item.decision): item.url for item in reversed(planned)}
    # What would be fetched comes first.
    ordered = sorted(counts.items(), key=lambda item: (item[0][0], item[0][1] != "fetch", item[0][1]))
    _print_reasons("decision", [(*key, number, examples[key]) for key, number in ordered])
    for item in [item for item in planned if item.decision == "fetch"][:_FIRST]:
        print_line(f"fetch {item.url}")
    print_line("Links on these pages will be fetched, too, if the config and the budget allow it.")


def _print_reasons(title: str, rows: Sequence[tuple[str, str, int, str]]) -> None:
    texts = [(host, reason, f"{number:,}", _MEANINGS[reason], example) for host, reason, number, example in rows]
    print_columns(("host", title, "count", "means", "for example"), texts)
