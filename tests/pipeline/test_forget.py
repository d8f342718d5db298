"""`verdicts forget`: a page or a review goes from every file of the data folder, whatever ends it on the way."""

import gzip
import shutil
from datetime import timedelta

import pytest

import verdicts as verdicts_for_python
from builders import bit_rot
from builders.command import RUN_MAIN, check_refusal, find_published_file, read_tables, run_here, run_well, verdicts
from builders.made_sites import ROOT, Made, crawl_made_site
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.forget import Target, find_target, plan
from verdicts.warehouse.serving.published import read_load_id

PAGE = f"{bit_rot.SITE}/compare/amble-kernel-vs-midmeadow"
BOOKKEEPING = frozenset({"load_id", "segment", "segment_offset", "content_hash"})


@pytest.fixture
def home(two_nights, tmp_path):
    bit_rot.fresh(two_nights, tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def without_page(two_nights, tmp_path_factory):
    """The folder after the page was forgotten without a disturbance."""
    home = tmp_path_factory.mktemp("forgotten")
    bit_rot.fresh(two_nights, home)
    run_well("forget", PAGE, "--yes", cwd=home)
    return home


def content(home):
    """All that the folder says, with the segments unpacked, and the tables as text."""
    data = home / "data"
    files = [path for path in data.rglob("*") if path.is_file()]
    words = [gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in files]
    copies = [data / "warehouse" / "corpus.duckdb", *(data / "serve").glob("*.duckdb")]
    return b"".join([*words, *(repr(read_tables(copy, without=())).encode() for copy in copies)])


def rows(home):
    return read_tables(find_published_file(home / "data"), without_columns=BOOKKEEPING)


def most_repeated(home):
    """The review that most pages show: its id and words."""
    done = run_well("sql", "SELECT review_id, text FROM reviews ORDER BY appearances DESC, text LIMIT 1",
                  "--format", "csv", cwd=home)  # fmt: skip
    review_id, text = done.stdout.splitlines()[1].split(",", 1)
    return review_id, text.strip('"')


def test_a_dry_run_says_what_would_go_and_changes_nothing(home):
    before = {path: path.read_bytes() for path in (home / "data").rglob("*") if path.is_file()}
    said = run_well("forget", PAGE, "--dry-run", cwd=home).stdout
    for line in ("raw store: 1 go, 0 stay", "copies deleted: 2;",
                 "dataset data/dataset"):  # fmt: skip
        assert line in said
    check_refusal(run_here("forget", PAGE, cwd=home), "add --yes")
    check_refusal(run_here("forget", f"{PAGE}-2", "--yes", cwd=home), "nothing of")
    changed = {
        path.name for path in (home / "data").rglob("*") if path.is_file() and path.read_bytes() != before.get(path)
    }
    assert changed <= {"verdicts.jsonl", "state.sqlite", "state.sqlite.sha256", "lock"}


async def test_a_page_is_found_by_any_of_its_addresses(tmp_path):
    at = bit_rot.FIRST_NIGHT
    await crawl_made_site(tmp_path, {"/": Made(text="home", links=("/old",)), "/old": Made(text="jane")}, at)
    moved = {
        "/": Made(text="home", links=("/new",)),
        "/old": Made(status=301, location="/new"),
        "/new": Made(text="jane"),
    }
    await crawl_made_site(tmp_path, moved, at + timedelta(days=15))
    with open_store(tmp_path, command="test") as store:
        for name in (f"{ROOT}/old", f"{ROOT}/new", f"{ROOT}/new/?utm_source=mail".replace("http:", "https:")):
            target = find_target(store, DataFolder(tmp_path), name)
            assert target.pages == (f"{ROOT}/new", f"{ROOT}/old")
            assert plan(store, DataFolder(tmp_path), target).extent.snapshots == 2
        old = Target("", (), (f"{ROOT}/old",), (), ())
        assert plan(store, DataFolder(tmp_path), old).twins == (f"{ROOT}/new",), "a mirror of the page is named"


def test_a_page_is_gone_from_segments_state_tables_copies_and_dataset(home, without_page):
    before, after = rows(home), rows(without_page)
    assert PAGE.encode() in content(home)
    assert PAGE.encode() not in content(without_page)
    assert len(after["pages"]) == len(before["pages"]) - 1
    assert len({file.stat().st_ino for file in (without_page / "data" / "serve").glob("*.duckdb")}) == 1
    with pytest.raises(verdicts_for_python.ChangesNotKept, match="start from a full copy"):
        verdicts_for_python.open(without_page / "data").changes(read_load_id(find_published_file(home / "data")))
    run_well("verify", cwd=without_page)
    run_well("doctor", cwd=without_page)
    assert "erased it for ever" in run_well("why", PAGE, cwd=without_page).stdout


def test_a_repair_from_segments_of_a_backup_does_not_bring_it_back(without_page, two_nights, tmp_path):
    shutil.copytree(without_page / "data", tmp_path / "data")
    shutil.rmtree(tmp_path / "data" / "raw")
    shutil.copytree(two_nights / "raw", tmp_path / "data" / "raw")
    for path in (tmp_path / "data").glob("state.sqlite*"):
        path.unlink()
    run_well("repair", cwd=tmp_path)
    assert rows(tmp_path) == rows(without_page)
    assert PAGE.encode() not in content(tmp_path)


def test_a_review_goes_from_each_page_that_repeats_it_and_does_not_come_back_with_one(home, monkeypatch):
    shutil.rmtree(home / "data" / "dataset")
    review_id, text = most_repeated(home)
    folder, before = DataFolder(home / "data"), rows(home)
    with open_store(folder.root, command="test", read_only=True) as store:
        stored = [(item.location.segment, store.read(item.location)) for item in store.index()]
    showing = [(segment, page) for segment, page in stored if text.encode() in page.body]
    first, shows = showing[0]
    left = len([segment for segment, _ in showing if segment != first])
    assert "7 stay without the words" in run_well("forget", review_id, "--dry-run", cwd=home).stdout
    with monkeypatch.context() as patch:
        patch.setattr("verdicts.fetch.store.erase._remove", kill)
        with pytest.raises(Killed):
            run_here("forget", review_id, "--yes", cwd=home)
    assert f" {left} stay" in run_well("forget", cwd=home).stdout, "the list has only a digest of the words"
    assert text.encode() not in content(home)
    after = rows(home)
    for table, missing in {"reviews": 1, "appearances": 7, "pages": 0, "tools": 0, "rejects": 0}.items():
        assert len(before[table]) - len(after[table]) == missing, table
    assert after["discrepancies"] == before["discrepancies"], "each page still has all parts"
    run_well("verify", cwd=home)
    at = bit_rot.FIRST_NIGHT + timedelta(days=9)
    with open_store(folder.root, command="test") as store:
        run = store.begin(f"{at:%Y%m%dT%H%M%SZ}-0000", "crawl", at).crawl_id
        with store.transaction():
            body = shows.body.replace(text.encode(), text.replace(" ", "  <b></b>", 1).encode())
            store.keep(Snapshot(shows.url, shows.final_url, at, 200, shows.headers, body, run))
        store.finish(run, at)
        steps.build_corpus(store, folder)
    steps.publish_corpus(folder)
    assert text.split(".")[1].encode() not in content(home)
    for table in ("reviews", "pages", "discrepancies", "rejects"):
        assert len(rows(home)[table]) == len(after[table]), table


STOPS = {
    "a segment is written, its rows are not": "erase.sync",
    "the rows are written, the old segment stands": "erase._remove",
    "the state is without it": "forget.remove_stale_records",
    "the warehouse is gone": "forget.steps.build_corpus",
    "the corpus is built": "forget.steps.publish_corpus",
    "readers have it, older copies stand": "forget.remove_earlier",
    "the older copies are gone": "forget.steps.export_dataset",
    "all is done but the note": "forget.end_forgetting",
}
MODULES = {"erase": "verdicts.fetch.store.erase", "forget": "verdicts.pipeline.forget"}


class Killed(BaseException):
    pass


def kill(*_args, **_more):
    raise Killed


@pytest.mark.share(8)
@pytest.mark.parametrize("stop", [*STOPS.values()], ids=[*STOPS])
def test_the_next_call_does_what_was_left(home, without_page, monkeypatch, stop):
    place, _, name = stop.partition(".")
    if name != "steps.export_dataset":
        # To write it takes a third of the time.
        shutil.rmtree(home / "data" / "dataset")
    with monkeypatch.context() as patch:
        patch.setattr(f"{MODULES[place]}.{name}", kill)
        with pytest.raises(Killed):
            run_here("forget", PAGE, "--yes", cwd=home)
    assert "a 'verdicts forget' did not end" in run_here("doctor", cwd=home).stdout
    run_well("forget", cwd=home)
    assert rows(home) == rows(without_page)
    assert PAGE.encode() not in content(home)
    run_well("verify", cwd=home)


@pytest.mark.whole
def test_a_kill_leaves_what_the_next_call_ends(home, without_page):
    erase = MODULES["erase"]
    kill = f"import os, {erase}; {erase}._remove = lambda *a, **k: os.kill(os.getpid(), 9); {RUN_MAIN}"
    assert verdicts("forget", PAGE, "--yes", cwd=home, code=kill).returncode == -9
    run_well("forget", cwd=home)
    assert rows(home) == rows(without_page)
    assert PAGE.encode() not in content(home)
