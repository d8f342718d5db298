"""Leases of hosts: one fetcher asks a host at a time, and none sooner than the last one's delay allows."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from verdicts.fetch.http.pace import Throttle
from verdicts.fetch.model.errors import FetchError
from verdicts.fetch.model.site import Site
from verdicts.fetch.store.store import Store

LEASE_S = 120.0
"""Longer than any request may take (`Limits.total_s`): one that is on its way ends within the lease."""

RENEWED_AT = 1 / 3
"""Of a lease, when it is renewed: two renewals may fail."""


class LeaseLost(FetchError):
    """A host is another fetcher's by now: this one was stopped for longer than its lease."""


@dataclass
class Lease:
    """The hosts of a site, for this fetcher. `until` is when it ends, by `time.monotonic`; infinite of one for good.

    `since` is from when on the hosts may be asked, by the same clock. `throttles` are those of hosts that are asked.
    """

    hosts: Sequence[str] = ()
    token: int = 0
    until: float = float("inf")
    since: float = 0.0
    throttles: list[Throttle] = field(default_factory=list)

    def pace(self, throttle: Throttle) -> None:
        """Has a host that is asked from now on keep what is left of an earlier fetcher's delay."""
        throttle.pause(max(0.0, self.since - time.monotonic()))
        self.throttles.append(throttle)

    @property
    def is_held(self) -> bool:
        """Whether it has not ended; one that was not renewed in time counts as lost before another can have it."""
        return time.monotonic() < self.until

    def check(self) -> None:
        """Raises `LeaseLost`."""
        if not self.is_held:
            raise LeaseLost(f"{', '.join(self.hosts)}: the lease ended before it was renewed; another fetcher goes on")

    @property
    def delay_s(self) -> float:
        """How long after its last request a host is not to be asked."""
        return max((throttle.delay_s for throttle in self.throttles), default=0.0)

    @property
    def pause_s(self) -> float:
        """How long from now the hosts are not to be asked."""
        return max((throttle.wait_s for throttle in self.throttles), default=0.0)


class SharedLeases(Protocol):
    """A frontier that several fetchers share, while a crawl uses it."""

    def leased(self, site: Site, began: datetime) -> AbstractAsyncContextManager[Lease | None]:
        """The hosts of a site, once they can be had, with all that is known of them; None where they need no visit.

        They need none where another fetcher has left them with nothing due since `began`, by the clock of this crawl.
        """

    def give(self) -> None:
        """Gives back what was settled and is durable here; of a lease that was lost nothing."""


class Shared(Protocol):
    """A frontier that several fetchers share."""

    def opened(self, store: Store) -> AbstractContextManager[SharedLeases]:
        """Connected, and the state of this fetcher noting what it changes. Raises `StorageFailed`."""

    def refresh(self, store: Store) -> None:
        """Has the state know of all addresses what the frontier knows, for a build. Raises `StorageFailed`."""


@asynccontextmanager
async def leased(shared: SharedLeases | None, site: Site, began: datetime) -> AsyncIterator[Lease | None]:
    """See `SharedLeases.leased`; without a shared frontier the hosts are this crawl's for good."""
    if shared is None:
        yield Lease()
        return
    async with shared.leased(site, began) as lease:
        yield lease
