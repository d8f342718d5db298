"""The gates over a store: which runs are judged, and which readings are held back.

Each run is judged once, and the newest run of each host again with every build: a new extractor, a resumed night or an
acceptance may open it. After a person accepts a loss, later runs are compared with that run.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

import polars as pl
from msgspec.structs import replace

from verdicts.corpus.enumerations import GATE_MEASURES
from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.corpus.text import escaped
from verdicts.extract.model.records import Extracted
from verdicts.extract.page import TEXT_TYPES
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.run.endings import NOT_ASKED
from verdicts.fetch.store.run_log import gate_accepts, gate_measures, note_accepts, note_measures
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.record_files import files_with, parquet_errors, read_at
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.gates.compare import READINGS, holders
from verdicts.pipeline.gates.host_night import Answers, HostNight, past_of
from verdicts.pipeline.gates.judge import judge
from verdicts.pipeline.gates.newest_rows import held_hosts, in_force, newest_runs
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.gates.words import DOWN_TODO, HostRows


def judge_runs(
    store: Store,
    files: Sequence[Path],
    index: Sequence[IndexEntry],
    settings: GateSettings,
    profiles: Profiles = SHIPPED,
) -> PageReadings:
    """Judges new runs in order, and the newest run of each host again. Stores the rows."""
    readings = page_readings(files, index, profiles)
    rows, accepts = gate_measures(store.state), gate_accepts(store.state)
    newest = newest_runs(rows)
    known = {row.crawl_id for row in rows}
    runs = {crawl.crawl_id for crawl in store.crawls() if crawl.status != "running"}
    for crawl_id in sorted((runs - known) | (runs & set(newest.values()))):
        nights = _nights(store, readings, crawl_id)
        due = {host: night for host, night in nights.items() if newest.get(host, "") <= crawl_id}
        if not due:
            continue
        pasts = [(night, past_of(host, crawl_id, rows, accepts)) for host, night in sorted(due.items())]
        judged = judge(pasts, [row for row in accepts if row.crawl_id == crawl_id], settings)
        rows = [row for row in rows if row.crawl_id != crawl_id or row.host not in due] + judged
        with store.transaction():
            note_measures(store.state, judged, [(crawl_id, host) for host in due])
    return readings


def held_readings(store: Store, readings: PageReadings, rows: Sequence[GateMeasureRow]) -> Mapping[Location, str]:
    """Places and URLs of all held readings.

    A reading of a held run is released by the host's next accepted run, if it is still the newest of its page. If the
    page was asked for since and gave no answer, nothing shows that the reading is no wall: it waits for the first
    accepted run in which the page answers.
    """
    held: dict[Location, str] = {}
    for host, (held_runs, accepted_runs) in _runs_by_host(rows).items():
        for crawl_id in held_runs:
            waiting = list(readings.of_run(host, crawl_id))
            held |= {place: url for _, place, url in waiting}
            later = sorted(run for run in accepted_runs if run > crawl_id)
            silent = asked_urls(store.state, crawl_id, later[0]) if later else frozenset()
            for opened in later:
                silent -= answering(store.state, opened, {url for _, _, url in waiting} & silent)
                heard = {number: place for number, place, url in waiting if url not in silent}
                for number in heard.keys() & set(readings.at(host, opened)["reading"]) if heard else ():
                    del held[heard[number]]
                waiting = [item for item in waiting if item[2] in silent]
                if not waiting:
                    break
    return held


def judged_absences(store: Store, rows: Sequence[GateMeasureRow]) -> Mapping[str, Absences]:
    """When pages were gone, by URL. For a held host, a page is gone only by its last accepted run."""
    held = held_hosts(rows)
    last = {host: max(accepted, default="") for host, (_, accepted) in _runs_by_host(rows).items() if host in held}
    gone_in = store.gone_in()
    return {
        url: found if gone_in.get(url, "") <= last.get(host_of(url), "~") else found[:-1]
        for url, found in store.absences().items()
    }


def hold(store: Store, found: Sequence[GateMeasureRow]) -> None:
    """Stores what a new extractor lost, beside other rows of the same runs."""
    judged = {(row.crawl_id, row.host) for row in found}
    tests = {(row.measure, row.test, row.unit) for row in found}
    others = [
        row
        for row in gate_measures(store.state)
        if (row.crawl_id, row.host) in judged and (row.measure, row.test, row.unit) not in tests
    ]
    with store.transaction():
        note_measures(store.state, [*others, *found], judged)


def _runs_by_host(rows: Iterable[GateMeasureRow]) -> Mapping[str, tuple[set[str], set[str]]]:
    runs: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for row in rows:
        runs[row.host][0 if row.state == "held" else 1].add(row.crawl_id)
    return {host: (held, others - held) for host, (held, others) in runs.items()}


def _nights(store: Store, readings: PageReadings, crawl_id: str) -> dict[str, HostNight]:
    hosts = readings.hosts_of(crawl_id)
    comparisons = frozenset().union(*(holders(readings.at(host, crawl_id), "comparison") for host in hosts))
    answers = {host: Answers(frozenset(), {}, frozenset()) for host in hosts}
    answers |= answers_of(store.state, crawl_id, comparisons)
    return {
        host: HostNight(
            host=host,
            crawl_id=crawl_id,
            answers=answers[host],
            readings_at=partial(readings.at, host),
            answered_since=partial(answered_since, store.state, host, until=crawl_id),
            reread=readings.reread,
            profiles=readings.profiles,
        )
        for host in answers
        if host
    }


def accept(store: Store, host: str, measure: str | None, *, by: str, why: str, at: datetime) -> list[GateAcceptRow]:
    """Accepts what is held of a host, or one measure of it, and returns the acceptances.

    Raises `ConfigError` if that is not held.
    """
    rows = gate_measures(store.state)
    held = [row for row in in_force(rows) if row.state == "held"]
    chosen = {row.measure for row in held if row.host == host and measure in {None, row.measure}}
    if not chosen:
        raise ConfigError(_nothing(host, measure, held))
    if HostRows(host, [row for row in in_force(rows) if row.host == host]).is_down:
        raise ConfigError(f"{host} is down. {DOWN_TODO}; if it is gone for good, take it out of the config")
    crawl_id = next(row.crawl_id for row in held if row.host == host)
    accepts = [GateAcceptRow(host, name, crawl_id, at, escaped(by), escaped(why)) for name in sorted(chosen)]
    judged = [
        replace(row, state="accepted") if row.state == "held" and row.measure in chosen else row
        for row in rows
        if (row.crawl_id, row.host) == (crawl_id, host)
    ]
    with store.transaction():
        note_accepts(store.state, accepts)
        note_measures(store.state, judged, [(crawl_id, host)])
    return accepts


def _nothing(host: str, measure: str | None, held: Sequence[GateMeasureRow]) -> str:
    if measure is not None and measure not in GATE_MEASURES:
        return f"unknown measure {measure!r}; the measures are {', '.join(GATE_MEASURES)}"
    asked = host if measure is None else f"{measure} of {host}"
    others = ", ".join(sorted({f"{row.measure} of {row.host}" for row in held})) or "nothing"
    return f"{asked} is not held; held: {others}"


_NONE = pl.DataFrame(
    schema={"segment": pl.String(), "segment_offset": pl.Int64(), "url": pl.String(), "crawl_id": pl.String()}
    | {"host": pl.String()}
    | READINGS
)

_COLUMNS = ("segment", "segment_offset", "url", "fetched_at", "crawl_id", "tools", "amounts", "tool_amounts")


@dataclass(frozen=True)
class PageReadings:
    """All readings of all pages: the columns of `compare.READINGS`, with host, run, place and URL.

    A text dump counts as another page than the HTML of its address, so neither can lose what only the other had.
    """

    files: Sequence[Path]
    frame: pl.DataFrame
    profiles: Profiles
    _newest: dict[tuple[str, str], pl.DataFrame] = field(default_factory=dict)

    def at(self, host: str, crawl_id: str) -> pl.DataFrame:
        """The newest reading of each page of a host at the end of a run."""
        if (host, crawl_id) not in self._newest:
            known = self.frame.filter(pl.col("host") == host, pl.col("crawl_id") <= crawl_id)
            newest = known.unique("page", keep="last", maintain_order=True)
            self._newest[host, crawl_id] = newest.select(READINGS.names())
        return self._newest[host, crawl_id]

    def reread(self, numbers: Collection[int]) -> Mapping[int, Extracted]:
        if not numbers:
            return {}
        wanted = self.frame.filter(pl.col("reading").is_in(list(numbers)))
        places = wanted.select("segment", "segment_offset", "reading").iter_rows()
        of_place = {Location(segment, offset): number for segment, offset, number in places}
        observed = read_at(files_with(self.files, of_place), of_place)
        return {of_place[item.location]: item.extracted for item in observed if item.location in of_place}

    def of_run(self, host: str, crawl_id: str) -> Iterator[tuple[int, Location, str]]:
        """Number, place and URL of each reading of a host in a run."""
        chosen = self.frame.filter(pl.col("host") == host, pl.col("crawl_id") == crawl_id)
        for number, segment, offset, url in chosen.select("reading", "segment", "segment_offset", "url").iter_rows():
            yield number, Location(segment, offset), url

    def hosts_of(self, crawl_id: str) -> frozenset[str]:
        return frozenset(self.frame.filter(pl.col("crawl_id") == crawl_id)["host"])


def page_readings(files: Sequence[Path], index: Sequence[IndexEntry], profiles: Profiles) -> PageReadings:
    """The readings of all record files, in the order in which they were made."""
    known = pl.DataFrame(
        {
            "segment": [entry.location.segment for entry in index],
            "segment_offset": [entry.location.offset for entry in index],
            "host": [host_of(entry.url) for entry in index],
            "page": [f"{entry.url} (text)" if entry.media_type in TEXT_TYPES else entry.url for entry in index],
        },
        schema={"segment": pl.String(), "segment_offset": pl.Int64(), "host": pl.String(), "page": pl.String()},
    )
    if not files:
        return PageReadings(files, _NONE, profiles)
    with parquet_errors(files[0].parent):
        read = pl.concat(pl.scan_parquet(file).select(_COLUMNS) for file in files).collect()
    moment = pl.col("fetched_at").dt.strftime("%Y%m%dT%H%M%SZ")
    # Records of an archive are as old as its pages (`verdicts.normalize.identity.page_versions.effective_crawl`).
    is_older = moment < pl.col("crawl_id").str.head(16)
    ordered = (
        read.join(known, on=["segment", "segment_offset"], how="inner")
        .with_columns(order=pl.when(is_older).then(moment).otherwise("crawl_id"))
        .sort("order", "segment", "segment_offset")
        .with_row_index("reading")
        .with_columns(pl.col("reading").cast(pl.Int64))
    )
    return PageReadings(files, ordered.drop("fetched_at", "order"), profiles)


ANSWERED = frozenset({Outcome.STORED, Outcome.UNCHANGED, Outcome.ALIAS})
GONE = frozenset({Outcome.NOT_FOUND, Outcome.GONE, Outcome.SOFT_404})
HOPS_MAX = 10
"""Redirects followed in the log."""


def answers_of(state: sqlite3.Connection, crawl_id: str, comparisons: Collection[str]) -> Mapping[str, Answers]:
    """How the addresses of each host ended. A redirect to an answered page of `comparisons` is an answer."""
    rows = state.execute("SELECT url, outcome, detail FROM fetches WHERE crawl_id = ? ORDER BY fetch_id", (crawl_id,))
    last: dict[str, dict[str, tuple[Outcome, str]]] = defaultdict(dict)
    for url, outcome, detail in rows:
        last[host_of(url)][url] = (Outcome(outcome), detail or "")
    skipped: dict[str, int] = defaultdict(int)
    # Hosts that pages only link to were never asked.
    skips = "SELECT host, reason, skipped FROM skips WHERE crawl_id = ? AND reason NOT IN ('other_host', 'other_site')"
    for host, reason, count in state.execute(skips, (crawl_id,)):
        skipped[host] += count if reason in NOT_ASKED else 0
    everywhere = {url: ended for of_host in last.values() for url, ended in of_host.items()}
    return {
        host: _answers(last.get(host, {}), everywhere, comparisons, skipped.get(host, 0))
        for host in (last.keys() | skipped.keys()) - {""}
    }


def asked_urls(state: sqlite3.Connection, after: str, until: str) -> frozenset[str]:
    """Addresses that were asked for after run `after`, up to run `until`."""
    rows = state.execute("SELECT DISTINCT url FROM fetches WHERE crawl_id > ? AND crawl_id <= ?", (after, until))
    return frozenset(url for (url,) in rows)


def answering(state: sqlite3.Connection, crawl_id: str, urls: Collection[str]) -> frozenset[str]:
    """Those of the addresses that answered in a run."""
    rows = state.execute(
        "SELECT DISTINCT url FROM fetches WHERE crawl_id = ? AND outcome IN (?, ?, ?)"
        " AND url IN (SELECT value FROM json_each(?))",
        (crawl_id, *sorted(ANSWERED), json.dumps(sorted(urls))),
    )
    return frozenset(url for (url,) in rows)


def answered_since(state: sqlite3.Connection, host: str, after: str, until: str) -> frozenset[str]:
    """Addresses of a host that answered after run `after`, up to run `until`."""
    rows = state.execute(
        "SELECT DISTINCT url FROM fetches WHERE crawl_id > ? AND crawl_id <= ? AND outcome IN (?, ?, ?)",
        (after, until, *sorted(ANSWERED)),
    )
    return frozenset(url for (url,) in rows if host_of(url) == host)


def _answers(
    last: Mapping[str, tuple[Outcome, str]],
    everywhere: Mapping[str, tuple[Outcome, str]],
    comparisons: Collection[str],
    unasked: int,
) -> Answers:
    answered: set[str] = set()
    gone: set[str] = set()
    failed: dict[str, str] = {}
    for url, (outcome, _) in last.items():
        if outcome is Outcome.SUPPORT:
            continue
        end = _end(url, everywhere)
        if outcome is Outcome.REDIRECTED:
            (answered if end in comparisons and everywhere[end][0] in ANSWERED else gone).add(url)
        elif outcome in ANSWERED:
            answered.add(url)
        elif outcome in GONE:
            gone.add(url)
        else:
            failed[url] = outcome
    return Answers(frozenset(answered), failed, frozenset(gone), unasked)


def _end(url: str, everywhere: Mapping[str, tuple[Outcome, str]]) -> str:
    """The end of an address's redirects, as far as they were followed in the run."""
    for _ in range(HOPS_MAX):
        outcome, detail = everywhere.get(url, (Outcome.STORED, ""))
        if outcome is not Outcome.REDIRECTED or detail not in everywhere:
            break
        url = detail
    return url
