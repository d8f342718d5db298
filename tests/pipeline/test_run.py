"""The whole night on the demo site, as a newcomer runs it."""

import re
import shutil

import pytest

from builders.command import check_refusal, find_published_file, read_summary, read_tables, run_here, run_well
from verdicts.warehouse.serving.named_queries import MAIN_QUESTIONS, TOPICS, list_queries


def test_a_run_without_a_config_ends_with_the_corpus_in_a_table(night):
    home, done = night
    assert done.returncode == 0, done.stderr
    # Without an API: the process of this night cannot import Prefect.
    assert [path for path in home.rglob("*") if "prefect" in path.name] == []
    numbers = read_summary(done)
    assert numbers.pop("seconds")
    assert numbers == {
        "pages": "128",
        "tools": "46",
        "distinct reviews": "182",
        "repeated texts folded": "833",
        "rejects": "1",
    }
    assert "next: verdicts sql" in done.stdout


def test_progress_off_a_terminal_is_a_plain_line_a_step(night):
    _, done = night
    first, *lines = done.stderr.splitlines()
    assert first == "crawl: demo site http://demo.verdicts.example/"
    steps = [line.split(",")[0] for line in lines]
    assert steps == ["crawl", "extract", "normalize", "load", "publish", "export", "verify"]


def test_hosts_that_the_demo_only_links_to_are_not_told_of(night):
    home, _ = night
    for command in ("status", "check"):
        said = run_well(command, cwd=home).stdout
        assert [line for line in said.splitlines() if line.startswith(("verdicts.example", "other hosts"))] == []


def test_the_suggested_next_command_works(night):
    home, done = night
    command = next(line for line in done.stdout.splitlines() if line.startswith("next: ")).removeprefix(
        "next: verdicts sql "
    )
    answer = run_well("sql", command.strip('"'), "--format", "csv", cwd=home)
    assert len(answer.stdout.splitlines()) == 6


def test_named_queries_are_listed_by_topic_with_their_parameters_and_asked(night):
    home, _ = night
    topics = [topic.splitlines() for topic in run_here("query", "--all", cwd=home).stdout.split("\n\n")]
    assert [heading for heading, *_ in topics] == [*TOPICS.values(), "Every question also takes:"]
    panel = next(lines for heading, *lines in topics if heading == "Panel and scores")
    histogram = next(place for place, line in enumerate(panel) if line.startswith("  score_histogram "))
    assert panel[histogram + 1].strip().startswith("category: only tools of this category")
    *listed, more = [line for line in run_here("query", cwd=home).stdout.splitlines() if line]
    assert more == f"'verdicts query --all' lists all {len(list_queries())} questions."
    assert {line.split()[0] for line in listed if re.match("  [a-z_]+  ", line)} >= MAIN_QUESTIONS
    assert not any(line.startswith("  score_histogram ") for line in listed)
    call = ("query", "tool_reviews", "tool=midmeadow", "limit=2", "--format", "csv")
    assert len(run_here(*call, cwd=home).stdout.splitlines()) == 3


def test_a_query_that_is_wrongly_asked_is_refused_in_one_line(night):
    home, _ = night
    for call in (
        ("nothing",),
        ("corpus_counts", "least"),
        ("contested", "nothing=1"),
        ("contested", "reviewer=PM"),
        ("contested", "least=few"),
    ):
        check_refusal(run_here("query", *call, cwd=home))


def test_a_second_night_changes_nothing_but_its_own_bookkeeping(night, tmp_path):
    home, _ = night
    shutil.copytree(home / "data", tmp_path / "data")
    before = read_tables(find_published_file(tmp_path / "data"))
    crawled = run_well("crawl", cwd=tmp_path)
    assert " 0 fetched, 228 unchanged, 0 failed" in crawled.stdout
    built = run_here("build", cwd=tmp_path)
    assert "nothing changed" in built.stdout
    run_well("publish", cwd=tmp_path)
    assert read_tables(find_published_file(tmp_path / "data")) == before
    back = run_well("rollback", cwd=tmp_path)
    assert "until the next run, ingest or publish, which publishes the last build again" in back.stderr
    assert "nothing differs" in run_well("diff", cwd=tmp_path).stdout


@pytest.mark.whole
def test_a_rebuild_from_the_raw_store_gives_the_same_corpus(night, tmp_path):
    home, _ = night
    data = tmp_path / "data"
    shutil.copytree(home / "data", data)
    apart = {"without": ("loads", "load_counts", "changes"), "without_columns": frozenset({"load_id"})}
    before = read_tables(find_published_file(data), **apart)
    for derived in ("records", "warehouse"):
        shutil.rmtree(data / derived)
    run_well("build", "--all", cwd=tmp_path)
    run_well("publish", cwd=tmp_path)
    assert read_tables(find_published_file(data), **apart) == before
