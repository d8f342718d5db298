"""What an export consists of: its relations, and its files with their rows, bytes and checksums."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from verdicts.corpus.tables import TABLES
from verdicts.fetch.given_files import open_file, read_file
from verdicts.warehouse.storage.errors import DatasetBroken

DATASET_VIEWS: Mapping[str, tuple[str, ...]] = {
    "contested_tools": ("tool_id",),
    "free_to_start": ("tool_id",),
    "head_to_head": ("page_id",),
    "price_changes": ("tool_id", "changed_at"),
    "price_ladder": ("tool_id", "position"),
    "scored_takes": ("review_id",),
    "scorecards": ("tool_id",),
    "verdict_changes": ("page_id", "side", "changed_at"),
}
"""The views that a dataset carries as tables, so that it is read without SQL, to the keys by which their rows lie.

A load of a dataset makes them anew. None has a mean of fractions: its last digit would depend on the order in which
rows were read.
"""

DATASET_TABLES = (*TABLES, *DATASET_VIEWS)
"""What an export writes unless it is told otherwise."""


def key_of(relation: str) -> tuple[str, ...]:
    """The columns that name one row of a table or of a view of a dataset."""
    return DATASET_VIEWS.get(relation) or TABLES[relation].key


def order_of(relation: str) -> tuple[str, ...]:
    """The columns by which rows lie in a file."""
    return DATASET_VIEWS.get(relation) or TABLES[relation].order


MANIFEST = "_manifest.json"
CHECKSUMS = "SHA256SUMS"
DOCUMENTS = ("README.md", "croissant.json", "CITATION.cff", "schema.sql")

_MANIFEST_BYTES = 16_000_000
"""A manifest is no larger: that are files of 50,000 months."""

PARTITIONED = {name: table.partition_by for name, table in TABLES.items() if table.partition_by is not None}
"""Tables written as a file a month, and the column that says which: a row never moves to another file."""


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """Rows of one table, in its order. `name` is the path within the export, `form` parquet, csv or jsonl."""

    name: str
    relation: str
    form: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The state that was exported, and the files of its tables. No load: a corpus that never held a row."""

    load_id: str | None
    loaded_at: datetime | None
    extractor_version: str | None
    schema_version: int
    files: tuple[ExportedFile, ...]


def file_pattern(table: str, form: str) -> str:
    """Where the rows of a table are: a name, or a glob for all of its months."""
    return f"{table}/*.{form}" if table in PARTITIONED else f"{table}.{form}"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest, then the checksums of all that is in `folder`: `sha256sum -c SHA256SUMS` checks it."""
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    known = {file.name: file.sha256 for file in manifest.files}
    sums = {name: known.get(name) or sha256_of(folder / name) for name in names_in(folder)}
    (folder / CHECKSUMS).write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)), encoding="utf-8")


def read_manifest(folder: Path) -> Manifest | None:
    """What an export consists of; None where `folder` holds none. Raises DatasetBroken for one that is not ours."""
    path = folder / MANIFEST
    try:
        content = read_file(path, _MANIFEST_BYTES, follows_links=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DatasetBroken(folder, f"{MANIFEST} is no file of at most {_MANIFEST_BYTES:,} bytes") from error
    try:
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise DatasetBroken(folder, f"{MANIFEST} is no manifest of ours ({error})") from error


def sums_of(folder: Path) -> dict[str, str]:
    """The checksums of an export, by name; none where their file is missing."""
    try:
        text = (folder / CHECKSUMS).read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, IsADirectoryError):
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in text.splitlines())}


def names_in(folder: Path) -> set[str]:
    """Files in a folder and below it, by their path within it."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def sha256_of(path: Path) -> str:
    """Checksum of a file."""
    with open_file(path, follows_links=False) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
