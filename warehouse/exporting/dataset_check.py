"""Whether a folder is exactly the export that its manifest says: a dataset may come from anybody, by any way.

Nothing is opened that lies outside the folder, that a link leads to, or that would take more memory than its bytes
allow. What the rows say is checked by the load: contract and audits.
"""

import re
import stat
from collections import Counter
from collections.abc import Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from verdicts.corpus.columns import SqlType
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.documents.manifest import (
    CHECKSUMS,
    DOCUMENTS,
    MANIFEST,
    PARTITIONED,
    ExportedFile,
    Manifest,
    sha256_of,
)
from verdicts.warehouse.schema.dataset_views import DATASET_TABLES
from verdicts.warehouse.storage.errors import DatasetBroken

_ARROW_TYPES: dict[SqlType, pa.DataType] = {
    "VARCHAR": pa.string(),
    "VARCHAR[]": pa.list_(pa.field("element", pa.string())),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMPTZ": pa.timestamp("us", tz="UTC"),
}
"""What an export writes."""

_VALUE_BYTES = 16
"""What a value takes in memory at least; one that is repeated a billion times takes nothing in the file."""

_INFLATED, _INFLATED_LEAST = 100, 100_000_000
"""A file may take so many times its bytes in memory, or so many bytes. An export of ours takes 5 to 20 times."""

_MONTH = r"(?:\d{4,6}-\d{2}|none)"


def check_dataset(folder: Path, manifest: Manifest) -> None:
    """Raises DatasetBroken, which names the first file that is not as the manifest says."""
    for file in manifest.files:
        _check_name(folder, file)
    names = Counter(file.name for file in manifest.files)
    if repeated := [name for name, count in names.items() if count > 1]:
        raise DatasetBroken(folder, f"{MANIFEST} names {repeated[0]} twice")
    _check_listing(folder, names.keys())
    with ThreadPoolExecutor() as pool:
        are_whole = pool.map(lambda file: _is_whole(folder, file), manifest.files)
        changed = [file.name for file, is_whole in zip(manifest.files, are_whole, strict=True) if not is_whole]
    if changed:
        raise DatasetBroken(folder, f"{changed[0]} is not as it was exported")
    for file in manifest.files:
        if file.form == "parquet":
            _check_parquet(folder, file)


def _check_name(folder: Path, file: ExportedFile) -> None:
    """Only names that an export writes: none is absolute, has `..` or a wildcard, or stands for another table."""
    table = re.escape(file.relation)
    name = rf"{table}/{_MONTH}" if file.relation in PARTITIONED else table
    if file.relation not in DATASET_TABLES or not re.fullmatch(rf"{name}\.{re.escape(file.form)}", file.name):
        raise DatasetBroken(folder, f"{MANIFEST} names {file.name!r} for {file.relation!r}, which no export writes")


def _check_listing(folder: Path, needed: Set[str]) -> None:
    """Regular files alone, all that are needed, and no others but hidden ones, as `.gitattributes`."""
    folders = {name.partition("/")[0] for name in needed if "/" in name}
    known = {*needed, *DOCUMENTS, MANIFEST, CHECKSUMS}
    found = set()
    for inner in ("", *sorted(folders)):
        for path in sorted((folder / inner).iterdir() if (folder / inner).is_dir() else ()):
            name, mode = path.relative_to(folder).as_posix(), path.lstat().st_mode
            if path.name.startswith(".") or (stat.S_ISDIR(mode) and name in folders):
                continue
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                raise DatasetBroken(folder, f"{name} is a link or a device; a dataset has files alone")
            if name not in known:
                raise DatasetBroken(folder, f"{name} is not in its manifest")
            found.add(name)
    if missing := needed - found:
        raise DatasetBroken(folder, f"lacks {min(missing)}")


def _is_whole(folder: Path, file: ExportedFile) -> bool:
    path = folder / file.name
    return path.stat().st_size == file.bytes and sha256_of(path) == file.sha256


def _check_parquet(folder: Path, file: ExportedFile) -> None:
    """Looks at the file's footer alone."""
    try:
        with pq.ParquetFile(folder / file.name) as opened:
            metadata, schema = opened.metadata, opened.schema_arrow
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DatasetBroken(folder, f"{file.name} cannot be read as Parquet") from error
    # A view is not loaded: what it holds is for those who read the file.
    columns = TABLES[file.relation].columns if file.relation in TABLES else ()
    declared = {column.name: _ARROW_TYPES[column.type] for column in columns} or dict(
        zip(schema.names, schema.types, strict=True)
    )
    if sorted(schema.names) != sorted(declared):
        raise DatasetBroken(folder, f"{file.name} has not the columns of {file.relation}")
    for field in schema:
        if field.type != declared[field.name]:
            raise DatasetBroken(folder, f"{file.name} has {field.name} as {field.type}, not {declared[field.name]}")
    if metadata.num_rows != file.rows:
        raise DatasetBroken(folder, f"{file.name} has {metadata.num_rows:,} rows, {file.rows:,} by its manifest")
    chunks = [
        metadata.row_group(group).column(column)
        for group in range(metadata.num_row_groups)
        for column in range(metadata.num_columns)
    ]
    inflated = sum(chunk.total_uncompressed_size + _VALUE_BYTES * chunk.num_values for chunk in chunks)
    if inflated > max(_INFLATED_LEAST, _INFLATED * file.bytes):
        raise DatasetBroken(folder, f"{file.name} would take {inflated:,} bytes of memory, being {file.bytes:,}")
