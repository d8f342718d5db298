"""The export as its readers open it: DuckDB, polars, pandas, datasets and mlcroissant see the same rows."""

import json
import re
import subprocess
import sys

import duckdb
import mlcroissant
import pandas as pd
import pytest

from builders.paths import ROOT
from builders.snapshots import demo_corpus
from builders.warehouse_files import answer_frame, load_corpus, tables
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.exporting.contents import DEFAULT_TABLES
from verdicts.warehouse.exporting.export import export


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The demo site, its reviews first seen in two months."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.duckdb"
    load_corpus(path, {table: list(rows) for table, rows in demo_corpus().items()})
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE reviews SET first_seen_at = '2026-10-31 12:00:00+00' WHERE score % 2 = 0")
    return path


@pytest.fixture(scope="module")
def dataset(corpus, tmp_path_factory):
    return export(corpus, tmp_path_factory.mktemp("export") / "dataset").target


@pytest.fixture(scope="module")
def reviews(corpus):
    """By id, as the warehouse has them."""
    names = list(TABLES["reviews"].column_names)
    return [dict(zip(names, row, strict=True)) for row in tables(corpus)["reviews"]]


def by_id(rows):
    return sorted(rows, key=lambda row: row["review_id"])


@pytest.mark.whole
def test_pandas(dataset, reviews):
    found = pd.read_parquet(dataset / "reviews")
    assert list(found.columns) == list(TABLES["reviews"].column_names)
    records = found.to_dict("records")
    told = [{name: None if pd.isna(value) else value for name, value in row.items()} for row in records]
    assert by_id(told) == reviews


@pytest.mark.whole
def test_hugging_face_datasets(dataset, reviews, tmp_path):
    read = (
        "import os; from datasets import get_dataset_config_names, load_dataset\n"
        "for name in get_dataset_config_names(os.getcwd()):\n"
        "    print(name, len(load_dataset(os.getcwd(), name, split='train')))\n"
        "found = load_dataset(os.getcwd(), 'reviews', split='train')\n"
        f"found.to_json({str(tmp_path / 'found.jsonl')!r})"
    )
    done = in_dataset(dataset, read, tmp_path)
    manifest = json.loads((dataset / "_manifest.json").read_text())
    rows = {table: sum(f["rows"] for f in manifest["files"] if f["relation"] == table) for table in DEFAULT_TABLES}
    # A table without rows is none of its configs: `datasets` cannot load it.
    assert dict(re.findall(r"^(\w+) (\d+)$", done, re.M)) == {table: str(n) for table, n in rows.items() if n}
    found = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
    assert [(row["review_id"], row["score"], row["text"]) for row in by_id(found)] == [
        (row["review_id"], row["score"], row["text"]) for row in reviews
    ]


def in_dataset(dataset, code, home):
    """What Python prints, started in the folder of the dataset, away from any network."""
    surroundings = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HOME": str(home), "PATH": "/usr/bin:/bin"}
    # `terminate called without an active exception`: the readers' threads do not always end in peace.
    call = [sys.executable, "-c", f"{code}\nimport os, sys\nsys.stdout.flush()\nos._exit(0)"]
    done = subprocess.run(call, cwd=dataset, env=surroundings, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.whole
def test_what_the_card_says_of_reading_works(dataset, tmp_path):
    (code,) = re.findall(r"```python\n(.*?)```", (dataset / "README.md").read_text(), re.DOTALL)
    readers = r"^((?:duckdb|polars|pandas|load_dataset)\b.*)$"
    counted = re.sub(readers, r"print(len(\1))", code, flags=re.MULTILINE)
    assert in_dataset(dataset, counted, tmp_path).split() == ["182"] * 4


@pytest.mark.whole
def test_what_the_document_says_of_reading_views_works(dataset, tmp_path):
    text = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    counted = re.sub(r"^((?:polars|pandas)\..*)$", r"print(len(\1))", code, flags=re.MULTILINE)
    tools, categories = map(int, in_dataset(dataset, counted.replace("dataset/", ""), tmp_path).split())
    assert tools > categories > 1


def test_croissant_is_valid(dataset):
    found = mlcroissant.Dataset(str(dataset / "croissant.json"))
    issues = found.metadata.ctx.issues
    assert not issues.errors
    assert {record_set.name for record_set in found.metadata.record_sets} == set(DEFAULT_TABLES)


@pytest.mark.whole
def test_croissant_reads_every_table_with_its_columns(dataset, corpus):
    found = mlcroissant.Dataset(str(dataset / "croissant.json"))
    for table, rows in tables(corpus).items():
        if table not in DEFAULT_TABLES:
            continue
        records = list(found.records(table))
        assert len(records) == len(rows), table
        if rows:
            assert [name.partition("/")[2] for name in records[0]] == list(TABLES[table].column_names)
    assert len(list(found.records("contested_tools"))) == answer_frame(corpus, "FROM contested_tools").height
    texts = {record["reviews/text"].decode() for record in found.records("reviews")}
    assert texts == {row[6] for row in tables(corpus)["reviews"]}
