"""The state made again from the segments alone: every record says its address, its time and its run.

What only the state knew is found again by the next crawls: addresses never fetched, intervals, what a sitemap's word is
worth. The log of attempts and the tombstones can be given where another file has them.
"""

import sqlite3
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from verdicts.corpus.rows.gates import GateAcceptRow, GateMeasureRow
from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.fetch.care.gate_log import note_accepts, note_measures
from verdicts.fetch.care.set_aside import move_aside
from verdicts.fetch.care.take_in import DISCOVERED_FROM, TakenIn, take_in
from verdicts.fetch.model.addresses.web_address import host_of
from verdicts.fetch.model.revisit import NEVER_FETCHED
from verdicts.fetch.store import checksums, run_log
from verdicts.fetch.store.frontier import TOMBSTONE_DAYS
from verdicts.fetch.store.schema import declare
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.storage_errors import STATE_FILE, storage_errors


@dataclass(frozen=True, slots=True)
class Log:
    """What the segments do not say, from elsewhere: runs, their attempts, tombstones, and which readings are held."""

    crawls: Sequence[CrawlRow] = ()
    fetches: Sequence[FetchRow] = ()
    gone: Collection[str] = ()
    gate_measures: Sequence[GateMeasureRow] = ()
    gate_accepts: Sequence[GateAcceptRow] = ()


def rebuild_state(data: Path, aside: Path, log: Log, advance: Callable[[int, int], None]) -> TakenIn:
    """Writes `state.sqlite` anew from `raw/`; one that is there is moved to `aside`. The caller holds the lock.

    Every page is due at once. `advance` is called with segments done and in all. Raises `StorageFailed`.
    """
    path, draft = data / STATE_FILE, data / f".{STATE_FILE}.tmp"
    taken = TakenIn()
    with storage_errors(data):
        draft.unlink(missing_ok=True)
        segments = sorted((data / "raw").glob(f"*{SUFFIX}"))
        with closing(sqlite3.connect(draft)) as state:
            declare(state, draft)
            for done, segment in enumerate(segments, start=1):
                take_in(state, segment, taken)
                advance(done, len(segments))
            _add_log(state, taken, log)
            state.commit()
        for file in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", checksums.SUFFIX))):
            if file.exists():
                move_aside(file, aside)
        draft.rename(path)
    return taken


def _add_log(state: sqlite3.Connection, taken: TakenIn, log: Log) -> None:
    """The log that was given, and of runs that are not in it what their records tell."""
    known = {crawl.crawl_id for crawl in log.crawls}
    told = [crawl for crawl in taken.runs() if crawl.crawl_id not in known]
    for crawl in [*log.crawls, *told]:
        run_log.start_run(state, crawl.crawl_id, crawl.kind, crawl.started_at)
        counts = (crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes)
        status = "interrupted" if crawl.finished_at is None else crawl.status
        run_log.end_run(state, crawl.crawl_id, crawl.finished_at or crawl.started_at, status, counts)
    for row in [*log.fetches, *(row for crawl in told for row in taken.attempts[crawl.crawl_id])]:
        run_log.add_fetch(state, row)
    note_measures(state, log.gate_measures, ())
    note_accepts(state, log.gate_accepts)
    state.executemany(
        "INSERT INTO urls (url, host, due_at, is_gone, not_found_nights, discovered_in, discovered_from, standing)"
        " VALUES (?, ?, ?, 1, ?, '', ?, 'absent')"
        " ON CONFLICT DO UPDATE SET is_gone = 1, not_found_nights = ?4, standing = 'absent'",
        [(url, host_of(url), NEVER_FETCHED.isoformat(), TOMBSTONE_DAYS, DISCOVERED_FROM) for url in log.gone],
    )
