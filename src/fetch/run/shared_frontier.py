"""A frontier that several fetchers share, in Postgres: who may ask which hosts, and what is known of their addresses.

The hosts of a site are leased together. Who has them has their addresses in its own state, works on them by the same
rules as alone, and gives back what it settled with every commit, on condition that the lease is still its own.
"""

import asyncio
import logging
import os
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit  # noqa: TID251  the address of the operator, which the config has checked

import psycopg
from psycopg import sql

from verdicts.corpus.first_error import ending_with
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.model.site import Site
from verdicts.fetch.run.leases import LEASE_S, RENEWED_AT, Lease
from verdicts.fetch.store.store import Store

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
            database.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
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


def acquire(database: Database, hosts: Sequence[str], holder: str, delay_s: float, lease_s: float) -> Lease | None:
    """The hosts of a site, all of them; None where another fetcher has any. `delay_s` is the config's.

    After a lease that ended without being given back a host is left alone for its delay more: the last request may
    have been sent at its end.
    """
    began = time.monotonic()
    with database.transaction():
        database.cursor().executemany(
            "INSERT INTO leases (host) VALUES (%s) ON CONFLICT DO NOTHING", [(host,) for host in sorted(hosts)]
        )
        free = database.execute(
            "SELECT host FROM leases WHERE host = ANY(%s) AND (expires_at IS NULL OR expires_at <= clock_timestamp())"
            " ORDER BY host FOR UPDATE SKIP LOCKED",
            (list(hosts),),
        ).fetchall()
        if len(free) < len(set(hosts)):
            return None
        (token,), *_ = database.execute("SELECT nextval('tokens')").fetchall()
        rows = database.execute(
            "UPDATE leases SET holder = %s, token = %s, delay_s = greatest(delay_s, %s),"
            " next_at = greatest(next_at, expires_at + make_interval(secs => greatest(delay_s, %s))),"
            " expires_at = clock_timestamp() + make_interval(secs => %s) WHERE host = ANY(%s)"
            " RETURNING extract(epoch FROM greatest(next_at - clock_timestamp(), interval '0'))",
            (holder, token, delay_s, delay_s, lease_s, list(hosts)),
        ).fetchall()
    waits = [0.0 if wait is None else float(wait) for (wait,) in rows]
    return Lease(tuple(hosts), token, began + lease_s, time.monotonic() + max(waits))


def renew(database: Database, lease: Lease, lease_s: float) -> None:
    """Makes a lease last on. One that was lost ends at once."""
    began = time.monotonic()
    rows = database.execute(
        "UPDATE leases SET expires_at = clock_timestamp() + make_interval(secs => %s), delay_s = greatest(delay_s, %s)"
        " WHERE host = ANY(%s) AND token = %s AND expires_at > clock_timestamp() RETURNING host",
        (lease_s, lease.delay_s, list(lease.hosts), lease.token),
    ).fetchall()
    lease.until = began + lease_s if len(rows) == len(set(lease.hosts)) else 0.0


def give_back(database: Database, lease: Lease, *, is_done: bool) -> None:
    """Ends a lease; the next fetcher waits as long as this one would have. `is_done`: nothing is due."""
    database.execute(
        "UPDATE leases SET holder = NULL, expires_at = NULL, delay_s = greatest(delay_s, %s),"
        " next_at = greatest(next_at, clock_timestamp() + make_interval(secs => %s)),"
        " crawled_at = CASE WHEN %s THEN clock_timestamp() ELSE crawled_at END"
        " WHERE host = ANY(%s) AND token = %s",
        (lease.delay_s, lease.pause_s, is_done, list(lease.hosts), lease.token),
    )
    lease.until = 0.0


def is_own(database: Database, lease: Lease) -> bool:
    """Whether a lease still stands. Within a transaction nobody takes it over before that ends."""
    rows = database.execute(
        "SELECT host FROM leases WHERE host = ANY(%s) AND token = %s AND expires_at > clock_timestamp() FOR SHARE",
        (list(lease.hosts), lease.token),
    ).fetchall()
    return len(rows) == len(set(lease.hosts))


class SharedTable(NamedTuple):
    """A table that both have. Its rows are found by `key`; each is of one host."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


URLS = SharedTable(
    "urls",
    ("url",),
    (
        "url",
        "host",
        "due_at",
        "handled_in",
        "fetched_at",
        "unconditional_at",
        "interval_s",
        "lastmod",
        "claim",
        "is_content_unverified",
        "etag",
        "last_modified",
        "is_etag_wrong",
        "sha256",
        "not_found_nights",
        "not_found_on",
        "is_gone",
        "alias_of",
        "hops",
        "depth",
        "discovered_in",
        "discovered_from",
        "standing",
        "gone_in",
        "moved_to",
    ),
)
HOSTS = SharedTable("hosts", ("host",), ("host", "lastmod_right", "lastmod_wrong"))
TABLES = (URLS, HOSTS)


def note_changes(state: sqlite3.Connection) -> None:
    """From here on this connection notes the rows that it writes."""
    for table in TABLES:
        keys = ", ".join(table.key)
        state.execute(f"CREATE TEMP TABLE IF NOT EXISTS changed_{table.name} ({keys})")
        values = ", ".join(f"NEW.{key}" for key in table.key)
        for event in ("INSERT", "UPDATE"):
            state.execute(
                f"CREATE TEMP TRIGGER IF NOT EXISTS note_{table.name}_{event} AFTER {event} ON main.{table.name}"  # noqa: S608
                # No OR IGNORE: what a statement says of conflicts holds in its triggers too.
                f" BEGIN INSERT INTO changed_{table.name} VALUES ({values}); END"
            )


def check_out(database: Database, state: sqlite3.Connection, hosts: Sequence[str]) -> None:
    """Replaces what the state knows of some hosts by what the frontier knows. Part of the caller's transaction."""
    for table in TABLES:
        _replace(state, table, hosts, _known(database, table, hosts))


def _known(database: Database, table: SharedTable, hosts: Sequence[str]) -> Iterable[tuple[Any, ...]]:
    question = sql.SQL("SELECT {} FROM {} WHERE host = ANY(%s)").format(
        sql.SQL(", ").join(map(sql.Identifier, table.columns)), sql.Identifier(table.name)
    )
    order = sql.SQL(" ORDER BY number") if table is URLS else sql.SQL("")
    return database.execute(question + order, (list(hosts),))


def _replace(
    state: sqlite3.Connection, table: SharedTable, hosts: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    marks = ", ".join("?" * len(hosts))
    state.execute(f"DELETE FROM {table.name} WHERE host IN ({marks})", tuple(hosts))  # noqa: S608  names of ours
    values = ", ".join("?" * len(table.columns))
    state.executemany(f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({values})", rows)  # noqa: S608
    # What came from there is not given back.
    of_hosts = f"SELECT {', '.join(table.key)} FROM {table.name} WHERE host IN ({marks})"  # noqa: S608
    state.execute(f"DELETE FROM changed_{table.name} WHERE {_keys(table)} IN ({of_hosts})", tuple(hosts))  # noqa: S608


def changed_rows(state: sqlite3.Connection, table: SharedTable, hosts: Sequence[str]) -> list[tuple[Any, ...]]:
    """The rows of some hosts that were written since they were last forgotten."""
    marks = ", ".join("?" * len(hosts))
    return state.execute(
        f"SELECT {', '.join(table.columns)} FROM main.{table.name} WHERE host IN ({marks})"  # noqa: S608  names of ours
        f" AND {_keys(table)} IN (SELECT * FROM changed_{table.name})",
        tuple(hosts),
    ).fetchall()


def _keys(table: SharedTable) -> str:
    return f"({', '.join(table.key)})" if len(table.key) > 1 else table.key[0]


def forget_changes(state: sqlite3.Connection) -> None:
    """What was written is given back, or is another fetcher's to write."""
    for table in TABLES:
        state.execute(f"DELETE FROM changed_{table.name}")  # noqa: S608  names of ours


def give(database: Database, table: SharedTable, rows: Sequence[tuple[Any, ...]]) -> None:
    """Writes rows into the frontier. Part of the caller's transaction."""
    if not rows:
        return
    names = [sql.Identifier(name) for name in table.columns]
    others = [sql.Identifier(name) for name in table.columns if name not in table.key]
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({}) ON CONFLICT ({}) DO UPDATE SET {}").format(
        sql.Identifier(table.name),
        sql.SQL(", ").join(names),
        sql.SQL(", ").join([sql.Placeholder()] * len(names)),
        sql.SQL(", ").join(map(sql.Identifier, table.key)),
        sql.SQL(", ").join(sql.SQL("{0} = excluded.{0}").format(name) for name in others),
    )
    with database.cursor() as cursor:
        cursor.executemany(statement, rows)


LOGGER = logging.getLogger(__name__)

SITES_AT_A_TIME = 8
"""Leased by one fetcher: others find some to lease."""

LOOKS_EVERY_S = 1.0
"""How often a site that another fetcher has is tried again; more rarely where there are many."""

TRIES_AT_ONCE = 20
"""Sites that are tried within `LOOKS_EVERY_S`: a try keeps the crawl from its pages for some milliseconds."""


@dataclass
class SharedFrontier:
    """A frontier in Postgres. `lease_s` is how long a lease lasts unless it is renewed, `sites` how many are leased."""

    address: str
    lease_s: float = LEASE_S
    sites: int = SITES_AT_A_TIME
    looks_every_s: float = LOOKS_EVERY_S

    @contextmanager
    def opened(self, store: Store) -> Iterator["OpenFrontier"]:
        """Connected, and the state of this fetcher noting what it changes. Raises `StorageFailed`."""
        with frontier_errors(self.address), connect(self.address) as database:
            note_changes(store.state)
            yield OpenFrontier(self, database, store)

    def refresh(self, store: Store) -> None:
        """Has the state know of all addresses what the frontier knows: what is gone and what moved, for a build.

        Raises `StorageFailed`.
        """
        with self.opened(store) as open_frontier, store.transaction():
            rows = open_frontier.database.execute("SELECT host FROM leases ORDER BY host").fetchall()
            for (host,) in rows:
                check_out(open_frontier.database, store.state, [host])


@dataclass
class OpenFrontier:
    """A shared frontier while a crawl uses it."""

    settings: SharedFrontier
    database: Database
    store: Store
    held: list[Lease] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._room = asyncio.Semaphore(self.settings.sites)
        self._waiting = 0
        self._holder = f"{socket.gethostname()}:{os.getpid()} {self.store.data}"

    @asynccontextmanager
    async def leased(self, site: Site, began: datetime) -> AsyncIterator[Lease | None]:
        """See `SharedLeases.leased`."""
        lease = await self._acquired(site)
        with ending_with(lambda: self._end(lease, began)):
            with self.store.transaction():
                check_out(self.database, self.store.state, lease.hosts)
            if self._was_left_empty(lease.hosts) and not self._is_due(lease.hosts, began):
                yield None
            else:
                renewing = asyncio.create_task(self._renew(lease))
                try:
                    yield lease
                finally:
                    renewing.cancel()

    async def _acquired(self, site: Site) -> Lease:
        """Whoever waits for a site leaves room for others."""
        self._waiting += 1
        while True:
            await self._room.acquire()
            lease = acquire(self.database, site.crawled_hosts, self._holder, site.delay_s, self.settings.lease_s)
            if lease is not None:
                self._waiting -= 1
                self.held.append(lease)
                return lease
            self._room.release()
            await asyncio.sleep(self.settings.looks_every_s * max(1, self._waiting / TRIES_AT_ONCE))

    async def _renew(self, lease: Lease) -> None:
        while True:
            await asyncio.sleep(self.settings.lease_s * RENEWED_AT)
            renew(self.database, lease, self.settings.lease_s)
            if not lease.is_held:
                LOGGER.warning("%s: the lease is lost; another fetcher goes on", ", ".join(lease.hosts))
                return

    def _was_left_empty(self, hosts: Sequence[str]) -> bool:
        """Whether a fetcher has left the hosts with nothing due since this crawl connected."""
        rows = self.database.execute(
            "SELECT bool_and(crawled_at > (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()))"
            " FROM leases WHERE host = ANY(%s)",
            (list(hosts),),
        ).fetchall()
        return bool(rows[0][0])

    def _is_due(self, hosts: Sequence[str], until: datetime) -> bool:
        marks = ", ".join("?" * len(hosts))
        found = self.store.state.execute(
            f"SELECT 1 FROM urls WHERE host IN ({marks}) AND due_at <= ? LIMIT 1",  # noqa: S608  marks of ours
            (*hosts, until.isoformat()),
        )
        return found.fetchone() is not None

    def _end(self, lease: Lease, began: datetime) -> None:
        self._room.release()
        self.store.commit()
        self.give()
        self.held.remove(lease)
        give_back(self.database, lease, is_done=not self._is_due(lease.hosts, began))

    def give(self) -> None:
        """See `SharedLeases.give`."""
        if self.store.state.in_transaction:
            return
        for lease in self.held:
            rows = {table: changed_rows(self.store.state, table, lease.hosts) for table in TABLES}
            if not any(rows.values()):
                continue
            with self.database.transaction():
                if is_own(self.database, lease):
                    for table, of_table in rows.items():
                        give(self.database, table, of_table)
                else:
                    lease.until = 0.0
        forget_changes(self.store.state)
        self.store.state.commit()
