"""The record of how a night ended, and the log of nights, `reports/nights.jsonl`.

The log gets a line when a night begins and one when it ends. It is separate from the state, because a night that cannot
open its state must still be logged.
"""

import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import MsgspecError
from msgspec.json import Decoder, encode

from verdicts.fetch.given_files import no_file, read_file
from verdicts.fetch.model.errors import StoreLocked
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import HELD_BACK, USAGE, exit_code, message

NightStatus: TypeAlias = Literal["done", "partial", "held", "failed", "refused", "interrupted"]
"""Partial: some addresses or steps are missing. Held: a gate held hosts, or everything. Refused: another run held the
data folder. Interrupted: by a signal or a cancellation."""

_LOG_BYTES = 100_000_000
"""Bytes of a log that are read: a century of nights."""


@dataclass(slots=True)
class NightProgress:
    """How far a night has come, and how it ended."""

    begin: Callable[[], None]
    """Called when the data folder is locked."""
    status: NightStatus = "done"
    headline: str = ""
    """The night in one line."""
    in_part: str = ""
    """What is missing of a published night, and why."""
    crawl_id: str | None = None
    load_id: str | None = None
    published: str | None = None
    """The name of the copy that it published."""

    @property
    def result(self) -> tuple[str, str]:
        """Its status and its headline."""
        return self.status, self.headline


@dataclass(frozen=True, slots=True)
class NightEnding:
    """A night that is over. Times are in UTC."""

    night_id: str
    """Sortable by time, like the id of a run."""
    began_at: datetime
    ended_at: datetime
    status: NightStatus
    exit_code: int | None
    """Exit code of `verdicts run`. None if a signal decides."""
    headline: str
    """One sentence: what readers have, or why they have nothing new."""
    crawl_id: str | None = None
    """None if no crawl ended. A resumed crawl is older than the night."""
    load_id: str | None = None
    published: str | None = None
    in_part: str = ""
    """What is missing of a published night, and why."""


@dataclass(frozen=True, slots=True)
class LoggedNight:
    night_id: str
    began_at: datetime
    ending: NightEnding | None = None
    """None if it still runs, or was killed."""


_BEGUN, _ENDING = Decoder(LoggedNight), Decoder(NightEnding)


def failure_of(error: BaseException) -> tuple[NightStatus, int | None, str]:
    """Status, exit code and headline of a night that raised."""
    code = exit_code(error)
    if code is None and not isinstance(error, Exception):
        return "interrupted", None, "stopped; what was finished is kept, and the next run goes on"
    if code is None:
        bug = f"a bug, {type(error).__name__}: {message(error)}; its traceback is in the output of the run"
        return "failed", USAGE, bug
    if isinstance(error, StoreLocked):
        return "refused", code, message(error)
    return "held" if code == HELD_BACK else "failed", code, message(error)


def note_beginning(folder: DataFolder, night_id: str, began_at: datetime) -> None:
    """Raises `OSError`."""
    _append(folder, encode({"night_id": night_id, "began_at": began_at}))


def note_ending(folder: DataFolder, ending: NightEnding) -> None:
    """Raises `OSError`."""
    _append(folder, encode(ending))


def logged_nights(folder: DataFolder, most: int | None = None) -> list[LoggedNight]:
    """The nights of the log, newest first, at most `most`.

    Skips lines that a crash cut or another version wrote. An unreadable log has no nights.
    """
    try:
        lines = read_file(folder.night_log, _LOG_BYTES).splitlines()
    except OSError:
        return []
    nights = {night.night_id: night for night in map(_night, lines) if night is not None}
    # Two nights may begin in one second, and the rest of an id is random: the later line is the newer one.
    newest_first = [*reversed(nights.values())]
    newest_first.sort(key=lambda night: night.night_id.partition("-")[0], reverse=True)
    return newest_first[:most]


def _night(line: bytes) -> LoggedNight | None:
    try:
        begun = _BEGUN.decode(line)
        return replace(begun, ending=_ENDING.decode(line)) if b'"ended_at"' in line else begun
    except (MsgspecError, RecursionError):
        return None


def _append(folder: DataFolder, line: bytes) -> None:
    path = folder.night_log
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK, 0o666)
    try:
        if (error := no_file(os.fstat(descriptor).st_mode, path)) is not None:
            raise error
        # A refused night appends while another one runs.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # A crash may have cut the last line, so a new line begins first.
        end = os.lseek(descriptor, 0, os.SEEK_END)
        is_cut = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"
        os.write(descriptor, (b"\n" if is_cut else b"") + line + b"\n")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
