"""`verdicts diff` finds the states that its words mean, and gives what differs as a table or as data."""

import json

import polars as pl
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus, publish
from verdicts.commands.publishing import changes
from verdicts.commands.publishing import diff as command
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.exporting.export import export
from verdicts.warehouse.storage.warehouse_errors import ChangesNotKept

LOADS = [f"2026112{day}T013000Z-000{day}" for day in (1, 2, 3)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three loads: a score goes and comes back, another stays away. Only the second has a copy and a dataset."""
    folder = DataFolder(tmp_path_factory.mktemp("diff") / "data")
    for number, load_id in enumerate(LOADS):
        rows = make.corpus()
        if number == 1:
            rows["reviews"][0] = replace(rows["reviews"][0], score=None)
        if number > 0:
            rows["reviews"][1] = replace(rows["reviews"][1], score=None)
        load_corpus(folder.warehouse, rows, load_id)
        if number == 1:
            export(publish(folder.warehouse, folder.serve, at=make.NIGHT), folder.root / "dataset")
    return folder


def diff(folder, *words):
    done = CliRunner().invoke(command, [*words, "--data", str(folder.root)])
    assert done.exit_code == 0, done.output
    return done.stdout


def scores(answer):
    rows = map(json.loads, answer.splitlines())
    return sorted((row["before"], row["after"]) for row in rows if row["relation"] == "reviews")


def test_loads_are_compared_without_a_copy_of_either(folder):
    gone = ('{"score":60}', '{"score":null}')
    assert scores(diff(folder, LOADS[0], "built", "--format", "jsonl")) == [gone]
    assert scores(diff(folder, LOADS[0][:8], "published", "--format", "jsonl")) == [
        gone,
        ('{"score":80}', '{"score":null}'),
    ]
    assert scores(diff(folder, "--format", "jsonl")) == [('{"score":null}', '{"score":80}')]


def test_a_dataset_and_a_copy_are_given_by_their_paths(folder, tmp_path):
    dataset, copy = str(folder.root / "dataset"), str(next(folder.serve.glob("*.duckdb")))
    assert "nothing differs between" in diff(folder, dataset, copy)
    assert scores(diff(folder, dataset, "built", "--format", "jsonl")) == [('{"score":null}', '{"score":80}')]
    assert "score 1" in diff(folder, copy, "built")
    diff(folder, dataset, "built", "--table", "reviews", "--output", str(tmp_path / "changes.parquet"))
    changes = pl.read_parquet(tmp_path / "changes.parquet")
    assert changes.columns == ["load_id", "relation", "row_key", "change", "column_names", "before", "after"]
    assert changes["column_names"].to_list() == [["score"]]


def test_a_path_that_leads_nowhere_is_no_load(folder):
    done = CliRunner().invoke(command, ["elsewhere/dataset", "--data", str(folder.root)])
    assert "elsewhere/dataset: there is no such copy or dataset" in str(done.exception) + done.output


def test_the_feed_of_a_load_is_lines_of_whole_rows_and_an_unknown_load_writes_no_file(folder, tmp_path):
    given = ["--since", LOADS[0], "--data", str(folder.root)]
    done = CliRunner().invoke(changes, [*given, "--format", "jsonl"])
    rows = {row["relation"]: row for row in map(json.loads, done.stdout.splitlines())}
    review = rows["reviews"]
    assert (done.exit_code, review["change"], review["load_id"]) == (0, "changed", LOADS[1])
    assert review["after"].items() >= {**review["row_key"], "score": None, "load_id": LOADS[1]}.items()
    assert CliRunner().invoke(changes, [*given, "--output", str(tmp_path / "changes.parquet")]).exit_code == 0
    assert pl.read_parquet(tmp_path / "changes.parquet").columns == list(review)
    given[1] = LOADS[2]
    refused = CliRunner().invoke(changes, [*given, "--output", str(tmp_path / "changes.jsonl")])
    assert (type(refused.exception), (tmp_path / "changes.jsonl").exists()) == (ChangesNotKept, False)
