"""The SQL cell: a real child process that answers, is refused, and is killed."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from verdicts.explore.sql_cell import CellAnswer, ask_select
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

ENDLESS = "SELECT repeat('x', 2000000000)"
"""One piece of work: DuckDB does not look for an interrupt before it is done."""


@pytest.fixture(scope="module")
def ask(hand_made):
    def ask_cell(sql: str, rows_max: int = 1000, cell_chars: int = 50) -> CellAnswer:
        return ask_select(hand_made, sql, rows_max=rows_max, cell_chars=cell_chars)

    return ask_cell


def test_an_answer_has_columns_types_and_texts_in_order(ask):
    answer = ask(
        "SELECT reviewer, count(*) AS reviews, NULL::INTEGER AS nothing FROM reviews"
        " GROUP BY reviewer ORDER BY reviews DESC, reviewer"
    )
    assert answer.columns == ("reviewer", "reviews", "nothing")
    assert answer.types == ("VARCHAR", "BIGINT", "INTEGER")
    assert answer.rows == [("Builder", "2", None), ("Skeptic", "1", None), (None, "1", None)]
    assert not answer.is_cut


def test_rows_and_long_values_are_cut_and_it_says_so(ask):
    answer = ask("SELECT i, repeat('ä', 2000000) AS a, [i, 2] AS b FROM range(30) AS t (i)", rows_max=3, cell_chars=10)
    assert answer.is_cut
    assert answer.rows == [(str(i), "ä" * 11, f"[{i}, 2]") for i in range(3)]


@pytest.mark.parametrize(
    ("sql", "said"),
    [("SELECT sore FROM reviews", 'Candidate bindings: "score"'), ("SELECT half FROM '\udcff'", "not UTF-8")],
)
def test_what_is_no_question_to_the_copy_is_refused_in_whole_words(ask, sql, said):
    with pytest.raises(QuestionFailed, match=said):
        ask(sql)


def test_a_question_finds_its_settings_locked_and_our_environment_gone(ask, monkeypatch):
    monkeypatch.setenv("VERDICTS_SECRET", "seven")
    names = "enable_external_access', 'lock_configuration', 'threads', 'memory_limit', 'max_temp_directory_size"
    answer = ask(f"SELECT name, value FROM duckdb_settings() WHERE name IN ('{names}') ORDER BY name")
    assert [value for _, value in answer.rows] == ["false", "true", "0 bytes", "953.6 MiB", "2"]


def test_a_question_that_cannot_be_interrupted_is_killed_while_others_are_answered(ask, hand_made):
    with ThreadPoolExecutor() as pool:
        begun = time.monotonic()
        endless = pool.submit(ask_select, hand_made, ENDLESS, rows_max=10, cell_chars=10, seconds_max=4)
        assert ask("SELECT 7").rows == [("7",)]
        assert not endless.done()
        with pytest.raises(QuestionFailed, match=r"longer than 4 s"):
            endless.result()
        assert time.monotonic() - begun < 4 + 1.5


def test_a_copy_that_is_gone_is_a_sentence(tmp_path):
    with pytest.raises(QuestionFailed, match="does not exist"):
        ask_select(tmp_path / "gone.duckdb", "SELECT 1", rows_max=1, cell_chars=1)
