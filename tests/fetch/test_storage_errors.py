"""A failing disk is `StorageFailed`; a mistake of the caller keeps its own exception."""

import errno
import os
import sqlite3
from datetime import UTC, datetime

import pytest

from verdicts.fetch.model.errors import StorageFailed
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


def add_a_long_row(store):
    with store.transaction():
        store.state.execute("INSERT INTO segments VALUES (?, 1)", ("x" * 100_000,))


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
    def refusing(*_args):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, refusing)
    with open_store(tmp_path, command="test") as store, pytest.raises(StorageFailed, match=os.strerror(code)):
        keep(store)


def test_a_state_file_that_is_full_is_a_failed_disk(tmp_path):
    with open_store(tmp_path, command="test") as store:
        (pages,) = store.state.execute("PRAGMA page_count").fetchone()
        store.state.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageFailed, match=r"state\.sqlite: database or disk is full"):
            add_a_long_row(store)


def test_a_state_file_that_another_connection_holds_is_a_failed_disk(tmp_path):
    with open_store(tmp_path, command="test") as store:
        store.state.execute("PRAGMA busy_timeout = 0")
        holder = sqlite3.connect(tmp_path / "state.sqlite", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageFailed, match="locked"):
            keep(store)
        holder.execute("ROLLBACK")
        holder.close()


def test_a_segment_that_is_missing_is_a_failed_disk(tmp_path):
    with open_store(tmp_path, command="test") as store, pytest.raises(StorageFailed, match="the segment is missing"):
        store.read(Location("absent.warc.zst", 0))


def test_a_state_file_that_is_no_database_is_a_failed_disk(tmp_path):
    (tmp_path / "state.sqlite").write_bytes(b"no database " * 1000)
    with pytest.raises(StorageFailed, match="not a database"), open_store(tmp_path, command="test"):
        pass


def test_a_data_folder_that_cannot_be_made_is_a_failed_disk(tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(StorageFailed), open_store(tmp_path / "data", command="test"):
        pass
