"""Corrections of a data folder: written, built, published, taken out again; here and past one machine."""

import os
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime

import duckdb
import pytest

from builders.command import check_refusal, find_published_file, read_tables, run_here, run_well
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.build import build
from verdicts.pipeline.correction_files import add, read_corrections
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import LocalEngine
from verdicts.pipeline.scale.executor import PastOneMachine
from verdicts.pipeline.sources.config_sections import ScaleConfig

LOGGED = ("crawls", "fetches", "gate_measures", "gate_accepts", "loads", "load_counts", "changes", "fill_rates")
LOAD = frozenset({"load_id"})
WHY = ("--why", "she looked", "--by", "Ada")


@pytest.fixture
def home(six_pages, tmp_path):
    return shutil.copytree(six_pages, tmp_path / "home")


def ask(home, question):
    with duckdb.connect(find_published_file(home / "data"), read_only=True) as connection:
        return connection.execute(question).fetchall()


def rows(home):
    return read_tables(home / "data" / "warehouse" / "corpus.duckdb", without=LOGGED, without_columns=LOAD)


def build_home(home):
    return run_well("build", cwd=home)


def decide(home):
    """Decisions on a review, a price and a tool, by the commands."""
    tools = [tool for (tool,) in ask(home, "SELECT tool_id FROM tools ORDER BY last_seen_at, tool_id")]
    stays = tools[0]
    found = "SELECT review_id FROM reviews WHERE attribution = 'observed' AND tool_id <> ? ORDER BY ALL LIMIT 1"
    ((take,),) = ask(home, found.replace("?", f"'{stays}'"))
    ((tool, position),) = ask(
        home, "SELECT tool_id, tier_number FROM pricing_tiers WHERE amount > 0 ORDER BY 1 LIMIT 1"
    )
    gone = next(other for other in tools[1:] if other != tool)
    run_well("correct", "review", take[:12], "--tool", stays, *WHY, cwd=home)
    row = ("--row", f"tool_id={tool}", "--row", f"tier_number={position}")
    run_well("correct", "value", "pricing_tiers", "amount", "77", *row, *WHY, cwd=home)
    run_well("correct", "same", gone, stays, *WHY, cwd=home)
    return take, stays, tool, gone


@pytest.mark.whole
def test_what_people_decide_stays_until_it_is_taken_out_and_then_nothing_of_it_does(home):
    before = rows(home)
    take, other, tool, goes = decide(home)
    build_home(home)
    run_well("publish", cwd=home)
    after = rows(home)
    assert ask(home, f"SELECT tool_id, attribution FROM reviews WHERE review_id = '{take}'") == [(other, "corrected")]
    assert ask(home, f"SELECT count(*) FROM pricing_tiers WHERE tool_id = '{tool}' AND amount = 77") == [(1,)]
    assert ask(home, f"SELECT count(*) FROM tools WHERE tool_id = '{goes}'") == [(0,)]
    told = ask(home, "SELECT kind, outcome, made_by, reason FROM evidence.corrections ORDER BY kind")
    assert told == [(kind, "applied", "Ada", "she looked") for kind in ("review", "same", "value")]

    (page,) = ask(home, f"SELECT page_id FROM appearances WHERE review_id = '{take}' LIMIT 1")[0]
    for record in (take, other, page):
        assert "correction      review\nsubject         '" in run_well("show", record, cwd=home).stdout

    assert "normalize" not in run_well("build", cwd=home).stderr
    assert rows(home) == after
    run_well("build", "--all", cwd=home)
    assert rows(home) == after

    shutil.rmtree(home / "data" / "corrections")
    build_home(home)
    assert rows(home) == before


def test_order_of_files_and_entries_makes_no_difference(home):
    decide(home)
    written = home / "data" / "corrections" / "corrections.toml"
    entries = written.read_text().split("\n\n")
    once = read_corrections(DataFolder(home / "data"))
    written.write_text(entries[2])
    (written.parent / "a.toml").write_text("\n".join(entries[1::-1]))
    assert read_corrections(DataFolder(home / "data")) == once
    assert len(once) == 3


@pytest.mark.whole
def test_past_one_machine_corrections_travel_with_the_plan(home, tmp_path):
    decide(home)
    build_home(home)
    there = DataFolder(tmp_path / "there")
    there.root.mkdir()
    for name in ("raw", "corrections"):
        shutil.copytree(home / "data" / name, there.root / name)
    for path in (home / "data").glob("state.sqlite*"):
        shutil.copy(path, there.root)
    with open_store(there.root, command="test") as store:
        executor = PastOneMachine(ScaleConfig(store=str(tmp_path / "store")), there, LocalEngine(1))
        assert build(store, there, now=steps.now(), executor=executor).failed == ()
    assert read_tables(there.warehouse, without=LOGGED, without_columns=LOAD) == rows(home)


@pytest.mark.whole
def test_a_correction_that_changes_nothing_is_told_by_the_build(home):
    found = "SELECT review_id, tool_id FROM reviews WHERE attribution = 'observed' ORDER BY 1 LIMIT 1"
    ((take, tool),) = ask(home, found)
    run_well("correct", "review", take, "--tool", tool, *WHY, cwd=home)
    assert "corrections that changed nothing: 1; 'verdicts doubts'" in build_home(home).stderr
    # A page that goes takes its target with it.
    (home / "data" / "corrections" / "more.toml").write_text(ENTRY.replace("REVIEW", "0" * 32).replace("TOOL", tool))
    assert "corrections that changed nothing: 2" in build_home(home).stderr
    with duckdb.connect(home / "data" / "warehouse" / "corpus.duckdb", read_only=True) as connection:
        outcomes = connection.execute("SELECT outcome FROM evidence.corrections ORDER BY 1").fetchall()
    assert outcomes == [("agrees",), ("gone",)]


ENTRY = """[[review]]
review = "REVIEW"
tool = "TOOL"
by = "Ada"
when = 2026-11-20T08:00:00Z
why = "she looked"
"""
IDS = {"REVIEW": "a" * 32, "TOOL": "b" * 32}
VALUE = """[[value]]
table = "reviews"
row = { review_id = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }
column = "score"
was = 80
value = 81
by = "Ada"
when = 2026-11-20T08:00:00Z
why = "she looked"
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[[review]]", "[[review]", "a.toml: it is not TOML"),
        ("[[review]]", "[[reviews]]", "a.toml:1: reviews: unknown key; did you mean 'review'?"),
        ("review = ", "revue = ", "a.toml:2: review.0.revue: unknown key; did you mean 'review'?"),
        (
            "REVIEW",
            "5d0c",
            "a.toml:2: review.0.review: '5d0c' is not an id of 32 hex digits; 'verdicts show' prints it",
        ),
        ('by = "Ada"', 'by = ""', "a.toml:4: review.0.by: must not be empty"),
        ("2026-11-20T08:00:00Z", "2026-11-20T08:00:00", "the time has no zone; write 2026-11-20T08:00:00Z"),
        ('why = "she looked"', "", "a.toml:1: review.0.why: is missing"),
        ('tool = "TOOL"', "", "a.toml:1: review.0: either name a tool or say that there is none (no_tool)"),
    ],
)
def test_a_mistake_in_a_file_is_one_line_that_says_where_and_stops_a_night_before_it_crawls(home, old, new, said):
    before = (home / "data" / "state.sqlite").read_bytes()
    text = ENTRY.replace(old, new, 1)
    for name, id_ in IDS.items():
        text = text.replace(name, id_)
    (home / "data" / "corrections").mkdir()
    (home / "data" / "corrections" / "a.toml").write_text(text)
    check_refusal(run_here("build", cwd=home), "data/corrections/a.toml", said)
    done = run_here("run", cwd=home)
    assert (done.returncode, said in done.stderr, "crawl:" in done.stderr) == (1, True, False)
    assert (home / "data" / "state.sqlite").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"reviews"', '"loads"', "values of 'loads' are not corrected; the tables are "),
        (
            '"score"',
            '"tool_id"',
            "'tool_id' is not corrected; the columns of reviews are reviewer, score, verdict, text",
        ),
        ("value = 81", "value = 101", "score: Input should be less than or equal to 100, not 101"),
        ("value = 81", "value = true", "score: Input should be a valid integer"),
        ("value = 81", "", "either give a value or say that there is none (absent)"),
        ("review_id =", "tier_number =", "row lacks review_id, of the key of reviews"),
        (
            '"score"\nwas = 80\nvalue = 81',
            '"verdict"\nvalue = "maybe"',
            "verdict: Input should be 'ship' or 'skip', not 'maybe'",
        ),
        ('"score"\nwas = 80\nvalue = 81', '"text"\nabsent = true', "text always has a value"),
    ],
)
def test_a_value_that_its_column_cannot_have_is_refused(tmp_path, old, new, said):
    folder = DataFolder(tmp_path)
    folder.corrections.mkdir()
    assert old in VALUE
    (folder.corrections / "a.toml").write_text(VALUE)
    assert len(read_corrections(folder)) == 1
    (folder.corrections / "a.toml").write_text(VALUE.replace(old, new, 1))
    with pytest.raises(steps.ConfigError, match=r"a\.toml:1: value\.0: ") as told:
        read_corrections(folder)
    assert said in str(told.value)


def test_a_value_that_a_person_wrote_is_not_taken_for_what_the_pages_say(tmp_path):
    seen = {"table": "reviews", "row": {"review_id": "a" * 32}, "column": "score"}
    made = {"by": "Ada", "when": datetime(2026, 11, 20, tzinfo=UTC), "why": "one"}
    add(DataFolder(tmp_path), "value", {**seen, "was": 80, "value": "81", **made})
    with pytest.raises(steps.ConfigError, match=r"of Ada, \[\[value\]\], already decides this"):
        add(DataFolder(tmp_path), "value", {**seen, "was": 81, "value": 82, **made})
    add(DataFolder(tmp_path), "value", {**seen, "was": 70, "value": 82, **made})
    assert sorted((one.was, one.value) for one in read_corrections(DataFolder(tmp_path))) == [(70, 82), (80, 81)]


def test_what_goes_into_itself_at_last_is_refused_and_not_written(tmp_path):
    folder = DataFolder(tmp_path)
    made = {"by": "Ada", "when": datetime(2026, 11, 20, tzinfo=UTC), "why": "one"}
    for goes, stays in (("a", "b"), ("b", "c")):
        add(folder, "same", {"tool": goes * 32, "into": stays * 32, **made})
    before = (folder.corrections / "corrections.toml").read_text()
    with pytest.raises(steps.ConfigError, match=r"of Ada, \[\[same\]\], already decides this; delete it from .* first"):
        add(folder, "same", {"tool": "c" * 32, "into": "a" * 32, **made})
    assert (folder.corrections / "corrections.toml").read_text() == before
    add(folder, "same", {"tool": "a" * 32, "into": "b" * 32, **made})
    assert len(read_corrections(folder)) == 2


def test_an_entry_that_its_file_leaves_no_place_for_is_refused_and_the_file_stays(tmp_path):
    written = DataFolder(tmp_path).corrections / "corrections.toml"
    written.parent.mkdir()
    written.write_text("review = []")
    made = {"by": "Ada", "when": datetime(2026, 11, 20, tzinfo=UTC), "why": "one"}
    with pytest.raises(steps.ConfigError, match=r"corrections\.toml: it is not TOML"):
        add(DataFolder(tmp_path), "review", {"review": "a" * 32, "no_tool": True, **made})
    assert written.read_text() == "review = []"


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from verdicts.pipeline.correction_files import add
from verdicts.pipeline.data_folder import DataFolder
print("ready", flush=True)
for number in range(10_000):
    made = {"by": "Ada", "when": datetime(2026, 11, 20, tzinfo=UTC), "why": f"reason {number} " + "x" * 2_000}
    add(DataFolder(Path(sys.argv[1])), "review", {"review": f"{number:032x}", "no_tool": True, **made})
    print(number, flush=True)
"""


@pytest.mark.parametrize("after", [1, 3, 7])
def test_a_kill_while_one_is_written_leaves_the_file_before_or_after_it(tmp_path, after):
    process = subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE, text=True)
    for _ in range(after + 1):
        told = process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.wait(60)
    told = [told, *process.stdout.readlines()][-1]
    assert len(read_corrections(DataFolder(tmp_path))) - int(told) in {1, 2}
