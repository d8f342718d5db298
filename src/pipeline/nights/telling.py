"""What a night came to is noted and told, whatever it came to. What cannot be told is said on standard error."""

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from fetch.model.errors import StoreLocked
from fetch.model.run_id import new_run_id
from pipeline.data_folder import DataFolder
from pipeline.nights.ending import (
    NightEnding,
    NightProgress,
    NightStatus,
    code_of,
    headline_of_failure,
    status_of_failure,
)
from pipeline.nights.night_log import logged_nights, note_beginning, note_ending
from pipeline.progress import say


def now() -> datetime:
    """The clock of nights, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)


@contextmanager
def told(folder: DataFolder, config: Path | None) -> Iterator[NightProgress]:
    """The night in the body: its beginning and its end are noted, and its end is told. What it raises, it raises.

    `StoreLocked` is not told: whoever waits for the other run would tell of it at every look.
    """
    began_at = now()
    newest = next(iter(logged_nights(folder, 1)), None)
    night_id = new_run_id(began_at, after=None if newest is None else newest.night_id)
    progress = NightProgress(
        begin=lambda: _try("the log of nights", lambda: note_beginning(folder, night_id, began_at))
    )

    def end(status: NightStatus, code: int | None, headline: str) -> None:
        parts = (progress.crawl_id, progress.load_id, progress.published)
        tell(folder, config, NightEnding(night_id, began_at, now(), status, code, headline, *parts))

    try:
        yield progress
    except StoreLocked:
        raise
    except BaseException as error:
        end(*status_of_failure(error), headline_of_failure(error))
        raise
    end(progress.status, code_of(progress.status), progress.headline)


def tell_refusal(folder: DataFolder, config: Path | None, error: Exception) -> None:
    """A night that began nothing, since another run holds the data folder."""
    moment = now()
    status, code = status_of_failure(error)
    ending = NightEnding(new_run_id(moment), moment, moment, status, code, headline_of_failure(error))
    tell(folder, config, ending)


def tell(folder: DataFolder, config: Path | None, ending: NightEnding) -> None:
    """Notes the ending and tells of it. Raises nothing: the night is what it is.

    A night that failed before there was a data folder makes none.
    """
    del config
    if not folder.root.exists():
        return
    _try("the log of nights", lambda: note_ending(folder, ending))


def _try(what: str, action: Callable[[], object]) -> None:
    try:
        action()
    except OSError as error:
        say(f"{what} could not be written: {error.strerror or error}")
    except Exception:
        say(f"{what}: a bug; the night is not touched by it")
        traceback.print_exc()
