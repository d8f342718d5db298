"""Bins on an engine give the rows of one machine, however many there are and however often a batch is worked on."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from builders.scaled_corpora import by_key, rows_made, write_record_objects
from builders.small_nights import SmallNights, small_nights
from fetch.objects.opening import open_objects
from normalize.corpus import Corpus, normalize
from pipeline.engine.engine import Engine
from pipeline.engine.local import LocalEngine
from pipeline.scale.normalization import normalize_at_scale
from pipeline.scale.plan import Plan, make_plan

B = TypeVar("B")
R = TypeVar("R")


class _Twice:
    """Works on every batch twice, in an order of its own."""

    workers = 1

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        twice = [*batches, *batches]
        self._chance.shuffle(twice)
        for batch in twice:
            function(batch)
        yield from map(function, batches)


def _world(folder: Path, *, bins: int, **world: Any) -> tuple[Plan, Corpus]:
    """Record objects of a world seen in small nights, and the rows that one machine makes of them."""
    observed = {}
    for night in small_nights(SmallNights(nights=6, pages=(3, 12), **world)):
        observed |= {item.location: item for item in night.observations}
        gone, moved = night.gone, night.moved
    names = write_record_objects(folder, observed.values())
    plan = make_plan(open_objects(str(folder)), names, gone=gone, moved=moved, held=(), bins=bins)
    return plan, normalize(observed.values(), gone_urls=gone, moved_urls=moved)


def _run(folder: Path, plan: Plan, engine: Engine) -> dict[str, dict[Any, Any]]:
    objects = open_objects(str(folder))
    normalize_at_scale(objects, engine, plan, lambda *_: None)
    return rows_made(objects, plan)


@pytest.mark.parametrize("bins", [1, 2, 7])
@pytest.mark.parametrize(("seed", "labelled", "takes_a_tool"), [(1, 0.6, 27), (2, 0.0, 5), (3, 0.2, 9)])
def test_any_number_of_bins_gives_the_rows_of_one_machine(tmp_path, bins, seed, labelled, takes_a_tool):
    plan, corpus = _world(tmp_path, bins=bins, seed=seed, appearances=600, labelled=labelled, takes_a_tool=takes_a_tool)
    made = _run(tmp_path, plan, LocalEngine(1))
    assert made == {table: by_key(table, rows) for table, rows in corpus.items()}
    assert len(made["appearances"]) > 600


def test_a_batch_that_is_worked_on_twice_in_any_order_changes_nothing(tmp_path):
    plan, corpus = _world(tmp_path, bins=3, seed=4, appearances=600, labelled=0.2, takes_a_tool=9)
    assert _run(tmp_path, plan, _Twice(seed=4)) == {table: by_key(table, rows) for table, rows in corpus.items()}


def test_what_an_earlier_run_has_left_is_gone_on_with(tmp_path):
    plan, corpus = _world(tmp_path, bins=3, seed=5, appearances=600, labelled=0.5, takes_a_tool=9)

    class _Dies(LocalEngine):
        def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
            if any("folds" in batch for batch in batches):  # type: ignore[operator]  # a named tuple
                function(batches[1])
                raise KeyboardInterrupt
            yield from super().run(function, batches)

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, plan, _Dies(1))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "rounds").rglob("*") if path.is_file()}
    assert _run(tmp_path, plan, LocalEngine(1)) == {table: by_key(table, rows) for table, rows in corpus.items()}
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_processes_of_this_machine_give_the_same(tmp_path):
    plan, corpus = _world(tmp_path, bins=2, seed=6, appearances=600, labelled=0.2, takes_a_tool=27)
    assert _run(tmp_path, plan, LocalEngine(2)) == {table: by_key(table, rows) for table, rows in corpus.items()}
