"""The content of an export: its relations, and its files with rows, bytes and checksums."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from verdicts.corpus.tables import TABLES, relation_of
from verdicts.fetch.given_files import open_file, read_file
from verdicts.warehouse.storage.errors import DatasetBroken

DATASET_VIEWS: Mapping[str, tuple[str, ...]] = {
    "contested_tools": ("tool_id",),
    "free_to_start": ("tool_id",),
    "head_to_head": ("page_id",),
    "open_source": ("tool_id",),
    "price_changes": ("tool_id", "changed_at"),
    "price_ladder": ("tool_id", "position"),
    "scored_takes": ("review_id",),
    "scorecards": ("tool_id",),
    "verdict_changes": ("page_id", "side", "changed_at"),
}
"""Views that a dataset has as tables, so that it is read without SQL; to the keys that sort their rows.

A load of a dataset makes them again. No view has a mean of fractions: its last digit would depend on the order of rows.
"""

DATASET_TABLES = (*TABLES, *DATASET_VIEWS)
"""The tables of a dataset."""


def key_of(relation: str) -> tuple[str, ...]:
    """The columns that identify a row of a table or a view of a dataset."""
    return DATASET_VIEWS.get(relation) or TABLES[relation].key


def order_of(relation: str) -> tuple[str, ...]:
    """The columns that sort the rows of a file."""
    return DATASET_VIEWS.get(relation) or TABLES[relation].order


MANIFEST = "_manifest.json"
CHECKSUMS = "SHA256SUMS"

_MANIFEST_BYTES = 16_000_000
"""Most bytes of a manifest: files of 50,000 months."""

PARTITIONED = {name: table.partition_by for name, table in TABLES.items() if table.partition_by is not None}
"""Tables with a file for each month, to the column with the month. A row never moves to another file."""


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of one table. `name` is its path within the export."""

    name: str
    relation: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The exported state, and the files of its tables. Without a load the corpus never held a row."""

    load_id: str | None
    loaded_at: datetime | None
    extractor_version: str | None
    schema_version: int
    files: tuple[ExportedFile, ...]


def name_in_sql(relation: str) -> str:
    """The name of a table or view of a dataset, with its schema. The views are in `main`."""
    return relation if relation in DATASET_VIEWS else relation_of(relation)


def path_of(relation: str) -> str:
    """The path of a file without its ending, or of the folder of all months: `reviews`, `evidence/rejects`."""
    return name_in_sql(relation).replace(".", "/")


def file_pattern(table: str) -> str:
    """The file of a table, or a glob for all of its months."""
    return f"{path_of(table)}/*.parquet" if table in PARTITIONED else f"{path_of(table)}.parquet"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest, then the checksums of all files in `folder`; `sha256sum -c SHA256SUMS` checks them."""
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    known = {file.name: file.sha256 for file in manifest.files}
    sums = {name: known.get(name) or sha256_of(folder / name) for name in names_in(folder)}
    (folder / CHECKSUMS).write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)), encoding="utf-8")


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of an export, None if `folder` has none. Raises DatasetBroken if this program did not write it."""
    path = folder / MANIFEST
    try:
        content = read_file(path, _MANIFEST_BYTES, follows_links=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DatasetBroken(folder, f"{MANIFEST} is not a file of at most {_MANIFEST_BYTES:,} bytes") from error
    try:
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise DatasetBroken(folder, f"{MANIFEST} is not a manifest of verdicts ({error})") from error


def sums_of(folder: Path) -> dict[str, str]:
    """The checksums of an export by name; empty if their file is missing."""
    try:
        text = (folder / CHECKSUMS).read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, IsADirectoryError):
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in text.splitlines())}


def names_in(folder: Path) -> set[str]:
    """All files below a folder, by their relative path."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def sha256_of(path: Path) -> str:
    with open_file(path, follows_links=False) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
