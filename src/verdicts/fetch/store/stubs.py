"""Stubs in place of pages: what each says, and since when. All writes are part of the caller's transaction."""

import sqlite3
from datetime import date
from typing import NamedTuple

from verdicts.fetch.model.addresses import find_host


class Stub(NamedTuple):
    """Since when a page shows these words, and how many other pages of its host show them now."""

    since: date
    others: int


def note_stub(state: sqlite3.Connection, url: str, words: str, today: date) -> Stub:
    """Stores that a page shows a stub with this digest of its words."""
    state.execute(
        "INSERT INTO stubs VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET words = excluded.words,"
        " since = iif(words = excluded.words, since, excluded.since)",
        (url, find_host(url), words, today.isoformat()),
    )
    since, others = state.execute(
        "SELECT since, (SELECT count(*) - 1 FROM stubs AS others WHERE others.host = stubs.host AND others.words = ?2)"
        " FROM stubs WHERE url = ?1",
        (url, words),
    ).fetchone()
    return Stub(date.fromisoformat(since), int(others))


def forget_stub(state: sqlite3.Connection, url: str) -> None:
    """Forgets a stub: the page is back, or another answer is accepted."""
    state.execute("DELETE FROM stubs WHERE url = ?", (url,))
