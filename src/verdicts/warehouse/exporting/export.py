"""Writes the published corpus as a dataset: complete or not at all, and with the same bytes in every run.

The card is its README.md, with the front matter that Hugging Face reads. Croissant is for programs that load datasets:
https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html. Only the descriptions name references between tables,
because mlcroissant joins on `references` and drops rows without a match.
"""

import json
import os
import shutil
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from typing import Any

import duckdb
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from verdicts.corpus.first_error import ending_with
from verdicts.corpus.tables import TABLES
from verdicts.fetch.given_files import sync
from verdicts.warehouse.exporting.dataset import (
    CHECKSUMS,
    DATASET_TABLES,
    DATASET_VIEWS,
    PARTITIONED,
    ExportedFile,
    Manifest,
    file_pattern,
    key_of,
    name_in_sql,
    names_in,
    order_of,
    path_of,
    read_manifest,
    sha256_of,
    sums_of,
    write_manifest,
)
from verdicts.warehouse.exporting.without_reserved import count_reserved, opened_without_reserved
from verdicts.warehouse.schema.declared import (
    CatalogColumn,
    Relation,
    create_schemas,
    create_tables,
    relations,
    version_of,
)
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.durable import sole_writer
from verdicts.warehouse.storage.errors import DatasetBroken, ExportRefused, NothingPublished
from verdicts.warehouse.storage.sql_files import declarations, literal, read_sql

TITLE = "AI tool verdicts"

ABSTRACT = """Reviews of AI tools by a panel of reviewers, read from comparison pages that set two tools side by side:
tool cards, votes, prices, and every distinct review with each page it stands on."""

_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
_LARGEST = "1M<n<10M"

_TEMPLATES = Environment(
    autoescape=False,  # noqa: S701  Markdown and YAML
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def dataset_card(tables: Sequence[Relation], manifest: Manifest, hosts: Sequence[str], reserved: int) -> str:
    """The README.md of an export of `tables`, read from `hosts`, without what `reserved` pages say."""
    rows = {table.name: sum(file.rows for file in manifest.files if file.relation == table.name) for table in tables}
    return _TEMPLATES.get_template("README.md.jinja").render(
        title=TITLE,
        abstract=ABSTRACT,
        size=next((name for limit, name in _SIZES.items() if sum(rows.values()) < limit), _LARGEST),
        tables=tables,
        views=DATASET_VIEWS,
        rows=rows,
        hosts=hosts,
        reserved=reserved,
        manifest=manifest,
        pattern=file_pattern,
    )


def citation(manifest: Manifest) -> str:
    """The CITATION.cff of an export. A corpus without a load has no date."""
    version = _version(manifest)
    return _TEMPLATES.get_template("CITATION.cff.jinja").render(title=TITLE, manifest=manifest, version=version)


def _version(manifest: Manifest) -> str:
    return f"{manifest.schema_version}.0.0" + (f"+{manifest.load_id}" if manifest.load_id else "")


_CONTEXT = json.loads((Path(__file__).parent / "croissant_context.json").read_text(encoding="utf-8"))
"""The names of Croissant 1.1, from its specification."""

_MEDIA_TYPE = "application/x-parquet"

_TYPES = {
    "VARCHAR": "sc:Text",
    "VARCHAR[]": "sc:Text",
    "BIGINT": "sc:Integer",
    "DOUBLE": "sc:Float",
    "BOOLEAN": "sc:Boolean",
    "TIMESTAMPTZ": "sc:DateTime",
}


def croissant(tables: Sequence[Relation], manifest: Manifest) -> str:
    """JSON-LD: every file with its checksum, and every table with its columns and key."""
    metadata: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": TITLE,
        "description": ABSTRACT,
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "license": "https://spdx.org/licenses/Apache-2.0.html",
        "creator": {"@type": "sc:Organization", "name": "The verdicts maintainers"},
        "inLanguage": "en",
        "version": _version(manifest),
        "citeAs": "See CITATION.cff",
        "distribution": [*_distribution(manifest.files)],
        "recordSet": [_record_set(table) for table in tables],
    }
    if manifest.loaded_at:
        metadata["datePublished"] = f"{manifest.loaded_at:%Y-%m-%d}"
    return json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"


def _distribution(files: Sequence[ExportedFile]) -> Iterator[dict[str, Any]]:
    for table in sorted(PARTITIONED):
        yield {
            "@type": "cr:FileSet",
            "@id": f"{table}-files",
            "name": f"{table}-files",
            "description": "A file a month.",
            "encodingFormat": _MEDIA_TYPE,
            "includes": file_pattern(table),
        }
    for file in files:
        if file.relation not in PARTITIONED:
            yield {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "contentUrl": file.name,
                "contentSize": f"{file.bytes} B",
                "encodingFormat": _MEDIA_TYPE,
                "sha256": file.sha256,
            }


def _record_set(table: Relation) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.comment,
        "key": [{"@id": f"{table.name}/{name}"} for name in key_of(table.name)],
        "field": [_field(table.name, column) for column in table.columns],
    }


def _field(table: str, column: CatalogColumn) -> dict[str, Any]:
    kind, files = ("fileSet", f"{table}-files") if table in PARTITIONED else ("fileObject", file_pattern(table))
    metadata: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.comment,
        "dataType": _TYPES[column.type],
        "source": {kind: {"@id": files}, "extract": {"column": column.name}},
    }
    if column.type.endswith("[]"):
        metadata |= {"isArray": True, "arrayShape": "-1"}
    return metadata


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote, and how many pages are left out because they reserve their texts."""

    target: Path
    files: tuple[ExportedFile, ...]
    reserved: int = 0


def export(published_db: Path, target: Path, permitted: Collection[str] = ()) -> ExportReport:
    """Writes the tables of `published_db`, and views as tables, as Parquet to the folder `target`.

    Leaves out what pages say that reserve their texts, except on `permitted` hosts. A dataset card, Croissant
    metadata, a citation, the schema, a manifest and checksums are added. The folder appears in one step and replaces an
    earlier export. Raises ExportRefused if `target` holds anything else, NothingPublished if the tables are of another
    version, WarehouseLocked, WarehouseBroken.
    """
    target = Path(realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    with sole_writer(target.parent):
        return _exported(published_db, target, permitted)


def _exported(published_db: Path, target: Path, permitted: Collection[str]) -> ExportReport:
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
            _check_version(connection)
            reserved = count_reserved(connection, permitted)
            files = () if reserved else _write(connection, draft)
        if reserved:
            with opened_without_reserved(published_db, draft.with_suffix(".duckdb"), permitted) as connection:
                files = _write(connection, draft, reserved)
        for path in (*draft.rglob("*"), draft):
            sync(path)
        if target.exists():
            target.rename(former)
        draft.rename(target)
        sync(target.parent)
    shutil.rmtree(former, ignore_errors=True)
    return ExportReport(target, files, reserved)


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


def _check_version(connection: duckdb.DuckDBPyConnection) -> None:
    present = {relation.name: relation for relation in relations(connection)}
    for name in DATASET_TABLES:
        if name not in present or (name in TABLES and not _is_declared(present[name])):
            raise NothingPublished(
                f"the published {name} are of another version; run 'verdicts build', then 'verdicts publish'"
            )


def _write(connection: duckdb.DuckDBPyConnection, folder: Path, reserved: int = 0) -> tuple[ExportedFile, ...]:
    version = version_of(connection) or 0
    present = {relation.name: relation for relation in relations(connection)}
    exported = [present[name] for name in DATASET_TABLES]
    files = _write_tables(connection, folder)
    loads = connection.execute(read_sql("schema/catalog")["last_load"]).fetchall()
    load_id, loaded_at, extractor = loads[0] if loads else (None, None, None)
    manifest = Manifest(load_id, loaded_at, extractor, version, files)
    hosts = [host for (host,) in connection.execute(read_sql("schema/catalog")["hosts"]).fetchall()]
    tables = [sql for name, sql in create_tables(is_plain=True).items() if name in DATASET_TABLES]
    documents = {
        "README.md": dataset_card(exported, manifest, hosts, reserved),
        "croissant.json": croissant(exported, manifest),
        "CITATION.cff": citation(manifest),
        "schema.sql": "\n".join([*create_schemas(), *tables, *declarations("schema/views").values()]),
    }
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    write_manifest(folder, manifest)
    return files


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
