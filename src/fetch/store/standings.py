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
    """Addresses whose page is held under another one, and that one: what they lean on or, while held, name.

    Of addresses that name each other the smallest one that is held has the page.
    """
    rows = state.execute("SELECT url, alias_of FROM urls WHERE alias_of IS NOT NULL AND alias_of <> url")
    onward = dict(rows.fetchall())
    moved: dict[str, str] = {}
    for url in onward:
        passed = [url]
        while (following := onward.get(passed[-1])) is not None and following not in passed:
            passed.append(following)
        ends = passed[-1:] if following is None else passed[passed.index(following) :]
        end = min((end for end in ends if holder(state, end) == end), default=url)
        if end != url:
            moved[url] = end
    return moved
