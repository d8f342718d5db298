"""Which address a worker of a site takes next, and when there is none left."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from fetch.run.context import Run
from fetch.store import frontier

TAKEN_AT_ONCE = 100
"""Addresses a host's workers take from the frontier in one question."""


@dataclass(slots=True)
class Crowd:
    """What the workers of one site agree on. `busy`: workers that may still find an address, and hosts being set up."""

    busy: int
    pages_left: int
    bytes_left: int
    news: asyncio.Condition = field(default_factory=asyncio.Condition)
    waiting: dict[str, deque[str]] = field(default_factory=dict)
    in_hand: set[str] = field(default_factory=set)


async def take(run: Run, crowd: Crowd, host: str) -> str | None:
    """The next address of a host; None once nobody can find another, or a budget is spent."""
    async with crowd.news:
        while crowd.pages_left > 0 and crowd.bytes_left > 0:
            queue = crowd.waiting.setdefault(host, deque())
            if not queue:
                held = crowd.in_hand
                queue.extend(frontier.pending(run.store.state, host, run.crawl_id, run.started_at, TAKEN_AT_ONCE, held))
            if queue:
                url = queue.popleft()
                crowd.in_hand.add(url)
                crowd.busy += 1
                crowd.pages_left -= 1
                return url
            if crowd.busy == 0:
                break
            await crowd.news.wait()
        return None


async def settle(crowd: Crowd, url: str | None = None) -> None:
    """One worker less may find an address; the idle ones look again."""
    async with crowd.news:
        crowd.busy -= 1
        if url is not None:
            crowd.in_hand.discard(url)
        crowd.news.notify_all()
