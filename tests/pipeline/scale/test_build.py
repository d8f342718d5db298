"""A build past one machine leaves the warehouse that one on this machine leaves, and tells what it cannot do."""

import shutil
from datetime import UTC, datetime, timedelta
from unittest import mock

import duckdb
import pytest

from builders.s3_server import s3_server
from builders.snapshots import keep_pages
from verdicts.corpus.tables import TABLES, name_relation
from verdicts.demo_site.responses import build_site
from verdicts.fetch.objects import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build import HERE, build
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import LocalEngine
from verdicts.pipeline.scale.executor import PastOneMachine
from verdicts.pipeline.sources.config_sections import ScaleConfig

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
PAGES = [(path, answer.body) for path, answer in build_site().items() if path.startswith("/compare/")]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """A data folder after two crawls of the demo site, of which nothing was built."""
    folder = DataFolder(tmp_path_factory.mktemp("crawled") / "data")
    for number, pages in enumerate((PAGES[:12], PAGES[6:30])):
        now = NIGHT + timedelta(days=number)
        with open_store(folder.root, command="test") as store:
            mark = b"<!-- again --></h1>" if number else b"</h1>"
            keep_pages(store, [(path, body.replace(b"</h1>", mark)) for path, body in pages], now)
    return folder


def build_copy(crawled, root, executor=None):
    """A copy of the folder, built; and what its tables hold but for the names of loads, which have chance in them."""
    folder = DataFolder(root)
    shutil.copytree(crawled.root, root)
    now = NIGHT + timedelta(days=2)
    with open_store(root, command="test") as store:
        report = build(store, folder, now=now, executor=HERE if executor is None else executor(folder))
    assert report.failed == ()
    with duckdb.connect(folder.warehouse, read_only=True) as connection:
        return {
            table: connection.sql(f"SELECT * EXCLUDE (load_id) FROM {name_relation(table)} ORDER BY ALL").fetchall()
            for table in TABLES.keys() - {"loads"}
        }


@pytest.fixture
def bucket():
    with s3_server():
        yield "s3://bucket/corpus"


def test_a_build_past_one_machine_leaves_the_rows_of_one_machine(tmp_path, crawled, bucket):
    scale = ScaleConfig(store=bucket, bins=3)
    here = build_copy(crawled, tmp_path / "here")
    there = build_copy(crawled, tmp_path / "there", lambda folder: PastOneMachine(scale, folder, LocalEngine(1)))
    assert there == here
    assert len(here["appearances"]) > 100


def test_a_build_of_nothing_past_one_machine_is_an_empty_corpus(tmp_path):
    folder = DataFolder(tmp_path / "data")
    with open_store(folder.root, command="test") as store:
        executor = PastOneMachine(ScaleConfig(bins=2), folder, LocalEngine(1))
        assert build(store, folder, now=NIGHT, executor=executor).failed == ()
    with duckdb.connect(folder.warehouse, read_only=True) as connection:
        assert connection.sql("SELECT count(*) FROM pages").fetchall() == [(0,)]


@pytest.mark.whole
def test_what_partitions_sent_each_other_goes_with_the_next_build(tmp_path, crawled):
    folder = DataFolder(tmp_path / "data")
    shutil.copytree(crawled.root, folder.root)
    objects = open_objects(str(tmp_path / "store"))
    plans = []
    for bins in (2, 1):
        scale = ScaleConfig(store=objects.url, bins=bins)
        # A plan with other partitions is another one.
        with (
            open_store(folder.root, command="test") as store,
            mock.patch("verdicts.pipeline.scale.batches.SNAPSHOTS_A_PARTITION", 20),
        ):
            there = PastOneMachine(scale, folder, LocalEngine(1))
            build(store, folder, now=NIGHT, anew=True, executor=there)
        (plan,) = {name.split("/")[1] for name in objects.names("messages/")}
        plans.append(plan)
    assert len(set(plans)) == 2
