"""Parts of tables, the manifests that name them, and the rows that are loaded of both."""

import subprocess
import sys
from itertools import pairwise

import pyarrow.parquet as pq
import pytest

from builders import warehouse_rows as make
from builders.s3_server import s3_server
from builders.snapshots import demo_corpus
from builders.warehouse_files import load_rows, tables
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import open_objects
from verdicts.warehouse.manifests import Manifest, ManifestMissing, newest, numbers, publish_manifest, read
from verdicts.warehouse.parts import check_parts, rows_of, write_part
from verdicts.warehouse.storage.errors import AuditFailed, ContractBroken, WarehouseError

PUBLISHES = """
import sys
from datetime import UTC, datetime
from verdicts.fetch.objects import open_objects
from verdicts.warehouse.manifests import Manifest, publish_manifest
objects = open_objects(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
made = Manifest(0, sys.argv[2], datetime(2026, 11, 20, tzinfo=UTC), "1", "1", {})
print(publish_manifest(objects, made).number)
"""


@pytest.fixture(params=["folder", "bucket"])
def objects(request, tmp_path):
    """A store: a folder, or a bucket of whose requests one in fifty fails."""
    if request.param == "folder":
        yield open_objects(str(tmp_path / "store"))
        return
    with s3_server(one_in=50):
        yield open_objects("s3://bucket/corpus")


def in_bins(rows, bins):
    """The rows of a corpus, dealt out; what two bins may both hold stands in two of them."""
    return [
        {table: [*of_table[number::bins], *of_table[:1]] for table, of_table in rows.items()} for number in range(bins)
    ]


def write(objects, rows, bins, build="build-1"):
    parts = {}
    for number, of_bin in enumerate(in_bins(rows, bins)):
        for table, of_table in of_bin.items():
            parts.setdefault(table, []).append(write_part(objects, table, f"{build}-{number:04}", of_table))
    return parts


def publish(objects, parts, build="build-1"):
    return publish_manifest(objects, Manifest(0, build, make.NIGHT, "1", "2", parts))


@pytest.mark.whole
@pytest.mark.parametrize("objects", ["bucket"], indirect=True)
def test_a_corpus_loaded_from_parts_is_that_of_a_direct_load(objects, tmp_path):
    rows = demo_corpus()
    load_rows(tmp_path / "direct.duckdb", rows)
    publish(objects, write(objects, rows, bins=7))
    load_rows(tmp_path / "parts.duckdb", rows_of(objects, newest(objects), tmp_path / "copied"))
    assert tables(tmp_path / "parts.duckdb") == tables(tmp_path / "direct.duckdb")


@pytest.mark.whole
def test_eight_that_publish_at_once_take_eight_numbers(objects):
    children = [
        subprocess.Popen(
            [sys.executable, "-c", PUBLISHES, objects.url, f"build-{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(8)
    ]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.stdin.write("\n")
        child.stdin.flush()
    taken = sorted(int(child.communicate(timeout=60)[0]) for child in children)
    assert taken == [*range(1, 9)] == numbers(objects)
    assert {read(objects, number).build_id for number in taken} == {f"build-{number}" for number in range(8)}


def test_a_part_has_the_same_bytes_whatever_the_order_of_its_rows(objects):
    rows = make.corpus()["reviews"]
    first, second = (write_part(objects, "reviews", name, of) for name, of in (("a", rows), ("b", rows[::-1])))
    assert (first.rows, first.bytes, first.sha256) == (second.rows, second.bytes, second.sha256)
    assert objects.read(first.name) == objects.read(second.name)


def test_a_part_that_is_there_is_what_the_manifest_names(objects):
    rows = make.corpus()["reviews"]
    first = write_part(objects, "reviews", "build-1-0000", rows)
    assert write_part(objects, "reviews", "build-1-0000", rows[:1]) == first


def test_rows_of_one_key_lie_together_and_others_are_passed_over(tmp_path):
    objects = open_objects(str(tmp_path))
    part = write_part(objects, "tools", "b", [make.tool(f"tool-{number}") for number in range(45_000)])
    with pq.ParquetFile(tmp_path / part.name) as file:
        columns = [file.metadata.row_group(group).column(0) for group in range(file.num_row_groups)]
    spans = [(column.statistics.min, column.statistics.max) for column in columns]
    assert len(spans) == 3
    assert spans == sorted(spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))


def test_rows_out_of_their_contract_become_no_part(objects):
    with pytest.raises(ContractBroken, match="tools"):
        write_part(objects, "tools", "build-1-0000", [make.tool("alpha", name="")])
    assert list(objects.names("tables/")) == []


def test_equal_rows_of_two_parts_are_one_and_different_ones_are_told(objects):
    tool, other = make.tool("alpha"), make.tool("alpha", name="Another")
    parts = {"tools": [write_part(objects, "tools", "a", [tool]), write_part(objects, "tools", "b", [tool])]}
    assert check_parts(objects, publish(objects, parts)) == {"tools": 1}
    parts["tools"].append(write_part(objects, "tools", "c", [other, make.tool("beta")]))
    with pytest.raises(AuditFailed, match=f"'tool_id': '{make.an_id('alpha')}'"):
        check_parts(objects, publish(objects, parts))


def test_a_part_that_is_not_as_the_manifest_says_is_not_loaded(tmp_path):
    objects = open_objects(str(tmp_path))
    manifest = publish(objects, {"tools": [write_part(objects, "tools", "a", [make.tool("alpha")])]})
    (part,) = manifest.tables["tools"]
    path = tmp_path / part.name
    body = path.read_bytes()
    path.write_bytes(body[:-1] + b"!")
    with pytest.raises(StorageFailed, match=r"tables/tools/a\.parquet: its bytes are not those"):
        rows_of(objects, manifest, tmp_path / "copied")


def test_a_manifest_that_is_gone_is_told_by_its_number(objects):
    assert newest(objects) is None
    with pytest.raises(ManifestMissing, match="no manifest 3"):
        read(objects, 3)
    with pytest.raises(WarehouseError, match="no table is called toools"):
        publish(objects, {"toools": []})


def test_a_manifest_is_read_as_it_was_published(objects):
    published = publish(objects, write(objects, {"tools": make.corpus()["tools"]}, 2))
    assert newest(objects) == read(objects, 1) == published
    assert published.created_at == make.NIGHT
    assert (published.extractor_version, published.normalizer_version) == ("1", "2")
    assert published.rows == sum(part.rows for part in published.tables["tools"]) == len(make.corpus()["tools"]) + 1
