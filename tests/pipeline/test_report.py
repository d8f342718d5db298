"""The record of a night in a real data folder, however it ended and whatever is broken, and the report made of it."""

import re
import resource
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from builders import warehouse_rows as make
from builders.command import check_refusal, run_here
from builders.gate_nights import FIRST, Nights, change_share, site
from builders.gate_worlds import LOSSES
from builders.warehouse_files import load_corpus, publish
from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.run.endings import Ending, note_endings, read_reasons
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.gates.holds import group_by_host
from verdicts.pipeline.nights.corpus_changes import compare_copies
from verdicts.pipeline.nights.record import (
    NIGHTS_KEPT,
    CorpusChanges,
    NightCrawl,
    NightRecord,
    read_nights,
    write_record,
)
from verdicts.pipeline.nights.report import render_report
from verdicts.pipeline.nights.reporting import record_crawl, report_night
from verdicts.pipeline.sources.config import DEMO

DOWN = "mirror.example"


@pytest.fixture(scope="module")
def two_reported(tmp_path_factory):
    """Two nights of two hosts: on the second one loses its prices, and of the other nothing is fetched."""
    nights = Nights(tmp_path_factory.mktemp("reported") / "data")
    pages, others = site(40), site(6, host=DOWN)
    for number, status in enumerate(("done", "held")):
        read = pages | others if number == 0 else change_share(pages, LOSSES["price"], 0.8)
        report = nights.night(read, failing=dict.fromkeys(others if number else (), Outcome.DNS_ERROR))
        began_at = FIRST + timedelta(days=number, minutes=-1)
        night_id, crawl_id = (f"{at:%Y%m%dT%H%M%SZ}-0001" for at in (began_at, FIRST + timedelta(days=number)))
        night = NightRecord(night_id, began_at, status=status, exit_code=3 * number, headline="tools.example is held")
        write_record(nights.folder, replace(night, status=None))
        night.crawl_id, night.load_id, night.gates = crawl_id, report.load.load_id, tuple(report.gates)
        night.crawl = _make_crawl(nights.folder, crawl_id)
        night.published = steps.publish_corpus(nights.folder).name
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(steps, "now", lambda at=began_at: at + timedelta(minutes=70))
            report_night(nights.folder, DEMO, night)
    return nights.folder, read_nights(nights.folder)[0]


def _make_crawl(folder: DataFolder, crawl_id: str):
    """What the crawl came to, by its attempts: these nights are made without one."""
    with open_store(folder.root, command="test") as store:
        attempts = "SELECT url, outcome FROM fetches WHERE crawl_id = ?"
        counts = Counter((find_host(url), outcome) for url, outcome in store.state.execute(attempts, (crawl_id,)))
        with store.transaction():
            endings = [Ending(host, outcome, number, "", None) for (host, outcome), number in counts.items()]
            note_endings(store.state, crawl_id, endings)
        crawl = next(crawl for crawl in store.read_crawls() if crawl.crawl_id == crawl_id)
        return record_crawl(crawl, read_reasons(store, crawl_id))


@pytest.fixture
def folder(two_reported, tmp_path):
    """A copy to spoil."""
    shutil.copytree(two_reported[0].root, tmp_path / "data")
    return DataFolder(tmp_path / "data")


def test_the_record_of_a_held_night_says_which_pages_of_which_host_lost_what(two_reported):
    prices = next(host for host in group_by_host(two_reported[1].gates) if host.host == "tools.example").holds[0]
    assert (prices.measure, prices.lost, prices.had) == ("price", 22, 24)
    assert len(prices.examples) == 3
    assert re.fullmatch(r"http\S+: Free tier / \$20/mo.* → nothing", prices.examples[0])


def test_a_host_of_which_nothing_was_fetched_comes_first_with_the_reason(two_reported):
    crawl = two_reported[1].crawl
    assert isinstance(crawl, NightCrawl)
    down, up = crawl.hosts
    assert (down.host, down.count_asked(), down.count_answered(), down.count_failed()) == (DOWN, 6, 0, 6)
    assert "the host name does not resolve" in str(down.why)
    assert (up.host, up.count_asked(), up.count_answered(), up.why) == ("tools.example", 40, 40, None)


def test_a_first_night_has_nothing_to_compare_with_and_says_so(two_reported):
    first = read_nights(two_reported[0])[-1]
    assert isinstance(first.corpus, CorpusChanges)
    assert first.corpus.before is None
    assert [row.state for row in first.gates] == ["unjudged"] * 2
    assert render_report(first, read_nights(two_reported[0]))[".md"].count(" Nov ") == 1


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


@pytest.mark.parametrize("how", BROKEN)
def test_a_night_is_recorded_whatever_is_broken(how, folder, two_reported, capsys):
    BROKEN[how](folder.root)
    (folder.root / "records").mkdir(exist_ok=True)
    night = NightRecord("20261103T000000Z-0001", FIRST, status="failed", exit_code=5, headline="no luck")
    night.load_id, night.published = "load", two_reported[1].published
    report_night(folder, DEMO, night)
    assert "the record" not in capsys.readouterr().err
    newest = read_nights(folder)[0]
    assert newest.headline == "no luck"
    assert render_report(newest, read_nights(folder))[".md"].startswith("# Night of ")
    assert (newest.corpus is None) == ("copy" in how or "nothing" in how)


@contextmanager
def full_disk(left: int) -> Iterator[None]:
    """No file grows beyond so many bytes: to whoever writes it, the disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (left, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_is_full_costs_one_line_and_leaves_no_part(folder, two_reported, capsys):
    before = {path.name for path in folder.reports.iterdir()}
    night = replace(two_reported[1], night_id="20261103T000000Z-0001", headline="x" * 1000)
    with full_disk(800):
        report_night(folder, DEMO, night)
    assert {path.name for path in folder.reports.iterdir()} == before
    said = capsys.readouterr().err
    assert "Traceback" not in said
    (line,) = {line for line in said.splitlines() if line.startswith("the record of the night: ")}
    assert "File too large; free room on that disk" in line


def test_the_newest_records_are_kept(folder, two_reported):
    for number in range(NIGHTS_KEPT + 3):
        (folder.reports / f"20250101T{number:06}Z-0000.json").write_text("old")
    (folder.reports / ".20250101T000000Z-0000.json.tmp").write_text("of a night that was killed")
    write_record(folder, two_reported[1])
    assert len([*folder.reports.iterdir()]) == NIGHTS_KEPT
    assert read_nights(folder)[0] == two_reported[1]


def test_the_command_prints_the_newest_report_and_writes_another(folder):
    home = folder.root.parent
    newest = run_here("report", cwd=home)
    assert (newest.returncode, newest.stdout.splitlines()[0]) == (0, "# Night of 2 November 2026: held")
    first = run_here("report", "--night", "20261101", "--output", "first.html", cwd=home)
    assert (first.returncode, first.stdout, first.stderr) == (0, "", "")
    assert (home / "first.html").read_text(encoding="utf-8").startswith("<!doctype html>")


ASKED_WRONGLY = {
    ("--night", "20270101"): "there is no night '20270101'; 'verdicts status' lists the last ones",
    ("--night", "2026"): "2 nights begin '2026'",
    ("--output", "report.pdf"): "must end with .html or .md",
    ("--output", "data/reports/mine.md"): "data/reports/mine.md is in the data folder",
    ("--data", "elsewhere"): "elsewhere holds no corpus yet",
}


@pytest.mark.parametrize("options", ASKED_WRONGLY)
def test_what_cannot_be_shown_is_one_line(options, two_reported):
    check_refusal(run_here("report", *options, cwd=two_reported[0].root.parent), ASKED_WRONGLY[options])


def test_a_folder_without_nights_and_one_whose_only_night_never_ended_are_one_line(folder):
    shutil.rmtree(folder.reports)
    check_refusal(run_here("report", cwd=folder.root.parent), "has no night yet")
    night = NightRecord("20261103T000000Z-0001", FIRST)
    write_record(folder, night)
    check_refusal(
        run_here("report", cwd=folder.root.parent),
        "night 20261103T000000Z-0001 has not ended: it is running, or was killed; 'verdicts status' says which",
    )
    write_record(folder, replace(night, ended_at=FIRST, status="interrupted", headline="stopped"))
    done = run_here("report", cwd=folder.root.parent)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "# Night of 1 November 2026: interrupted")


def test_withdrawn_returned_and_changed_reviews_are_changes_of_their_night(tmp_path):
    folder = DataFolder(tmp_path / "data")
    for number, rows in enumerate((make.corpus(), make.market())):
        load_corpus(folder.warehouse, rows, f"load-{number}")
        published = publish(folder.warehouse, folder.serve, at=make.NIGHT + timedelta(days=number))
    found = compare_copies(folder.serve, published.name)
    assert found.changes["changed_reviews"].rows == (
        ("Alpha", "Creator", "withdrawn", "5 skip", ""),
        ("Twin", "Founder", "withdrawn", "45 skip", ""),
        ("Twin", "Founder", "returned", "45 skip", "65 ship"),
    )
