"""Datasets that somebody changed, and whose manifest says so or does not."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Change = Callable[[Path], None]


def sealed(folder: Path, name: str) -> None:
    """The manifest agrees with the file again: its bytes, its digest and its rows."""
    path = folder / name

    def seal(entry: dict[str, Any]) -> dict[str, Any]:
        rows = pq.read_metadata(path).num_rows
        return entry | {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "rows": rows,
        }

    entries(folder, lambda entry: seal(entry) if entry["name"] == name else entry)


def entries(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Changes the entries of the manifest, one by one."""
    rewrite_manifest(folder, lambda files: list(map(change, files)))


def rewrite_manifest(folder: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    """Changes the list of files."""
    manifest = json.loads((folder / "_manifest.json").read_text())
    (folder / "_manifest.json").write_text(json.dumps(manifest | {"files": change(manifest["files"])}))


def named(name: str, other: str) -> Change:
    """An entry of the manifest leads somewhere else."""
    return lambda folder: entries(folder, lambda entry: entry | {"name": other} if entry["name"] == name else entry)


def rewritten(name: str, change: Callable[[pa.Table], pa.Table]) -> Change:
    """A file of other rows, and a manifest that agrees."""

    def rewrite(folder: Path) -> None:
        pq.write_table(change(pq.read_table(folder / name)), folder / name)
        sealed(folder, name)

    return rewrite


def column(
    name: str, column_name: str, values: Callable[[list[Any]], list[Any]], type_: pa.DataType | None = None
) -> Change:
    """A file with other values in a column, perhaps of another type."""

    def change(table: pa.Table) -> pa.Table:
        place = table.schema.get_field_index(column_name)
        made = pa.array(values(table[column_name].to_pylist()), type_ or table.schema.field(place).type)
        return table.set_column(place, column_name, made)

    return rewritten(name, change)


def bomb(table: pa.Table) -> pa.Table:
    """Rows that take next to nothing in the file."""
    return table.take(pa.array([0] * 700_000))


def written(name: str, content: bytes) -> Change:
    """A file of other bytes."""

    def write(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return write


def piped(name: str) -> Change:
    """A pipe in place of a file: whoever opens it waits."""

    def pipe(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return pipe


def linked(name: str, target: str | None = None) -> Change:
    """A link in place of a file or folder, to where that is now, or to `target`."""

    def link(folder: Path) -> None:
        kept = folder.parent / "kept"
        (folder / name).rename(kept)
        (folder / name).symlink_to(kept if target is None else target)

    return link


def swapped(name: str, other: str) -> Change:
    """Two files with each other's rows."""

    def swap(folder: Path) -> None:
        (folder / name).rename(folder / "aside")
        (folder / other).rename(folder / name)
        (folder / "aside").rename(folder / other)
        sealed(folder, name)
        sealed(folder, other)

    return swap
