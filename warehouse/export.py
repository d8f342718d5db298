"""The published corpus as a Parquet dataset: complete or not there at all, the same bytes from run to run."""

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

import duckdb

from warehouse.card import Load, dataset_card
from warehouse.catalog import relations
from warehouse.connection import opened
from warehouse.contracts import CONTRACTS, key
from warehouse.durable import sync
from warehouse.errors import ExportRefused
from warehouse.relations import statements

MANIFEST = "_manifest.json"
CHECKSUMS = "SHA256SUMS"
CARD = "README.md"
SCHEMA = "schema.sql"
_OURS = {MANIFEST, CHECKSUMS, CARD, SCHEMA, *(f"{table}.parquet" for table in CONTRACTS)}


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """One Parquet file: a table, ordered by its key."""

    name: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote. `load_id` is None for a corpus that never held a row."""

    target: Path
    load_id: str | None
    files: tuple[ExportedFile, ...]


def export(published_db: Path, target: Path) -> ExportReport:
    """Writes every table of `published_db` to the folder `target`, with a dataset card, checksums and a manifest.

    The folder appears under its name in one step; an earlier export there is replaced. Raises ExportRefused when
    `target` is anything else that is not empty, WarehouseLocked, WarehouseBroken.
    """
    target = target.resolve()
    draft, former = (target.with_name(f".{target.name}.{state}") for state in ("partial", "former"))
    if former.exists() and not target.exists():
        # A run was killed between the two renames below.
        former.rename(target)
    _check(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(draft, ignore_errors=True)
    shutil.rmtree(former, ignore_errors=True)
    draft.mkdir()
    try:
        load_id, files = _write(published_db, draft)
        for path in (*draft.iterdir(), draft):
            sync(path)
        if target.exists():
            target.rename(former)
        draft.rename(target)
        sync(target.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        if former.exists() and not target.exists():
            former.rename(target)
    shutil.rmtree(former, ignore_errors=True)
    return ExportReport(target, load_id, files)


def _check(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise ExportRefused(target, "is not a folder")
    held = {path.name for path in target.iterdir()}
    if held and MANIFEST not in held:
        raise ExportRefused(target, "is not empty and holds no export of ours")
    if held - _OURS:
        raise ExportRefused(target, f"holds {min(held - _OURS)} beside an export, which would be lost")


def _write(published_db: Path, folder: Path) -> tuple[str | None, tuple[ExportedFile, ...]]:
    with opened(published_db, is_read_only=True) as connection:
        files = tuple(_parquet(connection, table, folder) for table in CONTRACTS)
        found = connection.execute(statements("catalog")["last_load"]).fetchone()
        last = Load(*found) if found else None
        hosts = [host for (host,) in connection.execute(statements("catalog")["hosts"]).fetchall()]
        rows = {file.name.removesuffix(".parquet"): file.rows for file in files}
        tables = [relation for relation in relations(connection) if relation.kind == "table"]
        card = dataset_card(tables, rows, hosts, last)
    (folder / CARD).write_text(card, encoding="utf-8")
    schema = "\n".join((*statements("schema").values(), *statements("views").values()))
    (folder / SCHEMA).write_text(schema, encoding="utf-8")
    load_id = last.load_id if last else None
    manifest = {"load_id": load_id, "files": [asdict(file) for file in files]}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    sums = [f"{_sha256(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / CHECKSUMS).write_text("".join(sums), encoding="utf-8")
    return load_id, files


def _parquet(connection: duckdb.DuckDBPyConnection, table: str, folder: Path) -> ExportedFile:
    path = folder / f"{table}.parquet"
    quoted = str(path).replace("'", "''")
    order = ", ".join(key(table))
    copied = connection.execute(
        f"COPY (SELECT * FROM {table} ORDER BY {order}) TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)"  # noqa: S608
    ).fetchone()
    return ExportedFile(path.name, copied[0] if copied else 0, path.stat().st_size, _sha256(path))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
