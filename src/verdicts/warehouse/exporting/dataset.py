"""Checks an exported dataset before a load: complete, of a known schema, and every byte as in its manifest.

A dataset may come from anybody. So its manifest can name no file outside its folder, no link or pipe is read, and a
file that would take too much memory for its size is refused. The load checks the rows themselves.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from os.path import realpath
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import msgspec

from verdicts.corpus.tables import CORPUS_TABLES, TABLES, name_relation
from verdicts.fetch.input_files import open_file, read_file
from verdicts.warehouse.exporting.contents import DATASET_TABLES, DEFAULT_TABLES, PARTITIONED, make_path
from verdicts.warehouse.loading.rows import LOGS, Logs, ParquetFiles, parquet
from verdicts.warehouse.schema.declared import VERSION, create_schemas, short_type
from verdicts.warehouse.storage.connection import open_database, scratch, storage_errors
from verdicts.warehouse.storage.durable import write_bytes
from verdicts.warehouse.storage.sql_files import literal
from verdicts.warehouse.storage.warehouse_errors import AuditFailed, ContractBroken, DatasetBroken

MANIFEST = "_manifest.json"
CHECKSUMS = "SHA256SUMS"

_MANIFEST_BYTES = 16_000_000
"""Most bytes of a manifest: files of 50,000 months."""


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


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest, then the checksums of all files in `folder`; `sha256sum -c SHA256SUMS` checks them."""
    write_bytes(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    digests = {file.name: file.sha256 for file in manifest.files}
    sums = {name: digests.get(name) or hash_file(folder / name) for name in names_in(folder)}
    write_bytes(folder / CHECKSUMS, "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode())


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


def read_sums(folder: Path) -> dict[str, str]:
    """The checksums of an export by name; empty if their file is missing."""
    try:
        text = (folder / CHECKSUMS).read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, IsADirectoryError):
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in text.splitlines())}


def names_in(folder: Path) -> set[str]:
    """All files and links below a folder, by their relative path."""
    paths = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return {path.relative_to(folder).as_posix() for path in paths}


def hash_file(path: Path) -> str:
    with open_file(path, follows_links=False) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_VALUE_BYTES = 16
"""Least bytes of a value in memory. A value that is repeated a billion times takes no space in the file."""

_INFLATED, _INFLATED_LEAST = 100, 100_000_000
"""A file may need 100 times its size in memory, or 100 MB. Our exports need 5 to 20 times."""

_MONTH = r"(?:\d{4,6}-\d{2}|none)"


@dataclass(frozen=True, slots=True)
class Dataset:
    """The files of its tables and logs, and the version of the extractor."""

    folder: Path
    files: Mapping[str, ParquetFiles]
    extractor_version: str

    @property
    def rows(self) -> dict[str, ParquetFiles]:
        return {table: files for table, files in self.files.items() if table in CORPUS_TABLES}

    @property
    def logs(self) -> Logs:
        return Logs(**{table: files for table, files in self.files.items() if table in LOGS})


def read_dataset(folder: Path) -> Dataset:
    """The files of an export, after all checks. Raises DatasetBroken, which names the first broken file.

    An export of an earlier version is read if its tables have the columns of this version.
    """
    manifest = _read_own_manifest(folder)
    if manifest.schema_version > VERSION:
        why = f"its schema has version {manifest.schema_version}, this program knows {VERSION}: update it"
        raise DatasetBroken(folder, why)
    relations = {file.relation for file in manifest.files}
    lacking = [name for name in CORPUS_TABLES if name in DEFAULT_TABLES and name not in relations]
    if lacking and manifest.schema_version == VERSION:
        raise DatasetBroken(folder, f"has no file of {lacking[0]}: it is for reading, not for loading")
    _check_files(folder, manifest.files)
    for file in manifest.files:
        _check_parquet(folder, file, manifest.schema_version)
    files = {
        name: ParquetFiles(_paths(folder, manifest, name)) for name in (*CORPUS_TABLES, *LOGS) if name in relations
    }
    return Dataset(folder, files, manifest.extractor_version or "0")


def _read_own_manifest(folder: Path) -> Manifest:
    manifest = read_manifest(folder)
    if manifest is None:
        raise DatasetBroken(folder, "holds no export")
    return manifest


def _paths(folder: Path, manifest: Manifest, table: str) -> tuple[Path, ...]:
    return tuple(folder / file.name for file in manifest.files if file.relation == table)


@contextmanager
def view_dataset(folder: Path) -> Iterator[Path]:
    """A database file with a view of each table of the dataset in `folder`, of any schema version; removed at the end.

    Raises DatasetBroken for files that are missing or changed.
    """
    manifest = _read_own_manifest(folder)
    files = [file for file in manifest.files if file.relation in TABLES]
    _check_files(folder, files)
    with TemporaryDirectory(prefix="verdicts-") as name:
        path = Path(name, "dataset.duckdb")
        with open_database(path) as connection, storage_errors(folder):
            for statement in create_schemas():
                connection.execute(statement)
            for table in dict.fromkeys(file.relation for file in files):
                paths = _paths(Path(realpath(folder)), manifest, table)
                connection.execute(f"CREATE VIEW {name_relation(table)} AS FROM {parquet(paths)}")
        yield path


def _check_files(folder: Path, files: Sequence[ExportedFile]) -> None:
    for file in files:
        _check_name(folder, file)
    names = Counter(file.name for file in files)
    if repeated := [name for name, count in names.items() if count > 1]:
        raise DatasetBroken(folder, f"{MANIFEST} names {repeated[0]} twice")
    with ThreadPoolExecutor() as pool:
        for _ in pool.map(lambda file: _check_whole(folder, file), files):
            pass


def _check_name(folder: Path, file: ExportedFile) -> None:
    # So no name is absolute, has `..` or a wildcard, or belongs to another table.
    months = rf"/{_MONTH}" if file.relation in PARTITIONED else ""
    if file.relation not in DATASET_TABLES or not re.fullmatch(
        rf"{re.escape(make_path(file.relation))}{months}\.parquet", file.name
    ):
        raise DatasetBroken(folder, f"{MANIFEST} names {file.name!r} for {file.relation!r}, which no export writes")


def _check_whole(folder: Path, file: ExportedFile) -> None:
    path = folder / file.name
    try:
        is_whole = hash_file(path) == file.sha256 and path.stat().st_size == file.bytes
    except FileNotFoundError as error:
        raise DatasetBroken(folder, f"lacks {file.name}") from error
    except OSError as error:
        raise DatasetBroken(folder, f"{file.name} {error.strerror}") from error
    if not is_whole:
        raise DatasetBroken(folder, f"{file.name} is not as it was exported")


def _check_parquet(folder: Path, file: ExportedFile, version: int) -> None:
    """Reads only the file's footer."""
    of_file, footer = parquet([folder / file.name]), literal(folder / file.name)
    counts = f"""
        SELECT (SELECT num_rows FROM parquet_file_metadata({footer})), sum(total_uncompressed_size), sum(num_values)
        FROM parquet_metadata({footer})
    """  # noqa: S608  a file of an export
    try:
        with scratch() as connection:
            described = connection.execute(f"DESCRIBE FROM {of_file}").fetchall()
            ((rows, size, values),) = connection.execute(counts).fetchall()
    except duckdb.Error as error:
        raise DatasetBroken(folder, f"{file.name} cannot be read as Parquet") from error
    if file.relation in TABLES:
        # A view is not loaded. It is for people who read the file.
        types = {name: short_type(type_) for name, type_, *_ in described}
        declared = {column.name: column.type for column in TABLES[file.relation].columns}
        if types.keys() != declared.keys():
            older = f" of schema {VERSION}; it is of schema {version}: read it as it is" if version < VERSION else ""
            raise DatasetBroken(folder, f"{file.name} does not have the columns of {file.relation}{older}")
        for name, type_ in types.items():
            if type_ != declared[name]:
                raise DatasetBroken(folder, f"{file.name} has {name} as {type_}, not {declared[name]}")
    if rows != file.rows:
        raise DatasetBroken(folder, f"{file.name} has {rows:,} rows, {file.rows:,} by its manifest")
    inflated = int(size or 0) + _VALUE_BYTES * int(values or 0)
    if inflated > max(_INFLATED_LEAST, _INFLATED * file.bytes):
        raise DatasetBroken(folder, f"{file.name} would take {inflated:,} bytes of memory, being {file.bytes:,}")


@contextmanager
def translate_load_errors(dataset: Dataset) -> Iterator[None]:
    """Raises errors of a load's contract and audits as DatasetBroken."""
    try:
        yield
    except ContractBroken as broken:
        raise DatasetBroken(dataset.folder, str(broken)) from broken
    except AuditFailed as failed:
        raise DatasetBroken(dataset.folder, f"its files contradict each other: {failed}") from failed
