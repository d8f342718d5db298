"""A build that fails on one page: the page is named, what was read of it before stays, the others are loaded."""

import re
import shutil
from datetime import UTC, datetime, timedelta
from functools import partial

import duckdb
import pytest
from msgspec.structs import replace

from builders.interruptions import break_extractor
from builders.snapshots import keep_pages
from verdicts.demo_site.responses import build_site
from verdicts.extract.model.records import Comparison
from verdicts.fetch.store.store import open_store
from verdicts.normalize.corpus import normalize_stored
from verdicts.pipeline.build import build as building
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import NormalizerBroken

SITE = "http://demo.verdicts.example"
NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
PAGES = [(path, answer.body) for path, answer in build_site().items() if path.startswith("/compare/")][:5]
EVIL = PAGES[2][0]


@pytest.fixture(scope="module")
def first_night(tmp_path_factory):
    folder = DataFolder(tmp_path_factory.mktemp("first-night") / "data")
    assert night(folder).failed == ()
    return folder.root


@pytest.fixture
def folder(first_night, tmp_path):
    """After a night on which all went well."""
    return DataFolder(shutil.copytree(first_night, tmp_path / "data"))


def night(folder, number=0, pages=PAGES, **options):
    """Stores the pages as fetched on a night, and builds."""
    now = NIGHT + timedelta(days=number)
    with open_store(folder.root, command="test") as store:
        keep_pages(store, pages, now)
        return building.build(store, folder, now=now, **options)


def answer(folder, question):
    with duckdb.connect(folder.warehouse, read_only=True) as connection:
        return connection.sql(question).fetchall()


def paths(folder):
    return {url.removeprefix(SITE) for (url,) in answer(folder, "SELECT url FROM pages")}


def rejects(folder):
    return answer(folder, "SELECT url, stage, reason FROM evidence.rejects")


@pytest.mark.whole
def test_rows_of_a_page_outlive_an_extractor_that_fails_on_it_and_come_back_when_it_is_mended(
    folder, tmp_path, monkeypatch
):
    before = answer(folder, "SELECT * EXCLUDE load_id FROM reviews ORDER BY ALL")
    break_extractor(monkeypatch, tmp_path, EVIL)
    assert night(folder, 1, [], anew=True).failed == (f"{SITE}{EVIL}",)
    assert rejects(folder) == [(f"{SITE}{EVIL}", "extract", "extractor_failed")]
    assert paths(folder) == {path for path, _ in PAGES}
    assert answer(folder, "SELECT * EXCLUDE load_id FROM reviews ORDER BY ALL") == before
    monkeypatch.delenv("PYTHONPATH")
    assert night(folder, 2, [], anew=True).failed == ()
    assert rejects(folder) == []
    assert answer(folder, "SELECT * EXCLUDE load_id FROM reviews ORDER BY ALL") == before


def break_where(is_evil, how):
    """Normalization that goes wrong where an observation of a kind is among the given ones."""

    def normalize(observed, known, keep):
        given = [*observed]
        is_wrong = any(is_evil(item.observation) for item in given)
        return normalize_stored(given, known, partial(how, keep) if is_wrong else keep)

    return normalize


def fail(*_):
    raise ZeroDivisionError("ours")


def break_contract(keep, table, rows):
    keep(table, [replace(row, name="") for row in rows] if table == "tool_cards" else rows)


@pytest.mark.parametrize(
    ("how", "words"), [(fail, "ZeroDivisionError: ours"), (break_contract, r"tool_cards break the rule name\|")]
)
@pytest.mark.whole
def test_a_page_that_cannot_be_normalized_keeps_what_was_read_before(folder, monkeypatch, caplog, how, words):
    title = answer(folder, f"SELECT title FROM pages WHERE url LIKE '%{EVIL}'")
    changed = [(path, body.replace(b"</title>", b" now</title>")) for path, body in PAGES]
    evil = break_where(lambda item: item.url.endswith(EVIL) and item.fetched_at > NIGHT, how)
    monkeypatch.setattr(building, "normalize_stored", evil)
    report = night(folder, 1, changed)
    assert f"{SITE}{EVIL}" in report.failed
    assert rejects(folder) == [(f"{SITE}{EVIL}", "normalize", "normalizer_failed")]
    assert re.search(words, answer(folder, "SELECT detail FROM evidence.rejects")[0][0])
    assert "Traceback" in caplog.text
    assert answer(folder, f"SELECT title FROM pages WHERE url LIKE '%{EVIL}'") == title
    assert answer(folder, "SELECT count(DISTINCT last_seen_at) FROM pages")[0][0] >= 1
    monkeypatch.setattr(building, "normalize_stored", normalize_stored)
    assert night(folder, 2, [], anew=True).failed == ()
    assert rejects(folder) == []


@pytest.mark.whole
def test_normalization_that_fails_on_every_page_leaves_the_warehouse_as_it_was(folder, monkeypatch):
    before = folder.warehouse.read_bytes()
    evil = break_where(lambda item: isinstance(item.extracted, Comparison), fail)
    monkeypatch.setattr(building, "normalize_stored", evil)
    monkeypatch.setattr("verdicts.normalize.isolation.LEFT_OUT_LEAST", 3)
    with pytest.raises(NormalizerBroken, match="3 of 5 snapshots cannot be normalized"):
        night(folder, 1, [], anew=True)
    assert folder.warehouse.read_bytes() == before
