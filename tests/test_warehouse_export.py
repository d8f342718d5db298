"""The dataset is complete or not there at all, and the same from run to run."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
import pytest
import yaml

import warehouse_rows as make
from warehouse import ExportRefused, export, publish
from warehouse.contracts import CONTRACTS, key
from warehouse_files import load_corpus, tables


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    load_corpus(folder / "corpus.duckdb")
    return publish(folder / "corpus.duckdb", folder / "serve", at=make.NIGHT)


def interrupt(*_: object) -> str:
    raise KeyboardInterrupt


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_every_table_comes_back_from_parquet_as_it_was(corpus: Path, tmp_path: Path) -> None:
    export(corpus, tmp_path / "dataset")
    held = tables(corpus)
    for table in CONTRACTS:
        file = tmp_path / "dataset" / f"{table}.parquet"
        names = CONTRACTS[table].column_names()
        assert pl.read_parquet(file).to_dicts() == [dict(zip(names, row, strict=True)) for row in held[table]]
        with duckdb.connect() as connection:
            connection.execute("SET TimeZone = 'UTC'")
            rows = connection.execute(f"FROM read_parquet('{file}') ORDER BY {', '.join(key(table))}").fetchall()
        assert rows == held[table]


def test_two_exports_are_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    export(corpus, tmp_path / "one")
    export(corpus, tmp_path / "elsewhere" / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "elsewhere" / "two")


def test_a_copy_loaded_in_another_order_exports_the_same_tables(corpus: Path, tmp_path: Path) -> None:
    rows = {name: held[::-1] for name, held in make.corpus().items()}
    load_corpus(tmp_path / "corpus.duckdb", rows)
    one = export(corpus, tmp_path / "one")
    other = export(tmp_path / "corpus.duckdb", tmp_path / "other")
    assert one.files == other.files


def test_no_path_of_this_machine_is_in_the_dataset(corpus: Path, tmp_path: Path) -> None:
    export(corpus, tmp_path / "dataset")
    place = str(tmp_path.resolve()).encode()
    assert [name for name, content in contents(tmp_path / "dataset").items() if place in content] == []


def test_manifest_and_checksums_tell_the_truth(corpus: Path, tmp_path: Path) -> None:
    report = export(corpus, tmp_path / "dataset")
    files = contents(tmp_path / "dataset")
    manifest = json.loads(files["_manifest.json"])
    assert manifest["load_id"] == report.load_id == "load-1"
    assert {entry["name"]: entry["rows"] for entry in manifest["files"]} == {
        f"{table}.parquet": len(rows) for table, rows in tables(corpus).items()
    }
    for entry in manifest["files"]:
        assert entry["bytes"] == len(files[entry["name"]])
        assert entry["sha256"] == hashlib.sha256(files[entry["name"]]).hexdigest()
    sums = dict(line.split("  ")[::-1] for line in files["SHA256SUMS"].decode().splitlines())
    assert set(sums) == set(files) - {"SHA256SUMS"}
    assert all(hashlib.sha256(files[name]).hexdigest() == digest for name, digest in sums.items())


def test_the_card_names_every_table_and_file(corpus: Path, tmp_path: Path) -> None:
    export(corpus, tmp_path / "dataset")
    card = (tmp_path / "dataset" / "README.md").read_text()
    front = yaml.safe_load(card.split("---\n")[1])
    assert {config["config_name"]: config["data_files"] for config in front["configs"]} == {
        table: f"{table}.parquet" for table in CONTRACTS
    }
    assert front["license"] == "other"
    assert "`demo.verdicts.example`" in card
    assert "| [reviews](#reviews) | 4 |" in card


def test_the_written_schema_builds_tables_that_take_the_files(corpus: Path, tmp_path: Path) -> None:
    export(corpus, tmp_path / "dataset")
    with duckdb.connect() as connection:
        connection.execute((tmp_path / "dataset" / "schema.sql").read_text())
        for table in CONTRACTS:
            connection.execute(f"INSERT INTO {table} FROM read_parquet('{tmp_path}/dataset/{table}.parquet')")
        assert connection.execute("SELECT count(*) FROM scorecards").fetchone() == (3,)


def test_an_earlier_export_is_replaced(corpus: Path, tmp_path: Path) -> None:
    load_corpus(tmp_path / "empty.duckdb", {})
    export(tmp_path / "empty.duckdb", tmp_path / "dataset")
    export(corpus, tmp_path / "dataset")
    assert pl.read_parquet(tmp_path / "dataset" / "reviews.parquet").height == 4
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_an_empty_folder_is_taken(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "dataset").mkdir()
    assert export(corpus, tmp_path / "dataset").files


def test_a_folder_with_other_things_is_left_alone(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("three years of work")
    with pytest.raises(ExportRefused):
        export(corpus, tmp_path)
    assert (tmp_path / "thesis.txt").exists()


def test_a_file_that_was_put_beside_an_export_is_not_lost(corpus: Path, tmp_path: Path) -> None:
    export(corpus, tmp_path / "dataset")
    (tmp_path / "dataset" / "notes.txt").write_text("mine")
    with pytest.raises(ExportRefused, match=r"notes\.txt"):
        export(corpus, tmp_path / "dataset")
    assert (tmp_path / "dataset" / "notes.txt").exists()


def test_an_export_that_fails_half_way_leaves_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["warehouse.export"], "dataset_card", interrupt)
    with pytest.raises(KeyboardInterrupt):
        export(corpus, tmp_path / "dataset")
    assert list(tmp_path.iterdir()) == []


def test_an_export_that_fails_leaves_the_earlier_one(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(corpus, tmp_path / "dataset")
    before = contents(tmp_path / "dataset")
    monkeypatch.setattr(sys.modules["warehouse.export"], "dataset_card", interrupt)
    with pytest.raises(KeyboardInterrupt):
        export(corpus, tmp_path / "dataset")
    assert contents(tmp_path / "dataset") == before


@pytest.mark.parametrize("rename", [1, 2])
def test_an_export_killed_between_its_renames_is_mended_by_the_next(corpus: Path, tmp_path: Path, rename: int) -> None:
    export(corpus, tmp_path / "dataset")
    before = contents(tmp_path / "dataset")
    kill = f"""
import os, signal
from pathlib import Path
from warehouse import export
rename, seen = Path.rename, []
def counted(self, target):
    done = rename(self, target)
    seen.append(target)
    if len(seen) == {rename}:
        os.kill(os.getpid(), signal.SIGKILL)
    return done
Path.rename = counted
export(Path({str(corpus)!r}), Path({str(tmp_path / "dataset")!r}))
"""
    assert subprocess.run([sys.executable, "-c", kill], check=False).returncode == -9
    export(corpus, tmp_path / "dataset")
    assert contents(tmp_path / "dataset") == before
    assert [file.name for file in tmp_path.iterdir()] == ["dataset"]
