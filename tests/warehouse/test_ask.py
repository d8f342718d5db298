"""Questions get answers or one plain sentence, and answers come in four forms."""

import io
import json
from pathlib import Path

import polars as pl
import pytest

from builders.warehouse_files import load_corpus, tables
from commands.output import write
from warehouse.serving.query import ask
from warehouse.storage.errors import QuestionFailed, WarehouseBroken


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "corpus.duckdb"
    load_corpus(path)
    return path


@pytest.mark.parametrize(
    "question",
    ["SELECT count(*) FROM reviews", "WITH all_of_it AS (FROM pages) FROM all_of_it", "DESCRIBE tools", "SHOW TABLES"],
)
def test_whatever_only_reads_is_a_question(corpus: Path, question: str) -> None:
    assert not ask(corpus, question).is_empty()


@pytest.mark.parametrize(
    "question",
    ["DELETE FROM reviews", "SELECT 1; SELECT 2", "", "CREATE TABLE mine (a INTEGER)", "COPY pages TO 'pages.csv'"],
)
def test_whatever_does_not_is_refused(corpus: Path, question: str) -> None:
    before = tables(corpus)
    with pytest.raises(QuestionFailed, match="exactly one SELECT"):
        ask(corpus, question)
    assert tables(corpus) == before


@pytest.mark.parametrize("question", ["SELEC 1", "SELECT nothing FROM pages", "SELECT 'a'::INTEGER", "FROM 'none.csv'"])
def test_an_error_of_the_question_is_one_line(corpus: Path, question: str) -> None:
    with pytest.raises(QuestionFailed) as caught:
        ask(corpus, question)
    assert str(caught.value).strip()
    assert "\n" not in str(caught.value)


def test_a_type_that_cannot_be_shown_is_said_so(corpus: Path) -> None:
    with pytest.raises(QuestionFailed, match="cast it to VARCHAR"):
        ask(corpus, "SELECT INTERVAL 1 MONTH AS span")


def test_a_missing_file_is_no_empty_corpus(tmp_path: Path) -> None:
    with pytest.raises(WarehouseBroken):
        ask(tmp_path / "none.duckdb", "SELECT 1")
    assert not (tmp_path / "none.duckdb").exists()


@pytest.fixture(scope="module")
def answer(corpus: Path) -> pl.DataFrame:
    return ask(corpus, "SELECT title, renderings, first_seen_at FROM pages ORDER BY title")


def test_csv_holds_lists_as_json(answer: pl.DataFrame, tmp_path: Path) -> None:
    write(answer, "csv", tmp_path / "answer.csv")
    read = pl.read_csv(tmp_path / "answer.csv")
    assert read["title"].to_list() == ["alpha-vs-beta", "alpha-vs-gamma"]
    assert json.loads(read["renderings"][0]) == ["html"]


def test_json_is_a_list_of_objects(answer: pl.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    write(answer, "json")
    assert [entry["renderings"] for entry in json.loads(capsys.readouterr().out)] == [["html"], ["quotes"]]


def test_parquet_comes_back_the_same(answer: pl.DataFrame, tmp_path: Path) -> None:
    write(answer, "parquet", tmp_path / "answer.parquet")
    assert pl.read_parquet(tmp_path / "answer.parquet").equals(answer)


def test_parquet_goes_to_standard_output_too(answer: pl.DataFrame, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write(answer, "parquet")
    assert pl.read_parquet(io.BytesIO(capfdbinary.readouterr().out)).equals(answer)


def test_a_table_shows_names_and_values(answer: pl.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    write(answer, "table")
    shown = capsys.readouterr().out
    assert "first_seen_at" in shown
    assert "alpha-vs-gamma" in shown
    assert "2026-11-20 01:30:00" in shown


def test_page_text_cannot_act_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    write(pl.DataFrame({"text": ["\x1b[2Jgone [bold]not markup[/bold]"]}), "table")
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "[bold]not markup[/bold]" in shown
