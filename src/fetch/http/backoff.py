"""How long to wait before another attempt: the host's own `Retry-After`, else a back-off with jitter."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random


def backoff_s(attempt: int, base_s: float, random: Random) -> float:
    """Seconds to wait after attempt number `attempt` (from 1): between half and all of `base_s * 2 ** (attempt - 1)`.

    "Equal jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ (Brooker, 2015): clients
    that failed together do not return together. Full jitter, which spreads them further, may wait for no time at all,
    and a host in trouble is owed a pause.
    """
    longest = base_s * 2.0 ** (attempt - 1)
    return longest / 2 + random.uniform(0, longest / 2)


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds to wait by `Retry-After`, a number or an HTTP date; None for what is neither, or lies in the past."""
    text = (value or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        wait = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return wait if wait > 0 else None
