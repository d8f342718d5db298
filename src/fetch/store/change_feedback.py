"""What a build read out of the pages, brought back to the frontier: bytes may differ where the content does not.

A nonce, a timestamp or an advertisement changes the bytes every night; only what was read out of a page says whether it
changed. Until a build has read it, new bytes count as a change.
"""

import sqlite3
from collections.abc import Mapping
from datetime import datetime, timedelta

from fetch.model.revisit import Revisit
from fetch.model.snapshot import Location
from fetch.store import frontier


def note_contents(state: sqlite3.Connection, contents: Mapping[Location, str]) -> None:
    """Takes the digests of what was read out of snapshots. Part of the caller's transaction."""
    state.executemany(
        "UPDATE snapshots SET content_sha256 = ? WHERE segment = ? AND segment_offset = ?",
        [(digest, location.segment, location.offset) for location, digest in contents.items()],
    )


def judge_changes(state: sqlite3.Connection, host: str, revisit: Revisit) -> None:
    """Looks at the pages of a host whose bytes had changed, once a build has read them.

    Where the content is what it was, the page is due as if it had not changed, and its ETag was no lie. What its
    sitemap claimed is scored. Part of the caller's transaction.
    """
    changed = state.execute(
        "SELECT url, sha256, claim, fetched_at, interval_s FROM urls WHERE host = ? AND is_unjudged = 1", (host,)
    ).fetchall()
    for url, sha256, claim, fetched_at, interval_s in changed:
        is_same = _is_same(state, url, sha256)
        if is_same is None:
            continue
        if claim is not None:
            frontier.score_claim(state, host, is_right=(claim == "same") == is_same)
        state.execute("UPDATE urls SET is_unjudged = 0, claim = NULL WHERE url = ?", (url,))
        if is_same:
            interval = revisit.after_false_change(timedelta(seconds=interval_s))
            due_at = datetime.fromisoformat(fetched_at) + interval
            state.execute(
                "UPDATE urls SET interval_s = ?, due_at = ?, is_etag_wrong = 0 WHERE url = ?",
                (int(interval.total_seconds()), due_at.isoformat(), url),
            )


def _is_same(state: sqlite3.Connection, url: str, sha256: str) -> bool | None:
    """Whether the newest snapshot of a page says what the one before it said; None where one is unread."""
    rows = state.execute(
        "SELECT content_sha256, sha256 FROM snapshots WHERE url = ? ORDER BY rowid DESC LIMIT 2", (url,)
    ).fetchall()
    if len(rows) < 2 or rows[0][1] != sha256 or None in {rows[0][0], rows[1][0]}:
        return None
    return bool(rows[0][0] == rows[1][0])
