"""The published corpus as a dataset: complete or not there at all, the same bytes from run to run."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path

import duckdb

from verdicts.corpus.first_error import ending_with
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.documents.citation import citation
from verdicts.warehouse.documents.croissant import croissant
from verdicts.warehouse.documents.dataset_card import Load, dataset_card
from verdicts.warehouse.documents.manifest import (
    ExportedFile,
    Manifest,
    listed_in,
    names_in,
    read_manifest,
    write_manifest,
)
from verdicts.warehouse.exporting.table_files import write_tables
from verdicts.warehouse.schema.catalog import relations
from verdicts.warehouse.schema.dataset_views import DATASET_TABLES, DATASET_VIEWS
from verdicts.warehouse.schema.ddl import create_tables
from verdicts.warehouse.schema.versions import version_of
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.durable import sole_writer, sync
from verdicts.warehouse.storage.errors import DatasetBroken, ExportRefused, NothingPublished
from verdicts.warehouse.storage.sql_files import read_sql


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote. `load_id` is None for a corpus that never held a row."""

    target: Path
    load_id: str | None
    files: tuple[ExportedFile, ...]


def export(
    published_db: Path, target: Path, *, tables: Sequence[str] = DATASET_TABLES, forms: Sequence[str] = ("parquet",)
) -> ExportReport:
    """Writes tables of `published_db`, and views as tables, to the folder `target`, each in every one of `forms`.

    Beside them stand a dataset card, Croissant metadata, a citation, the schema, a manifest and checksums. The folder
    appears under its name in one step; an earlier export there is replaced. Raises ExportRefused when `target` is
    anything else that is not empty, NothingPublished where its tables are of another version, WarehouseLocked,
    WarehouseBroken.
    """
    target = Path(realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    with sole_writer(target.parent):
        return _exported(published_db, target, tables, forms)


def _exported(published_db: Path, target: Path, tables: Sequence[str], forms: Sequence[str]) -> ExportReport:
    draft, former = (target.with_name(f".{target.name}.{state}") for state in ("partial", "former"))
    if former.exists() and not target.exists():
        # A run was killed between the two renames below.
        former.rename(target)
    _check(target)
    shutil.rmtree(draft, ignore_errors=True)
    shutil.rmtree(former, ignore_errors=True)
    draft.mkdir()

    def clear() -> None:
        shutil.rmtree(draft, ignore_errors=True)
        if former.exists() and not target.exists():
            former.rename(target)

    with ending_with(clear):
        with opened(published_db, is_read_only=True) as connection:
            load_id, files = _write(connection, draft, tables, forms)
        for path in (*draft.rglob("*"), draft):
            sync(path)
        if target.exists():
            target.rename(former)
        draft.rename(target)
        sync(target.parent)
    shutil.rmtree(former, ignore_errors=True)
    return ExportReport(target, load_id, files)


def _check(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise ExportRefused(target, "is not a folder")
    names = names_in(target)
    if not names:
        return
    try:
        earlier = read_manifest(target)
    except DatasetBroken:
        earlier = None
    if earlier is None:
        raise ExportRefused(target, "is not empty and holds no export of ours")
    if strange := names - listed_in(target):
        raise ExportRefused(target, f"holds {min(strange)} beside an export, which would be lost")


def _write(
    connection: duckdb.DuckDBPyConnection, folder: Path, tables: Sequence[str], forms: Sequence[str]
) -> tuple[str | None, tuple[ExportedFile, ...]]:
    version = version_of(connection) or 0
    present = {relation.name: {column.name for column in relation.columns} for relation in relations(connection)}
    if strange := [name for name in tables if not _is_declared(name, present.get(name))]:
        raise NothingPublished(
            f"the published {strange[0]} are of another version; run 'verdicts build', then 'verdicts publish'"
        )
    exported = [relation for relation in relations(connection) if relation.name in tables]
    exported.sort(key=lambda relation: DATASET_TABLES.index(relation.name))
    files = write_tables(connection, folder, exported, forms)
    loads = connection.execute(read_sql("schema/catalog")["last_load"]).fetchall()
    last = Load(*loads[0]) if loads else None
    hosts = [host for (host,) in connection.execute(read_sql("schema/catalog")["hosts"]).fetchall()]
    documents = {
        "README.md": dataset_card(exported, files, hosts, last),
        "croissant.json": croissant(exported, files, last, version),
        "CITATION.cff": citation(last, version),
        "schema.sql": _schema(tables),
    }
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    load_id, loaded_at, extractor = (last.load_id, last.loaded_at, last.extractor_version) if last else (None,) * 3
    write_manifest(folder, Manifest(load_id, loaded_at, extractor, version, files))
    return load_id, files


def _is_declared(name: str, columns: set[str] | None) -> bool:
    """Whether the file has the table with the columns that it should have; of a view, whether it has it."""
    return columns is not None and (name in DATASET_VIEWS or columns == {*TABLES[name].column_names})


def _schema(tables: Sequence[str]) -> str:
    """Declares the tables; with all of them, the views too."""
    declared = [create_tables()[table] for table in sorted(set(tables) & set(TABLES))]
    if set(tables) >= set(TABLES):
        declared += read_sql("schema/views").values()
    return "\n".join(declared)
