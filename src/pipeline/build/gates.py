"""The gates over a store: which runs are judged, and which readings are held back from normalization.

What is noted in the state decides; it is judged once, and of each host the newest run anew with every build: a new
extractor, a night that was gone on with, or an acceptance may open it. A person accepts what is held: from then on the
run's readings are what later ones are compared with.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from verdicts.corpus.enumerations import GATE_MEASURES
from verdicts.corpus.rows.gates import GateAcceptRow, GateMeasureRow
from verdicts.corpus.unicode_text import escaped
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.fetch.store.run_log import gate_accepts, gate_measures, note_accepts, note_measures
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.answers import answered_since, answers_of
from verdicts.pipeline.build.page_readings import PageReadings, page_readings
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.gates.compare import holders
from verdicts.pipeline.gates.host_night import Answers, HostNight, past_of
from verdicts.pipeline.gates.judge import judge
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.gates.words import DOWN_TODO, is_down


def judge_runs(
    store: Store, files: Sequence[Path], index: Sequence[IndexEntry], settings: GateSettings
) -> PageReadings:
    """Judges the runs that were not judged yet, in their order, and of each host the newest; notes what is found."""
    readings = page_readings(files, index)
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


def newest_runs(rows: Iterable[GateMeasureRow]) -> dict[str, str]:
    """Host to the newest of its runs that was judged."""
    newest: dict[str, str] = {}
    for row in rows:
        newest[row.host] = max(row.crawl_id, newest.get(row.host, ""))
    return newest


def in_force(rows: Sequence[GateMeasureRow]) -> list[GateMeasureRow]:
    """The rows of every host's newest run."""
    newest = newest_runs(rows)
    return [row for row in rows if row.crawl_id == newest[row.host]]


def held_hosts(rows: Sequence[GateMeasureRow]) -> frozenset[str]:
    """The hosts that are held now."""
    return frozenset(row.host for row in in_force(rows) if row.state == "held")


def held_readings(readings: PageReadings, rows: Sequence[GateMeasureRow]) -> Mapping[Location, str]:
    """The places of all readings that are held back, with their URLs.

    A reading of a held run is let in with the next accepted run of its host, where it is still the newest of its page.
    """
    held: dict[Location, str] = {}
    for host, (held_runs, accepted_runs) in _runs_by_host(rows).items():
        for crawl_id in held_runs:
            opened = min((run for run in accepted_runs if run > crawl_id), default=None)
            let_in = set() if opened is None else set(readings.at(host, opened)["reading"])
            held |= {place: url for number, place, url in readings.of_run(host, crawl_id) if number not in let_in}
    return held


def gone_urls(store: Store, rows: Sequence[GateMeasureRow]) -> frozenset[str]:
    """The tombstones; of a held host those that were there in its last accepted run."""
    held = held_hosts(rows)
    last = {host: max(accepted, default="") for host, (_, accepted) in _runs_by_host(rows).items() if host in held}
    gone_in = store.gone_in()
    return frozenset(url for url in store.gone_urls() if gone_in.get(url, "") <= last.get(host_of(url), "~"))


def hold(store: Store, found: Sequence[GateMeasureRow]) -> None:
    """Notes what normalization found, beside what was noted of the same runs before it."""
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
    """Host to its held and its accepted runs."""
    runs: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for row in rows:
        runs[row.host][0 if row.state == "held" else 1].add(row.crawl_id)
    return {host: (held, others - held) for host, (held, others) in runs.items()}


def _nights(store: Store, readings: PageReadings, crawl_id: str) -> dict[str, HostNight]:
    """Every host of a run."""
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
            answered_since=partial(_answered_since, store, host, crawl_id),
            reread=readings.reread,
        )
        for host in answers
        if host
    }


def _answered_since(store: Store, host: str, until: str, after: str) -> Collection[str]:
    return answered_since(store.state, host, after, until)


def accept(store: Store, host: str, measure: str | None, *, by: str, why: str, at: datetime) -> list[GateAcceptRow]:
    """Accepts all that is held of a host, or one measure of it, and says what was.

    Raises `ConfigError` where no such thing is held.
    """
    rows = gate_measures(store.state)
    held = [row for row in in_force(rows) if row.state == "held"]
    chosen = {row.measure for row in held if row.host == host and measure in {None, row.measure}}
    if not chosen:
        raise ConfigError(_nothing(host, measure, held))
    if is_down([row for row in in_force(rows) if row.host == host]):
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
        return f"there is no measure {measure!r}; there are {', '.join(GATE_MEASURES)}"
    asked = host if measure is None else f"{measure} of {host}"
    others = ", ".join(sorted({f"{row.measure} of {row.host}" for row in held})) or "nothing"
    return f"{asked} is not held; held is {others}"
