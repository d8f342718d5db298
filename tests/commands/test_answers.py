"""Answers as people read them on a terminal, and the ways to ask and to keep them."""

import io
import json
import os
import shlex
import subprocess
import sys

import polars as pl
import pytest

from builders.command import RUN_MAIN, check_refusal, print_from_process, print_on_terminal, run_here, run_well
from builders.paths import ROOT

ASKING = (ROOT / "docs" / "asking.md").read_text(encoding="utf-8")
LONG = "SELECT repeat('word ', 60) || 'end' AS text, 1 AS n"


@pytest.fixture
def home(six_pages, tmp_path, monkeypatch):
    """A folder of its own, beside the six pages, for what the commands write."""
    (tmp_path / "data").symlink_to(six_pages / "data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERDICTS_DATA", raising=False)
    return tmp_path


@pytest.mark.whole
def test_a_row_stands_in_a_line_where_the_terminal_has_room_and_else_a_column_does(home):
    question = "SELECT review_id, reviewer, score, text, hosts FROM reviews ORDER BY length(text) DESC LIMIT 1"
    wide, narrow = (print_from_process("sql", question, cwd=home, columns=columns) for columns in (200, 60))
    (row,) = json.loads(run_here("sql", question, "--format", "json", cwd=home).stdout)
    assert f"│ {row['review_id']} │" in wide
    assert max(map(len, wide.splitlines())) <= 200
    assert f"review_id  {row['review_id']}" in narrow
    assert max(map(len, narrow.splitlines())) <= 60
    assert row["text"] in " ".join(narrow.split())
    assert narrow.startswith("1 ──")


@pytest.mark.usefixtures("home")
def test_a_text_that_is_cut_is_counted_and_expanded_it_is_whole(monkeypatch):
    cut = print_on_terminal(monkeypatch, "sql", LONG)
    assert "wor" in cut
    assert "end" not in cut.partition("1 text cut")[0]
    assert "1 text cut (…). --expanded shows all" in cut
    whole = print_on_terminal(monkeypatch, "sql", LONG, "--expanded")
    assert whole.count("word") == 60
    assert "end" in whole
    assert "text cut" not in whole


def test_a_page_is_shown_and_asked_for_by_its_address_and_a_tool_by_its_name_alone(home):
    pages = json.loads(run_here("sql", "SELECT page_id, url, title FROM pages", "--format", "json", cwd=home).stdout)
    (page_id, url, title), *_ = (row.values() for row in pages if row["url"] is not None)
    for words in (url, title):
        assert page_id in run_well("show", words, cwd=home).stdout
        cards = run_well("query", "page_card", f"page={words}", "--format", "json", cwd=home).stdout
        assert {card["page_id"] for card in json.loads(cards)} == {page_id}
    name = json.loads(cards)[0]["name"]
    asked = (run_well("query", "tool_prices", words, cwd=home).stdout for words in (name, f"tool={name}"))
    assert len(set(asked)) == 1


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_a_file_that_a_limit_cut_is_told(home, tmp_path, form):
    takes = run_here("sql", "SELECT review_id FROM reviews", "--format", "json", cwd=home).stdout
    every = len(json.loads(takes))
    for limit, told in (
        (every - 1, f"limit={every - 1} allows no more rows; a larger limit may give more"),
        (every + 1, ""),
    ):
        file = tmp_path / f"reviews.{form}"
        done = run_well("query", "list_reviews", f"limit={limit}", "--force", "--output", str(file), cwd=home)
        assert done.stderr.startswith(told)
        assert bool(done.stderr) == bool(told)


def test_a_take_is_known_by_the_beginning_of_its_id(home):
    takes = run_here("sql", "SELECT review_id FROM reviews ORDER BY 1 LIMIT 1", "--format", "json", cwd=home).stdout
    ((review_id,),) = (row.values() for row in json.loads(takes))
    cards = run_well("query", "review_card", review_id[:10], "--format", "json", cwd=home).stdout
    assert [card["review_id"] for card in json.loads(cards)] == [review_id]
    assert "no rows for review=" in run_here("query", "review_card", "0" * 31, cwd=home).stderr


def test_a_name_that_is_nearly_right_is_told(home):
    assert "did you mean tool_reviews?" in run_here("query", "tool_reviws", cwd=home).stderr
    assert "did you mean category_" in run_here("query", "best_category", cwd=home).stderr
    assert 'Did you mean "evidence.rejects"?' in run_here("sql", "FROM rejects", cwd=home).stderr
    two = run_well("query", "relations", "limit=2", "--format", "jsonl", cwd=home).stdout
    assert len(two.splitlines()) == 2


def test_elsewhere_than_on_a_terminal_nothing_is_cut(home):
    told = run_here("sql", LONG, cwd=home).stdout
    assert told.count("word") == 60
    assert "text cut" not in told


@pytest.mark.usefixtures("home")
def test_numbers_of_a_column_are_aligned_and_null_is_no_empty_text(monkeypatch):
    rows = "(1.5::DOUBLE, '', 1e-7::DOUBLE), (12.25, NULL, 2.0), (NULL, 'x', 0)"
    lines = print_on_terminal(monkeypatch, "sql", f"SELECT * FROM (VALUES {rows}) AS t (a, b, c)").splitlines()
    assert [line.split("│")[1:4] for line in lines if "│" in line] == [
        ["  1.50 ", "      ", " 1e-7 "],
        [" 12.25 ", " NULL ", "  2.0 "],
        ["  NULL ", " x    ", "  0.0 "],
    ]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("sql", "FROM tools LIMIT 0"), "no rows"),
        (("search", "zzzz", "yyyy"), 'nothing found for "zzzz yyyy"'),
        (("query", "contested", "least=50", "limit=0"), "no rows for least=50 limit=0"),
        (
            ("query", "changed_prices"),
            "no rows for changed_prices: this corpus has one night; changes show from the second night on",
        ),
        (
            ("query", "panel_and_other_sites"),
            "no rows for panel_and_other_sites: this corpus has the pages of one site; add those of another",
        ),
    ],
)
def test_an_answer_without_rows_says_so_instead_of_a_table(home, call, said):
    done = run_here(*call, cwd=home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", said + "\n")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            ["Agent", "Kernel"],
            "'Agent' and 'Kernel'; quote a value with spaces, or name another parameter: limit=VALUE",
        ),
        (["limit=1", "limit=2"], "limit is given twice, '1' and '2'"),
        (["limit=-1"], "limit cannot be '-1'; it is a whole number such as 10"),
        (["limit=1.5"], "limit cannot be '1.5'"),
    ],
)
def test_a_value_that_cannot_be_meant_is_a_mistake(home, values, said):
    check_refusal(run_here("query", "tool_reviews", *values, cwd=home), said)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("query", "top_tools", "--limit", "3"), "a parameter has no dashes; write limit=3\n"),
        (
            ("query", "top_tools", "--category=Voice & Audio"),
            "a parameter has no dashes; write 'category=Voice & Audio'",
        ),
        (("query", "top_tools", "--score", "3"), "No such option '--score'"),
        (("sql", "FROM '/etc/passwd'"), "/etc/passwd cannot be read; a SELECT may read files only in /"),
        (("sql", "FROM read_csv('../x.csv')"), "../x.csv cannot be read; a SELECT may read files only in /"),
        (
            ("query", "list_reviews", "score_from=90", "score_to=10"),
            "score_from 90 is more than score_to 10; swap them",
        ),
        (("search", " "), "no words to search for"),
        (("show", "zzz"), "nothing has the name, slug, id, address or title 'zzz'"),
    ],
)
def test_a_mistake_is_told_with_the_way_to_say_it(home, call, said):
    check_refusal(run_here(*call, cwd=home), said)


def test_a_page_is_shown_by_the_end_of_its_address(home):
    shown = run_well("show", "amble-kernel-vs-midmeadow", cwd=home).stdout
    assert "Amble Kernel" in shown
    assert "Midmeadow" in shown


def test_the_name_of_the_file_says_the_format(home, tmp_path):
    for name in ("a.csv", "a.json", "a.jsonl", "A.PARQUET", "a.txt", "a"):
        run_well("sql", "SELECT 1 AS n", "--output", tmp_path / name, cwd=home)
    assert (tmp_path / "a.csv").read_text() == "n\n1\n"
    assert json.loads((tmp_path / "a.json").read_text()) == [{"n": 1}]
    assert (tmp_path / "a.jsonl").read_text() == '{"n":1}\n'
    assert pl.read_parquet(tmp_path / "A.PARQUET")["n"].to_list() == [1]
    assert (
        (tmp_path / "a.txt").read_text()
        == (tmp_path / "a").read_text()
        == run_here("sql", "SELECT 1 AS n", cwd=home).stdout
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--output", "a.csv", "--format", "json"), "a.csv ends in .csv, but --format is json; leave one out"),
        (("--output", "a.xlsx"), "a.xlsx has an unknown ending; choose one with --format"),
        (("--output", "a.json", "--expanded"), "--expanded works only with tables; json has every value whole"),
        (("-f", "none.sql"), "give one SELECT: as an argument, with -f FILE, or - for standard input"),
    ],
)
def test_options_that_contradict_each_other_are_a_mistake(home, options, told):
    (home / "none.sql").write_text("SELECT 1")
    done = run_here("sql", "SELECT 1 AS n", *options, cwd=home)
    assert (done.returncode, done.stderr) == (1, f"verdicts: {told}\n")


def test_a_question_comes_from_a_file_or_from_standard_input(home, tmp_path, monkeypatch):
    (tmp_path / "question.sql").write_bytes(b"\xef\xbb\xbf-- how many?\nSELECT 41 + 1 AS n;\n")
    for call in (("-f", tmp_path / "question.sql"), ("-f", "-"), ("-",)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"SELECT 41 + 1 AS n"), encoding="utf-8"))
        assert run_here("sql", *call, "--format", "csv", cwd=home).stdout == "n\n42\n"
    (tmp_path / "question.sql").write_bytes(b"SELECT '\xff'")
    check_refusal(run_here("sql", "-f", tmp_path / "question.sql", cwd=home), "is not in UTF-8")


def test_the_environment_names_the_data_folder_and_the_option_another(home, tmp_path, monkeypatch):
    monkeypatch.setenv("VERDICTS_DATA", str(home / "data"))
    run_well("sql", "SELECT 1", "--format", "csv", cwd=tmp_path)
    assert run_here("sql", "SELECT 1", "--data", "none", cwd=tmp_path).returncode == 1
    assert "VERDICTS_DATA" in run_here("status", "--help", cwd=tmp_path).stdout


def test_the_calls_of_the_document_are_answered_and_a_mistake_is_shown_in_its_place(home):
    (calls,) = [block.strip().splitlines() for block in ASKING.split("```")[1::2] if block.startswith("\nverdicts ")]
    (home / "question.sql").write_text("SELECT 1 AS n")
    for call in calls:
        assert run_here(*shlex.split(call)[1:], cwd=home).returncode == 0, call
    done = run_here("sql", "SELECT sore FROM reviews", cwd=home)
    assert (done.returncode, done.stdout) == (1, "")
    suggested, sql, place = done.stderr.splitlines()[1:]
    assert 'Candidate bindings: "score"' in suggested
    assert sql[place.index("^") :].startswith("sore FROM")


COMPLETED = [
    (("query", "conte"), ["contested"]),
    (("diff", "--table", "price_h"), ["price_history"]),
    (("sho",), ["show"]),
    (("show", "amble-k"), ["amble-kernel"]),
]
"""The words of a line, as bash parts them, and what it completes the last one to."""


@pytest.mark.usefixtures("home")
def test_bash_completes_commands_options_and_questions(tmp_path):
    program = f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.argv[0] = \'verdicts\'; {RUN_MAIN}" "$@"\n'
    (tmp_path / "verdicts").write_text(program)
    (tmp_path / "verdicts").chmod(0o755)
    tries = "\n".join(
        f"COMP_WORDS=(verdicts {' '.join(repr(word) for word in words)}); COMP_CWORD={len(words)}; COMPREPLY=();"
        ' _verdicts_completion verdicts 2>/dev/null; echo "${COMPREPLY[*]}"'
        for words, _ in COMPLETED
    )
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    call = ["bash", "--norc", "-c", f'eval "$(_VERDICTS_COMPLETE=bash_source verdicts)"\n{tries}']
    done = subprocess.run(call, capture_output=True, text=True, env=environment, timeout=120, check=True)
    answers = [line.split() for line in done.stdout.splitlines()]
    assert answers == [expected for _, expected in COMPLETED]
