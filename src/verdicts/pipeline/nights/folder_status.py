"""The status of a data folder: its newest nights and runs, incidents, findings. Reads only."""

from dataclasses import dataclass
from datetime import UTC, datetime

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.model.outcome import SkipRecord
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.why import reason_lines
from verdicts.fetch.store.state import find_store_holder
from verdicts.fetch.store.store import Store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import DONE, PARTIAL
from verdicts.pipeline.nights.doctor import Finding, examine
from verdicts.pipeline.nights.record import (
    KILLED,
    Incident,
    NightCrawl,
    NightRecord,
    Undelivered,
    find_latest,
    read_nights,
)

NIGHTS = 10
"""Nights and manual runs shown."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A night or a manual run."""

    began_at: datetime
    ended_at: datetime | None
    kind: str
    """`night`, `crawl` or `ingest`."""
    status: str
    """As in `NightStatus` and `crawls`, or `killed` without an ending."""
    exit_code: int | None
    """None if it is not known: the night did not end, a signal decided, or a build came after an ingest."""
    words: str
    crawl_id: str | None
    fetched: int | None = None
    unchanged: int | None = None
    failed: int | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class FolderStatus:
    """What `verdicts status` shows, except the corpus."""

    running: str | None
    """The command that holds the folder, its process, and since when."""
    entries: tuple[Entry, ...]
    """Newest first."""
    skips: tuple[SkipRecord, ...]
    """Addresses that the newest crawl skipped."""
    newest_crawl: str | None
    incidents: tuple[Incident, ...]
    undelivered: tuple[Undelivered, ...]
    why: tuple[str, ...] = ()
    """A line for each host without, or with too few, pages in the newest crawl."""
    findings: tuple[Finding, ...] = ()
    """What the doctor finds."""


def read_status(folder: DataFolder, store: Store, *, is_demo: bool) -> FolderStatus:
    holder = find_store_holder(folder.root)
    crawls = sorted(store.read_crawls(), key=lambda crawl: crawl.crawl_id, reverse=True)
    newest = next((crawl.crawl_id for crawl in crawls if crawl.kind == "crawl"), None)
    nights = read_nights(folder, NIGHTS)
    last = find_latest(nights)
    return FolderStatus(
        running=None if holder is None else str(holder),
        entries=_list_entries(nights, crawls, is_locked=holder is not None),
        skips=() if newest is None else tuple(store.read_skips(newest)),
        newest_crawl=newest,
        incidents=() if last is None else last.incidents,
        undelivered=() if last is None else last.undelivered,
        why=() if newest is None else tuple(reason_lines(read_reasons(store, newest), is_demo=is_demo)),
        findings=examine(folder, datetime.now(UTC)),
    )


def _list_entries(nights: list[NightRecord], crawls: list[CrawlRow], *, is_locked: bool) -> tuple[Entry, ...]:
    entries = []
    until = datetime.max.replace(tzinfo=UTC)
    unmatched = {crawl.crawl_id: crawl for crawl in crawls}
    for number, night in enumerate(nights):
        crawl = unmatched.pop(night.crawl_id or "", None)
        if crawl is None and night.status != "refused":
            # A night that was killed, or failed in its crawl, names no crawl: its crawl is the first that began in it.
            end = night.ended_at or until
            begun = [
                crawl
                for crawl in unmatched.values()
                if crawl.kind == "crawl" and night.began_at <= crawl.started_at <= end
            ]
            crawl = unmatched.pop(begun[-1].crawl_id) if begun else None
        entries.append(_show_night(night, crawl, is_running=is_locked and number == 0))
        until = night.began_at
    entries += [_show_crawl(crawl, is_locked=is_locked) for crawl in [*unmatched.values()][:NIGHTS]]
    return tuple(sorted(entries, key=lambda entry: entry.began_at, reverse=True)[:NIGHTS])


def _show_night(night: NightRecord, crawl: CrawlRow | None, *, is_running: bool) -> Entry:
    status, words = str(night.status), night.headline
    if night.ended_at is None:
        status = "running" if is_running else "killed"
        words = "" if is_running else f"it {KILLED}"
    numbers: tuple[int | None, ...] = (None, None, None, None)
    if isinstance(night.crawl, NightCrawl):
        numbers = night.crawl.stored, night.crawl.unchanged, night.crawl.failed, night.crawl.bytes
    elif crawl is not None:
        numbers = crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes
    crawl_id = night.crawl_id if crawl is None else crawl.crawl_id
    return Entry(night.began_at, night.ended_at, "night", status, night.exit_code, words, crawl_id, *numbers)


def _show_crawl(crawl: CrawlRow, *, is_locked: bool) -> Entry:
    # Nothing runs in a folder without a lock holder.
    status = "interrupted" if crawl.status == "running" and not is_locked else crawl.status
    code = PARTIAL if status == "partial" else DONE if (crawl.kind, status) == ("crawl", "done") else None
    numbers = crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes
    return Entry(crawl.started_at, crawl.finished_at, crawl.kind, status, code, "", crawl.crawl_id, *numbers)
