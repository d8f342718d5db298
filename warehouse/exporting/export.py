"""Writes the published corpus as a dataset: complete or not at all, and with the same bytes in every run."""

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path

import duckdb

from verdicts.corpus.first_error import ending_with
from verdicts.corpus.tables import TABLES
from verdicts.fetch.given_files import sync
from verdicts.warehouse.exporting.dataset_documents import Load, citation, croissant, dataset_card
from verdicts.warehouse.exporting.manifest import (
    CHECKSUMS,
    DATASET_TABLES,
    PARTITIONED,
    ExportedFile,
    Manifest,
    file_pattern,
    name_in_sql,
    names_in,
    order_of,
    path_of,
    read_manifest,
    sha256_of,
    sums_of,
    write_manifest,
)
from verdicts.warehouse.schema.declared import Relation, create_schemas, create_tables, relations, version_of
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.durable import sole_writer
from verdicts.warehouse.storage.errors import DatasetBroken, ExportRefused, NothingPublished
from verdicts.warehouse.storage.sql_files import literal, read_sql


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote. `load_id` is None for a corpus without a load."""

    target: Path
    load_id: str | None
    files: tuple[ExportedFile, ...]


def export(published_db: Path, target: Path) -> ExportReport:
    """Writes the tables of `published_db`, and views as tables, as Parquet to the folder `target`.

    It adds a dataset card, Croissant metadata, a citation, the schema, a manifest and checksums. The folder appears in
    one step and replaces an earlier export. Raises ExportRefused if `target` holds anything else, NothingPublished if
    the tables are of another version, WarehouseLocked, WarehouseBroken.
    """
    target = Path(realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    with sole_writer(target.parent):
        return _exported(published_db, target)


def _exported(published_db: Path, target: Path) -> ExportReport:
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
            load_id, files = _write(connection, draft)
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
        raise ExportRefused(target, "is not empty and holds no export of verdicts")
    if strange := names - {CHECKSUMS, *sums_of(target)}:
        raise ExportRefused(target, f"holds {min(strange)} beside an export, which would be lost")


def _write(connection: duckdb.DuckDBPyConnection, folder: Path) -> tuple[str | None, tuple[ExportedFile, ...]]:
    version = version_of(connection) or 0
    present = {relation.name: relation for relation in relations(connection)}
    for name in DATASET_TABLES:
        if name not in present or (name in TABLES and not _is_declared(present[name])):
            raise NothingPublished(
                f"the published {name} are of another version; run 'verdicts build', then 'verdicts publish'"
            )
    exported = [present[name] for name in DATASET_TABLES]
    files = _write_tables(connection, folder)
    loads = connection.execute(read_sql("schema/catalog")["last_load"]).fetchall()
    last = Load(*loads[0]) if loads else None
    hosts = [host for (host,) in connection.execute(read_sql("schema/catalog")["hosts"]).fetchall()]
    documents = {
        "README.md": dataset_card(exported, files, hosts, last),
        "croissant.json": croissant(exported, files, last, version),
        "CITATION.cff": citation(last, version),
        "schema.sql": "\n".join([*create_schemas(), *create_tables().values(), *read_sql("schema/views").values()]),
    }
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    load_id, loaded_at, extractor = (last.load_id, last.loaded_at, last.extractor_version) if last else (None,) * 3
    write_manifest(folder, Manifest(load_id, loaded_at, extractor, version, files))
    return load_id, files


def _is_declared(table: Relation) -> bool:
    return {column.name for column in table.columns} == {*TABLES[table.name].column_names}


def _write_tables(connection: duckdb.DuckDBPyConnection, folder: Path) -> tuple[ExportedFile, ...]:
    """One file uses one core, so as many files as cores are written at once."""
    for table in DATASET_TABLES:
        (folder / file_pattern(table)).parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool, ExitStack() as others:
        files = []
        for table in DATASET_TABLES:
            for name, condition in _partitions(connection, table):
                cursor = connection.cursor()
                others.callback(cursor.interrupt)
                files.append(pool.submit(_file, cursor, folder, table, name, condition))
        # After a failure or a signal the other files need not be finished first.
        others.callback(pool.shutdown, wait=False, cancel_futures=True)
        return tuple(file.result() for file in files)


def _partitions(connection: duckdb.DuckDBPyConnection, table: str) -> Iterator[tuple[str, str]]:
    """For each file of a table: its name without the ending, and the condition of its rows."""
    column = PARTITIONED.get(table)
    if column is None:
        yield path_of(table), "true"
        return
    question = f"SELECT DISTINCT date_trunc('month', {column})::DATE AS month FROM {name_in_sql(table)} ORDER BY month"  # noqa: S608
    months = [month for (month,) in connection.execute(question).fetchall()]
    for month in months:
        moment = f"TIMESTAMPTZ '{month} 00:00:00+00'"
        yield f"{path_of(table)}/{month:%Y-%m}", f"{column} >= {moment} AND {column} < {moment} + INTERVAL 1 MONTH"
    if not months:
        yield f"{path_of(table)}/none", "true"


def _file(connection: duckdb.DuckDBPyConnection, folder: Path, table: str, name: str, condition: str) -> ExportedFile:
    path = folder / f"{name}.parquet"
    select = f"FROM {name_in_sql(table)} WHERE {condition} ORDER BY {', '.join(order_of(table))}"
    connection.execute("SET TimeZone = 'UTC'")
    copy = f"COPY ({select}) TO {literal(path)} (FORMAT parquet, COMPRESSION zstd)"
    ((rows,),) = connection.execute(copy).fetchall()
    sync(path)
    return ExportedFile(f"{name}.parquet", table, int(rows), path.stat().st_size, sha256_of(path))
