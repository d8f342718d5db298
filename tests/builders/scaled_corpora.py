"""Record objects of observations, as extraction leaves them, and the rows that a plan made of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

from builders.small_nights import SmallNights, small_nights
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.extract.model.records import Observation
from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.corpus import Corpus, normalize
from verdicts.pipeline.build.record_files import record_file, write_records
from verdicts.pipeline.scale.normalization import Plan, make_plan
from verdicts.pipeline.workers.record_rows import record_row


def write_record_objects(folder: Path, observations: Iterable[Observation]) -> list[str]:
    """A record object for every segment; gives their names in order."""
    (folder / "records").mkdir()
    by_segment: dict[str, list[Observation]] = defaultdict(list)
    for item in observations:
        by_segment[item.location.segment].append(item)
    names = []
    for segment, of_segment in sorted(by_segment.items()):
        path = record_file(folder / "records", segment, len(of_segment))
        of_segment.sort(key=lambda item: item.location)
        write_records(path, [record_row(item) for item in of_segment])
        names.append(f"records/{path.name}")
    return names


def made_world(folder: Path, *, partitions: int, **world: Any) -> tuple[Plan, Corpus]:
    """Record objects of a world seen in small nights, and the rows that one machine makes of them."""
    observed = {}
    for night in small_nights(SmallNights(nights=6, pages=(3, 12), **world)):
        observed |= {item.location: item for item in night.observations}
        gone, moved = night.gone, night.moved
    names = write_record_objects(folder, observed.values())
    plan = make_plan(open_objects(str(folder)), names, gone=gone, moved=moved, held=(), partitions=partitions)
    return plan, normalize(observed.values(), gone_urls=gone, moved_urls=moved)


def rows_made(objects: Objects, plan: Plan) -> dict[str, dict[Any, Any]]:
    """Every row of the tables of a plan by its key; no two parts have one."""
    made: dict[str, dict[Any, Any]] = {}
    for table in CORPUS_TABLES:
        rows = [row for name in objects.names(f"tables/{table}/{plan.name}") for row in _rows(table, objects, name)]
        made[table] = by_key(table, rows)
        assert len(made[table]) == len(rows), table
    return made


def _rows(table: str, objects: Objects, name: str) -> Iterator[object]:
    declared = TABLES[table].row
    for values in pl.read_parquet(objects.read(name), columns=[*declared.__struct_fields__]).iter_rows():
        yield declared(*(tuple(value) if isinstance(value, list) else value for value in values))


def by_key(table: str, rows: Iterable[object]) -> dict[Any, Any]:
    return {tuple(getattr(row, column) for column in TABLES[table].key): row for row in rows}
