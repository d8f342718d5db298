"""The raw store: readable by any WARC reader, cut to what was committed, held by one run."""

from datetime import UTC, datetime

import pytest
from fastwarc.warc import ArchiveIterator

from verdicts.fetch.model.errors import StoreLocked, StoreMissing
from verdicts.fetch.run.ingest import Source, ingest
from verdicts.fetch.store.store import open_store


def clock():
    return datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / f"{name}.txt" for name in ("one", "two", "three")]
    for path in paths:
        path.write_text(f"The words of {path.stem}.")
    return [Source(path, None) for path in paths]


def fill(data, sources):
    with open_store(data, command="ingest") as store:
        return ingest(store, sources, clock=clock)


def test_each_file_is_read_back_as_it_was_by_any_warc_reader_too(tmp_path, files):
    fill(tmp_path / "data", files)
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        snapshots = [store.read(entry.location) for entry in store.index()]
    assert [snapshot.body for snapshot in snapshots] == [source.path.read_bytes() for source in files]
    assert {snapshot.header("content-type") for snapshot in snapshots} == {"text/plain"}
    (segment,) = (tmp_path / "data" / "raw").iterdir()
    with segment.open("rb") as file:
        bodies = [record.reader.read() for record in ArchiveIterator(file)]
    assert bodies[1:] == [snapshot.body for snapshot in snapshots]


def test_what_a_crash_left_behind_the_last_commit_is_cut_off(tmp_path, files):
    data = tmp_path / "data"
    fill(data, files)
    (segment,) = (data / "raw").iterdir()
    size = segment.stat().st_size
    with segment.open("ab") as file:
        file.write(b"half a record")
    (data / "raw" / "20261101T000000Z-dead-00001.warc.zst").write_bytes(b"a segment without a commit")
    with open_store(data, command="test") as store:
        assert len(store.index()) == 3
    assert [(path.name, path.stat().st_size) for path in (data / "raw").iterdir()] == [(segment.name, size)]


def test_the_same_files_again_are_unchanged(tmp_path, files):
    fill(tmp_path / "data", files)
    again = fill(tmp_path / "data", files)
    assert (again.fetched, again.unchanged, again.status) == (0, 3, "done")


def test_a_file_that_cannot_be_read_is_logged_and_the_others_go_in(tmp_path, files):
    run = fill(tmp_path / "data", [*files, Source(tmp_path / "absent.txt", None)])
    assert (run.fetched, run.failed, run.status) == (3, 1, "partial")


def test_a_second_run_is_refused_with_the_name_of_the_holder(tmp_path):
    second = open_store(tmp_path, command="run")
    with open_store(tmp_path, command="crawl"), pytest.raises(StoreLocked, match=r"'verdicts crawl' \(process \d+"):
        second.__enter__()


def test_an_absent_store_is_reported_as_missing(tmp_path):
    with (
        pytest.raises(StoreMissing, match="verdicts run"),
        open_store(tmp_path / "no", command="status", read_only=True),
    ):
        pass


def test_a_page_that_returns_to_earlier_content_is_stored_again(tmp_path):
    path = tmp_path / "page.txt"
    outcomes = []
    for words in ("one", "two", "one", "one"):
        path.write_text(words)
        outcomes.append(fill(tmp_path / "data", [Source(path, "http://a.example/page")]).fetched)
    assert outcomes == [1, 1, 1, 0]
