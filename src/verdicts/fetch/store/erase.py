"""Erases forgotten pages, and words in others, from the raw store and the state. Every step may be killed and repeated.

A segment with such a record is written again under the next version of its name, then one commit moves its rows, then
the old file is deleted. A crash leaves one of the two files without rows; the next opening of the store removes that
file (`segments.cut_tails`).
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from verdicts.fetch.archives.archive_pages import PAGE_KEY
from verdicts.fetch.input_files import sync
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.snapshot import Location, Snapshot
from verdicts.fetch.store import frontier
from verdicts.fetch.store.forgotten import Forgotten
from verdicts.fetch.store.reader import list_segments, read_lost
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import storage_errors
from verdicts.fetch.store.store import Store
from verdicts.fetch.store.warc import pack_response, parse_record, read_members

Struck = Mapping[Location, Snapshot | None]
"""Snapshots whose words go: each with other words in its body, or None if its record goes."""

_NAME = re.compile(rf"(?P<first>.+-\d+)(?:v(?P<version>\d+))?{re.escape(SUFFIX)}")

_OF_PAGES = ("urls", "absences", "spellings", "stubs", "page_rights", "fetches")
_OF_HOSTS = ("hosts", "robots", "skips", "endings", "gate_measures", "gate_accepts")
_NAMING = (
    ("urls", "alias_of", "NULL"),
    ("urls", "moved_to", "NULL"),
    ("urls", "discovered_from", "''"),
    ("spellings", "address", None),
    ("fetches", "detail", "NULL"),
    ("skips", "example", "'(forgotten)'"),
    ("endings", "example", "'(forgotten)'"),
    ("endings", "detail", "NULL"),
    ("gate_measures", "examples", "'[]'"),
)
"""Columns that may name a forgotten address, and what stands there afterwards; None: the row goes."""


class Extent(NamedTuple):
    """What is erased: numbers of snapshots, attempts and addresses, and the segments that are written again."""

    snapshots: int
    attempts: int
    addresses: int
    segments: tuple[str, ...]


class _Kept(NamedTuple):
    """A record of a segment that is written again."""

    before: int
    offset: int
    size: int
    changed: Snapshot | None


def erase(store: Store, forgotten: Forgotten, struck: Struck) -> tuple[str, ...]:
    """Erases from segments and state, and returns the names of the segments that are gone.

    Raises `StoreDamaged` for a damaged record in a segment that must be written again, and `StorageFailed`.
    """
    gone = measure(store, forgotten, struck).segments
    with storage_errors(store.data):
        for segment in gone:
            _rewrite(store, forgotten, segment, struck)
        with store.transaction():
            for table in _OF_PAGES:
                store.state.execute(f"DELETE FROM {table} WHERE is_named(url)")  # noqa: S608  names of ours
            for table in _OF_HOSTS:
                store.state.execute(f"DELETE FROM {table} WHERE is_host(host)")  # noqa: S608  names of ours
            for table, column, instead in _NAMING:
                change = f"DELETE FROM {table}" if instead is None else f"UPDATE {table} SET {column} = {instead}"  # noqa: S608
                store.state.execute(f"{change} WHERE is_named({column})")
        # SQLite leaves deleted rows in the file until then. It keeps the order of rows.
        store.state.execute("VACUUM")
    return gone


def measure(store: Store, forgotten: Forgotten, struck: Struck) -> Extent:
    """What of the store is to be erased. Changes nothing."""
    state = store.state
    state.create_function("is_named", 1, forgotten.is_named_in, deterministic=True)
    state.create_function("is_host", 1, lambda host: forgotten.has("host", host or ""), deterministic=True)
    snapshots = state.execute("SELECT segment FROM snapshots WHERE is_named(url) OR is_named(final_url)").fetchall()
    attempts = state.execute("SELECT segment FROM fetches WHERE is_named(url)").fetchall()
    (addresses,) = state.execute("SELECT count(*) FROM urls WHERE is_named(url)").fetchone()
    segments = {segment for (segment,) in (*snapshots, *attempts) if segment} | {page.segment for page in struck}
    return Extent(len(snapshots), len(attempts), addresses, tuple(sorted(segments)))


def _rewrite(store: Store, forgotten: Forgotten, segment: str, struck: Struck) -> None:
    path = store.raw / segment
    named = _NAME.fullmatch(segment)
    assert named is not None
    target = store.raw / f"{named['first']}v{int(named['version'] or 1) + 1}{SUFFIX}"
    target.unlink(missing_ok=True)
    kept = _copy_records(store, forgotten, path, target, struck)
    sync(store.raw)
    state = store.state
    with store.transaction():
        state.execute("CREATE TEMP TABLE IF NOT EXISTS moved (before INTEGER PRIMARY KEY, after INTEGER)")
        state.execute("DELETE FROM moved")
        state.executemany("INSERT INTO moved VALUES (?, ?)", [(record.before, record.offset) for record in kept])
        for table in ("snapshots", "fetches"):
            state.execute(
                f"UPDATE {table} SET segment = ?, segment_offset = after FROM moved"  # noqa: S608  names of ours
                " WHERE segment = ? AND segment_offset = before",
                (target.name, segment),
            )
        for record in kept:
            if record.changed is not None:
                state.execute(
                    "UPDATE snapshots SET sha256 = ?, content_sha256 = NULL WHERE segment = ? AND segment_offset = ?",
                    (record.changed.sha256, target.name, record.offset),
                )
        left = state.execute("DELETE FROM snapshots WHERE segment = ? RETURNING url", (segment,)).fetchall()
        for (url,) in left:
            # A page that is not forgotten itself is asked for again.
            frontier.forget_page(state, url)
        state.execute("UPDATE fetches SET segment = NULL, segment_offset = NULL WHERE segment = ?", (segment,))
        for table in ("lost", "segments"):
            state.execute(f"DELETE FROM {table} WHERE segment = ?", (segment,))  # noqa: S608  names of ours
        state.execute("INSERT INTO segments VALUES (?, ?)", (target.name, sum(record.size for record in kept)))
    _remove(path)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    sync(path.parent)


def _copy_records(store: Store, forgotten: Forgotten, path: Path, target: Path, struck: Struck) -> list[_Kept]:
    """Writes what stays of a segment. Damaged records that were given up go, as nobody knows what is in them."""
    kept: list[_Kept] = []
    lost, committed = read_lost(store.state), dict(list_segments(store.state)).get(path.name, 0)
    end = 0
    with target.open("xb") as written:
        for member in read_members(path, committed):
            if isinstance(member, StoreDamaged):
                if (path.name, member.offset, member.size) in lost:
                    continue
                raise member
            location, changed = Location(path.name, member.offset), None
            if location in struck:
                changed = struck[location]
                if changed is None:
                    continue
                content = pack_response(changed)
            else:
                headers = parse_record(path, member).headers
                if any(forgotten.is_named_in(headers.get(name)) for name in (PAGE_KEY, "WARC-Target-URI")):
                    continue
                with path.open("rb") as file:
                    file.seek(member.offset)
                    content = file.read(member.size)
            written.write(content)
            kept.append(_Kept(member.offset, end, len(content), changed))
            end += len(content)
        written.flush()
        os.fsync(written.fileno())
    return kept
