"""The log of nights, `reports/nights.jsonl`: a line when a night begins and one when it ends, never changed afterwards.

It lies beside the state, not in it: a night whose state cannot be opened is the one that must leave a line.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from pipeline.data_folder import DataFolder
from pipeline.nights.ending import NightEnding


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
    """The nights of the log, or the newest of them, the newest first. A line that a crash cut short is left out."""
    nights: dict[str, LoggedNight] = {}
    for line in _lines(folder.night_log):
        began_at = datetime.fromisoformat(line["began_at"])
        ending = _ending(line, began_at) if "ended_at" in line else None
        nights[line["night_id"]] = LoggedNight(line["night_id"], began_at, ending)
    return list(islice(sorted(nights.values(), key=lambda night: night.night_id, reverse=True), most))


def _ending(line: dict[str, Any], began_at: datetime) -> NightEnding:
    times = {"began_at": began_at, "ended_at": datetime.fromisoformat(line["ended_at"])}
    return NightEnding(**(line | times))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        texts = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return
    for text in texts:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict) and {"night_id", "began_at"} <= line.keys():
            yield line


def _append(path: Path, line: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        # After a line that a crash cut short: this one begins on its own.
        end = os.lseek(descriptor, 0, os.SEEK_END)
        is_cut = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"
        written = json.dumps(line, ensure_ascii=False) + "\n"
        os.write(descriptor, ("\n" + written if is_cut else written).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
