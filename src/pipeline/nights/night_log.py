"""The log of nights, `reports/nights.jsonl`: a line when a night begins and one when it ends, never changed afterwards.

It lies beside the state, not in it: a night whose state cannot be opened is the one that must leave a line.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from verdicts.corpus.toml_and_json import parse_json
from verdicts.fetch.given_files import no_file, read_file
from verdicts.fetch.store import checksums
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.ending import NightEnding

_LOG_BYTES = 100_000_000
"""Bytes of a log that is read: a century of nights."""


@dataclass(frozen=True, slots=True)
class LoggedNight:
    """A night as the log has it."""

    night_id: str
    began_at: datetime
    ending: NightEnding | None
    """None: it runs, or its process was killed."""


def note_beginning(folder: DataFolder, night_id: str, began_at: datetime) -> None:
    """Raises `OSError`."""
    _append(folder.night_log, {"night_id": night_id, "began_at": began_at.isoformat()})


def note_ending(folder: DataFolder, ending: NightEnding) -> None:
    """Raises `OSError`."""
    times = {"began_at": ending.began_at.isoformat(), "ended_at": ending.ended_at.isoformat()}
    _append(folder.night_log, asdict(ending) | times)


def logged_nights(folder: DataFolder, most: int | None = None) -> list[LoggedNight]:
    """The nights of the log, or the newest of them, the newest first.

    A line that a crash cut short, or that another version wrote, is left out; a log that cannot be read has none.
    """
    try:
        lines = read_file(folder.night_log, _LOG_BYTES).decode(errors="replace").splitlines()
    except OSError:
        return []
    nights = {night.night_id: night for night in map(_night, lines) if night is not None}
    return list(islice(sorted(nights.values(), key=lambda night: night.night_id, reverse=True), most))


def _night(line: str) -> LoggedNight | None:
    try:
        content = parse_json(line, "a line")
        began_at = datetime.fromisoformat(content["began_at"])
        ending = None
        if "ended_at" in content:
            times = {"began_at": began_at, "ended_at": datetime.fromisoformat(content["ended_at"])}
            ending = NightEnding(**(content | times))
        return LoggedNight(content["night_id"], began_at, ending)
    except (ValueError, KeyError, TypeError):
        return None


def _append(path: Path, line: dict[str, Any]) -> None:
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
        written = json.dumps(line, ensure_ascii=False) + "\n"
        os.write(descriptor, ("\n" + written if is_cut else written).encode())
        os.fsync(descriptor)
        checksums.note(path)
    finally:
        os.close(descriptor)
