"""A failing disk is `StorageFailed`; a mistake of the caller keeps its own exception."""

import errno
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.model.snapshot import Location, Snapshot
from verdicts.fetch.store.store import open_store

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
CRAWL = "20261101T013000Z-aaaa"
URL = "http://a.example/page"
PAGE = Snapshot(URL, URL, NIGHT, 200, (("content-type", "text/html"),), b"<p>words", CRAWL)


def keep(store):
    store.begin(CRAWL, "crawl", NIGHT)
    with store.transaction():
        store.keep(PAGE)


def update_nothing(store):
    with store.transaction():
        store.state.execute("UPDATE urls SET absent = 1")


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (lambda store: store.state.execute("SELECT * FROM nowhere"), sqlite3.OperationalError, "no such table"),
        (lambda store: store.state.execute("INSERT INTO segments VALUES ('a', NULL)"), sqlite3.IntegrityError, "NULL"),
        (update_nothing, sqlite3.OperationalError, "no such column"),
        (lambda store: (store.raw / "absent").read_bytes(), FileNotFoundError, "absent"),
    ],
)
def test_a_mistake_in_the_body_is_not_a_failed_disk(tmp_path, body, error, words):
    with pytest.raises(error, match=words), open_store(tmp_path, command="test") as store:
        body(store)


@pytest.mark.parametrize(("call", "code"), [("fdatasync", errno.ENOSPC), ("write", errno.EIO)])
def test_a_disk_that_fails_while_records_are_written_is_a_failed_disk(tmp_path, monkeypatch, call, code):
    def refuse(*_args):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, refuse)
    with open_store(tmp_path, command="test") as store, pytest.raises(StorageFailed, match=os.strerror(code)):
        keep(store)


def fill_state(store):
    (pages,) = store.state.execute("PRAGMA page_count").fetchone()
    store.state.execute(f"PRAGMA max_page_count = {pages}")
    with store.transaction():
        store.state.execute("INSERT INTO segments VALUES (?, 1)", ("x" * 100_000,))


def hold_state(store):
    store.state.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(store.raw.parent / "state.sqlite", isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        keep(store)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (fill_state, r"state\.sqlite: database or disk is full"),
        (hold_state, "locked"),
        (lambda store: store.read(Location("absent.warc.gz", 0)), "the segment is missing"),
    ],
)
def test_what_the_disk_or_another_program_refuses_is_a_failed_disk(tmp_path, body, words):
    with open_store(tmp_path, command="test") as store, pytest.raises(StorageFailed, match=words):
        body(store)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [("data/state.sqlite", b"no database " * 1000, "not a database"), ("data", b"x", "data")],
)
def test_a_data_folder_that_cannot_be_used_is_a_failed_disk(tmp_path, name, content, words):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(StorageFailed, match=words), open_store(tmp_path / "data", command="test"):
        pass
