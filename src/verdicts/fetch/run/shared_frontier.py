"""A frontier in Postgres that several fetchers share: leases on hosts, and what is known of addresses.

The hosts of a site are leased together. The holder copies their addresses into its own state, works on them as if
alone, and with every commit returns the rows that it changed, if it still has the lease. Leases use the clock of the
database: clocks of fetchers do not matter.
"""

import asyncio
import json
import logging
import os
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit  # noqa: TID251  the address of the operator, which the config has checked

import psycopg

from verdicts.corpus.first_error import ending_with
from verdicts.fetch.http.pace import Lease
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.model.site import Site
from verdicts.fetch.store.state import VERSION
from verdicts.fetch.store.store import Store

LOGGER = logging.getLogger(__name__)

Database: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"

SHARED = {"urls": "url", "hosts": "host"}
"""The shared tables of the state, each with its key. Their rows belong to a host."""

LEASE_S = 120.0
"""Longer than any request may take (`Limits.total_s`): a running request ends within the lease."""

RENEWED_AT = 1 / 3
"""The part of a lease after which it is renewed: two renewals may fail."""

SITES_AT_A_TIME = 8
"""Sites that one fetcher leases, so that others find some."""

LOOKS_EVERY_S = 1.0
"""How often a fetcher tries to lease a site of another one; less often with many sites."""

TRIES_AT_ONCE = 20
"""Sites tried within `LOOKS_EVERY_S`: each try delays the crawl by some milliseconds."""

CONNECTS_WITHIN_S = 10

_LOCK = 0x76657264
"""An advisory lock: if two fetchers start at once, one makes the tables."""


@dataclass
class SharedFrontier:
    """A frontier in Postgres. `lease_s`: how long a lease lasts without renewal; `sites`: the most sites leased."""

    address: str
    lease_s: float = LEASE_S
    sites: int = SITES_AT_A_TIME
    looks_every_s: float = LOOKS_EVERY_S

    @contextmanager
    def opened(self, store: Store) -> Iterator["OpenFrontier"]:
        """Connects; from now on the state of this fetcher records its changes. Raises `StorageFailed`."""
        with _frontier_errors(self.address), _connect(self.address) as database:
            _note_changes(store.state)
            yield OpenFrontier(self, database, store)

    def refresh(self, store: Store) -> None:
        """Copies the whole frontier into the state, for a build. Raises `StorageFailed`."""
        with self.opened(store) as open_frontier, store.transaction():
            for (host,) in open_frontier.database.execute("SELECT host FROM leases ORDER BY host").fetchall():
                _check_out(open_frontier.database, store.state, [host])


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
        """The hosts of a site as soon as they are free, with all that is known of them.

        None if another fetcher left them with nothing due since `began`, by the clock of this crawl.
        """
        lease = await self._acquired(site)
        with ending_with(lambda: self._end(lease, began)):
            with self.store.transaction():
                _check_out(self.database, self.store.state, lease.hosts)
            if self._was_left_empty(lease.hosts) and not self._is_due(lease.hosts, began):
                yield None
            else:
                renewing = asyncio.create_task(self._renew(lease))
                try:
                    yield lease
                finally:
                    renewing.cancel()

    async def _acquired(self, site: Site) -> Lease:
        """While it waits for a site, others may be leased."""
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
            _renew(self.database, lease, self.settings.lease_s)
            if not lease.is_held:
                LOGGER.warning("%s: the lease is lost; another fetcher goes on", ", ".join(lease.hosts))
                return

    def _was_left_empty(self, hosts: Sequence[str]) -> bool:
        """Whether a fetcher left the hosts with nothing due since this crawl connected."""
        rows = self.database.execute(
            "SELECT bool_and(crawled_at > (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()))"
            " FROM leases WHERE host = ANY(%s)",
            (list(hosts),),
        ).fetchall()
        return bool(rows[0][0])

    def _is_due(self, hosts: Sequence[str], until: datetime) -> bool:
        due = "SELECT 1 FROM urls WHERE host IN (SELECT value FROM json_each(?)) AND due_at <= ? LIMIT 1"
        return self.store.state.execute(due, (json.dumps(hosts), until.isoformat())).fetchone() is not None

    def _end(self, lease: Lease, began: datetime) -> None:
        """Returns a lease; the next fetcher waits as long as this one would have."""
        self._room.release()
        self.store.commit()
        self.give()
        self.held.remove(lease)
        self.database.execute(
            "UPDATE leases SET holder = NULL, expires_at = NULL, delay_s = greatest(delay_s, %s),"
            " next_at = greatest(next_at, clock_timestamp() + make_interval(secs => %s)),"
            " crawled_at = CASE WHEN %s THEN clock_timestamp() ELSE crawled_at END"
            " WHERE host = ANY(%s) AND token = %s",
            (lease.delay_s, lease.pause_s, not self._is_due(lease.hosts, began), list(lease.hosts), lease.token),
        )
        lease.until = 0.0

    def give(self) -> None:
        """Returns rows that are settled and durable here; nothing for a lost lease."""
        state = self.store.state
        if state.in_transaction:
            return
        for lease in self.held:
            rows = [row for table in SHARED for row in _changed(state, table, lease.hosts)]
            if not rows:
                continue
            with self.database.transaction():
                if _is_own(self.database, lease):
                    self.database.cursor().executemany(
                        "INSERT INTO known (relation, key, host, content) VALUES (%s, %s, %s, %s)"
                        " ON CONFLICT (relation, key) DO UPDATE SET content = excluded.content",
                        rows,
                    )
                else:
                    lease.until = 0.0
        for table in SHARED:
            state.execute(f"DELETE FROM changed_{table}")  # noqa: S608  names of ours
        state.commit()


def _connect(address: str) -> Database:
    """A connection to a frontier; makes missing tables. Raises `StorageFailed`."""
    with _frontier_errors(address):
        database = psycopg.connect(address, autocommit=True, connect_timeout=CONNECTS_WITHIN_S)
        with database.transaction():
            database.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            database.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
            found = database.execute("SELECT version FROM frontier_version").fetchone()
            if found is None:
                database.execute("INSERT INTO frontier_version VALUES (%s)", (VERSION,))
    if found is not None and found[0] != VERSION:
        raise StorageFailed(
            f"the frontier at {_shown(address)} has version {found[0]}, this program knows {VERSION}: run one version"
        )
    return database


def _shown(address: str) -> str:
    """Host and database of an address, without user and password."""
    parts = urlsplit(address)
    return f"{parts.hostname or 'localhost'}{f':{parts.port}' if parts.port else ''}{parts.path}"


@contextmanager
def _frontier_errors(address: str) -> Iterator[None]:
    """Raises `StorageFailed` for a lost, refused or failed connection; a wrong statement is a bug."""
    try:
        yield
    except (psycopg.OperationalError, psycopg.errors.InsufficientPrivilege) as error:
        said = " ".join(str(error).split())
        password = urlsplit(address).password
        why = said.replace(password, "***") if password else said
        raise StorageFailed(
            f"the frontier at {_shown(address)} cannot be used: {why}; settled pages are kept, others are due again;"
            " repair the database, then run again"
        ) from None


def acquire(database: Database, hosts: Sequence[str], holder: str, delay_s: float, lease_s: float) -> Lease | None:
    """Leases all hosts of a site; None if another fetcher has any. `delay_s` is the config's.

    If the last lease was not returned, hosts rest for their delay: the last request may have been sent at its end.
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


def _renew(database: Database, lease: Lease, lease_s: float) -> None:
    """Extends a lease. A lost one ends at once."""
    began = time.monotonic()
    rows = database.execute(
        "UPDATE leases SET expires_at = clock_timestamp() + make_interval(secs => %s), delay_s = greatest(delay_s, %s)"
        " WHERE host = ANY(%s) AND token = %s AND expires_at > clock_timestamp() RETURNING host",
        (lease_s, lease.delay_s, list(lease.hosts), lease.token),
    ).fetchall()
    lease.until = began + lease_s if len(rows) == len(set(lease.hosts)) else 0.0


def _is_own(database: Database, lease: Lease) -> bool:
    """Whether a lease is still valid. Nobody takes it over during a transaction."""
    rows = database.execute(
        "SELECT host FROM leases WHERE host = ANY(%s) AND token = %s AND expires_at > clock_timestamp() FOR SHARE",
        (list(lease.hosts), lease.token),
    ).fetchall()
    return len(rows) == len(set(lease.hosts))


def _note_changes(state: sqlite3.Connection) -> None:
    """Records the keys of the rows that this connection writes from now on."""
    for table, key in SHARED.items():
        state.execute(f"CREATE TEMP TABLE IF NOT EXISTS changed_{table} (key)")
        for event in ("INSERT", "UPDATE"):
            state.execute(
                f"CREATE TEMP TRIGGER IF NOT EXISTS note_{table}_{event} AFTER {event} ON main.{table}"  # noqa: S608
                # No OR IGNORE: a statement's conflict rule applies to its triggers, too.
                f" BEGIN INSERT INTO changed_{table} VALUES (NEW.{key}); END"
            )


def _check_out(database: Database, state: sqlite3.Connection, hosts: Sequence[str]) -> None:
    """Replaces the state's rows of some hosts with the frontier's. Part of the caller's transaction."""
    for table, key in SHARED.items():
        state.execute(f"DELETE FROM {table} WHERE host IN (SELECT value FROM json_each(?))", (json.dumps(hosts),))  # noqa: S608
        marks = ", ".join("?" for _ in _columns(state, table))
        known = "SELECT content FROM known WHERE relation = %s AND host = ANY(%s) ORDER BY number"
        rows = (json.loads(content) for (content,) in database.execute(known, (table, list(hosts))))
        state.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608  names of ours
        # Rows from the frontier are not changes to return.
        of_hosts = f"SELECT {key} FROM {table} WHERE host IN (SELECT value FROM json_each(?))"  # noqa: S608
        state.execute(f"DELETE FROM changed_{table} WHERE key IN ({of_hosts})", (json.dumps(hosts),))  # noqa: S608


def _changed(state: sqlite3.Connection, table: str, hosts: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """The unreturned changed rows of some hosts: table, key, host, row as JSON."""
    key, columns = SHARED[table], ", ".join(_columns(state, table))
    return state.execute(
        f"SELECT '{table}', {key}, host, json_array({columns}) FROM main.{table}"  # noqa: S608  names of ours
        f" WHERE host IN (SELECT value FROM json_each(?)) AND {key} IN (SELECT key FROM changed_{table})",
        (json.dumps(hosts),),
    ).fetchall()


def _columns(state: sqlite3.Connection, table: str) -> list[str]:
    return [name for (name,) in state.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,))]
