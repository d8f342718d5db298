"""A data folder with some hundred pages in many small segments, and what one machine reads from it."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from verdicts.demo_site.responses import build_site
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.store import segments
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.extraction import bring_records_up_to_date
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.failure_log import FailureLog

SITE = "http://demo.verdicts.example"
NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
PAGES = [(path, answer.body) for path, answer in build_site().items() if path.startswith(("/compare/", "/blog/"))]
BROKEN = [b"", b"<html><body>" + b"<div>" * 300, b"<p>A page of no kind that is known.", b"\0\xff" * 500]


def store_pages(folder: DataFolder, *, seed: int = 1, nights: int = 3, bytes_a_segment: int = 25_000) -> None:
    """Nights of pages of the demo site, some of them broken, and pages that changed."""
    chance = random.Random(seed)
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
    """What one machine makes of it: each record file and its digest."""
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
