"""The database of a shared frontier: connected to, its tables made, its errors in words without a password."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit  # noqa: TID251  the address of the operator, which the config has checked

import psycopg

from verdicts.fetch.model.errors import StorageFailed

VERSION = 2
"""Of the tables; raised with every change of them."""

CONNECTS_WITHIN_S = 10

_LOCK = 0x76657264
"""An advisory lock: of two fetchers that begin at once one makes the tables."""

Database: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"


def connect(address: str) -> Database:
    """A connection to a frontier, which is made where there is none. Raises `StorageFailed`."""
    with frontier_errors(address):
        database = psycopg.connect(address, autocommit=True, connect_timeout=CONNECTS_WITHIN_S)
        with database.transaction():
            database.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            database.execute(Path(__file__).with_name("schema.sql").read_text(encoding="utf-8"))
            found = database.execute("SELECT version FROM frontier_version").fetchone()
            if found is None:
                database.execute("INSERT INTO frontier_version VALUES (%s)", (VERSION,))
    if found is not None and found[0] != VERSION:
        raise StorageFailed(
            f"the frontier at {place(address)} has version {found[0]}, this program works with {VERSION}"
        )
    return database


def place(address: str) -> str:
    """Host and database of an address, without user and password."""
    parts = urlsplit(address)
    return f"{parts.hostname or 'localhost'}{f':{parts.port}' if parts.port else ''}{parts.path}"


@contextmanager
def frontier_errors(address: str) -> Iterator[None]:
    """Raises `StorageFailed` where the database is not reached, refuses, or is lost; a wrong statement is a bug."""
    try:
        yield
    except (psycopg.OperationalError, psycopg.errors.InsufficientPrivilege) as error:
        said = " ".join(str(error).split())
        password = urlsplit(address).password
        why = said.replace(password, "***") if password else said
        raise StorageFailed(
            f"the frontier at {place(address)} cannot be used: {why}; what is settled stays, what is not is due again:"
            " see to the database, then run again"
        ) from None
