"""Read-only copies for readers: `corpus-<load_id>.duckdb`, and the pointer `current` that names the one to read.

A copy is never written again and its path never used twice: a process that has a path open would be given the old
data. Readers therefore never wait and never see half a night.
"""

import fcntl
import re
import shutil
import stat
from datetime import datetime
from pathlib import Path

import duckdb

from warehouse.schema.migrate import bring_up_to_date
from warehouse.serving.search_index import bring_index_up_to_date
from warehouse.storage.connection import opened, writing
from warehouse.storage.durable import replace_text, sync
from warehouse.storage.errors import NothingPublished
from warehouse.storage.sql_files import read_sql

COPIES_KEPT = 7
"""Copies that stay for rollback, the present one included."""

_POINTER = "current"
_WITHDRAWN = "withdrawn"
"""Names of the copies that were rolled back from, one a line: no later rollback leads to them."""

_NAME = re.compile(r"corpus-(?P<load_id>.+?)(?:\.(?P<again>\d+))?\.duckdb")
_READ_ONLY = 0o444


def publish(warehouse_path: Path, serve_dir: Path, *, at: datetime) -> Path:
    """Copies the warehouse for readers and points them to the copy; returns its path.

    The copy is named after the last load, its search index is up to date and its views are tables. Older copies beyond
    COPIES_KEPT are removed, but for those that a process has open. Raises WarehouseLocked, WarehouseBroken.
    """
    serve_dir.mkdir(parents=True, exist_ok=True)
    with writing(warehouse_path) as connection:
        bring_up_to_date(connection, warehouse_path, at=at)
        bring_index_up_to_date(connection)
        last = connection.execute(read_sql("schema/catalog")["last_load"]).fetchall()
    with opened(warehouse_path) as connection:
        connection.execute("CHECKPOINT")
    path = _unused(serve_dir, str(last[0][0]) if last else f"{at:%Y%m%dT%H%M%SZ}-0000")
    draft = serve_dir / f".{path.name}.tmp"
    try:
        shutil.copyfile(warehouse_path, draft)
        with writing(draft) as connection:
            materialize_views(connection)
        draft.chmod(_READ_ONLY)
        sync(draft)
        draft.replace(path)
    finally:
        _clear(serve_dir, draft.name)
    replace_text(serve_dir / _POINTER, path.name + "\n")
    _prune(serve_dir, path)
    return path


def published(serve_dir: Path) -> Path:
    """The copy to read. Raises NothingPublished."""
    try:
        name = (serve_dir / _POINTER).read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        raise NothingPublished("nothing is published yet; run 'verdicts run' first") from error
    path = serve_dir / name
    if not _NAME.fullmatch(name) or not path.is_file():
        raise NothingPublished(f"the published copy {name!r} is missing; run 'verdicts publish'")
    return path


def copy_of(serve_dir: Path, load_id: str) -> Path:
    """The newest copy of a load, which may be named by the first characters of its id. Raises NothingPublished."""
    newest = {_age(path)[0]: path for path in _copies(serve_dir)}
    found = [load for load in newest if load.startswith(load_id)]
    if len(found) == 1:
        return newest[found[0]]
    if found:
        raise NothingPublished(f"several published loads begin {load_id!r}: {', '.join(found)}")
    kept = ", ".join(newest) or "none"
    raise NothingPublished(f"no published copy is of load {load_id!r}; there are copies of {kept}")


def rollback(serve_dir: Path) -> Path:
    """Points readers to the copy before the present one, and returns it. The copy that is left stays withdrawn.

    Raises NothingPublished when there is none to go back to.
    """
    present = published(serve_dir)
    withdrawn = {*_withdrawn(serve_dir), present.name}
    earlier = [path for path in _copies(serve_dir) if _age(path) < _age(present) and path.name not in withdrawn]
    if not earlier:
        raise NothingPublished(f"there is no copy before {present.name} to go back to")
    replace_text(serve_dir / _POINTER, earlier[-1].name + "\n")
    replace_text(serve_dir / _WITHDRAWN, "".join(f"{name}\n" for name in sorted(withdrawn)))
    return earlier[-1]


def _withdrawn(serve_dir: Path) -> set[str]:
    path = serve_dir / _WITHDRAWN
    return set(path.read_text(encoding="utf-8").split()) if path.exists() else set()


def _copies(serve_dir: Path) -> list[Path]:
    """Oldest first."""
    return sorted((path for path in serve_dir.glob("corpus-*") if _NAME.fullmatch(path.name)), key=_age)


def _age(path: Path) -> tuple[str, int]:
    found = _NAME.fullmatch(path.name)
    return (found["load_id"], int(found["again"] or 1)) if found else ("", 0)


def _unused(serve_dir: Path, load_id: str) -> Path:
    times = [again for path in _copies(serve_dir) for name, again in [_age(path)] if name == load_id]
    return serve_dir / (f"corpus-{load_id}.{max(times) + 1}.duckdb" if times else f"corpus-{load_id}.duckdb")


def _prune(serve_dir: Path, present: Path) -> None:
    _clear(serve_dir, ".*.tmp")
    for path in _copies(serve_dir)[:-COPIES_KEPT]:
        if path != present and not _is_open(path):
            path.unlink()


def _clear(serve_dir: Path, draft: str) -> None:
    """Removes drafts, and what DuckDB left beside one that failed (`.corpus-1.duckdb.tmp.wal`)."""
    for path in serve_dir.glob(f"{draft}*"):
        path.unlink()


def _is_open(copy: Path) -> bool:
    """Whether any process has it open: DuckDB holds a shared lock on a file that it reads."""
    copy.chmod(_READ_ONLY | stat.S_IWUSR)
    try:
        with copy.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        copy.chmod(_READ_ONLY)
    return False


def materialize_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Each view stands over a table of its rows, under its name and with its comments."""
    for name, sql in read_sql("schema/views").items():
        _, *comments = connection.extract_statements(sql)
        connection.execute(f"CREATE TABLE internal.{name} AS FROM {name}")
        connection.execute(f"CREATE OR REPLACE VIEW {name} AS FROM internal.{name}")
        for comment in comments:
            connection.execute(comment)
