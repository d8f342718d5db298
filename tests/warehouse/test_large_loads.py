"""More rows than are made fit at a time are loaded as if they came at once."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus, tables
from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.warehouse.loading.load import Changes
from verdicts.warehouse.loading.rows import ParquetFiles
from verdicts.warehouse.storage.errors import ContractBroken

pytestmark = pytest.mark.once


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus.duckdb"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """The hand-made corpus, loaded at once."""
    load_corpus(tmp_path / "good.duckdb")
    return tmp_path / "good.duckdb"


@pytest.fixture(autouse=True)
def two_rows_at_a_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verdicts.warehouse.loading.rows.AT_A_TIME", 1)
        yield


def in_file_order(path: Path, table: str) -> list[tuple[object, ...]]:
    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute(f"FROM {table}").fetchall()


def files_of(corpus: Path, folder: Path) -> dict[str, ParquetFiles]:
    """The tables of a corpus as files whose rows lie in no order."""
    with duckdb.connect(corpus, read_only=True) as connection:
        for table in CORPUS_TABLES:
            connection.execute(f"COPY (FROM {table} ORDER BY hash({table})) TO '{folder}/{table}.parquet'")
    return {table: ParquetFiles((folder / f"{table}.parquet",)) for table in CORPUS_TABLES}


@pytest.mark.parametrize("in_files", [True, False])
def test_the_rows_and_their_order_are_the_same(path: Path, good: Path, *, in_files: bool) -> None:
    rows = files_of(good, path.parent) if in_files else {name: held[::-1] for name, held in make.corpus().items()}
    assert load_corpus(path, rows).tables["appearances"] == Changes(5, 0, 0)
    assert tables(path) == tables(good)
    assert {table: in_file_order(path, table) for table in CORPUS_TABLES} == {
        table: in_file_order(good, table) for table in CORPUS_TABLES
    }


def test_what_differs_is_changed_and_what_is_gone_is_removed(path: Path) -> None:
    load_corpus(path)
    rows = make.corpus()
    rows["tools"][1] = replace(rows["tools"][1], entry="From $7")
    rows["rejects"] = []
    report = load_corpus(path, rows, load_id="load-2")
    assert {name: changes for name, changes in report.tables.items() if not changes.is_empty} == {
        "tools": Changes(0, 1, 0),
        "rejects": Changes(0, 0, 1),
    }


def test_the_same_row_given_twice_is_one_and_two_that_differ_are_refused(path: Path) -> None:
    rows = {"tools": make.corpus()["tools"]}
    rows["tools"].append(rows["tools"][0])
    assert load_corpus(path, rows).tables["tools"].added == len(rows["tools"]) - 1
    held = tables(path)
    rows["tools"].append(replace(rows["tools"][0], entry="From $7"))
    for file in (path, path.with_name("new.duckdb")):
        with pytest.raises(ContractBroken, match="primary_key"):
            load_corpus(file, rows, load_id="load-2")
    assert tables(path) == held


def test_a_row_that_breaks_its_contract_leaves_no_file(path: Path) -> None:
    rows = make.corpus()
    rows["reviews"][-1] = replace(rows["reviews"][-1], confidence=2.0)
    with pytest.raises(ContractBroken, match="confidence"):
        load_corpus(path, rows)
