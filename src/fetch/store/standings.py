"""How standings move in the frontier: who holds the page of an address, and who is due when one is held no more.

The law and the transitions are in `fetch.model.standing`. All writes are part of the caller's transaction.
"""

import sqlite3
from collections.abc import Mapping

from fetch.model.standing import Standing

CHAIN_MAX = 10
"""Addresses that lean one on the next, at most, on the way to the one that holds the page."""


def holder(state: sqlite3.Connection, url: str) -> str | None:
    """The address that holds the page of `url`: itself, or the end of what it leans on. None where none does."""
    for _ in range(CHAIN_MAX):
        row = state.execute("SELECT standing, alias_of, sha256 FROM urls WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        standing, alias_of, sha256 = row
        if standing == Standing.HELD:
            return None if sha256 is None else url
        if not Standing(standing).leans or alias_of is None:
            return None
        url = alias_of
    return None


def wake_leaning(state: sqlite3.Connection, url: str) -> None:
    """What leans on an address is due, this night if it was not visited yet: the address holds its page no more."""
    state.execute(
        "UPDATE urls SET due_at = min(due_at, coalesce(fetched_at, due_at))"
        " WHERE alias_of = ? AND standing IN ('alias', 'moved')",
        (url,),
    )


def wake(state: sqlite3.Connection, url: str) -> None:
    """An address without a page is due: another one names it from now on, which is news of it."""
    state.execute(
        "UPDATE urls SET due_at = min(due_at, coalesce(fetched_at, due_at)) WHERE url = ? AND standing = 'absent'",
        (url,),
    )


def moved_urls(state: sqlite3.Connection) -> Mapping[str, str]:
    """Addresses that lean on another one, and the one that holds the page in the end."""
    rows = state.execute("SELECT url FROM urls WHERE alias_of IS NOT NULL AND standing IN ('alias', 'moved')")
    ends = {url: holder(state, url) for (url,) in rows.fetchall()}
    return {url: end for url, end in ends.items() if end is not None}
