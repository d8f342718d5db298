"""From addresses found to addresses in the frontier; what is left out is counted with its reason."""

from collections.abc import Iterable

from fetch.model.skips import SkipReason
from fetch.run.context import Run
from fetch.store import frontier

REMEMBERED = 50_000
"""Links whose verdict is kept in memory: the same navigation is on every page."""


def discover(run: Run, urls: Iterable[str], *, source: str, hops: int = 0, depth: int = 0) -> None:
    """Adds the canonical addresses that are in scope to the frontier. Part of the caller's transaction."""
    new: list[str] = []
    for url in urls:
        if url in run.judged:
            reason = run.judged[url]
        else:
            own = run.site.own(url)
            reason = run.site.left_out(own)
            if reason is None and depth > run.site.max_depth:
                # Not remembered: a shorter way to it may be found.
                run.skips.add("too_deep", url)
                continue
            _remember(run, url, reason)
            if reason is None:
                new.append(own)
        if reason is not None:
            run.skips.add(reason, url)
    if new:
        added = frontier.discover(run.store.state, new, crawl_id=run.crawl_id, source=source, hops=hops, depth=depth)
        run.tally.due += added


def _remember(run: Run, url: str, reason: SkipReason | None) -> None:
    if len(run.judged) >= REMEMBERED:
        run.judged.clear()
    run.judged[url] = reason
