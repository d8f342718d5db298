"""Rejects read again with the present extractor: what it reads now takes their place in the record files."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from extract.model.records import Observation, Reject
from fetch.model.snapshot import Location
from fetch.store.store import Store
from pipeline.build_manifest import Stamp, read_stamp, write_stamp
from pipeline.data_folder import DataFolder
from pipeline.progress import step
from pipeline.record_files import files_with, read_records, write_records
from pipeline.workers.extract_segments import by_segment, jobs_of
from pipeline.workers.pool import read_pages


@dataclass(frozen=True, slots=True)
class Replayed:
    """A reject that was read again: why it had been given up, and what it is now (`comparison`, or another reason)."""

    url: str
    location: Location
    before: str
    now: str

    @property
    def is_news(self) -> bool:
        """Whether the present extractor makes something else of it."""
        return self.before != self.now


def replay(store: Store, folder: DataFolder, *, keep: bool) -> list[Replayed]:
    """Reads every reject of the record files again, from the raw store.

    With `keep` the record files hold the new readings, and the next build takes these files as new. A crash in between
    costs a build that changes nothing.
    """
    files = sorted(folder.records.glob("*.parquet"))
    rejects = {item.location: item for item in read_records(files) if isinstance(item.extracted, Reject)}
    entries = [entry for entry in store.index() if entry.location in rejects]
    jobs = jobs_of(folder.raw, by_segment(entries))
    found: dict[Location, Observation] = {}
    with step("replay", "rejects") as advance:
        advance(0, len(entries))
        for done, item in enumerate(read_pages(jobs, os.cpu_count() or 1), start=1):
            found[item.location] = item
            advance(done, len(entries))
    replayed = [
        Replayed(rejects[location].url, location, _told(rejects[location]), _told(item))
        for location, item in sorted(found.items())
    ]
    news = {item.location: found[item.location] for item in replayed if item.is_news}
    if keep and news:
        _keep(folder, files, news)
    return replayed


def counted(replayed: Sequence[Replayed]) -> list[tuple[str, str, int, str]]:
    """(reason, what it is now, how many, an address), the most frequent first."""
    numbers = Counter((item.before, item.now) for item in replayed)
    examples = {(item.before, item.now): item.url for item in reversed(replayed)}
    return [(*kinds, number, examples[kinds]) for kinds, number in numbers.most_common()]


def _told(item: Observation) -> str:
    return item.extracted.reason if isinstance(item.extracted, Reject) else type(item.extracted).__name__.lower()


def _keep(folder: DataFolder, files: Sequence[Path], news: dict[Location, Observation]) -> None:
    changed = {file: list(read_records([file])) for file in files_with(files, news)}
    stamp = read_stamp(folder.stamp)
    if stamp is not None:
        # First: a file that changes under a name that is stamped would never be looked at again.
        again = {file.name for file in changed}
        write_stamp(folder.stamp, Stamp(tuple(name for name in stamp.files if name not in again), stamp.gone))
    for file, items in changed.items():
        write_records(file, [news.get(item.location, item) for item in items])
