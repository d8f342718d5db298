"""Record files to rows, in this process. What this program fails on is left out, told in the log and in `rejects`."""

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
    """The rows of a build. `is_loaded`: they go into the warehouse, and are not too many for one file.

    `left` is how many rows were made that do not go into the warehouse. Once the rows are loaded `keep` is called,
    where they are not `drop`.
    """

    rows: dict[str, Rows]
    is_loaded: bool = True
    left: int = 0

    def keep(self) -> Tables | None:
        """Publishes what was left in a store; gives where."""
        return None

    def drop(self) -> None:
        """Removes what only this build needs."""

    @property
    def total(self) -> int:
        """How many rows were made."""
        return count_rows(self.rows) + self.left


def normalize_files(
    files: Sequence[Path], manifest: BuildManifest, failures: FailureLog, *, is_checked: bool = False
) -> Normalized:
    """The rows of the record files, without what is held back.

    What cannot be normalized is left out, and with `is_checked` what breaks the contract of its table. Raises
    `NormalizerBroken` where that is too much; what the storage or memory refuses is no page's fault.
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
    """What is made of the observations, or of those that normalization as a whole takes.

    They are read again where it fails, and not held meanwhile: most of a build's memory is theirs.
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
