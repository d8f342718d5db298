"""A small data folder for tests that damage it."""

import importlib
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from verdicts.corpus.rows.runs import FetchRow
from verdicts.corpus.tables import CORPUS_TABLES, name_relation
from verdicts.demo_site.responses import build_site
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Snapshot, new_run_id
from verdicts.fetch.store import frontier
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.logs import log_to, send_log
from verdicts.pipeline.nights.record import NightRecord
from verdicts.pipeline.nights.reporting import report_night
from verdicts.pipeline.sources.config import DEMO

TESTS = Path(__file__).parents[1]

SITE = "http://demo.verdicts.example"
FIRST_NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
PAGES = 5


def flip(path: Path, offset: int | None = None) -> None:
    """Changes one bit, in the middle where no offset is given."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2 if offset is None else offset] ^= 4
    path.chmod(0o644)
    path.write_bytes(content)


ROWS = " UNION ALL ".join(
    f"SELECT '{table}' AS relation, count(*) AS n, bit_xor(hash(row)) AS digest"
    f" FROM (SELECT * EXCLUDE load_id FROM {name_relation(table)}) AS row"
    for table in CORPUS_TABLES
)
"""Every value of every row of the corpus, as one number a table."""

QUESTION = ("sql", ROWS, "--format", "csv")


def make(data: Path) -> None:
    """Two nights of a few pages each, built, published twice and exported."""
    pages = [(path, answer.body) for path, answer in build_site().items() if path.startswith("/compare/")]
    with open_store(data, command="test") as store:
        for night in range(2):
            _crawl(store, pages[night * PAGES : (night + 1) * PAGES], FIRST_NIGHT + timedelta(days=night))
        steps.build_corpus(store, DataFolder(data))
    for _ in range(2):
        steps.publish_corpus(DataFolder(data))
    steps.export_dataset(DataFolder(data), data / "dataset")
    _tell(DataFolder(data))


def _tell(folder: DataFolder) -> None:
    """What a night leaves beside its corpus: a line in the log, its record, metrics."""
    moment = steps.now()
    night_id = new_run_id(moment)
    with send_log():
        log_to(folder, "run")
        night = NightRecord(night_id, moment, status="done", exit_code=0, headline="readers have the night")
        report_night(folder, DEMO, night)


def _crawl(store: Store, pages: Sequence[tuple[str, bytes]], at: datetime) -> None:
    crawl_id = store.begin(f"{at:%Y%m%dT%H%M%SZ}-0000", "crawl", at).crawl_id
    for number, (path, body) in enumerate(pages, start=1):
        url = SITE + path
        snapshot = Snapshot(url, url, at, 200, (("content-type", "text/html"), ("etag", f'"{number}"')), body, crawl_id)
        with store.transaction():
            frontier.add(store.state, [(url, url)], crawl_id=crawl_id, source="start")
            location = store.keep(snapshot)
            frontier.settle(store.state, url, crawl_id, at, at + timedelta(days=1))
            name = f"{crawl_id}.{number:07d}"
            place = (len(body), snapshot.sha256, location.segment, location.offset, None)
            store.log(FetchRow(name, crawl_id, url, Outcome.STORED, 200, 1, at, 5, *place))
    store.finish(crawl_id, at)


def import_all() -> None:
    """What the commands import when they run, once for all forks. Nothing of it may start a thread yet."""
    for name in (
        "verdicts.pipeline.exit_codes",
        "verdicts.commands.printing.output",
        "verdicts.reading.story",
        "verdicts.commands.printing.summary",
        "verdicts.pipeline.build.build",
        "verdicts.pipeline.repair",
        "rich.console",
        "rich.table",
        "verdicts.warehouse.exporting.dataset",
        "verdicts.warehouse.exporting.export",
        "verdicts.warehouse.loading.load",
        "verdicts.warehouse.serving.published",
        "verdicts.warehouse.serving.query",
    ):
        importlib.import_module(name)


def fresh(whole: Path, home: Path) -> Path:
    """A copy of the folder as `data` in `home`, in place of the one before."""
    shutil.rmtree(home / "data", ignore_errors=True)
    shutil.copytree(whole, home / "data")
    return home / "data"
