"""Record objects of observations, as extraction leaves them, and the rows that a plan made of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from builders.made_corpora import KINDS, NOISE, make_pages
from builders.made_observations import FIRST_NIGHT, address, snapshot
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.demo_site.responses import build_site
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.model.url_state import Absence, Absences
from verdicts.fetch.objects import Objects, open_objects
from verdicts.fetch.store import segments
from verdicts.fetch.store.store import open_store
from verdicts.normalize.corpus import Corpus, normalize
from verdicts.pipeline.build.build_manifest import make_inputs
from verdicts.pipeline.build.extraction import bring_records_up_to_date
from verdicts.pipeline.build.record_files import record_file, write_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.scale.batches import Plan, make_plan
from verdicts.pipeline.workers.record_rows import make_record_row


def write_record_objects(folder: Path, observations: Iterable[Observation]) -> list[Path]:
    """A record object for every segment, in order."""
    (folder / "records").mkdir()
    by_segment: dict[str, list[Observation]] = defaultdict(list)
    for item in observations:
        by_segment[item.location.segment].append(item)
    files = []
    for segment, of_segment in sorted(by_segment.items()):
        path = record_file(folder / "records", segment, len(of_segment))
        of_segment.sort(key=lambda item: item.location)
        write_records(path, [make_record_row(item) for item in of_segment])
        files.append(path)
    return files


def make_changing_world(
    *, seed: int, appearances: int, labelled: float, takes_a_tool: int
) -> tuple[list[Observation], dict[str, Any]]:
    """Observations over some nights, and what `normalize` is told of absences and moved addresses.

    A fifth of the pages is seen again: with other words, with or without its labels, or after a tool got another slug.
    """
    chance, seen, gone, moved = Random(seed), list[Observation](), dict[str, Absences](), dict[str, str]()
    # Of more tools than these pages need, or there would not be enough pairs of them.
    drawn = make_pages(3 * appearances, seed=seed, labelled=labelled, takes_a_tool=takes_a_tool)
    pages = [*islice(drawn, appearances // 6)]
    nights = [FIRST_NIGHT + timedelta(days=number) for number in range(6)]
    for page in pages:
        night = nights[page.number % 3]
        seen.append(snapshot(page, len(seen), night, night))
    for page in chance.sample(pages, len(pages) // 5):
        noise = chance.choice(KINDS)
        reworded = replace(page.takes[0], text=NOISE[noise](page.takes[0].text, chance), noise=noise)
        renamed = replace(page.a, slug=f"{page.a.slug}{chance.choice(('', '-next', '-vs-all'))}")
        is_labelled = page.is_labelled != (chance.random() < 0.3)
        after = replace(page, a=renamed, takes=(reworded, *page.takes[1:]), is_labelled=is_labelled)
        night = chance.choice(nights[3:])
        seen.append(snapshot(after, len(seen), night, night))
        before, now = address(page), address(after)
        if before and now and before != now:
            moved[before] = now
        elif before and chance.random() < 0.3:
            gone[before] = (Absence(nights[-1]),)
    return seen, {"gone": gone, "moved_urls": moved}


def make_world(folder: Path, *, partitions: int, **world: Any) -> tuple[Plan, Corpus]:
    """Record objects of a world that changes, and the rows that one machine makes of them."""
    seen, known = make_changing_world(**world)
    inputs = make_inputs(write_record_objects(folder, seen), known["gone"], known["moved_urls"])
    return make_plan(open_objects(str(folder)), inputs, partitions), normalize(seen, **known)


def rows_made(objects: Objects, plan: Plan) -> dict[str, dict[Any, Any]]:
    """Every row of the tables of a plan by its key; no two parts have one."""
    made: dict[str, dict[Any, Any]] = {}
    for table in CORPUS_TABLES:
        rows = [
            row for name in objects.names(f"messages/{plan.name}/rows/{table}/") for row in _rows(table, objects, name)
        ]
        made[table] = by_key(table, rows)
        assert len(made[table]) == len(rows), table
    return made


def _rows(table: str, objects: Objects, name: str) -> Iterator[object]:
    declared = TABLES[table].row
    for values in pl.read_parquet(objects.read(name), columns=[*declared.__struct_fields__]).iter_rows():
        yield declared(*(tuple(value) if isinstance(value, list) else value for value in values))


def by_key(table: str, rows: Iterable[object]) -> dict[Any, Any]:
    return {tuple(getattr(row, column) for column in TABLES[table].key): row for row in rows}


SITE = "http://demo.verdicts.example"
NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
PAGES = [(path, item.body) for path, item in build_site().items() if path.startswith(("/compare/", "/blog/"))][::3]
BROKEN = [b"", b"<html><body>" + b"<div>" * 300, b"<p>A page of no kind that is known.", b"\0\xff" * 500]


def store_pages(folder: DataFolder, *, nights: int = 1, bytes_a_segment: int = 20_000) -> None:
    """Nights of pages of the demo site, some of them broken, and pages that changed."""
    chance = Random(1)
    with pytest.MonkeyPatch.context() as patched, open_store(folder.root, command="test") as store:
        patched.setattr(segments, "SEGMENT_BYTES", bytes_a_segment)
        for night in range(nights):
            now = NIGHT + timedelta(days=night)
            crawl_id = store.begin(f"{now:%Y%m%dT%H%M%SZ}-{night:04x}", "crawl", now).crawl_id
            with store.transaction():
                for path, body in chance.sample(PAGES, len(PAGES)):
                    url = f"{SITE}{path}"
                    changed = chance.choice(BROKEN) if chance.random() < 0.05 else body + b"<!-- %d -->" % night
                    store.keep(Snapshot(url, url, now, 200, (("content-type", "text/html"),), changed, crawl_id))
            store.finish(crawl_id, now)


def read_alone(folder: DataFolder, failures: FailureLog | None = None, *, anew: bool = False) -> dict[str, bytes]:
    """What one machine makes of it: each record file."""
    with open_store(folder.root, command="test") as store:
        index = store.index()
    told = FailureLog() if failures is None else failures
    bring_records_up_to_date(index, folder.raw, folder.records, lambda *_: None, told, anew=anew)
    return record_files(folder.records)


def record_files(records: Path) -> dict[str, bytes]:
    return {f"records/{path.name}": path.read_bytes() for path in records.iterdir()}


class Twice:
    """An engine that is given each batch twice."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def run(self, function, batches):
        return self._engine.run(function, [*batches, *batches])
