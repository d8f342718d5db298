"""How nights ended: a record that all that is reported of a night is made from, and the log of them.

The log is `reports/nights.jsonl`: a line when a night begins and one when it ends, never changed afterwards. It lies
beside the state, not in it: a night whose state cannot be opened is the one that must leave a line.
"""

import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Literal, TypeAlias

from msgspec import MsgspecError
from msgspec.json import Decoder, encode

from verdicts.fetch.given_files import no_file, read_file
from verdicts.fetch.model.errors import StoreLocked
from verdicts.fetch.store import checksums
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import HELD_BACK, USAGE, exit_code, message

NightStatus: TypeAlias = Literal["done", "partial", "held", "failed", "refused", "interrupted"]
"""Partial: readers have the night, without some addresses or steps. Held: a gate kept back hosts, or everything.
Refused: another run held the data folder, and nothing was begun. Interrupted: by a signal or a cancellation."""

_LOG_BYTES = 100_000_000
"""Bytes of a log that is read: a century of nights."""


@dataclass(slots=True)
class NightProgress:
    """How far a night has come: what is reported of it where it comes no further."""

    begin: Callable[[], None]
    """Called once the data folder is held."""
    status: NightStatus = "done"
    headline: str = ""
    in_part: str = ""
    crawl_id: str | None = None
    load_id: str | None = None
    published: str | None = None
    """Name of the copy that readers have from this night."""


@dataclass(frozen=True, slots=True)
class NightEnding:
    """A night that is over. Times are in UTC."""

    night_id: str
    """As that of a run: sortable by time."""
    began_at: datetime
    ended_at: datetime
    status: NightStatus
    exit_code: int | None
    """What `verdicts run` exits with. None: the signal decides."""
    headline: str
    """One sentence: what readers have, or why they have not."""
    crawl_id: str | None = None
    """The crawl of the night; None where it came to no crawl's end. A resumed one is older than the night."""
    load_id: str | None = None
    published: str | None = None
    in_part: str = ""
    """What is missing of a night that readers have, and why; of a held one, too."""


@dataclass(frozen=True, slots=True)
class _Begun:
    night_id: str
    began_at: datetime


@dataclass(frozen=True, slots=True)
class LoggedNight:
    """A night as the log has it."""

    night_id: str
    began_at: datetime
    ending: NightEnding | None
    """None: it runs, or its process was killed."""


_BEGUN, _ENDING = Decoder(_Begun), Decoder(NightEnding)


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
    _append(folder, encode(_Begun(night_id, began_at)))


def note_ending(folder: DataFolder, ending: NightEnding) -> None:
    """Raises `OSError`."""
    _append(folder, encode(ending))


def logged_nights(folder: DataFolder, most: int | None = None) -> list[LoggedNight]:
    """The nights of the log, or the newest of them, the newest first.

    A line that a crash cut short, or that another version wrote, is left out; a log that cannot be read has none.
    """
    try:
        lines = read_file(folder.night_log, _LOG_BYTES).splitlines()
    except OSError:
        return []
    nights = {night.night_id: night for night in map(_night, lines) if night is not None}
    return list(islice(sorted(nights.values(), key=lambda night: night.night_id, reverse=True), most))


def _night(line: bytes) -> LoggedNight | None:
    try:
        begun = _BEGUN.decode(line)
        ending = _ENDING.decode(line) if b'"ended_at"' in line else None
    except (MsgspecError, RecursionError):
        return None
    return LoggedNight(begun.night_id, begun.began_at, ending)


def _append(folder: DataFolder, line: bytes) -> None:
    path = folder.night_log
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK, 0o666)
    try:
        if (error := no_file(os.fstat(descriptor).st_mode, path)) is not None:
            raise error
        # A night that is refused appends while another one runs.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # After a line that a crash cut short: this one begins on its own.
        end = os.lseek(descriptor, 0, os.SEEK_END)
        is_cut = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"
        os.write(descriptor, (b"\n" if is_cut else b"") + line + b"\n")
        os.fsync(descriptor)
        checksums.note(path)
    finally:
        os.close(descriptor)
