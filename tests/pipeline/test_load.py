"""A dataset alone becomes a warehouse again."""

import shutil
from pathlib import Path

import pytest

from builders.command import JOURNAL, called, published_file, summary_of, tables_of
from builders.snapshots import demo_corpus
from builders.warehouse_files import load_corpus
from verdicts.warehouse.exporting.export import export

pytestmark = pytest.mark.once

APART = {"without": (*JOURNAL,), "without_columns": frozenset({"load_id"})}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "corpus.duckdb"
    load_corpus(path, {table: list(rows) for table, rows in demo_corpus().items()})
    return path


@pytest.fixture
def dataset(corpus: Path, tmp_path: Path) -> Path:
    return export(corpus, tmp_path / "dataset").target


def test_a_dataset_is_loaded_asked_and_loaded_again_unchanged(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    done = called("load", dataset, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert summary_of(done)["distinct reviews"] == "182"
    assert tables_of(published_file(tmp_path / "data"), **APART) == tables_of(corpus, **APART)
    assert "spell checker" in called("search", "spell checker", "--format", "csv", cwd=tmp_path).stdout
    assert "182 distinct reviews" in called("status", cwd=tmp_path).stdout
    again = called("load", dataset, cwd=tmp_path)
    assert "load: 0 rows changed" in again.stderr


def test_a_byte_that_differs_is_found(dataset: Path, tmp_path: Path) -> None:
    file = dataset / "tools.parquet"
    held = bytearray(file.read_bytes())
    held[100] ^= 1
    file.write_bytes(held)
    done = called("load", dataset, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "verdicts: dataset: tools.parquet is not as it was exported\n")
    assert not (tmp_path / "data" / "serve").exists()


def test_a_part_of_a_dataset_is_not_taken_for_the_whole(corpus: Path, tmp_path: Path) -> None:
    export(corpus, tmp_path / "dataset", tables=("tools", "reviews"))
    done = called("load", tmp_path / "dataset", cwd=tmp_path)
    assert (done.returncode, "only an export of all tables" in done.stderr) == (1, True)


def test_a_folder_that_is_no_dataset_is_refused(tmp_path: Path) -> None:
    done = called("load", tmp_path, cwd=tmp_path)
    assert (done.returncode, "holds no export" in done.stderr) == (1, True)


def test_a_data_folder_with_pages_of_its_own_is_left_alone(dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "state.sqlite").write_bytes(b"")
    done = called("load", dataset, cwd=tmp_path)
    assert (done.returncode, "choose another --data" in done.stderr) == (1, True)


def test_a_file_that_is_missing_is_named(dataset: Path, tmp_path: Path) -> None:
    shutil.rmtree(dataset / "reviews")
    assert "lacks reviews/2026-11.parquet" in called("load", dataset, cwd=tmp_path).stderr
