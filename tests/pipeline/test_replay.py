"""Rejects are read again from the raw store, and what a change of the extractor does is seen before it is published."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from builders.command import called, published_file, tables_of, worked
from builders.snapshots import MOMENT
from verdicts.demo_site.facts import load_facts
from verdicts.demo_site.pages import comparison_page
from verdicts.demo_site.responses import SITE_URL
from verdicts.extract.model.records import Reject
from verdicts.fetch.run.ingest import Source, ingest
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build import build
from verdicts.pipeline.build.extraction import bring_records_up_to_date, count_outcomes, replay
from verdicts.pipeline.build.record_files import read_records, write_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.steps import publish_corpus
from verdicts.pipeline.workers.pool import record_row

PAIRS = load_facts().pairs[:6]
LOST = SITE_URL.rstrip("/") + PAIRS[2].path


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Six pages of the demo site, one of which the extractor of that day could not read."""
    home = tmp_path_factory.mktemp("replay")
    folder = DataFolder(home / "data")
    sources = []
    for pair in PAIRS:
        path = home / f"{pair.a}-vs-{pair.b}.html"
        path.write_text(comparison_page(load_facts(), pair), encoding="utf-8")
        sources.append(Source(path, SITE_URL.rstrip("/") + pair.path))
    with open_store(folder.root, command="test") as store:
        ingest(store, sources, clock=lambda: MOMENT)
        bring_records_up_to_date(store.index(), folder.raw, folder.records, lambda *_: None, FailureLog())
        (file,) = folder.records.glob("*.parquet")
        reject = Reject("not_a_comparison", "the extractor of that day")
        held = [replace(item, extracted=reject) if item.url == LOST else item for item in read_records([file])]
        write_records(file, [record_row(item) for item in held])
        build(store, folder, now=MOMENT)
        publish_corpus(folder)
    return home


@pytest.fixture
def home(built, tmp_path):
    return Path(shutil.copytree(built, tmp_path / "home"))


def count_compared(home):
    """Pages of the panel that readers see."""
    return sum(kind == "panel" for _, kind, *_ in tables_of(published_file(home / "data"))["pages"])


@pytest.mark.whole
def test_a_reject_that_can_be_read_now_is_read_shown_and_published(home):
    assert count_compared(home) == 5
    replayed = worked("replay", cwd=home)
    assert "rejects read again: 1, with another result: 1" in replayed.stdout
    assert [row[0] for row in tables_of(published_file(home / "data"))["rejects"]] == [LOST], "nothing is published yet"
    counted = [line.split()[1:8:2] for line in called("diff", cwd=home).stdout.splitlines()]
    assert ["pages", "0", "1", "0"] in counted
    assert ["rejects", "0", "0", "1"] in counted
    page = called("diff", "published", "built", "--table", "pages", "--format", "csv", cwd=home).stdout
    assert page.startswith("load_id,relation,row_key,change,column_names,before,after\n")
    assert "unread" in page
    worked("publish", cwd=home)
    assert count_compared(home) == 6
    assert called("diff", cwd=home).stdout == "nothing differs between published and built\n"


@pytest.mark.whole
def test_a_dry_run_says_the_same_and_changes_nothing(home):
    before = {path: path.read_bytes() for path in (home / "data" / "records").iterdir()}
    done = called("replay", "--dry-run", cwd=home)
    assert "not_a_comparison" in done.stdout
    assert "with another result: 1" in done.stdout
    assert {path: path.read_bytes() for path in (home / "data" / "records").iterdir()} == before


@pytest.mark.whole
def test_what_is_still_rejected_leaves_everything_as_it_is(home):
    called("replay", cwd=home)
    again = called("replay", cwd=home)
    assert "rejects read again: 0" in again.stdout
    assert "next:" not in again.stdout


def test_a_crash_after_the_files_were_rewritten_loses_nothing(home):
    folder = DataFolder(home / "data")
    with open_store(folder.root, command="test") as store:
        replayed = replay(store, folder, keep=True)
    assert count_outcomes(replayed) == [("not_a_comparison", "comparison", 1, LOST)]
    with open_store(folder.root, command="test") as store:
        assert build(store, folder, now=MOMENT).load.tables["pages"].changed == 1


def test_many_rejects_are_read_again_in_their_order(home):
    folder = DataFolder(home / "data")
    (file,) = folder.records.glob("*.parquet")
    held = list(read_records([file]))
    write_records(file, [record_row(replace(item, extracted=Reject("empty", "that day"))) for item in held])
    with open_store(folder.root, command="test", read_only=True) as store:
        replayed = replay(store, folder, keep=False)
    assert [item.location for item in replayed] == [item.location for item in held]
    assert count_outcomes(replayed) == [("empty", "comparison", 6, held[0].url)]


@pytest.mark.whole
def test_the_same_state_twice_is_no_comparison(home):
    done = called("diff", "published", "published", cwd=home)
    assert (done.returncode, done.stderr) == (1, "verdicts: published and published are the same state; name two\n")
