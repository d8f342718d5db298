"""Answers are written as tables, CSV, JSON and Parquet."""

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest

from builders.warehouse_files import answer_frame
from verdicts.commands.options import Output
from verdicts.commands.printing.output import print_table, write
from verdicts.warehouse.serving.answer_text import csv_pieces, json_pieces
from verdicts.warehouse.serving.query import Answer, ask, open_question
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

QUESTION = "SELECT title, renderings, first_seen_at FROM pages ORDER BY title"


@pytest.fixture
def corpus(hand_made):
    return hand_made


def write_answer(corpus: Path, form: str, target: Path | None = None) -> None:
    with open_question(corpus, QUESTION) as question:
        write(question, Output(form, target, is_safe=False))


def test_parquet_comes_back_the_same(corpus, tmp_path):
    write_answer(corpus, "parquet", tmp_path / "answer.parquet")
    assert pl.read_parquet(tmp_path / "answer.parquet").equals(answer_frame(corpus, QUESTION))


def test_parquet_goes_to_standard_output_too(corpus, capfdbinary):
    write_answer(corpus, "parquet")
    assert pl.read_parquet(io.BytesIO(capfdbinary.readouterr().out)).equals(answer_frame(corpus, QUESTION))


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("9007199254740993::HUGEINT", 9007199254740993),
        ("INTERVAL 1 MONTH", "1 month"),
        ("[INTERVAL 1 DAY]", "[1 day]"),
    ],
)
def test_a_value_of_parquet_is_exact_or_its_words(corpus, tmp_path, sql, value):
    with open_question(corpus, f"SELECT {sql} AS value; ") as question:
        write(question, Output("parquet", tmp_path / "answer.parquet", is_safe=False))
    assert pl.read_parquet(tmp_path / "answer.parquet").to_dicts() == [{"value": value}]


def test_a_target_that_cannot_be_written_is_a_fault_of_storage(corpus, tmp_path):
    for form in ("csv", "json", "table", "parquet"):
        with pytest.raises(FileNotFoundError):
            write_answer(corpus, form, tmp_path / "none" / "answer")


def test_a_table_shows_names_and_values(corpus, capsys):
    write_answer(corpus, "table")
    shown = capsys.readouterr().out
    assert "first_seen_at" in shown
    assert "alpha-vs-gamma" in shown
    assert "2026-11-20 01:30:00" in shown


@pytest.mark.parametrize(
    ("sql", "csv", "as_json"),
    [
        ("NULL::VARCHAR", "", "null"),
        ("''", '""', '""'),
        ("'a,\"b\"'", '"a,""b"""', '"a,\\"b\\""'),
        ("'a' || chr(10) || 'b'", '"a\nb"', '"a\\nb"'),
        ("true", "true", "true"),
        ("1e-7::DOUBLE", "1e-7", "1e-7"),
        ("1e-5::DOUBLE", "0.00001", "0.00001"),
        ("1e16::DOUBLE", "1e16", "1e16"),
        ("2.0::DOUBLE", "2.0", "2.0"),
        ("'nan'::DOUBLE", "NaN", "null"),
        ("0.1::FLOAT", "0.1", "0.1"),
        ("1.50::DECIMAL(5, 2)", "1.50", "1.50"),
        ("(SELECT sum(n::DECIMAL(5, 2)) FROM (VALUES (1.5), (2.25)) AS t (n))", "3.75", "3.75"),
        ("INTERVAL '1 month 3 days 1.5 seconds'", "1 month 3 days 00:00:01.5", '"1 month 3 days 00:00:01.5"'),
        ("{'span': [INTERVAL 1 YEAR]}", "{'span': [1 year]}", "\"{'span': [1 year]}\""),
        ("union_value(a := 1)", "1", '"1"'),
        ("170141183460469231731687303715884105727::HUGEINT", *["170141183460469231731687303715884105727"] * 2),
        ("TIMESTAMPTZ '2026-01-02 03:04:05+00'", "2026-01-02T03:04:05Z", '"2026-01-02T03:04:05Z"'),
        ("TIMESTAMP '2026-01-02 03:04:05.5'", "2026-01-02T03:04:05.500000", '"2026-01-02T03:04:05.500000"'),
        ("DATE '2026-01-02'", "2026-01-02", '"2026-01-02"'),
        ("TIME '03:04:05'", "03:04:05", '"03:04:05"'),
        ("['a', NULL]", '"[""a"",null]"', '["a",null]'),
        ("{'a': 1, 'b': [0.5::DOUBLE]}", '"{""a"":1,""b"":[0.5]}"', '{"a":1,"b":[0.5]}'),
        ("MAP {'a': 1}", '"{""a"":1}"', '{"a":1}'),
    ],
)
def test_a_value_of_each_type_in_csv_and_json(corpus, sql, csv, as_json):
    answer = ask(corpus, f"SELECT {sql} AS value")
    assert "".join(csv_pieces([answer])) == f"value\n{csv}\n"
    assert "".join(json_pieces([answer])) == f'[{{"value":{as_json}}}]\n'


@pytest.mark.parametrize("form", [csv_pieces, json_pieces])
def test_bytes_are_no_text(corpus, form):
    with pytest.raises(QuestionFailed, match="write Parquet"):
        list(form([ask(corpus, "SELECT 'a'::BLOB AS value")]))


def test_page_text_cannot_act_on_the_terminal(capsys):
    print_table(Answer(("text",), ("VARCHAR",), [("\x1b[2Jgone [bold]not markup[/bold]",)]))
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "[bold]not markup[/bold]" in shown


def test_csv_for_spreadsheets_holds_no_formula_and_its_numbers_stay(corpus):
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "a=1", "'", ""]
    columns = ", ".join(f"$t{number} AS t{number}" for number in range(len(texts)))
    sql = f"SELECT -5 AS n, -0.5 AS d, DATE '2026-01-02' AS day, -1e-7::DOUBLE AS f, '-5' AS \"=text\", {columns}"
    answer = ask(corpus, sql, {f"t{number}": text for number, text in enumerate(texts)})
    exact, safe = (
        list(csv.reader(io.StringIO("".join(csv_pieces([answer], is_safe=is_safe)), newline="")))
        for is_safe in (False, True)
    )
    assert exact[1][4:] == ["-5", *texts]
    assert safe[0][0] == f"\ufeff{exact[0][0]}", "Excel reads UTF-8 by its mark"
    assert safe[0][4] == "'=text"
    assert safe[1][:4] == exact[1][:4] == ["-5", "-0.5", "2026-01-02", "-1e-7"]
    assert safe[1][4:] == ["'-5", *(f"'{text}" for text in texts[:8]), *texts[8:]]


def test_an_answer_in_pieces_is_the_answer(corpus, tmp_path):
    for sql in ("SELECT range AS n, 'a' AS t FROM range(25_000)", "SELECT 1 AS n WHERE false"):
        whole = ask(corpus, sql)
        for form, pieces in (("csv", csv_pieces), ("json", json_pieces)):
            with open_question(corpus, sql) as question:
                write(question, Output(form, tmp_path / "answer", is_safe=False))
            assert (tmp_path / "answer").read_text() == "".join(pieces([whole]))
        assert len(json.loads((tmp_path / "answer").read_text())) == len(whole.rows)


def test_a_question_that_fails_half_way_leaves_the_file_as_it_was(corpus, tmp_path):
    target = tmp_path / "answer"
    target.write_text("the last answer")
    sql = "SELECT CASE WHEN range = 24999 THEN error('half way') ELSE range END AS n FROM range(25_000)"
    for form in ("csv", "json", "table", "parquet"):
        with pytest.raises(QuestionFailed, match="half way"), open_question(corpus, sql) as question:
            write(question, Output(form, target, is_safe=False))
        assert target.read_text() == "the last answer"
