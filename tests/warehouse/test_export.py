"""The dataset is complete or not there at all, and the same from run to run."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest
import yaml
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import answer_frame, load_corpus, publish, tables
from verdicts.corpus.tables import TABLES, name_relation
from verdicts.warehouse.exporting.contents import (
    DATASET_VIEWS,
    DEFAULT_TABLES,
    DatasetSettings,
    expand_tables,
    file_pattern,
)
from verdicts.warehouse.exporting.dataset import read_dataset
from verdicts.warehouse.exporting.export import export
from verdicts.warehouse.loading.load import load
from verdicts.warehouse.schema.declared import VERSION
from verdicts.warehouse.storage.warehouse_errors import DatasetBroken, ExportRefused, NothingPublished

SETTINGS = DatasetSettings(creator="Ada", contact="ada@example.org", licence="CC-BY-4.0")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    load_corpus(folder / "corpus.duckdb")
    return publish(folder / "corpus.duckdb", folder / "serve", at=make.NIGHT)


@pytest.fixture(scope="module")
def exported(corpus, tmp_path_factory):
    """The export of what a dataset has, which tests read and leave as it is."""
    return export(corpus, tmp_path_factory.mktemp("exported") / "dataset", SETTINGS)


@pytest.fixture
def earlier(exported, tmp_path):
    """The same as a folder of the test's own."""
    return Path(shutil.copytree(exported.target, tmp_path / "dataset"))


def contents(folder):
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_every_table_comes_back_from_parquet_as_it_was(corpus, exported):
    held = tables(corpus)
    for table in (name for name in TABLES if name in DEFAULT_TABLES):
        file = exported.target / file_pattern(table)
        names = list(TABLES[table].column_names)
        assert pl.read_parquet(file).sort(TABLES[table].key).to_dicts() == [
            dict(zip(names, row, strict=True)) for row in held[table]
        ]
        with duckdb.connect() as connection:
            connection.execute("SET TimeZone = 'UTC'")
            rows = connection.execute(f"FROM read_parquet('{file}') ORDER BY {', '.join(TABLES[table].key)}").fetchall()
        assert rows == held[table]


@pytest.mark.parametrize("view", DATASET_VIEWS)
def test_a_view_is_a_file_that_needs_no_sql(corpus, exported, view):
    file = exported.target / f"{view}.parquet"
    key = list(DATASET_VIEWS[view])
    held = answer_frame(corpus, f"FROM {view} ORDER BY {', '.join(key)}")
    assert pl.read_parquet(file).equals(held)
    assert not held.select(key).is_duplicated().any()


@pytest.mark.whole
def test_an_export_of_the_same_rows_in_another_order_has_the_same_bytes(exported, tmp_path):
    rows = {name: held[::-1] for name, held in make.corpus().items()}
    load_corpus(tmp_path / "corpus.duckdb", rows)
    export(
        publish(tmp_path / "corpus.duckdb", tmp_path / "serve", at=make.NIGHT), tmp_path / "elsewhere" / "two", SETTINGS
    )
    assert contents(exported.target) == contents(tmp_path / "elsewhere" / "two")


def test_no_path_of_this_machine_is_in_the_dataset(exported):
    place = str(exported.target.parent.resolve()).encode()
    assert [name for name, content in contents(exported.target).items() if place in content] == []


def test_manifest_and_checksums_tell_the_truth(corpus, exported):
    files = contents(exported.target)
    manifest = json.loads(files["_manifest.json"])
    assert manifest["load_id"] == "load-1"
    assert manifest["schema_version"] == VERSION
    assert {entry["relation"]: entry["rows"] for entry in manifest["files"]} == {
        **{table: len(rows) for table, rows in tables(corpus).items() if table in DEFAULT_TABLES},
        **{view: answer_frame(corpus, f"FROM {view}").height for view in DATASET_VIEWS},
    }
    for entry in manifest["files"]:
        assert entry["bytes"] == len(files[entry["name"]])
        assert entry["sha256"] == hashlib.sha256(files[entry["name"]]).hexdigest()
    sums = dict(line.split("  ")[::-1] for line in files["SHA256SUMS"].decode().splitlines())
    assert set(sums) == set(files) - {"SHA256SUMS"}
    assert all(hashlib.sha256(files[name]).hexdigest() == digest for name, digest in sums.items())


def test_the_card_names_every_table_and_file_and_the_citation_the_load(exported):
    manifest = json.loads((exported.target / "_manifest.json").read_text())
    card = (exported.target / "README.md").read_text()
    front = yaml.safe_load(card.split("---\n")[1])
    filled = {file["relation"] for file in manifest["files"] if file["rows"]}
    assert {config["config_name"]: config["data_files"] for config in front["configs"]} == {
        table: file_pattern(table) for table in DEFAULT_TABLES if table in filled
    }
    assert "`demo.verdicts.example`" in card
    assert "| [reviews](#reviews) | 4 |" in card
    cited = yaml.safe_load((exported.target / "CITATION.cff").read_text())
    assert (cited["cff-version"], cited["type"], cited["version"]) == ("1.2.0", "dataset", f"{VERSION}.0.0+load-1")
    assert cited["date-released"] == make.NIGHT.date()
    assert {"message", "title"} <= set(cited)
    assert cited["authors"] == [{"name": "Ada", "email": "ada@example.org"}]
    about = json.loads((exported.target / "croissant.json").read_text())
    licences = (front["license"], cited["license"], about["license"])
    assert licences == ("cc-by-4.0", "CC-BY-4.0", "https://spdx.org/licenses/CC-BY-4.0.html")
    assert about["creator"] == {"@type": "sc:Organization", "name": "Ada", "email": "ada@example.org"}


def test_the_written_schema_builds_tables_that_take_the_files(exported):
    with duckdb.connect() as connection:
        connection.execute((exported.target / "schema.sql").read_text())
        for table in (name for name in TABLES if name in DEFAULT_TABLES):
            connection.execute(f"INSERT INTO {name_relation(table)} FROM '{exported.target}/{file_pattern(table)}'")
        assert connection.execute("SELECT count(*) FROM tools").fetchone() == (3,)


def test_a_folder_with_other_things_is_left_alone(corpus, earlier, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ExportRefused, match="holds no export"):
        export(corpus, tmp_path)
    assert (tmp_path / "notes.txt").exists()
    # Another's file in the place of ours.
    (earlier / "tools.parquet").unlink()
    sums = (earlier / "SHA256SUMS").read_text()
    (earlier / "SHA256SUMS").write_text("".join(line for line in sums.splitlines(True) if " tools.parquet" not in line))
    (earlier / "tools.parquet").write_text("mine")
    with pytest.raises(ExportRefused, match=r"tools\.parquet"):
        export(corpus, earlier)
    assert (earlier / "tools.parquet").read_text() == "mine"


def test_files_of_other_programs_stay_through_exports_and_are_not_of_the_dataset(corpus, earlier):
    foreign = {".DS_Store", ".cache/huggingface/upload/x.lock", "notes.txt", "reviews/.DS_Store"}
    for name in foreign:
        (earlier / name).parent.mkdir(parents=True, exist_ok=True)
        (earlier / name).write_text("theirs")
    (earlier / "link").symlink_to(corpus.parent)
    export(corpus, earlier)
    assert {name for name, content in contents(earlier).items() if content == b"theirs"} == foreign
    assert (earlier / "link").is_symlink()
    assert not foreign & {line.split("  ")[1] for line in (earlier / "SHA256SUMS").read_text().splitlines()}


def test_an_export_that_fails_leaves_the_earlier_one(corpus, earlier, monkeypatch):
    before = contents(earlier)
    monkeypatch.setattr(sys.modules["verdicts.warehouse.exporting.export"], "describe", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export(corpus, earlier)
    assert contents(earlier) == before


@pytest.mark.parametrize("rename", [1, 2])
@pytest.mark.share(2)
def test_an_export_killed_between_its_renames_where_folders_cannot_be_swapped_is_mended(corpus, tmp_path, rename):
    export(corpus, tmp_path / "dataset")
    before = contents(tmp_path / "dataset")
    kill = f"""
import os, signal
from pathlib import Path
from verdicts.warehouse.exporting import export as module
from verdicts.warehouse.exporting.export import export
module.exchange = lambda *_: False
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


def test_reviews_are_a_file_a_month_and_a_review_never_moves(tmp_path):
    rows = make.corpus()
    rows["reviews"][0] = replace(rows["reviews"][0], first_seen_at=datetime(2026, 10, 31, 23, 59, 59, tzinfo=UTC))
    rows["reviews"][1] = replace(rows["reviews"][1], first_seen_at=datetime(2026, 11, 1, tzinfo=UTC))
    load_corpus(tmp_path / "corpus.duckdb", rows)
    export(tmp_path / "corpus.duckdb", tmp_path / "dataset")
    heights = {file.name: pl.read_parquet(file).height for file in (tmp_path / "dataset" / "reviews").iterdir()}
    assert heights == {"2026-10.parquet": 1, "2026-11.parquet": 3}


@pytest.mark.parametrize(
    "change", ["DROP TABLE ops.gate_measures", "ALTER TABLE evidence.lookalikes DROP COLUMN content_hash"]
)
def test_a_copy_of_another_version_is_refused_in_words(corpus, tmp_path, change):
    older = tmp_path / "older.duckdb"
    shutil.copy(corpus, older)
    older.chmod(0o644)
    with duckdb.connect(str(older)) as connection:
        connection.execute(change)
    with pytest.raises(NothingPublished, match="verdicts publish"):
        export(older, tmp_path / "dataset")
    assert [file.name for file in tmp_path.iterdir()] == ["older.duckdb"]


def test_an_export_replaces_an_earlier_one_of_an_empty_corpus(corpus, tmp_path):
    load_corpus(tmp_path / "empty.duckdb", {}, crawls=[], fetches=[])
    dataset = tmp_path / "dataset"
    export(tmp_path / "empty.duckdb", dataset)
    assert json.loads((dataset / "_manifest.json").read_text())["load_id"] is None
    empty = pl.read_parquet(dataset / "reviews")
    assert (empty.height, empty.columns) == (0, list(TABLES["reviews"].column_names))
    export(corpus, dataset)
    assert [file.name for file in (dataset / "reviews").iterdir()] == ["2026-11.parquet"]
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


RESERVED = {"rights": "ai-train=no (robots.txt)", "is_reserved": True}


@pytest.fixture(scope="module")
def reserved_corpus(tmp_path_factory):
    """A page of the panel and a page of another site reserve their texts."""
    folder, rows = tmp_path_factory.mktemp("reserved"), make.corpus()
    first, second, other = rows["pages"]
    rows["pages"] = [replace(first, **RESERVED), second, replace(other, **RESERVED)]
    load_corpus(folder / "corpus.duckdb", rows)
    return publish(folder / "corpus.duckdb", folder / "serve", at=make.NIGHT), rows


def test_what_a_page_says_that_reserves_its_texts_is_not_in_the_dataset(reserved_corpus, tmp_path):
    corpus, rows = reserved_corpus
    page, document = rows["pages"][0], rows["documents"][0]
    report = export(corpus, tmp_path / "dataset")
    assert report.reserved == 2
    elsewhere = {row.text for row in rows["appearances"] if row.page_id != page.page_id}
    own = {row.text for row in rows["appearances"] if row.page_id == page.page_id} - elsewhere
    own |= {row.text for row in rows["outside_reviews"]} | {document.text}
    assert len(own) > 3
    read = {table: pl.read_parquet(report.target / file_pattern(table)) for table in DEFAULT_TABLES}
    said = "\n".join(str(frame.to_dicts()) for frame in read.values())
    assert [text for text in own if text in said] == []
    kept = read["pages"].filter(pl.col("page_id") == page.page_id).to_dicts()[0]
    assert (kept["url"], kept["rights"], kept["is_reserved"]) == (page.url, RESERVED["rights"], True)
    assert "2 pages reserve their texts" in (report.target / "README.md").read_text()
    # Reviews that another page shows, too, have its words.
    shown = {row["review_id"]: row for row in read["reviews"].to_dicts()}
    assert shown.keys() == {row.review_id for row in rows["appearances"] if row.page_id != page.page_id}
    assert {row["text"] for row in shown.values()} <= elsewhere | {row.text for row in rows["reviews"]} - own
    assert {row["review_id"] for row in read["review_history"].to_dicts()} == shown.keys()
    assert make.review("alpha builder", "alpha").text not in said, "a state has words that only the reserved page had"
    # It is a corpus: it can be loaded, with all audits, and its views are those of its tables.
    loaded, dataset = tmp_path / "again.duckdb", read_dataset(report.target)
    load(loaded, dataset.rows, dataset.logs, load_id="load-9", loaded_at=make.NIGHT, extractor_version="5")
    for view in DATASET_VIEWS:
        assert answer_frame(loaded, f"FROM {view} ORDER BY {', '.join(DATASET_VIEWS[view])}").equals(read[view]), view
    again = answer_frame(loaded, "FROM tools ORDER BY tool_id").drop("load_id")
    assert again.equals(read["tools"].drop("load_id")), "a tool has counts of what only the reserved page shows"


def test_texts_are_in_the_dataset_if_the_owner_of_their_host_permits_it(reserved_corpus, tmp_path):
    corpus, rows = reserved_corpus
    hosts = {row.host for row in rows["pages"]}
    report = export(corpus, tmp_path / "dataset", DatasetSettings(permitted=frozenset(hosts)))
    assert report.reserved == 0
    assert pl.read_parquet(report.target / "outside/documents.parquet")["text"].to_list() == [rows["documents"][0].text]


def test_a_reader_never_misses_the_folder_that_is_replaced(corpus, earlier):
    before, inside = contents(earlier), os.open(earlier, os.O_RDONLY)
    renamed = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "rename", lambda *paths: renamed.append(paths))
        export(corpus, earlier)
    assert renamed == [], "the folder was away for a moment"
    assert os.fstat(inside).st_ino != earlier.stat().st_ino
    os.close(inside)
    assert contents(earlier).keys() == before.keys() - {"CITATION.cff"}
    assert [file.name for file in earlier.parent.iterdir()] == ["dataset"]


def test_a_dataset_names_no_person_who_runs_it_unless_its_config_asks_for_that(corpus, exported, tmp_path):
    relations = {entry["relation"] for entry in json.loads((exported.target / "_manifest.json").read_text())["files"]}
    assert not relations & {"corrections", *(name for name, table in TABLES.items() if table.is_log)}
    chosen = DatasetSettings(tables=expand_tables(["ops", "corrections", "tools"]))
    export(corpus, tmp_path / "dataset", chosen)
    kept = pl.read_parquet(tmp_path / "dataset/evidence/corrections.parquet")
    # What a decision took out stands in these.
    assert kept.select("subject", "value_before", "detail").null_count().row(0) == (kept.height,) * 3
    export(corpus, tmp_path / "part", DatasetSettings(tables=("reviews",)))
    with pytest.raises(DatasetBroken, match="no file of pages: it is for reading"):
        read_dataset(tmp_path / "part")


def test_a_file_says_of_which_load_it_is_and_what_its_columns_mean(exported):
    footer = pl.read_parquet_metadata(exported.target / "tools.parquet")
    assert (footer["load_id"], footer["loaded_at"]) == ("load-1", make.NIGHT.isoformat())
    meanings = {column.name: column.meaning for column in TABLES["tools"].columns}
    assert json.loads(footer["columns"]) == meanings


def test_the_version_of_a_table_moves_with_its_rows(exported, tmp_path):
    rows = make.corpus()
    rows["tools"][0] = replace(rows["tools"][0], tagline="Another line")
    load_corpus(tmp_path / "corpus.duckdb", rows)
    other = export(tmp_path / "corpus.duckdb", tmp_path / "dataset", SETTINGS)
    first, second = (
        {one["config_name"]: one["version"] for one in yaml.safe_load(card.read_text().split("---\n")[1])["configs"]}
        for card in (exported.target / "README.md", other.target / "README.md")
    )
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in first.values())
    assert first["tools"] != second["tools"]
    assert first["reviews"] == second["reviews"]


def test_an_export_of_an_earlier_version_with_the_same_columns_is_loaded(earlier):
    manifest = json.loads((earlier / "_manifest.json").read_text())
    for version, why in ((VERSION - 1, None), (VERSION + 1, "update it")):
        (earlier / "_manifest.json").write_text(json.dumps(manifest | {"schema_version": version}))
        if why is None:
            assert "reviews" in read_dataset(earlier).rows
        else:
            with pytest.raises(DatasetBroken, match=why):
                read_dataset(earlier)
