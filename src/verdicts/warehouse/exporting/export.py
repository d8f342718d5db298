"""Writes the published corpus as a dataset: complete or not at all, and with the same bytes in every run."""

import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from os.path import realpath
from pathlib import Path

import duckdb

from verdicts.corpus.error_notes import ending_with
from verdicts.corpus.tables import TABLES
from verdicts.fetch.input_files import sync
from verdicts.warehouse.exporting.card import Edition, describe
from verdicts.warehouse.exporting.contents import (
    DATASET_TABLES,
    DEFAULT_SETTINGS,
    PARTITIONED,
    DatasetSettings,
    file_pattern,
    make_path,
    name_in_sql,
    select_rows,
)
from verdicts.warehouse.exporting.dataset import (
    CHECKSUMS,
    ExportedFile,
    Manifest,
    hash_file,
    names_in,
    read_manifest,
    read_sums,
    write_manifest,
)
from verdicts.warehouse.exporting.without_reserved import open_for_export
from verdicts.warehouse.schema.declared import Relation, create_schemas, create_tables, read_version, relations
from verdicts.warehouse.storage.durable import exchange, sole_writer, write_bytes
from verdicts.warehouse.storage.sql_files import declarations, literal, quote_name, read_sql
from verdicts.warehouse.storage.warehouse_errors import DatasetBroken, ExportRefused


@dataclass(frozen=True, slots=True)
class ExportReport:
    """How many files of tables an export wrote, how many pages reserve their texts, and what the format cannot hold."""

    target: Path
    files: int
    reserved: int = 0
    notes: tuple[str, ...] = ()


def export(published_db: Path, target: Path, settings: DatasetSettings = DEFAULT_SETTINGS) -> ExportReport:
    """Writes the tables of `published_db` that `settings` name, and views as tables, as Parquet to the folder `target`.

    Leaves out what pages say that reserve their texts, except on permitted hosts. A dataset card, Croissant metadata, a
    citation, the schema, a manifest and checksums are added. The folder appears in one step and replaces an earlier
    export; files that no export wrote stay. Raises ExportRefused if `target` holds anything else or another file of a
    name that the export needs, NothingPublished if the tables are of another version, WarehouseLocked, WarehouseBroken.
    """
    target = Path(realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    with sole_writer(target.parent):
        return _export(published_db, target, settings)


def _export(published_db: Path, target: Path, settings: DatasetSettings) -> ExportReport:
    draft, former = (target.with_name(f".{target.name}.{state}") for state in ("partial", "former"))
    if former.exists() and not target.exists():
        # A run was killed between the two renames of `_replace`.
        former.rename(target)
    foreign = _foreign_names(target)
    for folder in (draft, former):
        shutil.rmtree(folder, ignore_errors=True)
    draft.mkdir()

    def clear() -> None:
        if former.exists() and not target.exists():
            former.rename(target)
        for folder in (draft, former):
            shutil.rmtree(folder, ignore_errors=True)

    with ending_with(clear):
        with open_for_export(published_db, draft.with_suffix(".duckdb"), settings) as (connection, reserved):
            edition = _write(connection, draft, read_edition(connection, settings, reserved))
        for path in draft.rglob("*"):
            sync(path)
        unread = [name for name in sorted(foreign) if not _keep(target, draft, name)]
        sync(draft)
        earlier = _replace(target, draft, former)
        for name in unread:
            (earlier / name).rename(target / name)
    return ExportReport(target, len(edition.manifest.files), reserved)


def _replace(target: Path, draft: Path, former: Path) -> Path:
    """Where the earlier export is now.

    Where the file system cannot swap, there is no folder for a moment, or after a kill until the next export.
    """
    earlier = draft
    if not target.exists():
        draft.rename(target)
    elif not exchange(draft, target):
        earlier = target.rename(former)
        draft.rename(target)
    sync(target.parent)
    return earlier


def _foreign_names(target: Path) -> set[str]:
    """The files in the folder that no export wrote: `.DS_Store`, `.gitattributes`, notes of a person.

    Raises ExportRefused for what is neither an export nor empty. Hidden files alone are as good as empty: `.git`.
    """
    if not target.exists():
        return set()
    if not target.is_dir():
        raise ExportRefused(target, "is not a folder")
    names = names_in(target)
    with suppress(DatasetBroken):
        if read_manifest(target) is not None:
            return names - {CHECKSUMS, *read_sums(target)}
    if any(not name.startswith(".") for name in names):
        raise ExportRefused(target, "is not empty and holds no export of verdicts")
    return names


def _keep(target: Path, draft: Path, name: str) -> bool:
    """The same file in both folders, also for a program that writes it now. False for one that we must not read."""
    (draft / name).parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(target / name, draft / name, follow_symlinks=False)
    except FileExistsError:
        raise ExportRefused(target, f"holds {name}, which no export wrote and this one would replace") from None
    except OSError:
        # FAT has no links, and nobody may link a file of others.
        try:
            shutil.copy2(target / name, draft / name, follow_symlinks=False)
        except PermissionError:
            return False
    return True


def read_edition(connection: duckdb.DuckDBPyConnection, settings: DatasetSettings, reserved: int) -> Edition:
    """The open corpus as an export that has no file yet."""
    present = {relation.name: relation for relation in relations(connection)}
    loads = connection.execute(read_sql("schema/catalog")["last_change"]).fetchall()
    load_id, loaded_at, extractor = loads[0] if loads else (None, None, None)
    manifest = Manifest(load_id, loaded_at, extractor, read_version(connection) or 0, ())
    hosts = [host for (host,) in connection.execute(read_sql("schema/catalog")["hosts"]).fetchall()]
    return Edition(settings, manifest, [present[name] for name in settings.tables], hosts, reserved)


def _write(connection: duckdb.DuckDBPyConnection, folder: Path, planned: Edition) -> Edition:
    manifest = replace(planned.manifest, files=_write_tables(connection, folder, planned))
    edition = replace(planned, manifest=manifest)
    tables = [sql for name, sql in create_tables(is_plain=True).items() if name in DATASET_TABLES]
    schema = "\n".join([*create_schemas(), *tables, *declarations("schema/views").values()])
    for name, text in (describe(edition) | {"schema.sql": schema}).items():
        write_bytes(folder / name, text.encode())
    write_manifest(folder, manifest)
    return edition


def _write_tables(connection: duckdb.DuckDBPyConnection, folder: Path, edition: Edition) -> tuple[ExportedFile, ...]:
    """One file uses one core, so as many files as cores are written at once."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool, ExitStack() as pending:
        files = []
        for table in edition.tables:
            (folder / file_pattern(table.name)).parent.mkdir(parents=True, exist_ok=True)
            write = partial(_file, folder=folder, table=table.name, footer=_footer(table, edition.manifest))
            for name, condition in _partitions(connection, table.name):
                cursor = connection.cursor()
                pending.callback(cursor.interrupt)
                files.append(pool.submit(write, cursor, name=name, condition=condition))
        # After a failure or a signal the other files need not be finished first.
        pending.callback(pool.shutdown, wait=False, cancel_futures=True)
        return tuple(file.result() for file in files)


def _partitions(connection: duckdb.DuckDBPyConnection, table: str) -> Iterator[tuple[str, str]]:
    """For each file of a table: its name without the ending, and the condition of its rows.

    There is a file, be it empty, of every month in which a row was seen. An older capture moves rows to an earlier
    file, but no name ever vanishes: who copies a dataset over an earlier one keeps no row twice.
    """
    column = PARTITIONED.get(table)
    if column is None:
        yield make_path(table), "true"
        return
    last = next((seen.later for seen in TABLES[table].in_order if seen.earlier == column), column)
    seen = f"SELECT DISTINCT date_trunc('month', {column}) AS first, date_trunc('month', {last}) AS last"
    question = f"""
        SELECT DISTINCT unnest(generate_series(first, last, INTERVAL 1 MONTH))::DATE AS month
        FROM ({seen} FROM {name_in_sql(table)})
        ORDER BY month
    """  # noqa: S608  names of ours
    months = [month for (month,) in connection.execute(question).fetchall()]
    for month in months:
        moment = f"TIMESTAMPTZ '{month} 00:00:00+00'"
        yield f"{make_path(table)}/{month:%Y-%m}", f"{column} >= {moment} AND {column} < {moment} + INTERVAL 1 MONTH"
    if not months:
        yield f"{make_path(table)}/none", "true"


def _footer(table: Relation, state: Manifest) -> str:
    """What a file says of itself wherever it is copied to, as DuckDB's COPY takes it: load, table, columns."""
    facts = {
        "load_id": state.load_id,
        "loaded_at": None if state.loaded_at is None else state.loaded_at.isoformat(),
        "schema_version": state.schema_version,
        "relation": table.relation,
        "comment": table.comment,
        "columns": json.dumps({column.name: column.comment for column in table.columns}),
    }
    pairs = (f"{quote_name(name)}: {literal(value)}" for name, value in facts.items() if value is not None)
    return f"{{{', '.join(pairs)}}}"


def _file(
    connection: duckdb.DuckDBPyConnection, *, folder: Path, table: str, footer: str, name: str, condition: str
) -> ExportedFile:
    path = folder / f"{name}.parquet"
    connection.execute("SET TimeZone = 'UTC'")
    options = f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {footer}"
    ((rows,),) = connection.execute(f"COPY ({select_rows(table, condition)}) TO {literal(path)} ({options})").fetchall()
    return ExportedFile(f"{name}.parquet", table, int(rows), path.stat().st_size, hash_file(path))
