"""What a store has once a data folder was shipped: all that a build needs of what was crawled, and nothing damaged."""

from pathlib import Path

import pytest

from builders.bit_rot import flip
from builders.scaled_corpora import NIGHT, PAGES, SITE, read_alone, store_pages
from verdicts.fetch.care.store_repair import set_aside
from verdicts.fetch.care.store_verification import verify_segments
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.objects import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import LocalEngine
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.scale.shipping import extract_at_scale, read_index, ship


def nothing(*_: int) -> None:
    """Who waits is told nothing."""


@pytest.fixture
def folder(tmp_path):
    folder = DataFolder(tmp_path / "data")
    store_pages(folder, nights=2, bytes_a_segment=200_000)
    return folder


@pytest.fixture
def objects(tmp_path):
    (tmp_path / "store").mkdir()
    return open_objects(str(tmp_path / "store"))


def ship_all(folder, objects) -> int:
    with open_store(folder.root, command="test") as store:
        return ship(store, folder, objects, nothing)


def list_stored(folder):
    with open_store(folder.root, command="test") as store:
        return sorted(store.index(), key=lambda entry: entry.location)


def list_entries(objects):
    return [entry for name in objects.names("index/") for entry in read_index(objects.read(name))]


def give_up_damage(folder):
    with open_store(folder.root, command="test") as store:
        set_aside(store, verify_segments(store, nothing).damaged)


def extract_all(objects) -> dict[str, bytes]:
    extract_at_scale(objects, LocalEngine(1), FailureLog(), nothing)
    return {name: objects.read(name) for name in objects.names("records/")}


def test_the_store_has_each_segment_and_its_index_and_is_sent_nothing_twice(folder, objects):
    first = ship_all(folder, objects)
    raw = {f"raw/{path.name}": path.read_bytes() for path in folder.raw.iterdir()}
    assert {name: objects.read(name) for name in objects.names("raw/")} == raw
    assert list_entries(objects) == list_stored(folder)
    assert first == len(raw)
    there = {path: path.stat().st_mtime_ns for path in Path(objects.url).rglob("*")}
    assert ship_all(folder, objects) == 0
    assert {path: path.stat().st_mtime_ns for path in Path(objects.url).rglob("*")} == there


def test_what_a_run_is_writing_waits_for_its_end(folder, objects):
    before = len([*folder.raw.iterdir()])
    with open_store(folder.root, command="test") as store:
        crawl_id = store.begin("20261105T000000Z-aaaa", "crawl", NIGHT).crawl_id
        with store.transaction():
            url, headers = f"{SITE}/compare/one-vs-two", (("content-type", "text/html"),)
            store.keep(Snapshot(url, url, NIGHT, 200, headers, PAGES[0][1], crawl_id))
        with open_store(folder.root, command="test", read_only=True) as reader:
            assert ship(reader, folder, objects, nothing) == before
        store.finish(crawl_id, NIGHT)
        assert (ship(store, folder, objects, nothing), len([*objects.names("index/")])) == (1, before + 1)


def test_a_damaged_segment_is_refused_and_the_line_says_where(folder, objects):
    entry = list_stored(folder)[3]
    flip(folder.raw / entry.location.segment, entry.location.offset + 40)
    with pytest.raises(
        StoreDamaged, match=rf"{entry.location.segment}.*{entry.location.offset:,}.*the record is damaged"
    ):
        ship_all(folder, objects)
    assert f"raw/{entry.location.segment}" not in objects.names()


def test_what_was_read_from_a_lost_record_outlives_it(folder, objects):
    whole = read_alone(folder)
    entry = list_stored(folder)[3]
    flip(folder.raw / entry.location.segment, entry.location.offset + 40)
    give_up_damage(folder)
    ship_all(folder, objects)
    assert extract_all(objects) == whole
