"""The report of a real data folder: written after each night however it ended, and whatever of the folder is broken."""

import re
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from builders import warehouse_rows as make
from builders.command import called, refused, worked
from builders.gate_nights import FIRST, Nights, changed, site
from builders.gate_worlds import LOSSES
from builders.warehouse_files import load_corpus, publish
from verdicts.fetch.model.outcome import Outcome
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.corpus_changes import CorpusChanges, corpus_changes
from verdicts.pipeline.nights.kept_reports import PAIRS_KEPT
from verdicts.pipeline.nights.night_log import NightEnding, logged_nights, note_beginning, note_ending
from verdicts.pipeline.nights.report import write_report
from verdicts.pipeline.nights.report_facts import Crawled, Gates, facts_of
from verdicts.pipeline.nights.reporting import report_ending
from verdicts.pipeline.sources.config import DEMO

DOWN = "mirror.example"


@pytest.fixture(scope="module")
def two_reported(tmp_path_factory):
    """Two nights of two hosts: on the second one loses its prices, and of the other nothing is fetched."""
    nights = Nights(tmp_path_factory.mktemp("reported") / "data")
    pages, others = site(40), site(6, host=DOWN)
    for number, status in enumerate(("done", "held")):
        read = pages | others if number == 0 else changed(pages, LOSSES["price"], 0.8)
        report = nights.night(read, failing=dict.fromkeys(others if number else (), Outcome.DNS_ERROR))
        began_at = FIRST + timedelta(days=number, minutes=-1)
        night_id, crawl_id = (f"{at:%Y%m%dT%H%M%SZ}-0001" for at in (began_at, FIRST + timedelta(days=number)))
        note_beginning(nights.folder, night_id, began_at)
        published = steps.publish_corpus(nights.folder).name
        parts = (status, 3 * number, "tools.example is held", crawl_id, report.load.load_id, published)
        ending = NightEnding(night_id, began_at, began_at + timedelta(minutes=70), *parts)
        report_ending(nights.folder, DEMO, ending)
    return nights.folder, ending


@pytest.fixture
def folder(two_reported, tmp_path):
    """A copy to spoil."""
    shutil.copytree(two_reported[0].root, tmp_path / "data")
    return DataFolder(tmp_path / "data")


def test_each_night_leaves_a_page_and_its_twin(two_reported):
    folder, ending = two_reported
    names = {path.name for path in folder.reports.iterdir()} - {"nights.jsonl", "incidents.json"}
    first = f"{FIRST - timedelta(minutes=1):%Y%m%dT%H%M%SZ}-0001"
    assert names == {f"{night}.{form}" for night in (first, ending.night_id) for form in ("html", "md")}


def test_the_report_of_a_held_night_says_which_pages_of_which_host_lost_what(two_reported):
    told = facts_of(*two_reported[:1], DEMO.care, two_reported[1])
    assert isinstance(told.gates, Gates)
    prices = next(rows for rows in told.gates.held if rows[0].host == "tools.example")[0]
    assert (prices.measure, prices.lost, prices.had) == ("price", 22, 24)
    assert len(prices.examples) == 3
    assert re.fullmatch(r"http\S+: Free tier / \$20/mo.* → nothing", prices.examples[0])


def test_a_host_of_which_nothing_was_fetched_is_told_first_with_the_reason(two_reported):
    folder, ending = two_reported
    crawled = facts_of(folder, DEMO.care, ending).crawled
    assert isinstance(crawled, Crawled)
    down, up = crawled.hosts
    assert (down.host, down.asked, down.answered, down.failed) == (DOWN, 6, 0, 6)
    assert "the host name does not resolve" in str(down.why)
    assert (up.host, up.asked, up.answered, up.other, up.lost, up.why) == ("tools.example", 40, 40, 0, 22, None)


def test_a_first_night_has_nothing_to_compare_with_and_says_so(two_reported):
    folder, ending = two_reported
    first = next(night for night in _endings(folder) if night.night_id != ending.night_id)
    told = facts_of(folder, DEMO.care, first)
    assert isinstance(told.corpus, CorpusChanges)
    assert told.corpus.before is None
    assert isinstance(told.gates, Gates)
    assert (len(told.gates.held), len(told.gates.unjudged)) == (0, 2)
    assert len(told.nights) == 1


def _endings(folder: DataFolder) -> Iterator[NightEnding]:
    return (night.ending for night in logged_nights(folder) if night.ending is not None)


def cut(path):
    """Leaves the first bytes of a file that nobody but root may write to."""
    begin = path.read_bytes()[:9000]
    path.unlink()
    path.write_bytes(begin)


BROKEN = {
    "nothing is there": lambda data: (
        shutil.rmtree(data / "serve") or (data / "state.sqlite").unlink() or shutil.rmtree(data / "raw")
    ),
    "the state is garbage": lambda data: (data / "state.sqlite").write_bytes(b"garbage" * 1000),
    "the state is missing": lambda data: (data / "state.sqlite").unlink(),
    "the copy is missing": lambda data: [path.unlink() for path in (data / "serve").glob("*.duckdb")],
    "the copy is cut": lambda data: [cut(path) for path in (data / "serve").glob("*.duckdb")],
    "the pointer is missing": lambda data: (data / "serve" / "current").unlink(),
}


@pytest.mark.parametrize(
    ("how", "status"), [(how, "failed" if number % 2 else "held") for number, how in enumerate(BROKEN)]
)
def test_a_report_is_written_whatever_is_broken(how, status, folder, two_reported, capsys):
    BROKEN[how](folder.root)
    ending = replace(two_reported[1], night_id="20261103T000000Z-0001", status=status, headline="no luck")
    report_ending(folder, DEMO, ending)
    assert "the report" not in capsys.readouterr().err
    text = (folder.reports / "20261103T000000Z-0001.md").read_text(encoding="utf-8")
    assert text.startswith("# Night of ")
    told = facts_of(folder, DEMO.care, ending)
    assert isinstance(told.crawled, str) == ("state" in how or "nothing" in how)
    assert isinstance(told.corpus, str) == ("copy" in how or "nothing" in how)


@contextmanager
def full_disk(left: int) -> Iterator[None]:
    """No file grows beyond so many bytes: to whoever writes it, the disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (left, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_is_full_in_mid_report_costs_one_line_and_leaves_no_part(folder, two_reported, capsys):
    before = {path.name for path in folder.reports.iterdir()}
    ending = replace(two_reported[1], night_id="20261103T000000Z-0001")
    with full_disk(8_000):
        report_ending(folder, DEMO, ending)
    assert {path.name for path in folder.reports.iterdir()} == before
    said = capsys.readouterr().err
    assert "Traceback" not in said
    (line,) = [line for line in said.splitlines() if line.startswith("the report: ")]
    assert "File too large; free room on that disk" in line
    assert '"night_id":"20261103T000000Z-0001"' in folder.night_log.read_text(encoding="utf-8")


def test_the_newest_ninety_pairs_are_kept(folder, two_reported):
    for number in range(PAIRS_KEPT + 3):
        for form in ("html", "md"):
            (folder.reports / f"20250101T{number:06}Z-0000.{form}").write_text("old")
    (folder.reports / ".20250101T000000Z-0000.html.tmp").write_text("of a night that was killed")
    write_report(folder, DEMO.care, two_reported[1])
    assert len([*folder.reports.glob("*.html")]) == len([*folder.reports.glob("*.md")]) == PAIRS_KEPT
    assert (folder.reports / f"{two_reported[1].night_id}.html").exists()
    assert list(folder.reports.glob(".*")) == []


@pytest.mark.parametrize("status", ["refused", "interrupted"])
def test_a_night_that_began_nothing_or_has_no_time_left_leaves_no_report(status, folder, two_reported):
    report_ending(folder, DEMO, replace(two_reported[1], night_id="20261103T000000Z-0001", status=status))
    assert not (folder.reports / "20261103T000000Z-0001.html").exists()


def test_the_command_prints_the_newest_report_and_writes_another(folder):
    home = folder.root.parent
    newest = called("report", cwd=home)
    assert (newest.returncode, newest.stdout.splitlines()[0]) == (0, "# Night of 2 November 2026: held")
    first = called("report", "--night", "20261101", "--output", "first.html", cwd=home)
    assert (first.returncode, first.stdout, first.stderr) == (0, "", "")
    assert (home / "first.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_report_that_is_not_kept_is_made_again_and_the_data_folder_stays_as_it_is(folder, two_reported):
    kept = (folder.reports / f"{two_reported[1].night_id}.md").read_text(encoding="utf-8")
    for path in [*folder.reports.glob("*.md"), *folder.reports.glob("*.html")]:
        path.unlink()
    made = worked("report", cwd=folder.root.parent)
    assert without_disk(made.stdout) == without_disk(kept)
    assert not any(path.suffix in {".md", ".html"} for path in folder.reports.iterdir())


def without_disk(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("- Free disk")]


ASKED_WRONGLY = {
    ("--night", "20270101"): "there is no night '20270101'; the nearest is 20261102T012900Z-0001",
    ("--night", "2026"): "2 nights begin '2026'",
    ("--output", "report.pdf"): "must end with .html or .md",
    ("--output", "data/reports/mine.md"): "data/reports/mine.md is in the data folder",
    ("--data", "elsewhere"): "elsewhere holds no corpus yet",
}


@pytest.mark.parametrize("options", ASKED_WRONGLY)
def test_what_cannot_be_shown_is_one_line(options, two_reported):
    refused(called("report", *options, cwd=two_reported[0].root.parent), ASKED_WRONGLY[options])


def test_a_folder_without_nights_and_one_whose_only_night_never_ended_are_one_line(folder):
    folder.night_log.unlink()
    refused(called("report", cwd=folder.root.parent), "has no night yet")
    note_beginning(folder, "20261103T000000Z-0001", FIRST)
    refused(
        called("report", cwd=folder.root.parent),
        "night 20261103T000000Z-0001 has not ended: it is running, or was killed; 'verdicts status' says which",
    )
    note_ending(folder, NightEnding("20261103T000000Z-0001", FIRST, FIRST, "interrupted", None, "stopped"))
    done = called("report", cwd=folder.root.parent)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "# Night of 1 November 2026: interrupted")


def test_withdrawn_returned_and_changed_reviews_are_changes_of_their_night(tmp_path):
    folder = DataFolder(tmp_path / "data")
    for number, rows in enumerate((make.corpus(), make.market())):
        load_corpus(folder.warehouse, rows, f"load-{number}")
        published = publish(folder.warehouse, folder.serve, at=make.NIGHT + timedelta(days=number))
    ending = NightEnding("night", FIRST, FIRST, "done", 0, "done", "crawl", "load-1", published.name)
    found = corpus_changes(folder, ending)
    assert isinstance(found, CorpusChanges)
    assert found.reviews.rows == (
        ("Alpha", "Creator", "withdrawn", "5 skip", ""),
        ("Twin", "Founder", "withdrawn", "45 skip", ""),
        ("Twin", "Founder", "returned", "45 skip", "65 ship"),
    )
