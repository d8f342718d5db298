"""Partitions on an engine give the rows of one process, however often a batch is worked on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from builders.s3_server import s3_server
from builders.scaled_corpora import by_key, make_world, rows_made
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.identity import page_versions
from verdicts.normalize.steps import fold_texts, identify
from verdicts.pipeline.engine.engine import Engine, LocalEngine
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.pipeline_errors import NormalizerBroken
from verdicts.pipeline.scale import messages
from verdicts.pipeline.scale.batches import Plan
from verdicts.pipeline.scale.executor import normalize_at_scale
from verdicts.pipeline.scale.messages import put

B = TypeVar("B")
R = TypeVar("R")


class _Twice:
    """Works on every batch twice, in an order of its own."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        twice = [*batches, *batches]
        self._chance.shuffle(twice)
        for batch in twice:
            function(batch)
        yield from map(function, batches)


def _run(folder: Path, plan: Plan, engine: Engine) -> dict[str, dict[Any, Any]]:
    objects = open_objects(str(folder))
    normalize_at_scale(objects, engine, plan, FailureLog(), lambda *_: None)
    return rows_made(objects, plan)


@pytest.mark.parametrize(
    ("partitions", "workers", "seed", "labelled", "takes_a_tool"),
    [(1, 1, 1, 0.6, 27), (2, 1, 2, 0.0, 5), (7, 2, 3, 0.2, 9)],
)
@pytest.mark.share(3)
def test_any_number_of_partitions_gives_the_rows_of_one_process(
    tmp_path, partitions, workers, seed, labelled, takes_a_tool
):
    plan, corpus = make_world(
        tmp_path, partitions=partitions, seed=seed, appearances=150, labelled=labelled, takes_a_tool=takes_a_tool
    )
    made = _run(tmp_path, plan, LocalEngine(workers))
    assert made == {table: by_key(table, rows) for table, rows in corpus.items()}
    assert len(made["appearances"]) > 150


def test_a_batch_that_is_worked_on_twice_in_any_order_changes_nothing(tmp_path):
    plan, corpus = make_world(tmp_path, partitions=3, seed=4, appearances=150, labelled=0.2, takes_a_tool=9)
    assert _run(tmp_path, plan, _Twice(seed=4)) == {table: by_key(table, rows) for table, rows in corpus.items()}


@pytest.mark.whole
def test_what_an_earlier_run_has_left_is_gone_on_with(tmp_path):
    plan, corpus = make_world(tmp_path, partitions=3, seed=5, appearances=150, labelled=0.5, takes_a_tool=9)

    class _Dies(LocalEngine):
        def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
            if any("gathered" in batch for batch in batches):  # type: ignore[operator]  # a named tuple
                function(batches[1])
                raise KeyboardInterrupt
            yield from super().run(function, batches)

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, plan, _Dies(1))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "messages").rglob("*") if path.is_file()}
    assert _run(tmp_path, plan, LocalEngine(1)) == {table: by_key(table, rows) for table, rows in corpus.items()}
    assert before == {path: path.stat().st_mtime_ns for path in before}


@pytest.mark.whole
def test_a_plan_that_is_worked_on_again_in_the_same_process_gives_the_same(tmp_path, monkeypatch):
    plan, corpus = make_world(tmp_path, partitions=3, seed=5, appearances=150, labelled=0.5, takes_a_tool=9)
    expected = {table: by_key(table, rows) for table, rows in corpus.items()}
    assert _run(tmp_path, plan, LocalEngine(1)) == expected
    for path in (tmp_path / "messages").glob("*/*/0*"):
        path.unlink()

    def put_turned(objects: Objects, name: str, sent: Mapping[Any, Sequence[Any]]) -> None:
        put(objects, name, {address: records[::-1] for address, records in sent.items()})

    # The records of a set stand in another order in each process.
    monkeypatch.setattr(messages, "put", put_turned)
    assert _run(tmp_path, plan, LocalEngine(1)) == expected


def test_what_a_partition_has_sent_and_is_damaged_stops_the_build_and_is_named(tmp_path):
    plan, _ = make_world(tmp_path, partitions=2, seed=5, appearances=150, labelled=0.5, takes_a_tool=9)
    _run(tmp_path, plan, LocalEngine(1))
    damaged = tmp_path / "messages" / plan.name / "texts" / "00001"
    sound = damaged.read_bytes()
    damaged.chmod(0o600)
    for path in damaged.parent.parent.glob("similar/*"):
        path.unlink()
    for place in (0, 2, 10, 12, 16, 40, -1):
        body = bytearray(sound)
        body[place] ^= 0xFF
        damaged.write_bytes(body)
        with pytest.raises(StorageFailed, match="texts/00001 is not as it was written; delete it and build again"):
            _run(tmp_path, plan, LocalEngine(1))
    damaged.unlink()
    _run(tmp_path, plan, LocalEngine(1))


@pytest.mark.parametrize("step", ["sightings", "pages"])
@pytest.mark.share(2)
def test_a_page_that_cannot_be_normalized_is_left_out_and_told(tmp_path, monkeypatch, step):
    plan, corpus = make_world(tmp_path, partitions=2, seed=7, appearances=150, labelled=1.0, takes_a_tool=27)
    page = next(row for row in corpus["pages"] if row.url is not None)

    def break_page(whole: Callable[..., Any]) -> Callable[..., Any]:
        def fails(observation: Any, *others: Any) -> Any:
            if observation.url == page.url:
                raise ZeroDivisionError("ours")
            return whole(observation, *others)

        return fails

    if step == "sightings":
        monkeypatch.setattr(identify, "make_sighting", break_page(identify.make_sighting))
    else:
        monkeypatch.setattr(page_versions, "_make_version", break_page(page_versions._make_version))
    objects, failures = open_objects(str(tmp_path)), FailureLog()
    normalize_at_scale(objects, LocalEngine(1), plan, failures, lambda *_: None)
    made = rows_made(objects, plan)
    assert {*failures.places} == {page.url}
    assert {row.reason for row in made["rejects"].values() if row.url == page.url} == {"normalizer_failed"}
    assert {row.page_id for row in corpus["pages"]} - {key for (key,) in made["pages"]} == {page.page_id}


def test_a_stage_that_fails_as_a_whole_says_so_and_where(tmp_path, monkeypatch):
    plan, _ = make_world(tmp_path, partitions=2, seed=8, appearances=150, labelled=1.0, takes_a_tool=27)

    def fail(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(fold_texts, "fold", fail)
    failures = FailureLog()
    with pytest.raises(NormalizerBroken, match="in the stage folds: ZeroDivisionError: ours"):
        normalize_at_scale(open_objects(str(tmp_path)), LocalEngine(1), plan, failures, lambda *_: None)
    assert failures.places == ["the stage folds"]


@pytest.mark.whole
def test_a_bucket_that_fails_one_request_in_fifty_changes_nothing(tmp_path):
    plan, corpus = make_world(tmp_path, partitions=2, seed=9, appearances=150, labelled=0.2, takes_a_tool=9)
    with s3_server(one_in=50) as server:
        bucket = open_objects("s3://bucket/corpus")
        for name in open_objects(str(tmp_path)).names():
            bucket.create(name, open_objects(str(tmp_path)).read(name))
        normalize_at_scale(bucket, LocalEngine(1), plan, FailureLog(), lambda *_: None)
        assert rows_made(bucket, plan) == {table: by_key(table, rows) for table, rows in corpus.items()}
        assert server.failed.total() > 5
