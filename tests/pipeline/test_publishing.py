"""Tables of a manifest are published as a copy while they fit, and past that as views over their parts."""

import random
import subprocess
import sys
from datetime import timedelta
from functools import partial

import pytest

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus, publish
from verdicts.corpus.tables import relation_of
from verdicts.fetch.objects import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.build_manifest import BuildManifest, Inputs, Tables, write_manifest
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.warehouse.loading.rows import Logs
from verdicts.warehouse.manifests import MANIFESTS_KEPT, Manifest, newest, numbers, prune_parts, publish_manifest
from verdicts.warehouse.parts import write_part
from verdicts.warehouse.serving import published as publishing
from verdicts.warehouse.serving.published import Keep, copies, published, rollback
from verdicts.warehouse.serving.query import answer_of, ask, opened_for_questions, question_of
from verdicts.warehouse.serving.views_file import make_views
from verdicts.warehouse.storage.errors import AuditFailed


@pytest.fixture
def folder(tmp_path):
    return DataFolder(tmp_path / "data")


@pytest.fixture
def objects(folder):
    folder.root.mkdir()
    return open_objects(str(folder.root))


LOGS = Logs(make.crawls(), make.fetches())


def load_of(number):
    moment = make.NIGHT + timedelta(days=number)
    return {"load_id": f"{moment:%Y%m%dT%H%M%SZ}-0000", "loaded_at": moment}


def built(objects, number, rows=None):
    """The manifest of a build whose parts are its own but for those of the pages."""
    parts = {
        table: [write_part(objects, table, f"build-{0 if table == 'pages' else number}-0000", of_table)]
        for table, of_table in (rows or make.corpus()).items()
    }
    return publish_manifest(objects, Manifest(0, f"build-{number}", make.NIGHT, "1", "1", parts))


def is_views(path):
    return bool(ask(path, "FROM duckdb_tables() WHERE schema_name = 'objects'").rows)


SOME = ("pages", "tools", "reviews")
"""Of the pages all builds share one part; of the others each has its own."""


def scan(path, tables=SOME):
    with opened_for_questions(path) as connection:
        for table in tables:
            sql = f"SELECT count(*), sum(hash(found)) FROM {relation_of(table)} AS found"
            assert answer_of(question_of(connection, sql)).rows[0][0] > 0


HOLDS = """
import sys
from pathlib import Path
from verdicts.corpus.tables import CORPUS_TABLES, relation_of
from verdicts.warehouse.serving.query import opened_for_questions
with opened_for_questions(Path(sys.argv[1])) as connection:
    print(end="open\\n", flush=True)
    sys.stdin.readline()
    for table in CORPUS_TABLES:
        connection.execute(f"SELECT count(*), sum(hash(found)) FROM {relation_of(table)} AS found").fetchall()
    print("read", flush=True)
"""


def hold(path):
    """Another process that has the file open, and reads all of it when it is told to."""
    command = [sys.executable, "-c", HOLDS, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "open\n"
    return process


def publish_build(folder, objects, manifest, max_rows):
    """What a build of these parts leaves behind, published."""
    tables = Tables(objects.url, manifest.number, max_rows)
    write_manifest(folder.build_manifest, BuildManifest(Inputs(()), "", tables))
    return steps.publish_corpus(folder)


@pytest.mark.whole
def test_what_fits_is_a_copy_what_does_not_is_views_and_a_line_says_so(folder, objects, capsys):
    manifest = built(objects, 1)
    with open_store(folder.root, command="test"):
        load_corpus(folder.warehouse, load_id=load_of(1)["load_id"])
    copy = publish_build(folder, objects, manifest, manifest.rows)
    assert not is_views(copy)
    assert "views" not in capsys.readouterr().err
    views = publish_build(folder, objects, manifest, manifest.rows - 1)
    assert is_views(views)
    assert (
        f"views over manifest 1 of {objects.url} instead of a copy: its {manifest.rows} rows are more than max_rows,"
        f" {manifest.rows - 1}\n"
    ) in capsys.readouterr().err
    assert published(folder.serve) == views
    with pytest.raises(ConfigError, match="newer than the warehouse here"):
        publish_build(folder, objects, manifest, manifest.rows)
    reviews = [ask(path, "SELECT * EXCLUDE load_id FROM reviews ORDER BY review_id") for path in (copy, views)]
    assert reviews[0] == reviews[1]
    assert steps.roll_back(folder) == copy
    assert not is_views(publish_build(folder, objects, manifest, manifest.rows))


@pytest.mark.whole
def test_tables_that_contradict_themselves_are_not_published(folder, objects):
    rows = make.corpus()
    with open_store(folder.root, command="test"):
        load_corpus(folder.warehouse)
    before = publish_build(folder, objects, built(objects, 1), 0)
    rows["reviews"] = rows["reviews"][1:]
    with pytest.raises(AuditFailed, match="nothing was loaded"):
        publish_build(folder, objects, built(objects, 2, rows), 0)
    assert published(folder.serve) == before
    assert [path.name for path in folder.serve.iterdir() if path.name.startswith(".")] == []


def publish_views(folder, objects, manifest, number):
    make_file = partial(make_views, objects, manifest, LOGS, **load_of(number))
    path = publishing.publish(folder.serve, make_file, Keep(0, 0, 0))
    prune_parts(objects, copies(folder.serve))
    return path


@pytest.mark.whole
@pytest.mark.parametrize("seed", [1])
def test_whatever_is_published_rolled_back_and_pruned_every_published_file_can_be_read(folder, objects, seed):
    chance = random.Random(seed)
    written = write_part(objects, "tools", "running-0000", make.corpus()["tools"])
    held = None
    for number in range(1, 8):
        what = chance.choice(["views", "views", "copy", "rollback", "prune", "open"])
        if what == "open" and held is None and copies(folder.serve):
            held = hold(published(folder.serve))
        elif what == "rollback" and copies(folder.serve) and published(folder.serve) != copies(folder.serve)[0]:
            rollback(folder.serve)
        elif what == "prune" and copies(folder.serve):
            prune_parts(objects, copies(folder.serve))
        else:
            rows = make.corpus()
            rows["tools"] = [*rows["tools"], make.tool(f"tool-{number}")]
            manifest = built(objects, number, rows)
            if what == "copy":
                load_corpus(folder.warehouse, rows, load_id=load_of(number)["load_id"])
                publish(folder.warehouse, folder.serve, at=make.NIGHT, keep=Keep(0, 0, 0))
            else:
                publish_views(folder, objects, manifest, number)
        for path in copies(folder.serve):
            scan(path)
    if held is not None:
        assert held.communicate("\n", timeout=60)[0] == "read\n"
    for path in copies(folder.serve):
        scan(path, make.corpus())
    assert objects.size(written.name) == written.bytes
    assert newest(objects) is not None


@pytest.mark.whole
def test_parts_go_when_nothing_names_them_any_more(folder, objects):
    for number in range(1, 3):
        publish_views(folder, objects, built(objects, number), number)
    first = {name for name in objects.names("tables/") if "build-1-" in name}
    for number in range(3, 5):
        publish_views(folder, objects, built(objects, number), number)
        for path in copies(folder.serve):
            scan(path)
    left = {*objects.names("tables/")}
    assert len(first) > 10
    assert left & first == set()
    assert "tables/pages/build-0-0000.parquet" in left
    assert len(numbers(objects)) == MANIFESTS_KEPT
    assert prune_parts(objects, copies(folder.serve)) == []
