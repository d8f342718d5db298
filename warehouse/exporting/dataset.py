"""An exported dataset as rows to load: whole, of this version of the schema, and every byte as its manifest says."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from corpus.tables import CORPUS_TABLES
from warehouse.documents.manifest import Manifest, read_manifest, sha256_of
from warehouse.loading.staging import ParquetFiles
from warehouse.schema.migrate import VERSION
from warehouse.storage.errors import DatasetBroken


@dataclass(frozen=True, slots=True)
class Dataset:
    """Every table that a load takes, and what read the pages."""

    rows: Mapping[str, ParquetFiles]
    crawls: ParquetFiles
    fetches: ParquetFiles
    extractor_version: str


def read_dataset(folder: Path) -> Dataset:
    """The files of an export, checked. Raises DatasetBroken."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise DatasetBroken(folder, "holds no export")
    if manifest.schema_version != VERSION:
        raise DatasetBroken(folder, f"its schema has version {manifest.schema_version}, this program loads {VERSION}")
    _check(folder, manifest)
    return Dataset(
        {table: _files(folder, manifest, table) for table in CORPUS_TABLES},
        crawls=_files(folder, manifest, "crawls"),
        fetches=_files(folder, manifest, "fetches"),
        extractor_version=manifest.extractor_version or "0",
    )


def _files(folder: Path, manifest: Manifest, table: str) -> ParquetFiles:
    names = [file.name for file in manifest.files if (file.relation, file.form) == (table, "parquet")]
    if not names:
        raise DatasetBroken(folder, f"has no Parquet file of {table}; only an export of all tables can be loaded")
    return ParquetFiles(tuple(folder / name for name in names))


def _check(folder: Path, manifest: Manifest) -> None:
    missing = [file.name for file in manifest.files if not (folder / file.name).is_file()]
    if missing:
        raise DatasetBroken(folder, f"lacks {missing[0]}")
    with ThreadPoolExecutor() as pool:
        digests = pool.map(sha256_of, (folder / file.name for file in manifest.files))
        changed = [file.name for file, digest in zip(manifest.files, digests, strict=True) if digest != file.sha256]
    if changed:
        raise DatasetBroken(folder, f"{changed[0]} is not as it was exported")
