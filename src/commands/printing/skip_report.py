"""What a crawl skipped and why, as a table for an operator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.pipeline.terminal import shown_line

if TYPE_CHECKING:
    from verdicts.fetch.run.plan import Planned
    from verdicts.fetch.store.store import Store

WORTH_A_LINE = ("robots_denied", "noindex", "alias", "blocked", "soft_404", "out_of_scope")
"""Outcomes of the log that are no failure of the host, and that an operator will ask about."""

FIRST = 10
"""Addresses shown of those that would be fetched."""

_WIDTH = 160
"""Characters of a line that is not shown on a terminal."""

_MEANINGS: dict[str, str] = {
    **{str(outcome): outcome.meaning for outcome in Outcome},
    **{str(reason): reason.meaning for reason in SkipReason},
    "fetch": "would be fetched",
}


def print_skips(store: Store, crawl_id: str) -> None:
    """One line per host and reason of one crawl; nothing where it skipped nothing."""
    outcomes = [outcome for outcome in store.outcomes(crawl_id) if outcome.reason in WORTH_A_LINE]
    skips = [*store.skips(crawl_id), *outcomes]
    if skips:
        _print("left alone", [(skip.host, skip.reason, skip.skipped, skip.example) for skip in skips])


def print_lines(lines: Sequence[str]) -> None:
    """Why there is nothing of a host, or less than it seems: one line each."""
    from verdicts.pipeline.progress import SafeConsole

    console = SafeConsole(width_elsewhere=_WIDTH)
    for line in lines:
        console.print(shown_line(line), soft_wrap=True)


def print_plan(planned: Sequence[Planned]) -> None:
    """What a crawl would do: one line per host and decision, then the addresses it would begin with."""
    from verdicts.pipeline.progress import SafeConsole

    counts = Counter((item.host, item.decision) for item in planned)
    examples = {(item.host, item.decision): item.url for item in reversed(planned)}
    _print("decision", [(*key, number, examples[key]) for key, number in sorted(counts.items(), key=_fetch_first)])
    console = SafeConsole(width_elsewhere=_WIDTH)
    for item in [item for item in planned if item.decision == "fetch"][:FIRST]:
        console.print(shown_line(f"fetch {item.url}"), soft_wrap=True)
    console.print("Links found on these pages come on top, as far as the config and the budget go.", soft_wrap=True)


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
