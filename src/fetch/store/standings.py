"""How standings move in the frontier: who holds the page of an address, and who is due when one is held no more.

The law and the transitions are in `fetch.model.url_state`. All writes are part of the caller's transaction.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from verdicts.fetch.model.revisit import NEVER_FETCHED
from verdicts.fetch.model.url_state import Standing

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


def wake_leaning(state: sqlite3.Connection, url: str, now: datetime) -> None:
    """What leans on an address is due this very night, visited or not: the address holds its page no more.

    What is due within a day comes anyway: redirects that lead to no page.
    """
    state.execute(
        "UPDATE urls SET due_at = ?, handled_in = NULL"
        " WHERE alias_of = ? AND standing IN ('alias', 'moved') AND due_at > ?",
        (NEVER_FETCHED.isoformat(), url, (now + timedelta(days=1)).isoformat()),
    )


def aliases(state: sqlite3.Connection, url: str) -> list[str]:
    """Addresses whose page is held under `url`, which they name."""
    rows = state.execute("SELECT url FROM urls WHERE alias_of = ? AND standing = 'alias'", (url,))
    return [alias for (alias,) in rows]


def wake_again(state: sqlite3.Connection, urls: Iterable[str]) -> None:
    """Addresses are due this very night, visited or not."""
    due_at = NEVER_FETCHED.isoformat()
    state.executemany("UPDATE urls SET due_at = ?, handled_in = NULL WHERE url = ?", [(due_at, url) for url in urls])


def wake(state: sqlite3.Connection, url: str) -> None:
    """An address without a page is due: another one names it from now on, which is news of it."""
    state.execute(
        "UPDATE urls SET due_at = min(due_at, coalesce(fetched_at, due_at)) WHERE url = ? AND standing = 'absent'",
        (url,),
    )


def moved_urls(state: sqlite3.Connection) -> Mapping[str, str]:
    """Addresses that lean on another one, and the one in the end that holds the page, or was the last to hold it.

    A page that moved stays one page with what it was, though its new address fails tonight, or is gone, or though
    the redirect is: until the old address has a page of its own again.
    """
    rows = state.execute("SELECT url FROM urls WHERE moved_to IS NOT NULL AND standing IN ('alias', 'moved', 'absent')")
    ends = {url: _last_holder(state, url) for (url,) in rows.fetchall()}
    return {url: end for url, end in ends.items() if end is not None and end != url}


def _last_holder(state: sqlite3.Connection, url: str) -> str | None:
    """The end of what an address leans on, or leant on last, if a page was ever held there."""
    for _ in range(CHAIN_MAX):
        row = state.execute("SELECT standing, moved_to, sha256 FROM urls WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        standing, moved_to, sha256 = row
        if standing == Standing.HELD or moved_to is None:
            return None if sha256 is None else url
        url = moved_to
    return None
