"""The trash: files that a compaction replaced, until they are old enough. Each has the time at which it came there."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from verdicts.fetch.store.segments import TRASH


def outdated(data: Path, kept_for: timedelta, now: datetime) -> Iterator[Path]:
    """The files that have been in the trash for longer."""
    folder = data / TRASH
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if now - datetime.fromtimestamp(path.stat().st_mtime, UTC) >= kept_for:
            yield path
