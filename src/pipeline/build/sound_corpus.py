"""Observations to rows; what this program fails on is left out, told in the log and in `rejects`."""

import traceback
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from extract.model.records import Observation
from normalize.corpus import Corpus
from normalize.isolation import NO_FAULT_OF_A_PAGE, LeftOut, TooManyFail, find_sound, with_rejects
from normalize.scope import Scope
from pipeline.errors import NormalizerBroken
from pipeline.failure_log import FailureLog

Decided: TypeAlias = tuple[Corpus, Scope | None]
"""Rows and what they decide; None for everything."""

Normalize: TypeAlias = Callable[[Iterable[Observation], Collection[str]], Decided]
"""Rows of observations, and of addresses whose observations are left out."""


def sound_corpus(
    observations: Callable[[], Iterable[Observation]], normalized: Normalize, failures: FailureLog
) -> Decided:
    """What `normalized` makes of the observations, or of those that it takes.

    They are asked for again where it fails, and not held meanwhile: most of a rebuild's memory is theirs.

    Raises `NormalizerBroken` where too many fail; what the storage or memory refuses is no page's fault.
    """
    try:
        return normalized(observations(), ())
    except NO_FAULT_OF_A_PAGE:
        raise
    except Exception:
        kept, left_out = _found([*observations()], normalized, failures)
        if not left_out:
            raise
    for item in left_out:
        _tell(item, failures)
    rows, scope = normalized(kept, {item.observation.url for item in left_out})
    return with_rejects(rows, left_out), scope


def _found(
    observed: Sequence[Observation], normalized: Normalize, failures: FailureLog
) -> tuple[list[Observation], list[LeftOut]]:
    try:
        return find_sound(observed, lambda some: normalized(some, ()))
    except TooManyFail as too_many:
        _tell(too_many.first, failures)
        raise NormalizerBroken(f"{too_many}; nothing was loaded") from too_many


def _tell(item: LeftOut, failures: FailureLog) -> None:
    failures.add(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
