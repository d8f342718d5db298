"""Makes rows from record files, in this process. What it fails on is left out, logged, and listed in `rejects`."""

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import StoredObservation
from verdicts.normalize.corpus import Corpus, normalize_stored
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE, LeftOut, TooManyFail, find_sound, with_rejects
from verdicts.normalize.work import Known
from verdicts.pipeline.build.build_manifest import BuildManifest, Tables
from verdicts.pipeline.build.record_files import observed_in
from verdicts.pipeline.errors import NormalizerBroken
from verdicts.pipeline.failure_log import FailureLog
from verdicts.warehouse.loading.rows import Rows, check_contracts, count_rows


@dataclass(slots=True)
class Normalized:
    """The rows of a build. `is_loaded`: they fit into the warehouse. `left` counts rows that stay outside.

    Call `keep` after they are loaded, else `drop`.
    """

    rows: dict[str, Rows]
    is_loaded: bool = True
    left: int = 0

    def keep(self) -> Tables | None:
        """Publishes the rows in a store, if any, and says where."""
        return None

    def drop(self) -> None:
        """Removes temporary files."""

    @property
    def total(self) -> int:
        """The number of all rows."""
        return count_rows(self.rows) + self.left


def normalize_files(
    files: Sequence[Path], manifest: BuildManifest, failures: FailureLog, *, is_checked: bool = False
) -> Normalized:
    """The rows of the record files, without held readings.

    Leaves out what cannot be normalized, and with `is_checked` also rows that break their contract. Raises
    `NormalizerBroken` if that is too much. Errors of storage and memory are raised.
    """
    held = {place for place, _ in manifest.held}
    known = Known(frozenset(manifest.gone), dict(manifest.moved))

    def observed() -> Iterator[StoredObservation]:
        return (item for file in files for item in observed_in(file) if item.location not in held)

    def made_of(some: Iterable[StoredObservation]) -> tuple[Corpus, Sequence[LeftOut]]:
        rows, left_out = normalize_stored(some, known)
        if is_checked:
            check_contracts(rows)
        return rows, left_out

    try:
        return Normalized(dict(_sound(observed, made_of, failures)))
    except TooManyFail as too_many:
        _tell(too_many.first, failures)
        raise NormalizerBroken(f"{too_many}; nothing was loaded") from too_many


def _sound(
    observed: Callable[[], Iterable[StoredObservation]],
    made_of: Callable[[Iterable[StoredObservation]], tuple[Corpus, Sequence[LeftOut]]],
    failures: FailureLog,
) -> Corpus:
    """Normalizes all observations, or those that can be normalized together.

    After a failure they are read again instead of being kept, because they would take most of the memory.
    """
    try:
        rows, left_out = made_of(observed())
    except (*NO_FAULT_OF_A_PAGE, TooManyFail):
        raise
    except Exception:
        every = {item.location: item for item in observed()}

        def attempt(some: Iterable[Observation]) -> tuple[Corpus, Sequence[LeftOut]]:
            return made_of(every[item.location] for item in some)

        kept, found = find_sound([item.observation for item in every.values()], attempt)
        if not found:
            raise
        rows, left_out = attempt(kept)
        rows, left_out = with_rejects(rows, found), [*left_out, *found]
    for item in left_out:
        _tell(item, failures)
    return rows


def _tell(item: LeftOut, failures: FailureLog) -> None:
    failures.add(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
