"""A dataset alone becomes a warehouse again."""

import shutil

import pytest

from builders.command import JOURNAL, check_refusal, find_published_file, read_summary, read_tables, run_here, run_well
from builders.snapshots import demo_corpus
from builders.warehouse_files import load_corpus
from verdicts.warehouse.exporting.export import export

APART = {"without": (*JOURNAL,), "without_columns": frozenset({"load_id"})}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "corpus.duckdb"
    load_corpus(path, {table: list(rows) for table, rows in demo_corpus().items()})
    return path


@pytest.fixture
def dataset(corpus, tmp_path):
    return export(corpus, tmp_path / "dataset").target


@pytest.mark.whole
def test_a_dataset_is_loaded_asked_and_loaded_again_unchanged(corpus, dataset, tmp_path):
    done = run_well("load", dataset, cwd=tmp_path)
    assert read_summary(done)["distinct reviews"] == "182"
    assert read_tables(find_published_file(tmp_path / "data"), **APART) == read_tables(corpus, **APART)
    assert "spell checker" in run_here("search", "spell checker", "--format", "csv", cwd=tmp_path).stdout
    assert "182 distinct reviews" in run_here("status", cwd=tmp_path).stdout
    again = run_here("load", dataset, cwd=tmp_path)
    assert "load, rows changed: 0" in again.stderr


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda home, _: shutil.rmtree(home / "dataset") or (home / "dataset").mkdir(), "/dataset: holds no export"),
        (lambda home, _: (home / "data").mkdir() or (home / "data" / "state.sqlite").touch(), "choose another --data"),
    ],
)
@pytest.mark.share(2)
def test_what_is_no_whole_dataset_is_refused_and_what_was_there_stays(dataset, corpus, tmp_path, spoil, said):
    spoil(tmp_path, corpus)
    check_refusal(run_here("load", dataset, cwd=tmp_path), said)
    assert not (tmp_path / "data" / "serve").exists()
