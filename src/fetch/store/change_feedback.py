"""Feedback from the build to the frontier: whether a page whose bytes changed also changed in content.

A nonce, a timestamp or an advertisement changes the bytes every night; only what the build extracts from a page shows
whether its content changed. Until the build has read a new snapshot, new bytes count as a change.
"""

import sqlite3
from collections.abc import Mapping
from datetime import datetime, timedelta

from verdicts.fetch.model.revisit import Revisit
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store import frontier


def record_content_digests(state: sqlite3.Connection, digests: Mapping[Location, str]) -> None:
    """Stores the digest of what was extracted from each snapshot. Part of the caller's transaction."""
    state.executemany(
        "UPDATE snapshots SET content_sha256 = ? WHERE segment = ? AND segment_offset = ?",
        [(digest, location.segment, location.offset) for location, digest in digests.items()],
    )


def verify_changes(state: sqlite3.Connection, host: str, revisit: Revisit) -> None:
    """Corrects the pages of a host that were counted as changed, where the build has read them since.

    Where the content is the same, the page gets the interval of an unchanged one, and its ETag counts as right. What
    the sitemap claimed is scored. Part of the caller's transaction.
    """
    unverified = state.execute(
        "SELECT url, sha256, claim, fetched_at, interval_s FROM urls WHERE host = ? AND is_content_unverified = 1",
        (host,),
    ).fetchall()
    for url, sha256, claim, fetched_at, interval_s in unverified:
        is_same = _is_content_same(state, url, sha256)
        if is_same is None:
            continue
        if claim is not None:
            frontier.score_claim(state, host, is_right=(claim == "same") == is_same)
        state.execute("UPDATE urls SET is_content_unverified = 0, claim = NULL WHERE url = ?", (url,))
        if is_same:
            interval = revisit.after_false_change(timedelta(seconds=interval_s))
            due_at = datetime.fromisoformat(fetched_at) + interval
            state.execute(
                "UPDATE urls SET interval_s = ?, due_at = ?, is_etag_wrong = 0 WHERE url = ?",
                (int(interval.total_seconds()), due_at.isoformat(), url),
            )


def _is_content_same(state: sqlite3.Connection, url: str, sha256: str) -> bool | None:
    """Whether the two newest snapshots of a page have the same content; None until the build has read both."""
    rows = state.execute(
        "SELECT content_sha256, sha256 FROM snapshots WHERE url = ? ORDER BY rowid DESC LIMIT 2", (url,)
    ).fetchall()
    if len(rows) < 2 or rows[0][1] != sha256 or None in {rows[0][0], rows[1][0]}:
        return None
    return bool(rows[0][0] == rows[1][0])
