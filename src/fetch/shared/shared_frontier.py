"""The shared frontier as a crawl uses it: sites leased one after the other, settlements given back with each commit."""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from verdicts.corpus.first_error import ending_with
from verdicts.fetch.model.site import Site
from verdicts.fetch.shared.database import Database, connect, frontier_errors
from verdicts.fetch.shared.lease_table import acquire, give_back, is_own, renew
from verdicts.fetch.shared.leases import LEASE_S, RENEWED_AT, Lease
from verdicts.fetch.shared.rows import TABLES, changed_rows, check_out, forget_changes, give, note_changes
from verdicts.fetch.store.store import Store

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
