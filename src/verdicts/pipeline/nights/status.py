"""The status of a data folder: its newest nights and runs, incidents, and last verification. Reads only."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.care.verify import NotedVerification, last_verification
from verdicts.fetch.model.outcome import SkipRecord
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.why import reason_lines
from verdicts.fetch.store.state import holder_of_store
from verdicts.fetch.store.store import Store
from verdicts.pipeline.care.finding import Finding
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import DONE, PARTIAL
from verdicts.pipeline.nights.incidents import Incidents, read_incidents
from verdicts.pipeline.nights.lag import find_lag
from verdicts.pipeline.nights.night_log import LoggedNight, logged_nights

NIGHTS = 10
"""Nights and manual runs shown."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A night or a manual run."""

    began_at: datetime
    kind: str
    """`night`, `crawl` or `ingest`."""
    status: str
    """As in `NightStatus` and `crawls`, or `killed` without an ending."""
    ended_at: datetime | None
    words: str
    crawl: CrawlRow | None
    exit_code: int | None = None
    """None if it is not known: the log has no ending, a signal decided, or a build came after an ingest."""


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
    verified: NotedVerification | None
    incidents: Incidents
    why: tuple[str, ...] = ()
    """A line for each host without, or with too few, pages in the newest crawl."""
    lag: tuple[Finding, ...] = ()
    """Why readers are behind."""


def status_of(folder: DataFolder, store: Store, *, is_demo: bool) -> FolderStatus:
    holder = holder_of_store(folder.root)
    crawls = sorted(store.crawls(), key=lambda crawl: crawl.crawl_id, reverse=True)
    newest = next((crawl.crawl_id for crawl in crawls if crawl.kind == "crawl"), None)
    return FolderStatus(
        running=None if holder is None else str(holder),
        entries=_entries(logged_nights(folder), crawls, is_held=holder is not None),
        skips=() if newest is None else tuple(store.skips(newest)),
        newest_crawl=newest,
        verified=last_verification(store),
        incidents=read_incidents(folder),
        why=() if newest is None else tuple(reason_lines(read_reasons(store, newest), is_demo=is_demo)),
        lag=tuple(find_lag(folder, datetime.now(UTC))),
    )


def _entries(nights: list[LoggedNight], crawls: list[CrawlRow], *, is_held: bool) -> tuple[Entry, ...]:
    by_id = {crawl.crawl_id: crawl for crawl in crawls}
    of_nights = {night.ending.crawl_id for night in nights if night.ending is not None}
    entries = [
        _of_night(night, by_id, is_running=is_held and number == 0) for number, night in enumerate(nights[:NIGHTS])
    ]
    rest = {crawl.crawl_id: crawl for crawl in crawls[: 2 * NIGHTS] if crawl.crawl_id not in of_nights}
    until = datetime.max.replace(tzinfo=UTC)
    for number, entry in enumerate(entries):
        begun = [
            crawl for crawl in rest.values() if crawl.kind == "crawl" and entry.began_at <= crawl.started_at < until
        ]
        # A night that was killed, or failed in its crawl, names none: it is the first that began in it.
        if begun and entry.crawl is None and begun[-1].started_at <= (entry.ended_at or until):
            entries[number] = replace(entry, crawl=rest.pop(begun[-1].crawl_id))
        until = entry.began_at
    entries += [_of_crawl(crawl, is_held=is_held) for crawl in rest.values()]
    return tuple(sorted(entries, key=lambda entry: entry.began_at, reverse=True)[:NIGHTS])


def _of_night(night: LoggedNight, crawls: dict[str, CrawlRow], *, is_running: bool) -> Entry:
    ending = night.ending
    if ending is None:
        status = "running" if is_running else "killed"
        words = "" if is_running else "it left no ending: its process was killed, or the machine went down"
        return Entry(night.began_at, "night", status, None, words, None)
    crawl = crawls.get(ending.crawl_id or "")
    return Entry(night.began_at, "night", ending.status, ending.ended_at, ending.headline, crawl, ending.exit_code)


def _of_crawl(crawl: CrawlRow, *, is_held: bool) -> Entry:
    # Nothing runs in a folder without a lock holder.
    status = "interrupted" if crawl.status == "running" and not is_held else crawl.status
    code = PARTIAL if status == "partial" else DONE if (crawl.kind, status) == ("crawl", "done") else None
    return Entry(crawl.started_at, crawl.kind, status, crawl.finished_at, "", crawl, code)
