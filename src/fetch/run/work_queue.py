"""Which URL a worker of a site takes next, and when none is left."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from verdicts.fetch.model.site import Site
from verdicts.fetch.run.context import CrawlContext
from verdicts.fetch.store import frontier

BATCH = 100
"""URLs of a host that are taken from the frontier in one query."""


@dataclass(slots=True)
class WorkQueue:
    """Shared by the workers of one site.

    `active` counts the workers and host set-ups that may still discover URLs. `queued` are the URLs taken from the
    frontier, by host; `in_progress` those that a worker is processing.
    """

    active: int
    pages_left: int
    bytes_left: int
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    queued: dict[str, deque[str]] = field(default_factory=dict)
    in_progress: set[str] = field(default_factory=set)

    def spent(self, site: Site) -> str | None:
        """The budget that is spent, as the config has it; None while none is."""
        if self.pages_left <= 0:
            return f"max_pages = {site.max_pages}"
        return f"max_mb = {site.max_bytes // 1_000_000}" if self.bytes_left <= 0 else None


async def take(context: CrawlContext, queue: WorkQueue, host: str) -> str | None:
    """The next URL of a host; waits while another worker may discover one.

    None once no worker can discover another URL, or the budget of pages or bytes is spent. Every URL taken must be
    given to `release`.
    """
    async with queue.changed:
        while queue.pages_left > 0 and queue.bytes_left > 0:
            urls = queue.queued.setdefault(host, deque())
            if not urls:
                state, crawl_id, due_until = context.store.state, context.crawl_id, context.started_at
                urls.extend(frontier.due_urls(state, host, crawl_id, due_until, BATCH, queue.in_progress))
            if urls:
                url = urls.popleft()
                queue.in_progress.add(url)
                queue.active += 1
                queue.pages_left -= 1
                return url
            if queue.active == 0:
                break
            await queue.changed.wait()
        return None


async def release(queue: WorkQueue, url: str | None = None) -> None:
    """Ends the processing of `url`, or the set-up of a host; waiting workers look again."""
    async with queue.changed:
        queue.active -= 1
        if url is not None:
            queue.in_progress.discard(url)
        queue.changed.notify_all()
