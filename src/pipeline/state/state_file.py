"""What rounds keep between nights, in an SQLite file: a table a relation, an index a key.

SQLite, as a night looks up and replaces some thousand records by their keys: of a million in DuckDB that reads every
record's bytes (a second a lookup), here some milliseconds. Never the truth: absent, damaged or of another build it is
made anew. Each record carries a checksum, as a digest of the file would cost more than the night.
"""

import sqlite3
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import msgspec

from normalize.state.relation import R, Relation
from pipeline.state.tables import (
    FORMAT,
    KEPT,
    add_records,
    bits_of,
    digest_of_tables,
    make_indexes,
    make_table,
    marks,
    name_file,
    parts,
    unsealed,
)

BUSY_MS = 60_000
"""How long what was made waits for those who read the file."""


class StateFile:
    """See `normalize.state.relation.State`. Nothing is written for good before `keep`.

    All of it raises `StateDamaged`, within `state_errors`; for others `sqlite3.Error`.
    """

    def __init__(self, path: Path) -> None:
        """Where another process has the file, that ends in an error of SQLite after five seconds."""
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._decoders: dict[str, msgspec.msgpack.Decoder[Any]] = {}
        # By relation and key, what was found of each value: rounds ask for the same mentions one after the other.
        self._known: dict[tuple[str, str], dict[str, list[Any]]] = {}
        try:
            self._connection.execute(KEPT)
            self._connection.execute("BEGIN IMMEDIATE")
        except BaseException:
            self._connection.close()
            raise

    @property
    def name(self) -> str | None:
        """What it was kept as; None for a new one, and one of another format or with other tables than were kept."""
        if self._connection.execute("PRAGMA user_version").fetchone() != (FORMAT,):
            return None
        found = self._connection.execute("SELECT CAST(name AS BLOB), CAST(tables AS BLOB) FROM kept").fetchone()
        if found is None or found[1] != digest_of_tables(self._connection):
            return None
        return found[0].decode(errors="replace")  # type: ignore[no-any-return]  # a BLOB is bytes

    def find(self, relation: Relation[R], key: str, values: Collection[str]) -> list[R]:
        """The records whose attribute `key` is one of `values`."""
        known = self._known.setdefault((relation.name, key), {})
        wanted = values if isinstance(values, (set, frozenset, dict)) else frozenset(values)
        missing = [value for value in wanted if value not in known]
        if missing:
            known |= {value: [] for value in missing}
            for record in self._read(relation, key, missing):
                known[getattr(record, key)].append(record)
        return [record for value in wanted for record in known[value]]

    def replace(self, relation: Relation[R], key: str, values: Collection[str], records: Iterable[R]) -> None:
        """In place of the records whose attribute `key` is one of `values`, these."""
        self._table(relation)
        self._known = {at: of for at, of in self._known.items() if at[0] != relation.name}
        for some in parts(values):
            statement = f"DELETE FROM {relation.name} WHERE {key} IN ({marks(some)})"  # noqa: S608  ours
            self._connection.execute(statement, [*map(bits_of, some)])
        add_records(self._connection, relation, records)

    def all(self, relation: Relation[R]) -> Iterable[R]:
        """Every record."""
        decode = self._table(relation).decode
        found = self._connection.execute(f"SELECT record FROM {relation.name}")  # noqa: S608  ours
        return self._whole(relation, [decode(unsealed(body)) for (body,) in found])

    def is_empty(self, relation: Relation[R]) -> bool:
        """Whether there is no record of a relation."""
        self._table(relation)
        return self._connection.execute(f"SELECT 1 FROM {relation.name} LIMIT 1").fetchone() is None  # noqa: S608  ours

    def count(self, relation: Relation[R]) -> int:
        """How many records there are."""
        self._table(relation)
        ((count,),) = self._connection.execute(f"SELECT count(*) FROM {relation.name}")  # noqa: S608  ours
        return int(count)

    def roll_back(self) -> None:
        """Forgets what was replaced since it was opened."""
        self._connection.execute("ROLLBACK")
        # Tables that were made meanwhile are gone too.
        self._decoders.clear()
        self._known.clear()
        self._connection.execute("BEGIN IMMEDIATE")

    def keep(self, name: str) -> None:
        """Keeps what was replaced, under a name, and closes the file."""
        name_file(self._connection, name)
        # A verification may be reading it.
        self._connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        self._connection.execute("COMMIT")
        self._connection.close()

    def close(self) -> None:
        """Forgets what was not kept."""
        self._connection.close()

    def _read(self, relation: Relation[R], key: str, values: Collection[str]) -> list[R]:
        decode = self._table(relation).decode
        records: list[Any] = []
        for some in parts(values):
            question = f"SELECT record FROM {relation.name} WHERE {key} IN ({marks(some)})"  # noqa: S608  ours
            found = self._connection.execute(question, [*map(bits_of, some)])
            records += [decode(unsealed(body)) for (body,) in found]
        # Two values may have the same bits.
        wanted = frozenset(values)
        return self._whole(relation, [record for record in records if getattr(record, key) in wanted])

    def _whole(self, relation: Relation[R], stored: list[Any]) -> list[R]:
        """The records with the part that lies apart."""
        apart = relation.apart
        if apart is None:
            return stored
        shared = self.find(apart.shared, apart.by, {getattr(record, apart.by) for record in stored})
        by_place = {apart.place(part): part for part in shared}
        return [apart.joined(record, by_place[apart.place(record)]) for record in stored]

    def _table(self, relation: Relation[R]) -> msgspec.msgpack.Decoder[Any]:
        if relation.name not in self._decoders:
            make_table(self._connection, relation)
            make_indexes(self._connection, relation)
            self._decoders[relation.name] = msgspec.msgpack.Decoder(
                relation.apart.stored if relation.apart else relation.record
            )
        return self._decoders[relation.name]
