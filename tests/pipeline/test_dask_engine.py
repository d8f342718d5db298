"""Batches on Dask workers, in processes of their own: each is done and told once, whatever happens to a worker."""

import os
import signal
import sys
import threading
from contextlib import suppress

import pytest

from builders.dask_cluster import (
    DaskCluster,
    Visit,
    dask_cluster,
    die,
    find_damage,
    once,
    visit,
    visit_once_let,
    visits,
)
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.pipeline.engine.dask import DaskEngine
from verdicts.pipeline.engine.engine import LocalEngine, make_engine
from verdicts.pipeline.pipeline_errors import ConfigError, EngineFailed, Interrupted
from verdicts.pipeline.sources.config_sections import ScaleConfig


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask"), "a", "b") as cluster:
        yield cluster


@pytest.fixture
def engine(cluster):
    return DaskEngine(cluster.address)


def test_a_scheduler_in_the_config_is_where_batches_go(cluster):
    assert isinstance(make_engine(ScaleConfig(scheduler=cluster.address)), DaskEngine)
    assert isinstance(make_engine(ScaleConfig()), LocalEngine)


def test_each_batch_is_done_and_told_as_often_as_it_is_given(engine, tmp_path):
    batches = [Visit(str(tmp_path), number) for number in range(40)]
    assert sorted(engine.run(visit, batches)) == visits(tmp_path) == [*range(40)]
    assert sorted(engine.run(visit, batches[:5] * 2)) == sorted([*range(5)] * 2)
    assert visits(tmp_path) == sorted([*range(40), *[*range(5)] * 2])


def test_a_worker_that_is_killed_has_its_batches_done_elsewhere(cluster, engine, tmp_path):
    batches = [Visit(str(tmp_path), number) for number in range(10)]
    cluster.start_worker("c")
    cluster.await_workers("a", "b", "c")

    def kill_one() -> None:
        once(lambda: len(visits(tmp_path)) >= 3)
        cluster.kill("c")
        (tmp_path / "go").touch()

    killer = threading.Thread(target=kill_one)
    killer.start()
    assert sorted(engine.run(visit_once_let, batches)) == [*range(10)]
    killer.join()
    assert len(visits(tmp_path)) == 11
    cluster.await_workers("a", "b")


def test_an_error_of_the_function_comes_as_it_is_and_says_which_batch(engine, tmp_path):
    batches = [Visit(str(tmp_path), number) for number in range(10)]
    with pytest.raises(StoreDamaged, match=r"1\.warc\.gz.*17.*no record begins there") as raised:
        list(engine.run(find_damage, batches))
    assert raised.value.__notes__ == ["in the batch visit 3"]


@pytest.mark.whole
def test_a_batch_that_takes_its_workers_along_again_and_again_is_named(tmp_path):
    cluster = DaskCluster(tmp_path)
    try:
        cluster.start_scheduler(DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")
        for name in "ab":
            cluster.start_worker(name)
        cluster.await_workers("a", "b")
        with pytest.raises(EngineFailed, match=r"^visit 7 killed 2 workers, the last one tcp://127.*memory"):
            list(DaskEngine(cluster.address).run(die, [Visit(str(tmp_path), 7)]))
    finally:
        cluster.end()


def test_a_signal_cancels_what_is_not_begun(engine, tmp_path):
    batches = [Visit(str(tmp_path), number) for number in range(40)]

    def handle(*_: object) -> None:
        raise Interrupted

    def interrupt() -> None:
        with suppress(AssertionError):
            once(lambda: len(visits(tmp_path)) == 2)
        os.kill(os.getpid(), signal.SIGTERM)

    former = signal.signal(signal.SIGTERM, handle)
    threading.Thread(target=interrupt).start()
    try:
        with pytest.raises(Interrupted):
            list(engine.run(visit_once_let, batches))
    finally:
        signal.signal(signal.SIGTERM, former)
    # Only now may a batch end: the run did not wait for those that had begun.
    (tmp_path / "go").touch()
    # Both workers are free again, and nothing was left for them but what each had begun when it was told.
    assert sorted(engine.run(visit, batches[:4])) == [0, 1, 2, 3]
    assert 6 <= len(visits(tmp_path)) <= 8


@pytest.mark.whole
def test_without_a_worker_it_says_how_to_start_one(tmp_path):
    with dask_cluster(tmp_path) as cluster:
        engine = DaskEngine(cluster.address, workers_within_s=0.5)
        with pytest.raises(EngineFailed, match=rf"no worker for 0\.5 s.*dask worker {cluster.address}"):
            list(engine.run(visit, [Visit(str(tmp_path), 1)]))
        cluster.start_worker("a")
        cluster.await_workers("a")
        results = engine.run(visit_once_let, [Visit(str(tmp_path), 1)])
        threading.Thread(target=lambda: (once(lambda: visits(tmp_path)), cluster.kill("a"))).start()
        with pytest.raises(EngineFailed, match="has had no worker"):
            list(results)


@pytest.mark.whole
def test_a_scheduler_that_is_killed_ends_the_run(tmp_path, monkeypatch):
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    with dask_cluster(tmp_path, "a") as cluster:
        results = DaskEngine(cluster.address).run(visit_once_let, [Visit(str(tmp_path), 1)])
        threading.Thread(target=lambda: (once(lambda: visits(tmp_path)), cluster.kill("scheduler"))).start()
        with pytest.raises(EngineFailed, match=f"the scheduler {cluster.address} is gone: visit 1 is not done"):
            list(results)


def test_without_a_scheduler_it_says_which_key_names_it(monkeypatch):
    monkeypatch.setattr("verdicts.pipeline.engine.dask.CONNECTS_WITHIN_S", 0.5)
    with pytest.raises(ConfigError, match=r"tcp://127\.0\.0\.1:1\b.*scheduler of \[scale\]"):
        list(DaskEngine("tcp://127.0.0.1:1").run(visit, [Visit("", 1)]))
    with pytest.raises(ConfigError, match=r"at nowhere://x, the scheduler of \[scale\]"):
        list(DaskEngine("nowhere://x").run(visit, [Visit("", 1)]))


OTHER = "import verdicts.extract.page; verdicts.extract.page.EXTRACTOR_VERSION = '4'"
NONE = """
from importlib import metadata
def version(name, known=metadata.version):
    return known(name if name != "verdicts" else "no-such-package")
version.__module__ = "importlib.metadata"
metadata.version = version
"""


@pytest.fixture
def strange_worker(cluster, tmp_path):
    """Starts a third worker, with this code at the start of its Python; it is gone at the end."""

    def start(code):
        (tmp_path / "sitecustomize.py").write_text(code)
        cluster.start_worker("c", environment={"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])})

    yield start
    cluster.kill("c")
    cluster.await_workers("a", "b")


@pytest.mark.whole
def test_a_worker_without_verdicts_is_named(cluster, engine, strange_worker, tmp_path):
    strange_worker(NONE)
    cluster.await_workers("a", "b", "c")
    with pytest.raises(ConfigError, match=r"the worker tcp://127\.0\.0\.1.* has verdicts None and not .*: install"):
        list(engine.run(visit, [Visit(str(tmp_path), 1)]))
    assert visits(tmp_path) == []


@pytest.mark.whole
def test_a_worker_of_another_version_does_nothing(engine, strange_worker, tmp_path):
    results = engine.run(visit_once_let, [Visit(str(tmp_path), n) for n in range(12)])
    (tmp_path / "go").touch()
    next(results)
    (tmp_path / "go").unlink()
    strange_worker(OTHER)
    with pytest.raises(ConfigError, match=r"a worker has .*extractor 4, .* and not "):
        list(results)
    # What the others have begun may end.
    (tmp_path / "go").touch()
