"""Observations to rows; what this program fails on is left out, told in the log and in `rejects`."""

import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from extract.model.records import Observation
from normalize.corpus import Corpus
from normalize.isolation import LeftOut, TooManyFail, find_sound, with_rejects
from pipeline.errors import NormalizerBroken
from pipeline.failure_log import FailureLog

Normalize: TypeAlias = Callable[[Sequence[Observation]], Corpus]


def sound_corpus(
    observations: Iterable[Observation], normalized: Normalize, part: Normalize, failures: FailureLog
) -> Corpus:
    """The rows that `normalized` makes of the observations, or of those that it takes.

    `part` does the same for any part of the observations. Raises `NormalizerBroken` where too many fail.
    """
    observed = list(observations)
    try:
        return normalized(observed)
    except MemoryError:
        raise
    except Exception:
        kept, left_out = _found(observed, part, failures)
        if not left_out:
            raise
    for item in left_out:
        _tell(item, failures)
    return with_rejects(normalized(kept), left_out)


def _found(
    observed: Sequence[Observation], part: Normalize, failures: FailureLog
) -> tuple[list[Observation], list[LeftOut]]:
    try:
        return find_sound(observed, part)
    except TooManyFail as too_many:
        _tell(too_many.first, failures)
        raise NormalizerBroken(f"{too_many}; nothing was loaded") from too_many


def _tell(item: LeftOut, failures: FailureLog) -> None:
    failures.add(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
