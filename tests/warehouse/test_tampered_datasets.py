"""A dataset that is not as it was exported is refused, with the file that is wrong, before a warehouse is touched."""

import hashlib
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builders.warehouse_files import tables
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.steps import load_dataset
from verdicts.warehouse.exporting.dataset import read_dataset, translate_load_errors
from verdicts.warehouse.exporting.export import export
from verdicts.warehouse.loading.rows import check_contracts
from verdicts.warehouse.storage.warehouse_errors import DatasetBroken, ExportRefused

Change = Callable[[Path], None]


def seal_file(folder, name):
    """The manifest agrees with the file again: its bytes, its digest and its rows."""
    path = folder / name

    def seal(entry):
        rows = pq.read_metadata(path).num_rows
        return entry | {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "rows": rows,
        }

    entries(folder, lambda entry: seal(entry) if entry["name"] == name else entry)


def entries(folder, change):
    """Changes the entries of the manifest, one by one."""
    rewrite_manifest(folder, lambda files: list(map(change, files)))


def rewrite_manifest(folder, change):
    """Changes the list of files."""
    manifest = json.loads((folder / "_manifest.json").read_text())
    (folder / "_manifest.json").write_text(json.dumps(manifest | {"files": change(manifest["files"])}))


def rename_entry(name, other):
    """An entry of the manifest leads somewhere else."""
    return lambda folder: entries(folder, lambda entry: entry | {"name": other} if entry["name"] == name else entry)


def rewritten(name, change):
    """A file of other rows, and a manifest that agrees."""

    def rewrite(folder):
        pq.write_table(change(pq.read_table(folder / name)), folder / name)
        seal_file(folder, name)

    return rewrite


def column(name, column_name, values, type_=None):
    """A file with other values in a column, perhaps of another type."""

    def change(table):
        place = table.schema.get_field_index(column_name)
        made = pa.array(values(table[column_name].to_pylist()), type_ or table.schema.field(place).type)
        return table.set_column(place, column_name, made)

    return rewritten(name, change)


def bomb(table):
    """Rows that take next to nothing in the file."""
    return table.take(pa.array([0] * 700_000))


def write_file(name, content):
    """A file of other bytes."""

    def write(folder):
        (folder / name).write_bytes(content)

    return write


def replace_by_pipe(name):
    """A pipe in place of a file: whoever opens it waits."""

    def pipe(folder):
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return pipe


def replace_by_link(name):
    """A link in place of a file, to where that is now."""

    def link(folder):
        kept = folder.parent / "kept"
        (folder / name).rename(kept)
        (folder / name).symlink_to(kept)

    return link


TOOLS, MONTH = "tools.parquet", "reviews/2026-11.parquet"


@pytest.fixture(scope="module")
def loaded(hand_made, tmp_path_factory):
    folder = DataFolder(tmp_path_factory.mktemp("loaded"))
    folder.warehouse.parent.mkdir()
    shutil.copyfile(hand_made, folder.warehouse)
    return folder


@pytest.fixture(scope="module")
def before(loaded):
    return tables(loaded.warehouse)


@pytest.fixture(scope="module")
def whole(loaded, tmp_path_factory):
    return export(loaded.warehouse, tmp_path_factory.mktemp("export") / "dataset").target


@pytest.fixture
def dataset(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "dataset"))


def not_parquet(folder):
    content = b"a,b\n1,2\n"
    (folder / TOOLS).write_bytes(content)
    entry = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    entries(folder, lambda known: known | entry if known["name"] == TOOLS else known)


TAMPERED = {
    "another digest": (
        lambda folder: entries(folder, lambda entry: entry | {"sha256": "0" * 64}),
        "is not as it was exported",
    ),
    "other bytes of a view": (write_file("matches.parquet", b"PAR1"), "matches.parquet is not as it was exported"),
    "one file less": (lambda folder: (folder / MONTH).unlink(), f"lacks {MONTH}"),
    "a column of another type": (
        column(MONTH, "score", lambda scores: [str(score) for score in scores], pa.string()),
        f"{MONTH} has score as VARCHAR, not BIGINT",
    ),
    "a column less": (
        rewritten(TOOLS, lambda table: table.drop_columns(["name"])),
        f"{TOOLS} does not have the columns",
    ),
    "a score of 101": (
        column(MONTH, "score", lambda scores: [101, *scores[1:]]),
        "1 row(s) for reviews break the rule score|max",
    ),
    "two rows of one key": (
        column(TOOLS, "tool_id", lambda ids: [ids[0], ids[0], *ids[2:]]),
        "2 row(s) for tools break the rule primary_key",
    ),
    "a tool that is not there": (
        column(MONTH, "tool_id", lambda ids: ["0" * 32, *ids[1:]]),
        "its files contradict each other: audit reviews_tool_id",
    ),
    "more rows than noted": (
        lambda folder: entries(folder, lambda entry: entry | {"rows": entry["rows"] + 1}),
        "by its manifest",
    ),
    "a file twice": (
        lambda folder: rewrite_manifest(folder, lambda files: [*files, files[0]]),
        "twice",
    ),
    "a path upwards": (rename_entry(TOOLS, "../tools.parquet"), "names '../tools.parquet' for 'tools'"),
    "a path from the root": (rename_entry(TOOLS, "/etc/passwd"), "names '/etc/passwd'"),
    "a wildcard": (rename_entry(MONTH, "reviews/*.parquet"), "names 'reviews/*.parquet'"),
    "another table's file": (rename_entry(TOOLS, "pages.parquet"), "names 'pages.parquet' for 'tools'"),
    "a link": (replace_by_link(TOOLS), f"{TOOLS} is a link, and is not followed"),
    "a pipe": (replace_by_pipe(TOOLS), f"{TOOLS} is a pipe, not a file"),
    "no Parquet": (not_parquet, f"{TOOLS} cannot be read as Parquet"),
    "a bomb": (rewritten(TOOLS, bomb), f"{TOOLS} would take"),
    "no JSON": (write_file("_manifest.json", b"\x00\xff{"), "_manifest.json is not a manifest of verdicts"),
    "deep JSON": (write_file("_manifest.json", b"[" * 1_000_000), "_manifest.json is not a manifest of verdicts"),
    "a gigabyte": (lambda folder: os.truncate(folder / "_manifest.json", 1 << 30), "_manifest.json is not a file of"),
    "a manifest that is a link": (replace_by_link("_manifest.json"), "_manifest.json is not a file of"),
}


@pytest.mark.parametrize("kind", TAMPERED)
@pytest.mark.share(4)
def test_what_is_not_as_exported_is_refused_by_name(loaded, before, dataset, kind):
    tamper, told = TAMPERED[kind]
    stamp = read_stamp(loaded)
    tamper(dataset)
    with pytest.raises(DatasetBroken) as refused:
        load_dataset(loaded, dataset)
    message = str(refused.value)
    assert message.startswith(f"{dataset}: ")
    assert told in message
    assert "\n" not in message
    if read_stamp(loaded) != stamp:
        # A transaction that was rolled back may leave other bytes.
        assert tables(loaded.warehouse) == before


def read_stamp(folder):
    status = folder.warehouse.stat()
    return status.st_mtime_ns, status.st_size


def test_hidden_files_and_the_order_of_columns_make_no_difference(loaded, dataset):
    (dataset / ".gitattributes").touch()
    (dataset / ".cache").mkdir()
    rewritten(TOOLS, lambda table: table.select(table.column_names[::-1]))(dataset)
    assert not load_dataset(loaded, dataset).is_changed


@pytest.mark.whole
def test_any_byte_of_a_sealed_file_may_be_wrong(dataset):
    """The manifest agrees with the damage, as somebody who wants to break the reader would have it."""
    held = (dataset / TOOLS).read_bytes()
    refusals = []
    for seed in range(60):
        chosen = random.Random(seed)
        damaged = bytearray(held)
        damaged[chosen.randrange(4, len(held))] ^= 1 << chosen.randrange(8)
        (dataset / TOOLS).write_bytes(damaged)
        try:
            seal_file(dataset, TOOLS)
        except Exception:
            continue  # not even its footer can be read
        try:
            checked = read_dataset(dataset)
            with translate_load_errors(checked):
                check_contracts({"tools": checked.files["tools"]})
        except DatasetBroken as broken:
            refusals.append(str(broken))
    assert len(refusals) > 5
    assert all("tools" in refusal for refusal in refusals)


def test_an_export_does_not_replace_what_is_no_export_of_ours(loaded, dataset):
    (dataset / "_manifest.json").write_text("{}")
    with pytest.raises(ExportRefused, match="holds no export of verdicts"):
        export(loaded.warehouse, dataset)
