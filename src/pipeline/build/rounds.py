"""Rounds over what a night brings, or over everything; their state is kept once the rows are loaded."""

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from extract.model.records import Observation
from fetch.model.snapshot import Location
from normalize.collector import without_collector
from normalize.corpus import Corpus, Night, bring
from normalize.identity.identity import place_of
from normalize.scope import Scope
from normalize.snapshots import SNAPSHOTS
from normalize.state.memory import MemoryState
from pipeline.build.build_manifest import BuildManifest, Tables
from pipeline.build.record_files import begin_of, count_records, files_with, read_at, read_records
from pipeline.build.sound_corpus import Decided, sound_corpus
from pipeline.build.stored_records import StoredRecords
from pipeline.failure_log import FailureLog
from pipeline.state.draft import draft_of, remove_state, write_state
from pipeline.state.errors import StateDamaged, state_errors
from pipeline.state.state_file import StateFile
from warehouse.loading.staging import Rows, check_contracts, count_rows

LOGGER = logging.getLogger(__name__)

WHOLE_SHARE = 0.5
"""Where more of the snapshots than this are new or count no more, building everything is quicker."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What rounds made: rows, and what these decide (None: everything).

    `keep` keeps the state under a name, `drop` leaves it as it was; one of them is called. `is_loaded`: the rows go
    into the warehouse, and are not too many for one file.
    """

    rows: Mapping[str, Rows]
    scope: Scope | None
    keep: Callable[[str], Tables | None]
    drop: Callable[[], None]
    is_loaded: bool = True
    left: int = 0
    """How many rows were made that do not go into the warehouse."""

    @property
    def total(self) -> int:
        """How many rows were made."""
        return count_rows(self.rows) + self.left


@without_collector()
def run_rounds(
    path: Path,
    files: Sequence[Path],
    now: BuildManifest,
    before: BuildManifest | None,
    failures: FailureLog,
    *,
    is_checked: bool = False,
) -> Rounds:
    """Rounds over what is new since `before`, on its state at `path`; where that is not there, over everything.

    What cannot be normalized is left out, and with `is_checked` what breaks the contract of its table. Raises
    `NormalizerBroken`.
    """
    # A whole build that was killed leaves it.
    remove_state(draft_of(path))
    if before is not None:
        try:
            with state_errors(path):
                if made := _since(path, files, now, before, failures, is_checked=is_checked):
                    return made
        except StateDamaged as damage:
            LOGGER.warning("%s: everything is normalized anew", damage)
    return _of_everything(path, files, now, failures, is_checked=is_checked)


def _since(
    path: Path,
    files: Sequence[Path],
    now: BuildManifest,
    before: BuildManifest,
    failures: FailureLog,
    *,
    is_checked: bool,
) -> Rounds | None:
    """Rounds over what is new; None where everything is to be built."""
    state = _state_of(path, before)
    if state is None:
        return None
    try:
        new = [file for file in files if file.name not in before.files]
        if count_records(new) <= WHOLE_SHARE * state.count(SNAPSHOTS):
            night, observed = _night(state, files, now, before)
            if len(observed) + len(night.removed) <= WHOLE_SHARE * state.count(SNAPSHOTS):
                return _of_night(path, state, night, observed, files, failures, is_checked=is_checked)
    except BaseException:
        state.close()
        raise
    state.close()
    return None


def _state_of(path: Path, before: BuildManifest) -> StateFile | None:
    """The state that the last build kept; None where it is not there as it was."""
    if not path.exists():
        return None
    try:
        state = StateFile(path)
    except sqlite3.OperationalError as error:
        # Somebody looks at it. A new file takes its place.
        LOGGER.warning("%s: %s: everything is normalized anew", path, error)
        return None
    if state.name == before.state:
        return state
    state.close()
    LOGGER.warning("%s is not of the last build: everything is normalized anew", path)
    return None


def _night(
    state: StateFile, files: Sequence[Path], now: BuildManifest, before: BuildManifest
) -> tuple[Night, Mapping[Location, Observation]]:
    """What is new since a build. A record file that was written anew takes the place of what it had."""
    new = [file for file in files if file.name not in before.files]
    segments = {begin_of(name) for name in {file.name for file in new} | (set(before.files) - set(now.files))}
    known = {snapshot.location for snapshot in state.find(SNAPSHOTS, "segment", segments)}
    held, held_before = ({place for place, _ in manifest.held} for manifest in (now, before))
    let_in = {place for place in held_before - held if begin_of(place.segment) not in segments}
    known |= {
        found.location for found in state.find(SNAPSHOTS, "place", {place_of(place) for place in held - held_before})
    }
    read = (*read_records(new), *read_at(files_with(files, let_in), let_in))
    observed = {item.location: item for item in read if item.location not in held}
    gone, gone_before = (frozenset(manifest.gone) for manifest in (now, before))
    night = Night(observed.values(), known, gone, gone_before, dict(now.moved), dict(before.moved))
    return night, observed


def _of_night(
    path: Path,
    state: StateFile,
    night: Night,
    new: Mapping[Location, Observation],
    files: Sequence[Path],
    failures: FailureLog,
    *,
    is_checked: bool,
) -> Rounds:
    def read(places: Collection[Location]) -> Iterator[Observation]:
        yield from (new[place] for place in places if place in new)
        yield from read_at(files, [place for place in places if place not in new])

    def normalized(observed: Iterable[Observation], left_out: Collection[str]) -> Decided:
        with state_errors(path):
            state.roll_back()
            rows, scope = bring(state, replace(night, new=observed, left_out=left_out), read)
        return _checked(rows, is_checked=is_checked), scope

    def keep(name: str) -> None:
        with state_errors(path):
            state.keep(name)

    rows, scope = sound_corpus(new.values, normalized, failures)
    return Rounds(rows, scope, keep, state.close)


def _of_everything(
    path: Path, files: Sequence[Path], now: BuildManifest, failures: FailureLog, *, is_checked: bool
) -> Rounds:
    held = {place for place, _ in now.held}
    stored: list[StoredRecords] = []
    made: list[MemoryState] = []

    def observations() -> StoredRecords:
        stored[:] = [StoredRecords(files, held)]
        return stored[0]

    def normalized(observed: Iterable[Observation], left_out: Collection[str]) -> Decided:
        state = MemoryState()
        night = Night(observed, gone=frozenset(now.gone), moved=dict(now.moved), left_out=left_out)
        # Where some of them are tried, all are asked for again.
        all_read = stored[0].let_go if observed is stored[0] else None
        rows, _ = bring(state, night, stored[0].at, all_read=all_read)
        made[:] = [state]
        return _checked(rows, is_checked=is_checked), None

    rows, _ = sound_corpus(observations, normalized, failures)
    return Rounds(rows, None, write_state(path, made.pop()), lambda: remove_state(draft_of(path)))


def _checked(rows: Corpus, *, is_checked: bool) -> Corpus:
    if is_checked:
        check_contracts(rows)
    return rows
