"""An exported dataset as rows to load: whole, of this version of the schema, and every byte as its manifest says."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.warehouse.documents.manifest import Manifest, read_manifest
from verdicts.warehouse.exporting.dataset_check import check_dataset
from verdicts.warehouse.loading.staging import ParquetFiles, check_contract
from verdicts.warehouse.schema.versions import VERSION
from verdicts.warehouse.storage.errors import AuditFailed, ContractBroken, DatasetBroken

LOG = ("crawls", "fetches", "gate_measures", "gate_accepts")


@dataclass(frozen=True, slots=True)
class Dataset:
    """Every table that a load takes, the log too, and what read the pages."""

    folder: Path
    files: Mapping[str, ParquetFiles]
    extractor_version: str

    @property
    def rows(self) -> dict[str, ParquetFiles]:
        """The corpus: all tables but the log."""
        return {table: self.files[table] for table in CORPUS_TABLES}


def read_dataset(folder: Path) -> Dataset:
    """The files of an export, checked. Raises DatasetBroken."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise DatasetBroken(folder, "holds no export")
    if manifest.schema_version != VERSION:
        raise DatasetBroken(folder, f"its schema has version {manifest.schema_version}, this program loads {VERSION}")
    check_dataset(folder, manifest)
    files = {table: _files(folder, manifest, table) for table in (*CORPUS_TABLES, *LOG)}
    return Dataset(folder, files, manifest.extractor_version or "0")


@contextmanager
def loading(dataset: Dataset) -> Iterator[None]:
    """The load of a dataset: rows that break the contract or contradict each other are faults of its files.

    Raises DatasetBroken.
    """
    try:
        yield
    except ContractBroken as broken:
        name = _broken_file(dataset, broken.table)
        raise DatasetBroken(dataset.folder, f"{name} has {broken.count} row(s) that break {broken.rule}") from broken
    except AuditFailed as failed:
        raise DatasetBroken(dataset.folder, f"its files contradict each other: {failed}") from failed


def _broken_file(dataset: Dataset, table: str) -> str:
    """The file whose rows break the contract of their table; all of them where they do so only together."""
    files = dataset.files[table].paths
    for path in files:
        try:
            check_contract(table, ParquetFiles((path,)))
        except ContractBroken:
            return path.relative_to(dataset.folder).as_posix()
    return ", ".join(path.relative_to(dataset.folder).as_posix() for path in files)


def _files(folder: Path, manifest: Manifest, table: str) -> ParquetFiles:
    names = [file.name for file in manifest.files if (file.relation, file.form) == (table, "parquet")]
    if not names:
        raise DatasetBroken(folder, f"has no Parquet file of {table}; only an export of all tables can be loaded")
    return ParquetFiles(tuple(folder / name for name in names))
