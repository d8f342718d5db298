"""A state is read by accounts that may not write to it, with all its rows, and nothing is left beside it."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from builders.warehouse_rows import NIGHT
from verdicts.fetch.store.store import open_scratch, open_store

RUN = "20261120T013000Z-0001"


@pytest.fixture
def data(tmp_path):
    data = tmp_path / "data"
    with open_store(data, command="test") as store:
        store.begin(RUN, "ingest", NIGHT)
        store.finish(RUN, NIGHT)
    return data


@pytest.fixture
def unsettled(data):
    """While a writer has the state open, its last row in the log alone."""
    with closing(sqlite3.connect(data / "state.sqlite")) as writer:
        columns = "kind, started_at, status"
        writer.execute(f"INSERT INTO crawls (crawl_id, {columns}) SELECT 'later', {columns} FROM crawls")
        writer.commit()
        yield data


def list_crawls(data):
    with open_store(data, command="status", read_only=True) as store:
        return [run.crawl_id for run in store.read_crawls()]


def list_names(data):
    return {path.name for path in data.iterdir()}


def test_a_reader_leaves_nothing_beside_a_state_at_rest(data):
    before = list_names(data)
    assert "state.sqlite-shm" not in before
    assert list_crawls(data) == [RUN]
    with open_scratch(data) as store:
        assert store.read_crawls()
    assert list_names(data) == before


def test_a_reader_sees_what_a_crawl_beside_it_has_committed(unsettled):
    assert list_crawls(unsettled) == [RUN, "later"]


def test_rows_that_a_crash_left_in_the_log_are_read_and_the_folder_stays_as_it_is(unsettled, tmp_path):
    left = tmp_path / "left"
    left.mkdir()
    for name in ("state.sqlite", "state.sqlite-wal"):
        shutil.copyfile(unsettled / name, left / name)
    assert list_crawls(left) == [RUN, "later"]
    assert list_names(left) == {"state.sqlite", "state.sqlite-wal"}
