"""Parts of tables, and the rows that are loaded of them."""

import pytest

from builders import warehouse_rows as make
from builders.s3_server import s3_server
from builders.snapshots import demo_corpus
from builders.warehouse_files import load_rows, tables
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.objects import open_objects
from verdicts.warehouse.parts import fetch_rows, write_part
from verdicts.warehouse.storage.warehouse_errors import ContractBroken


@pytest.fixture(params=["folder", "bucket"])
def objects(request, tmp_path):
    """A store: a folder, or a bucket of whose requests one in fifty fails."""
    if request.param == "folder":
        yield open_objects(str(tmp_path / "store"))
        return
    with s3_server(one_in=50):
        yield open_objects("s3://bucket/corpus")


def write(objects, rows, bins):
    """The parts of a corpus that is dealt out; a row that two bins may both hold stands in two of them."""
    parts = {}
    for number in range(bins):
        for table, of_table in rows.items():
            dealt = [*of_table[number::bins], *of_table[:1]]
            parts.setdefault(table, []).append(write_part(objects, table, f"rows/{table}/{number}.parquet", dealt))
    return parts


@pytest.mark.whole
@pytest.mark.parametrize("objects", ["bucket"], indirect=True)
def test_a_corpus_loaded_from_parts_is_that_of_a_direct_load(objects, tmp_path):
    rows = demo_corpus()
    load_rows(tmp_path / "direct.duckdb", rows)
    load_rows(tmp_path / "parts.duckdb", fetch_rows(objects, write(objects, rows, bins=7), tmp_path / "copied"))
    assert tables(tmp_path / "parts.duckdb") == tables(tmp_path / "direct.duckdb")


def test_equal_rows_of_two_parts_are_one_and_different_ones_load_nothing(tmp_path):
    objects, rows = open_objects(str(tmp_path / "store")), make.corpus()
    parts = write(objects, rows, bins=2)
    load_rows(tmp_path / "parts.duckdb", fetch_rows(objects, parts, tmp_path))
    other = make.tool("alpha", name="Another")
    parts["tools"].append(write_part(objects, "tools", "rows/tools/2.parquet", [other]))
    with pytest.raises(ContractBroken, match="tools"):
        load_rows(tmp_path / "parts.duckdb", fetch_rows(objects, parts, tmp_path))


def test_a_part_has_the_same_bytes_whatever_the_order_of_its_rows(objects):
    rows = make.corpus()["reviews"]
    first, second = (write_part(objects, "reviews", name, of) for name, of in (("a", rows), ("b", rows[::-1])))
    assert (first.rows, first.sha256) == (second.rows, second.sha256)
    assert objects.read(first.name) == objects.read(second.name)


def test_a_part_that_is_there_stays(objects):
    rows = make.corpus()["reviews"]
    first = write_part(objects, "reviews", "a", rows)
    assert write_part(objects, "reviews", "a", rows[:1]) == first


def test_rows_out_of_their_contract_become_no_part(objects):
    with pytest.raises(ContractBroken, match="tools"):
        write_part(objects, "tools", "a", [make.tool("alpha", name="")])
    assert list(objects.names()) == []


def test_a_part_that_is_not_as_it_was_written_is_not_loaded(tmp_path):
    objects = open_objects(str(tmp_path))
    part = write_part(objects, "tools", "a", [make.tool("alpha")])
    path = tmp_path / part.name
    body = path.read_bytes()
    path.chmod(0o600)
    path.write_bytes(body[:-1] + b"!")
    with pytest.raises(StorageFailed, match="a: its bytes are not those"):
        fetch_rows(objects, {"tools": [part]}, tmp_path / "copied")
