"""Bins on the workers of a Dask scheduler give the rows of one machine, whatever happens to a worker."""

import os
import signal
from collections.abc import Callable
from random import Random

import pytest

from builders.dask_cluster import dask_cluster
from builders.scaled_corpora import by_key, made_world, rows_made
from verdicts.fetch.objects import open_objects
from verdicts.pipeline.engine.dask import DaskEngine
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.scale.normalization import normalize_at_scale

pytestmark = pytest.mark.matrix


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask"), "first", "second") as cluster:
        yield cluster


def _on_dask(cluster, folder, plan, at_batch: Callable[[int], None] = lambda _: None):
    objects = open_objects(str(folder))
    normalize_at_scale(objects, DaskEngine(cluster.address), plan, FailureLog(), lambda done, _: at_batch(done))
    return rows_made(objects, plan)


@pytest.mark.parametrize("seed", [2])
def test_a_worker_that_is_killed_or_stopped_changes_nothing(cluster, tmp_path, seed):
    plan, corpus = made_world(tmp_path, partitions=7, seed=seed, appearances=600, labelled=0.2, takes_a_tool=9)
    chance = Random(seed)
    killed_at, stopped_at = chance.randrange(10, 60), chance.randrange(60, 90)
    goes_on_at = stopped_at + 10

    def happen(done: int) -> None:
        if done == killed_at:
            cluster.kill("first")
            cluster.start_worker("first")
        if done == stopped_at:
            os.kill(cluster.processes["second"].pid, signal.SIGSTOP)
        if done == goes_on_at:
            os.kill(cluster.processes["second"].pid, signal.SIGCONT)

    made = _on_dask(cluster, tmp_path, plan, happen)
    assert made == {table: by_key(table, rows) for table, rows in corpus.items()}
