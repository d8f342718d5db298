"""Damaged records: their bytes are set aside, and their pages are due at once."""

import itertools
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from verdicts.fetch.model.errors import place
from verdicts.fetch.model.revisit import NEVER_FETCHED
from verdicts.fetch.store import standings
from verdicts.fetch.store.frames import Damage
from verdicts.fetch.store.store import Store

ASIDE = "damaged"
"""The folder of the data folder that damaged bytes are moved to. Nothing reads them; a person may."""


@dataclass(frozen=True, slots=True)
class LostRecord:
    """A record that was given up. `url`: of its page; None for a record that holds no page.

    `is_due`: the next crawl asks for the page. Else it is one that no crawl has found, as a file that was taken in, or
    a newer snapshot of it is there.
    """

    where: str
    url: str | None
    is_due: bool
    is_newest: bool

    def __str__(self) -> str:
        if self.url is None:
            return f"{self.where}: set aside; it holds no page"
        if not self.is_newest:
            return f"{self.where}: set aside; an earlier state of {self.url} is lost"
        if self.is_due:
            return f"{self.where}: set aside; {self.url} is due and asked for by the next crawl"
        return f"{self.where}: set aside; {self.url} came from a file, 'verdicts ingest' takes it in again"


def set_aside(store: Store, damages: Iterable[Damage]) -> list[LostRecord]:
    """Gives up damaged records, in one transaction. The segments are not written."""
    folder = store.data / ASIDE
    folder.mkdir(exist_ok=True)
    with store.transaction():
        return [lost for damage in damages for lost in _set_aside(store, folder, damage)]


def _set_aside(store: Store, folder: Path, damage: Damage) -> Iterator[LostRecord]:
    """One per page: where no digests were noted, damage may reach over several records."""
    path, start = damage.error.path, damage.error.offset or 0
    end = start + damage.size
    pages = store.state.execute(
        "SELECT segment_offset, url, rowid FROM snapshots"
        " WHERE segment = ? AND segment_offset >= ? AND segment_offset < ? ORDER BY segment_offset",
        (path.name, start, end),
    ).fetchall()
    by_offset = {start: None} | {offset: (url, rowid) for offset, url, rowid in pages}
    for (offset, page), until in zip(by_offset.items(), [*by_offset, end][1:], strict=True):
        copy_bytes(path, offset, until - offset, folder)
        store.state.execute(
            "INSERT INTO records (segment, segment_offset, size, sha256, is_lost) VALUES (?, ?, ?, '', 1)"
            " ON CONFLICT DO UPDATE SET is_lost = 1",
            (path.name, offset, until - offset),
        )
        where = place(path, offset)
        yield LostRecord(where, None, is_due=False, is_newest=False) if page is None else _give_up(store, where, *page)


def _give_up(store: Store, where: str, url: str, rowid: int) -> LostRecord:
    (newest,) = store.state.execute("SELECT max(rowid) FROM snapshots WHERE url = ?", (url,)).fetchone()
    if newest != rowid:
        return LostRecord(where, url, is_due=False, is_newest=False)
    # As if never fetched: asked for without conditions, and stored whatever its bytes are.
    made_due = store.state.execute(
        "UPDATE urls SET due_at = ?, fetched_at = NULL, unconditional_at = NULL, sha256 = NULL, etag = NULL,"
        " last_modified = NULL, handled_in = NULL, standing = 'new' WHERE url = ?",
        (NEVER_FETCHED.isoformat(), url),
    )
    standings.wake_leaning(store.state, url, NEVER_FETCHED)
    return LostRecord(where, url, is_due=made_due.rowcount > 0, is_newest=True)


def move_aside(path: Path, folder: Path) -> Path:
    """Moves a file or folder into `folder`, under a name of its own there, which is returned."""
    folder.mkdir(exist_ok=True)
    target = next(name for name in _names(folder / path.name) if not os.path.lexists(name))
    path.rename(target)
    return target


def _names(path: Path) -> Iterator[Path]:
    yield path
    for number in itertools.count(2):
        yield path.with_name(f"{path.name}.{number}")


def copy_bytes(path: Path, offset: int, size: int, folder: Path) -> None:
    """Keeps damaged bytes of a segment in a file of their own; none where the segment is missing."""
    if path.exists():
        with path.open("rb") as file:
            file.seek(offset)
            (folder / f"{path.name}.at-{offset}").write_bytes(file.read(size))
