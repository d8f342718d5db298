"""The context that the workers of one site share. It logs their attempts."""

import logging
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import NamedTuple

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.corpus.text import in_one_line
from verdicts.fetch.http.client import HttpClient
from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.outcome import Left, Outcome, SkipReason, SkipRecord
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.snapshot import Location, Response
from verdicts.fetch.parse.robots import find_product_token
from verdicts.fetch.run.first_stubs import FirstStubs
from verdicts.fetch.run.site_rules import Scope, SiteRules
from verdicts.fetch.store import frontier, run_log
from verdicts.fetch.store.state import is_storage_failure
from verdicts.fetch.store.store import Store

LOGGER = logging.getLogger(__name__)

CACHED_LINKS = 50_000
"""Cached links: every page has the same navigation."""

DETAIL_LENGTH = 2_000
"""The most characters of a detail, which a host may have written."""


def utc_now() -> datetime:
    """The default clock of a run."""
    return datetime.now(UTC)


def make_steady_clock() -> Callable[[], datetime]:
    """A clock that starts at `utc_now` and ignores later clock changes: no time of a run repeats or is skipped."""
    begun, started = utc_now(), _read_seconds()
    return lambda: begun + timedelta(seconds=_read_seconds() - started)


def _read_seconds() -> float:
    # On Linux these seconds include the time that the machine was suspended.
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


@dataclass(slots=True)
class Tally:
    """URLs settled and URLs due, over all sites of a crawl; both only grow."""

    settled: int = 0
    due: int = 0


class SkipCounter:
    """Counts skipped URLs by host and reason, with the first URL as example, until `drain`."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, SkipReason], tuple[int, str]] = {}

    def add(self, reason: SkipReason, url: str, count: int = 1) -> None:
        """Counts `count` URLs; `url` is one of them."""
        host = find_host(url)
        before, example = self._counts.get((host, reason), (0, url))
        self._counts[host, reason] = (before + count, example)

    def list_host(self, host: str) -> list[tuple[SkipReason, SkipRecord]]:
        return [(key[1], SkipRecord(*key, *counted)) for key, counted in self._counts.items() if key[0] == host]

    def drain(self) -> list[SkipRecord]:
        """Returns the counts since the last `drain`, and starts again at zero."""
        records = [SkipRecord(*key, *counted) for key, counted in self._counts.items()]
        self._counts.clear()
        return records


class Attempt(NamedTuple):
    url: str
    number: int
    started_at: datetime


@dataclass(slots=True)
class CrawlContext:
    """The context of one site's workers. `sites` has all sites of the config by host, also those of other fetchers.

    All sites of a crawl share `fetch_numbers`, `tally`, `skips`, `redirects` and `left`. The crawl fetches
    what was due at `started_at`. `redirects` maps the keys of pages that redirected in this run to their targets.
    """

    store: Store
    site: Site
    sites: Mapping[str, Site]
    client: HttpClient
    crawl_id: str
    user_agent: str
    clock: Callable[[], datetime]
    started_at: datetime
    fetch_numbers: Iterator[int]
    tally: Tally
    skips: SkipCounter
    redirects: dict[str, str]
    left: Left
    first_stubs: FirstStubs = field(default_factory=FirstStubs)
    scopes: dict[str, Scope] = field(default_factory=dict)
    """A cache of `scope`: those in scope are in the frontier."""
    reported: set[tuple[str, int, str]] = field(default_factory=set)
    """File, line and type of our own errors with a written traceback."""

    rules: SiteRules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = SiteRules(self.site, self.sites, self.user_agent, self.store.forgotten)

    def scope(self, written: str) -> Scope:
        """The scope of an address that is added to the frontier."""
        if written not in self.scopes:
            if len(self.scopes) >= CACHED_LINKS:
                self.scopes.clear()
            self.scopes[written] = self.rules.judge(written)
        return self.scopes[written]

    @property
    def token(self) -> str:
        return find_product_token(self.user_agent).lower()

    def log(
        self,
        attempt: Attempt,
        outcome: Outcome,
        *,
        response: Response | None = None,
        status: int | None = None,
        elapsed_ms: int = 0,
        sha256: str | None = None,
        location: Location | None = None,
        detail: str | None = None,
    ) -> None:
        """Adds an attempt to the log. `status` and `elapsed_ms` are for attempts without a whole response."""
        self.store.log(
            run_log.make_fetch_row(
                self.crawl_id,
                next(self.fetch_numbers),
                attempt.url,
                outcome,
                attempt.started_at,
                attempt=attempt.number,
                status_code=status if response is None else response.status,
                elapsed_ms=elapsed_ms if response is None else response.elapsed_ms,
                size=0 if response is None else response.wire_bytes,
                sha256=sha256,
                location=location,
                detail=None if detail is None else " ".join(detail[:DETAIL_LENGTH].split()),
            )
        )

    def settle_absent(self, url: str) -> None:
        """Settles a URL without a page; it is due again the next night. Part of the caller's transaction."""
        now = self.clock()
        frontier.settle(self.store.state, url, self.crawl_id, now, now + self.site.revisit.least)

    @contextmanager
    def isolate(
        self, url: str, *, attempt: Attempt | None = None, response: Response | None = None, is_page: bool = False
    ) -> Iterator[None]:
        """Catches every error of the body except a failing disk, and logs it for `url`.

        A page is due again the next night. `attempt` and `response` are those of the body, if any. A transaction of
        the body is rolled back; a cancellation passes.
        """
        try:
            yield
        except Exception as error:
            if is_storage_failure(error):
                raise
            self._report(url, error)
            # Links of a rolled-back transaction are in the cache, but not in the frontier.
            self.scopes.clear()
            attempt = attempt or Attempt(url, 1, self.clock())
            detail = f"{type(error).__name__}: {error}"
            with self.store.transaction():
                self.log(attempt, Outcome.INTERNAL_ERROR, response=response, detail=detail)
                if is_page:
                    self.settle_absent(url)

    def _report(self, url: str, error: Exception) -> None:
        """Writes the traceback once for each place in the program: a bug on every page would fill the disk."""
        frame = traceback.extract_tb(error.__traceback__)[-1]
        extra = {"event": "internal_error", "fields": {"crawl_id": self.crawl_id, "url": in_one_line(url)}}
        raised_at = (frame.filename, frame.lineno or 0, type(error).__name__)
        if raised_at in self.reported:
            LOGGER.error(
                "%s: %s at %s:%d, as above", in_one_line(url), raised_at[2], raised_at[0], raised_at[1], extra=extra
            )
            return
        self.reported.add(raised_at)
        lines = map(in_one_line, "".join(traceback.format_exception(error)).splitlines())
        LOGGER.error("%s: this program failed\n%s", in_one_line(url), "\n".join(lines), extra=extra)


def share_context(
    store: Store,
    run: CrawlRow,
    sites: Sequence[Site],
    *,
    user_agent: str,
    clock: Callable[[], datetime],
    skips: SkipCounter,
    left: Left,
) -> "partial[CrawlContext]":
    """The function that makes the context of each site from its `site` and `client`; all share the rest."""
    return partial(
        CrawlContext,
        store=store,
        sites={host: site for site in sites for host in site.hosts},
        crawl_id=run.crawl_id,
        user_agent=user_agent,
        clock=clock,
        started_at=run.started_at,
        fetch_numbers=count(store.count_fetches(run.crawl_id) + 1),
        tally=Tally(*frontier.count_settled_and_due(store.state, run.crawl_id, run.started_at)),
        skips=skips,
        redirects=store.read_redirects(run.crawl_id),
        left=left,
    )
