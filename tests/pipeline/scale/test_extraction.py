"""Records and rows made on Dask workers are those of one machine, byte for byte, whatever happens."""

import os
import shutil
import signal
import tempfile

import polars as pl
import pytest

from builders.dask_cluster import dask_cluster
from builders.interruptions import break_extractor
from builders.s3_server import s3_server
from builders.scaled_corpora import (
    PAGES,
    SITE,
    Twice,
    by_key,
    make_world,
    read_alone,
    record_files,
    rows_made,
    store_pages,
)
from verdicts.fetch.objects import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.dask import DaskEngine
from verdicts.pipeline.engine.engine import LocalEngine
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.scale.executor import normalize_at_scale
from verdicts.pipeline.scale.shipping import extract_at_scale, ship


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask"), "a", "b", dead_after="4s") as cluster:
        yield cluster


@pytest.fixture
def mortal_cluster(cluster):
    """The same with a third worker, which is killed."""
    cluster.start_worker("c")
    cluster.await_workers("a", "b", "c")
    return cluster


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A data folder, and the record files that one machine makes of it, which are elsewhere."""
    folder = DataFolder(tmp_path_factory.mktemp("alone") / "data")
    store_pages(folder)
    files = read_alone(folder)
    shutil.rmtree(folder.records)
    assert len(files) >= 6, len(files)
    return folder, files


def nothing(*_: int) -> None:
    """Who waits is told nothing."""


def ship_all(folder: DataFolder, url: str):
    objects = open_objects(url)
    with open_store(folder.root, command="test", read_only=True) as store:
        ship(store, folder, objects, nothing)
    return objects


def read_records(objects) -> dict[str, bytes]:
    return {name: objects.read(name) for name in objects.names("records/")}


@pytest.mark.whole
def test_records_read_on_workers_are_those_of_one_machine(cluster, alone, tmp_path):
    folder, files = alone
    objects = ship_all(folder, str(tmp_path))
    told = []
    names = extract_at_scale(objects, DaskEngine(cluster.address), FailureLog(), lambda *done: told.append(done))
    assert record_files(tmp_path / "records") == files
    assert names == sorted(name for name in files if name.endswith(".parquet"))
    # Pages, as on one machine.
    assert told[0] == (0, len(PAGES))
    assert told[-1] == (len(PAGES), len(PAGES))
    assert extract_at_scale(objects, DaskEngine("tcp://127.0.0.1:1"), FailureLog(), nothing) == names


@pytest.mark.whole
def test_a_data_folder_is_a_store_as_it_is(cluster, alone, tmp_path):
    folder, files = alone
    shutil.copytree(folder.root, tmp_path / "data")
    objects = ship_all(DataFolder(tmp_path / "data"), str(tmp_path / "data"))
    extract_at_scale(objects, DaskEngine(cluster.address), FailureLog(), nothing)
    # The build of one machine finds them whole, and reads nothing.
    assert read_alone(DataFolder(tmp_path / "data")) == files


@pytest.mark.whole
def test_workers_that_are_killed_and_stopped_and_batches_given_twice_change_nothing(mortal_cluster, alone, tmp_path):
    folder, files = alone
    objects = ship_all(folder, str(tmp_path))
    happened = []

    def disturb(*_: int) -> None:
        happened.append(len(happened))
        if len(happened) == 3:
            mortal_cluster.kill("c")
        elif len(happened) in {5, 8}:
            os.kill(mortal_cluster.processes["b"].pid, signal.SIGSTOP if len(happened) == 5 else signal.SIGCONT)

    extract_at_scale(objects, Twice(DaskEngine(mortal_cluster.address)), FailureLog(), disturb)
    assert record_files(tmp_path / "records") == files
    assert len(happened) > 8


@pytest.mark.whole
def test_a_bucket_of_which_one_request_in_fifty_fails(alone, tmp_path, monkeypatch):
    folder, files = alone
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with s3_server(one_in=50, seed=1) as server:
        objects = ship_all(folder, "s3://bucket/corpus")
        extract_at_scale(objects, Twice(LocalEngine(1)), FailureLog(), nothing)
        assert read_records(objects) == files
        assert server.failed.total()
    # Nothing is left of what was copied out of it.
    assert [path for path in tmp_path.iterdir() if path.name.startswith("verdicts-batch-")] == []


def lose_one(folder: DataFolder) -> tuple[str, int]:
    """A record whose bytes are no more."""
    with open_store(folder.root, command="test") as store:
        place = store.index()[30].location
        store.state.execute("INSERT INTO lost VALUES (?, ?, 1)", place)
        store.state.commit()
    return place


@pytest.mark.whole
def test_a_bug_of_ours_is_told_with_its_traceback_as_on_one_machine(alone, tmp_path, monkeypatch, caplog):
    folder, _ = alone
    break_extractor(monkeypatch, tmp_path, PAGES[7][0])
    shutil.copytree(folder.root, tmp_path / "data")
    failures, expected = FailureLog(), FailureLog()
    files = read_alone(DataFolder(tmp_path / "data"), expected)
    lines = sorted(caplog.text.replace("as above", "").split())
    caplog.clear()
    objects = ship_all(folder, str(tmp_path / "store"))
    extract_at_scale(objects, LocalEngine(1), failures, nothing)
    assert record_files(tmp_path / "store" / "records") == files
    assert sorted(failures.places) == sorted(expected.places) == [f"{SITE}{PAGES[7][0]}"]
    assert sorted(caplog.text.replace("as above", "").split()) == lines
    assert "in broken\n" in caplog.text


@pytest.mark.parametrize("store", ["folder", "bucket"])
@pytest.mark.whole
def test_what_is_read_anew_and_fails_now_stays(alone, tmp_path, monkeypatch, store):
    folder, files = alone
    with s3_server():
        shutil.copytree(folder.root, tmp_path / "data")
        lost = lose_one(DataFolder(tmp_path / "data"))
        objects = ship_all(DataFolder(tmp_path / "data"), "s3://bucket/corpus" if store == "bucket" else str(tmp_path))
        (tmp_path / "data" / "records").mkdir()
        for name, content in files.items():
            (tmp_path / "data" / name).write_bytes(content)
            objects.create(name, content)
        break_extractor(monkeypatch, tmp_path, PAGES[7][0])
        expected = read_alone(DataFolder(tmp_path / "data"), anew=True)
        extract_at_scale(objects, LocalEngine(1), FailureLog(), nothing, anew=True)
        assert read_records(objects) == expected
    assert expected != files
    rows = [row for name, body in expected.items() if name.endswith(".parquet") for row in pl.read_parquet(body).rows()]
    assert len(rows) == len(PAGES)
    assert sum(row[11] is not None for row in rows) == 1
    assert lost in [(row[3], row[4]) for row in rows]


@pytest.mark.whole
def test_partitions_on_workers_of_which_one_is_killed_and_one_stopped_give_the_rows_of_one_machine(
    mortal_cluster, tmp_path
):
    plan, corpus = make_world(tmp_path, partitions=3, seed=2, appearances=200, labelled=0.2, takes_a_tool=9)

    reached = []

    def happen(done: int, _: int) -> None:
        reached.append(done)
        if done == 8:
            mortal_cluster.kill("c")
        elif done in {20, 30}:
            os.kill(mortal_cluster.processes["b"].pid, signal.SIGSTOP if done == 20 else signal.SIGCONT)

    objects = open_objects(str(tmp_path))
    normalize_at_scale(objects, DaskEngine(mortal_cluster.address), plan, FailureLog(), happen)
    assert rows_made(objects, plan) == {table: by_key(table, rows) for table, rows in corpus.items()}
    assert {8, 20, 30} <= {*reached}
