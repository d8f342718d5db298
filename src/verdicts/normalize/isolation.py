"""One page cannot hold back a corpus: an observation that makes normalization fail is left out, and named.

Normalization is a function of many observations. To find the ones that fail, each half of them is tried by itself.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from verdicts.corpus.rows.runs import RejectRow
from verdicts.corpus.text import escape_unstorable
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.fetch_errors import StorageFailed

R = TypeVar("R")

LEFT_OUT_LEAST, LEFT_OUT_SHARE = 10, 0.1
"""If at least so many observations, and so large a share of them, fail, normalization as a whole is broken. A build
that left them all out would remove rows that an earlier program made."""

REASON = "normalizer_failed"
DETAIL_LENGTH = 500
"""Most characters of an error in a reject: it may quote the page."""

NO_FAULT_OF_A_PAGE = (MemoryError, OSError, StorageFailed)
"""Raised unchanged: otherwise pages would be blamed for a full disk or for missing memory."""


class LeftOut(NamedTuple):
    """An observation that normalization fails on, and its error."""

    observation: Observation
    error: Exception


class TooManyFail(Exception):
    """Normalization fails on too many observations. `first` is one of them, with its error."""

    def __init__(self, first: LeftOut, count: int, total: int) -> None:
        url = first.observation.url
        super().__init__(f"{count:,} of {total:,} snapshots cannot be normalized, such as one of {url}: a bug")
        self.first = first


def leave_out_failing(
    whole: Callable[[], R],
    observations: Callable[[], Sequence[Observation]],
    attempt: Callable[[Sequence[Observation]], R],
) -> tuple[R, list[LeftOut]]:
    """The result of `whole`, or if that fails, of `attempt` for the sound observations; and those left out.

    `observations` is called only after a failure, because most runs do not keep them. Raises `TooManyFail`.
    """
    try:
        return whole(), []
    except (*NO_FAULT_OF_A_PAGE, TooManyFail):
        raise
    except Exception:
        kept, left_out = find_sound(observations(), attempt)
        if not left_out:
            raise
        return attempt(kept), left_out


def find_sound(
    observations: Sequence[Observation], attempt: Callable[[Sequence[Observation]], object]
) -> tuple[list[Observation], list[LeftOut]]:
    """The observations that `attempt` can process, and those that make it fail by themselves.

    If one observation fails, this takes about twice the work of one attempt. Raises `TooManyFail`.
    """
    left_out: list[LeftOut] = []

    def select_sound(part: Sequence[Observation]) -> list[Observation]:
        try:
            attempt(part)
        except NO_FAULT_OF_A_PAGE:
            raise
        except Exception as error:
            if len(part) > 1:
                half = len(part) // 2
                return select_sound(part[:half]) + select_sound(part[half:])
            left_out.append(LeftOut(part[0], error))
            count = len(left_out)
            if count >= LEFT_OUT_LEAST and count >= LEFT_OUT_SHARE * len(observations):
                raise TooManyFail(left_out[0], count, len(observations)) from error
            return []
        return [*part]

    return select_sound(observations), left_out


def make_reject(left_out: LeftOut) -> RejectRow:
    """The reject of an observation that was left out."""
    observation, error = left_out
    detail = escape_unstorable(f"{type(error).__name__}: {error}")[:DETAIL_LENGTH]
    return RejectRow(observation.url, "normalize", REASON, detail, *observation.location)
