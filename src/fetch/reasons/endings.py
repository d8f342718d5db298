"""What became of the frontier in a crawl: each address ends in exactly one way, so that the numbers add up."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from verdicts.corpus.unicode_text import escaped
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.skips import SkipReason

_QUERY = Path(__file__).with_name("endings.sql")

Left: TypeAlias = Mapping[str, tuple[Outcome | SkipReason, str | None]]
"""Host to why its due addresses were not all asked for, and what decided it."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How many addresses of a host ended in one way.

    `ending` is an `Outcome`, the last one of the crawl, or a `SkipReason` for those that were not asked for; in a plan
    also `fetch`. `detail` is what decided the example; for `not_due` the moment at which it is due, in ISO format, then
    what it brought last time where that was no page.
    """

    host: str
    ending: str
    addresses: int
    example: str
    detail: str | None


def count_endings(
    state: sqlite3.Connection,
    crawl_id: str,
    started_at: datetime,
    sites: Sequence[Site],
    left: Left,
    otherwise: Outcome | SkipReason,
) -> list[Ending]:
    """The whole frontier, by host and ending. `otherwise` is why a host that `left` lacks was not asked to the end.

    A crawled host without any address has one row of none.
    """
    crawled = {host for site in sites for host in site.crawled_hosts}

    def left_over(host: str) -> str:
        return left.get(host, (otherwise, None))[0] if host in crawled else SkipReason.OTHER_HOST

    def left_out(url: str) -> str:
        site = next((site for site in sites if site.has_host(url)), None)
        return SkipReason.OTHER_HOST if site is None else site.skip_reason(url) or SkipReason.NOT_DUE

    def decided_by(host: str, ending: str, example: str) -> str | None:
        if ending == SkipReason.NOT_DUE:
            return next_due(state, example)
        reason, detail = left.get(host, (otherwise, None))
        return detail if ending == reason else pattern_of(example, sites)

    for function in (left_over, left_out):
        state.create_function(function.__name__, 1, function, deterministic=True)
    parameters = {"crawl_id": crawl_id, "started_at": started_at.isoformat()}
    rows = state.execute(_QUERY.read_text(encoding="utf-8"), parameters).fetchall()
    rows += [(host, left_over(host), 0, "", None) for host in crawled - {host for host, *_ in rows}]
    return [
        Ending(host, ending, number, example, decided_by(host, ending, example) if detail is None else detail)
        for host, ending, number, example, detail in rows
    ]


def next_due(state: sqlite3.Connection, url: str) -> str | None:
    """When an address is due, and how its last attempt ended where that brought no page: the detail of `not_due`."""
    row = state.execute(
        "SELECT due_at, outcome, detail FROM urls LEFT JOIN fetches ON fetches.url = urls.url"
        " AND fetches.crawl_id = urls.handled_in AND standing = 'absent' WHERE urls.url = ? ORDER BY fetch_id DESC",
        (url,),
    ).fetchone()
    return None if row is None else " ".join(part for part in row if part)


def pattern_of(url: str, sites: Iterable[Site]) -> str | None:
    """The pattern of the config for which a URL is left out, or those that include none; None for other URLs."""
    return next((pattern for site in sites if (pattern := site.deciding_pattern(url)) is not None), None)


def note_endings(state: sqlite3.Connection, crawl_id: str, endings: Iterable[Ending]) -> None:
    """Writes the endings of a crawl, in place of those that it had. Part of the caller's transaction."""
    state.execute("DELETE FROM endings WHERE crawl_id = ?", (crawl_id,))
    state.executemany(
        "INSERT INTO endings (crawl_id, host, ending, addresses, example, detail) VALUES (?, ?, ?, ?, ?, ?)",
        [(crawl_id, *(escaped(v) if isinstance(v, str) else v for v in astuple(ending))) for ending in endings],
    )


def endings_of(state: sqlite3.Connection, crawl_id: str) -> list[Ending]:
    """The endings of a crawl, by host, the most frequent first; none of one that was killed."""
    rows = state.execute(
        "SELECT host, ending, addresses, example, detail FROM endings WHERE crawl_id = ?"
        " ORDER BY host, addresses DESC, ending",
        (crawl_id,),
    )
    return [Ending(*row) for row in rows]
