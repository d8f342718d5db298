"""Which rights pages and hosts state, from their last answers. All writes are part of the caller's transaction."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime

import msgspec

from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.charset import convert_to_utf8
from verdicts.fetch.model.snapshot import SEARCHED_BYTES, Snapshot, parse_charset, parse_media_type
from verdicts.fetch.parse.page_head import read_head
from verdicts.fetch.parse.rights import (
    SILENT,
    HostRights,
    PageRights,
    Rights,
    Signals,
    Statement,
    judge_rights,
    read_rights,
)
from verdicts.fetch.parse.tdm import TdmRule


def note_page(state: sqlite3.Connection, url: str, rights: PageRights) -> None:
    """Replaces the statements of a page."""
    if rights == SILENT:
        state.execute("DELETE FROM page_rights WHERE url = ?", (url,))
        return
    state.execute(
        "INSERT INTO page_rights VALUES (?, ?) ON CONFLICT DO UPDATE SET stated = excluded.stated",
        (url, msgspec.json.encode(rights).decode()),
    )


def read_page(state: sqlite3.Connection, url: str) -> PageRights:
    row = state.execute("SELECT stated FROM page_rights WHERE url = ?", (url,)).fetchone()
    return SILENT if row is None else msgspec.json.decode(row[0], type=PageRights)


def read_snapshot_rights(snapshot: Snapshot, token: str = "") -> PageRights:
    """The rights that the headers and the head of a snapshot state."""
    content_type = snapshot.header("content-type")
    is_text = parse_media_type(content_type) == "text/plain"
    body = b"" if is_text else convert_to_utf8(snapshot.body[:SEARCHED_BYTES], parse_charset(content_type))
    return read_rights(snapshot.headers, read_head(body, token), token)


def note_snapshot(state: sqlite3.Connection, snapshot: Snapshot) -> None:
    """Replaces what a page states by a page from a file or a segment, unless a crawl has visited it since.

    A text dump has no head and states nothing.
    """
    visited = "SELECT 1 FROM urls WHERE url = ? AND fetched_at > ?"
    if state.execute(visited, (snapshot.url, snapshot.fetched_at.isoformat())).fetchone() is None:
        rights = read_snapshot_rights(snapshot)
        if rights != SILENT or parse_media_type(snapshot.header("content-type")) != "text/plain":
            note_page(state, snapshot.url, rights)


def note_signals(state: sqlite3.Connection, host: str, signals: Signals) -> None:
    """Replaces the content signals of a host's robots.txt."""
    _note(state, host, "signals", msgspec.json.encode(signals).decode() if signals else None)


def note_tdm_file(state: sqlite3.Connection, host: str, rules: tuple[TdmRule, ...], now: datetime) -> None:
    """Replaces the rules of a host's `tdmrep.json`, which is asked for at `now`."""
    _note(state, host, "tdm_rules", msgspec.json.encode(rules).decode() if rules else None)
    _note(state, host, "tdm_read_at", now.isoformat())


def _note(state: sqlite3.Connection, host: str, column: str, value: str | None) -> None:
    state.execute(
        f"INSERT INTO hosts (host, {column}) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET {column} = ?2",  # noqa: S608  ours
        (host, value),
    )


def read_tdm_moment(state: sqlite3.Connection, host: str) -> datetime | None:
    row = state.execute("SELECT tdm_read_at FROM hosts WHERE host = ?", (host,)).fetchone()
    return None if row is None or row[0] is None else datetime.fromisoformat(row[0])


def read_host(state: sqlite3.Connection, host: str) -> HostRights:
    row = state.execute("SELECT signals, tdm_rules FROM hosts WHERE host = ?", (host,)).fetchone()
    return HostRights() if row is None else _decode_host_rights(*row)


def _decode_host_rights(signals: str | None, rules: str | None) -> HostRights:
    return HostRights(
        msgspec.json.decode(signals or "[]", type=Signals), msgspec.json.decode(rules or "[]", type=tuple[TdmRule, ...])
    )


def read_all_rights(state: sqlite3.Connection, now: datetime) -> Mapping[str, Rights]:
    """What each stored page and its host state, by URL; pages about which nothing is stated are left out."""
    rows = state.execute("SELECT host, signals, tdm_rules FROM hosts WHERE signals NOT NULL OR tdm_rules NOT NULL")
    hosts = {host: _decode_host_rights(signals, rules) for host, signals, rules in rows}
    pages = {
        url: msgspec.json.decode(stated, type=PageRights)
        for url, stated in state.execute("SELECT url, stated FROM page_rights")
    }
    if not hosts and not pages:
        return {}
    # Of equal ones SQLite takes the other column from the row with the maximum.
    stored = state.execute("SELECT url, final_url, max(rowid) FROM snapshots GROUP BY url")
    judged = {
        url: judge_rights(pages.get(url), hosts.get(find_host(address)), address, now) for url, address, _ in stored
    }
    return {url: rights for url, rights in judged.items() if rights is not None}


def restore_rights(state: sqlite3.Connection, rights: Mapping[str, Rights]) -> None:
    """Restores what was stated when the last corpus was built, until the next visits."""
    for url, stated_before in rights.items():
        if stated_before.is_reserved:
            note_page(state, url, PageRights((Statement("reserved", f"before the repair: {stated_before.stated}"),)))
