"""Questions get answers, or errors of one line."""

from contextlib import suppress

import pytest

from builders.warehouse_files import tables
from verdicts.warehouse.serving.query import Answer, ask
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed, WarehouseBroken


@pytest.fixture
def corpus(hand_made):
    return hand_made


@pytest.mark.parametrize(
    "question",
    [
        "SELECT count(*) FROM reviews",
        "WITH all_of_it AS (FROM pages) FROM all_of_it",
        "DESCRIBE tools",
        "SUMMARIZE tools",
        "PIVOT reviews ON reviewer IN ('builder') USING count(*) GROUP BY tool_id",
        "PIVOT reviews ON reviewer USING count(*) GROUP BY tool_id; ",
        "WITH wide AS (PIVOT reviews ON reviewer USING count(*) GROUP BY tool_id) FROM wide",
    ],
)
def test_whatever_only_reads_is_a_question(corpus, question):
    assert ask(corpus, question).rows


@pytest.mark.parametrize(
    "question",
    [
        "DELETE FROM reviews",
        "SELECT 1; SELECT 2",
        "",
        "CREATE TABLE mine (a INTEGER)",
        "COPY pages TO 'pages.csv'",
        "CREATE TEMP TABLE mine AS PIVOT reviews ON reviewer USING count(*)",
        "COPY (PIVOT reviews ON reviewer USING count(*)) TO 'pages.csv'",
        "PIVOT reviews ON reviewer USING count(*); SELECT 2",
    ],
)
def test_whatever_does_not_is_refused(corpus, question):
    before = tables(corpus)
    with pytest.raises(QuestionFailed, match="only one SELECT is allowed"):
        ask(corpus, question)
    assert tables(corpus) == before


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("SELEC 1", ["Parser Error", "LINE 1: SELEC 1", "        ^^^^^"]),
        ("SELECT titl FROM pages", ["Binder Error", 'Candidate bindings: "title"', "LINE 1: ", "^^^^"]),
        ("SELECT\t1,\tnix", ["LINE 1: SELECT 1, nix", "^^^"]),
        ("FROM page", ["Catalog Error", 'Did you mean "pages"?', "LINE 1: ", "^^^^"]),
        ("SELECT 'a'::INTEGER", ["Could not convert string 'a'"]),
        ("FROM 'none.csv'", ["none.csv"]),
        ("SELECT '\ud83d'", ["not UTF-8"]),
    ],
)
def test_an_error_of_the_question_has_the_hint_and_the_place(corpus, question, told):
    with pytest.raises(QuestionFailed) as caught:
        ask(corpus, question)
    lines = str(caught.value).splitlines()
    assert all(map(str.strip, lines))
    assert [any(words in line for line in lines) for words in told] == [True] * len(told), lines


def test_a_missing_file_is_no_empty_corpus(tmp_path):
    with pytest.raises(WarehouseBroken):
        ask(tmp_path / "none.duckdb", "SELECT 1")
    assert not (tmp_path / "none.duckdb").exists()


def test_an_answer_has_names_types_and_rows(corpus):
    answer = ask(corpus, "SELECT 1 AS a, ['x'] AS b, sum(n) AS A FROM (VALUES (1), (2)) AS numbers (n)")
    assert answer == Answer(("a", "b", "A_1"), ("INTEGER", "VARCHAR[]", "HUGEINT"), [(1, ["x"], 3)])


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_of_a_file_that_was_cut_off_an_answer_is_right_or_the_file_is_named(corpus, tmp_path, share):
    question = "SELECT max(text), count(*) FROM reviews"
    cut = tmp_path / "cut.duckdb"
    cut.write_bytes(corpus.read_bytes()[: int(corpus.stat().st_size * share)])
    with suppress(WarehouseBroken):
        assert ask(cut, question).rows == ask(corpus, question).rows
