"""The gates over a store: which runs are judged, and which readings are held back.

Each run is judged once, and the newest run of each host again with every build: a new extractor, a resumed night or an
acceptance may open it. After a person accepts a loss, later runs are compared with that run.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from verdicts.corpus.enumerations import GATE_MEASURES
from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.corpus.text import escape_unstorable
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.run.endings import NOT_ASKED
from verdicts.fetch.store.run_log import note_accepts, note_measures, read_gate_accepts, read_gate_measures
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.page_readings import PageReadings, read_page_readings
from verdicts.pipeline.gates.compare import find_pages
from verdicts.pipeline.gates.holds import DOWN_TODO, HostRows, find_newest_runs, pick_newest_rows
from verdicts.pipeline.gates.host_night import Answers, HostNight, find_past
from verdicts.pipeline.gates.judge import judge
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.pipeline_errors import ConfigError


def judge_runs(
    store: Store,
    files: Sequence[Path],
    index: Sequence[IndexEntry],
    settings: GateSettings,
    profiles: Profiles = SHIPPED,
) -> PageReadings:
    """Judges new runs in order, and the newest run of each host again. Stores the rows."""
    readings = read_page_readings(files, index, profiles)
    rows, accepts = read_gate_measures(store.state), read_gate_accepts(store.state)
    newest = find_newest_runs(rows)
    judged_runs = {row.crawl_id for row in rows}
    runs = {crawl.crawl_id for crawl in store.read_crawls() if crawl.status != "running"}
    for crawl_id in sorted((runs - judged_runs) | (runs & set(newest.values()))):
        nights = _read_nights(store, readings, crawl_id)
        due = [night for night in nights if newest.get(night.host, "") <= crawl_id]
        if not due:
            continue
        hosts = {night.host for night in due}
        pasts = [(night, find_past(night.host, crawl_id, rows, accepts)) for night in due]
        judged = judge(pasts, [row for row in accepts if row.crawl_id == crawl_id], settings)
        rows = [row for row in rows if row.crawl_id != crawl_id or row.host not in hosts] + judged
        with store.transaction():
            note_measures(store.state, judged, [(crawl_id, host) for host in hosts])
    return readings


def _read_nights(store: Store, readings: PageReadings, crawl_id: str) -> list[HostNight]:
    hosts = readings.list_hosts(crawl_id)
    comparisons = frozenset().union(*(find_pages(readings.pick_newest(host, crawl_id), "comparison") for host in hosts))
    answers = dict.fromkeys(hosts, Answers()) | read_answers(store.state, crawl_id, comparisons)
    return [
        HostNight(
            host,
            crawl_id,
            answers[host],
            partial(readings.pick_newest, host),
            partial(_list_answered, store.state, host, until=crawl_id),
            readings.reread,
            readings.profiles,
        )
        for host in sorted(answers)
        if host
    ]


def read_answers(state: sqlite3.Connection, crawl_id: str, comparisons: Collection[str]) -> dict[str, Answers]:
    """How the addresses of each host ended (`answers.sql`)."""
    state.create_function("host_of", 1, find_host, deterministic=True)
    sql = Path(__file__).with_name("answers.sql").read_text(encoding="utf-8")
    lists = {"comparisons": json.dumps(sorted(comparisons)), "not_asked": json.dumps(sorted(NOT_ASKED))}
    ends: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    unasked: dict[str, int] = {}
    for host, ending, url, outcome, count in state.execute(sql, {"crawl_id": crawl_id, **lists}):
        ends[host][ending][url] = outcome
        unasked[host] = unasked.get(host, 0) + count
    return {
        host: Answers(frozenset(end["answered"]), end["failed"], frozenset(end["gone"]), unasked[host])
        for host, end in ends.items()
    }


_ASKED = "SELECT DISTINCT url FROM fetches WHERE crawl_id > ? AND crawl_id <= ?"
_IN_RUN = "SELECT DISTINCT url FROM fetches WHERE crawl_id = ?"
_ANSWERED = " AND outcome IN ('stored', 'unchanged', 'alias')"


def _list_answered(state: sqlite3.Connection, host: str, after: str, until: str) -> frozenset[str]:
    """Addresses of a host that answered after run `after`, up to run `until`."""
    return frozenset(url for (url,) in state.execute(_ASKED + _ANSWERED, (after, until)) if find_host(url) == host)


def find_withheld_readings(
    store: Store, readings: PageReadings, rows: Sequence[GateMeasureRow]
) -> Mapping[Location, str]:
    """Places and URLs of all held readings.

    A reading of a held run is released by the host's next accepted run, if it is still the newest of its page. If the
    page was requested since and did not answer, the reading may be that of a wall. It waits for the first accepted run
    in which the page answers.
    """
    withheld: dict[Location, str] = {}
    for host, (held_runs, accepted_runs) in _sort_runs(rows).items():
        for crawl_id in held_runs:
            waiting = readings.list_run(host, crawl_id)
            withheld |= {location: url for _, location, url in waiting}
            later = sorted(run for run in accepted_runs if run > crawl_id)
            silent = {url for (url,) in store.state.execute(_ASKED, (crawl_id, later[0]))} if later else set()
            for opened in later:
                if silent:
                    silent -= {url for (url,) in store.state.execute(_IN_RUN + _ANSWERED, (opened,))}
                heard = {number: location for number, location, url in waiting if url not in silent}
                for number in heard.keys() & set(readings.pick_newest(host, opened)["reading"]) if heard else ():
                    del withheld[heard[number]]
                waiting = [item for item in waiting if item[2] in silent]
                if not waiting:
                    break
    return withheld


def find_absences(store: Store, rows: Sequence[GateMeasureRow]) -> Mapping[str, Absences]:
    """When pages were gone, by URL. For a held host, a page is gone only by its last accepted run."""
    newest = find_newest_runs(rows)
    runs = _sort_runs(rows)
    last = {host: max(accepted, default="") for host, (held, accepted) in runs.items() if newest[host] in held}
    gone_in = store.read_tombstones()
    return {
        url: absences if gone_in.get(url, "") <= last.get(find_host(url), "~") else absences[:-1]
        for url, absences in store.read_absences().items()
    }


def _sort_runs(rows: Iterable[GateMeasureRow]) -> Mapping[str, tuple[set[str], set[str]]]:
    """The held and the other runs of each host."""
    runs: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for row in rows:
        runs[row.host][0 if row.state == "held" else 1].add(row.crawl_id)
    return {host: (held, all_runs - held) for host, (held, all_runs) in runs.items()}


def accept_loss(
    store: Store, host: str, measure: str | None, *, by: str, why: str, at: datetime
) -> list[GateAcceptRow]:
    """Accepts what is held of a host, or one measure of it, and returns the acceptances.

    Raises `ConfigError` if that is not held.
    """
    rows = pick_newest_rows(read_gate_measures(store.state))
    held = [row for row in rows if row.state == "held"]
    chosen = {row.measure for row in held if row.host == host and measure in {None, row.measure}}
    if not chosen:
        raise ConfigError(_explain_nothing(host, measure, held))
    present = [row for row in rows if row.host == host]
    if HostRows(host, present).is_down:
        raise ConfigError(f"{host} is down. {DOWN_TODO}; if it is gone for good, remove it from the config")
    crawl_id = present[0].crawl_id
    accepts = [
        GateAcceptRow(host, name, crawl_id, at, escape_unstorable(by), escape_unstorable(why))
        for name in sorted(chosen)
    ]
    judged = [
        replace(row, state="accepted") if row.state == "held" and row.measure in chosen else row for row in present
    ]
    with store.transaction():
        note_accepts(store.state, accepts)
        note_measures(store.state, judged, [(crawl_id, host)])
    return accepts


def _explain_nothing(host: str, measure: str | None, held: Sequence[GateMeasureRow]) -> str:
    if measure is not None and measure not in GATE_MEASURES:
        return f"unknown measure {measure!r}; the measures are {', '.join(GATE_MEASURES)}"
    subject = host if measure is None else f"{measure} of {host}"
    losses = ", ".join(sorted({f"{row.measure} of {row.host}" for row in held})) or "nothing"
    return f"{subject} is not held; held: {losses}"
