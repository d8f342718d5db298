"""One address cannot end another's crawl: what our own program fails on is an outcome of the address it was at.

What a host does has outcomes of its own, raised as `AttemptFailed`. Here ends what nobody foresaw: the address is
logged as `internal_error`, which makes the run partial, its traceback goes to the log of the program, and everything
else goes on.
"""

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from verdicts.corpus.unicode_text import in_one_line
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.response import Response
from verdicts.fetch.run.context import Attempt, CrawlContext, log
from verdicts.fetch.shared.leases import LeaseLost
from verdicts.fetch.store import frontier
from verdicts.fetch.store.storage_errors import is_storage_failure

LOGGER = logging.getLogger(__name__)


@contextmanager
def isolated(
    context: CrawlContext,
    url: str,
    *,
    attempt: Attempt | None = None,
    response: Response | None = None,
    is_page: bool = False,
) -> Iterator[None]:
    """Ends every error of the body but a failing disk and a lost lease, and logs it for `url`.

    A page is due again the next night. `attempt` and `response` are those that the body works on, where there are any.
    A transaction of the body is rolled back by itself; a cancellation passes.
    """
    try:
        yield
    except Exception as error:
        if is_storage_failure(error) or isinstance(error, LeaseLost):
            raise
        _report(context, url, error)
        # Links of a transaction that was rolled back are cached as known, and are not.
        context.skip_reasons.clear()
        now = context.clock()
        with context.store.transaction():
            detail = f"{type(error).__name__}: {error}"
            log(context, attempt or Attempt(url, 1, now), Outcome.INTERNAL_ERROR, response=response, detail=detail)
            if is_page:
                frontier.settle(context.store.state, url, context.crawl_id, now, now + context.site.revisit.least)


def _report(context: CrawlContext, url: str, error: Exception) -> None:
    """The traceback, once for each place in the program: a bug that every page meets would fill the disk."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    extra = {"event": "internal_error", "fields": {"crawl_id": context.crawl_id, "url": in_one_line(url)}}
    where = (place.filename, place.lineno or 0, type(error).__name__)
    if where in context.reported:
        LOGGER.error("%s: %s at %s:%d, as above", in_one_line(url), where[2], where[0], where[1], extra=extra)
        return
    context.reported.add(where)
    lines = map(in_one_line, "".join(traceback.format_exception(error)).splitlines())
    LOGGER.error("%s: this program failed\n%s", in_one_line(url), "\n".join(lines), extra=extra)
