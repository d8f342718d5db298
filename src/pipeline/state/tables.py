"""Relations as tables of SQLite: the record with its checksum, and 63 bits of each key, with an index."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from zlib import crc32

import msgspec

from normalize.state.relation import R, Relation
from pipeline.state.errors import StateDamaged

ASKED = 500
"""Keys of one question."""

FORMAT = 1
"""Raised with every change of a record that is kept: a file of another format has no name."""

KEPT = "CREATE TABLE IF NOT EXISTS kept (name TEXT NOT NULL, tables TEXT NOT NULL)"
"""What the file was kept as, and a digest of its tables and indexes: one that is not found would be made, empty."""

_ENCODER = msgspec.msgpack.Encoder()


def _sealed(record: bytes) -> bytes:
    return crc32(record).to_bytes(4) + record


def unsealed(sealed: bytes) -> bytes:
    record = sealed[4:] if isinstance(sealed, bytes) else b""
    if not record or crc32(record) != int.from_bytes(sealed[:4]):
        raise StateDamaged("a record of the state is not as it was written")
    return record


def name_file(connection: sqlite3.Connection, name: str) -> None:
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("DELETE FROM kept")
    connection.execute("INSERT INTO kept VALUES (?, ?)", [name, digest_of_tables(connection).decode()])


def digest_of_tables(connection: sqlite3.Connection) -> bytes:
    rows = connection.execute("SELECT type, name, tbl_name, rootpage, CAST(sql AS BLOB) FROM sqlite_schema ORDER BY 4")
    return blake2b(repr(rows.fetchall()).encode(errors="replace"), digest_size=16).hexdigest().encode()


def make_table(connection: sqlite3.Connection, relation: Relation[R]) -> None:
    keys = ", ".join(f"{key} INTEGER" for key in relation.keys)
    connection.execute(f"CREATE TABLE IF NOT EXISTS {relation.name} ({keys}, record BLOB NOT NULL)")


def make_indexes(connection: sqlite3.Connection, relation: Relation[R]) -> None:
    for key in relation.keys:
        name = f"{relation.name}_by_{key}"
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {relation.name} ({key})")


def add_records(connection: sqlite3.Connection, relation: Relation[R], records: Iterable[R]) -> None:
    statement = f"INSERT INTO {relation.name} VALUES ({marks((*relation.keys, 'record'))})"  # noqa: S608  ours
    connection.executemany(statement, _rows(relation, records))


def parts(values: Iterable[str]) -> Iterator[list[str]]:
    ahead = iter(values)
    while some := [*islice(ahead, ASKED)]:
        yield some


def marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _rows(relation: Relation[R], records: Iterable[R]) -> Iterator[tuple[object, ...]]:
    keys, encode = relation.keys, _ENCODER.encode
    split = None if relation.apart is None else relation.apart.split
    for record in records:
        values = [getattr(record, key) for key in keys]
        bits = [None if value is None else bits_of(value) for value in values]
        yield (*bits, _sealed(encode(record if split is None else split(record))))


@lru_cache(maxsize=65_536)
def bits_of(value: str) -> int:
    """63 bits, as many as an integer of SQLite holds beside its sign."""
    return int.from_bytes(blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 1
