"""The facts of a report, read from the state, the gates, the published copy and the log of nights.

A section that cannot be read is replaced by a sentence that says so. Times are in UTC.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from verdicts.corpus.rows.runs import CrawlRow, GateAcceptRow, GateMeasureRow
from verdicts.fetch.care.verify import NotedVerification, last_verification
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.errors import FetchError, StoreMissing
from verdicts.fetch.model.outcome import FAILURES, Outcome
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.why import why
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline.build.gates import ANSWERED, GONE
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.gates.newest_rows import in_force
from verdicts.pipeline.gates.words import by_host
from verdicts.pipeline.nights.corpus_changes import Absent, CorpusChanges, corpus_changes
from verdicts.pipeline.nights.incidents import Incident, read_incidents
from verdicts.pipeline.nights.night_log import LoggedNight, NightEnding, NightStatus, logged_nights
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.pipeline.verify import damaged_state

SQL = Path(__file__).parent / "sql"

VERIFIED_WITHIN = timedelta(days=7)
"""A share is verified every night. After this time without one, a person should act."""

NIGHTS_SHOWN = 14
RUNS_DRAWN = 28
"""Runs in a sparkline."""

SETTLED = [*({*Outcome} - {*FAILURES, Outcome.STORED, Outcome.UNCHANGED, Outcome.SUPPORT})]

OUTCOMES = {
    "answered": json.dumps([*ANSWERED, Outcome.REDIRECTED]),
    "failures": json.dumps(FAILURES),
    "gone": json.dumps([*GONE]),
}
"""Parameters of `host_nights.sql`."""


@dataclass(frozen=True, slots=True)
class NightOutcomes:
    """How a night ended, and its addresses by outcome, None if it has no crawl.

    `status` is None if the log has no ending, because the process was killed.
    """

    began_at: datetime
    status: NightStatus | None
    unchanged: int | None = None
    stored: int | None = None
    other: int | None = None
    failed: int | None = None

    @property
    def addresses(self) -> int:
        return sum(count or 0 for count in (self.unchanged, self.stored, self.other, self.failed))


@dataclass(frozen=True, slots=True)
class HostNight:
    """Address counts of a host in the crawl. `lost`: pages or tools that lost a measure; None if not judged.

    `why`: why nothing, or less than expected, was fetched. None if there is nothing to explain.
    """

    host: str
    asked: int
    answered: int
    failed: int
    changed: int
    lost: int | None
    gone: int
    oldest_at: datetime | None
    why: str | None

    @property
    def other(self) -> int:
        """Settled without an answer, such as by robots.txt, `noindex` or a redirect out of the site."""
        return self.asked - self.answered - self.failed - self.gone


@dataclass(frozen=True, slots=True)
class Crawled:
    """The crawl of a night. Hosts without fetched pages come first."""

    stored: int
    unchanged: int
    failed: int
    hosts: tuple[HostNight, ...]


@dataclass(frozen=True, slots=True)
class Gates:
    """What the gates found, largest losses first. `losses` hold nothing. `watch` has shares lost over time.

    `held` has the rows of each held host, one per measure. `down` are hosts that did not answer. `unjudged` are hosts
    that are too new to compare.
    """

    held: tuple[tuple[GateMeasureRow, ...], ...]
    down: frozenset[str]
    losses: tuple[GateMeasureRow, ...]
    watch: tuple[tuple[GateMeasureRow, tuple[float, ...]], ...]
    accepted: tuple[GateAcceptRow, ...]
    unjudged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CareLine:
    """A fact about the care of the data folder. `is_wrong`: it needs attention."""

    name: str
    says: str
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class NightFacts:
    ending: NightEnding
    crawled: Crawled | Absent
    nights: tuple[NightOutcomes, ...]
    """The last nights with this one, newest first."""
    gates: Gates | Absent
    corpus: CorpusChanges | Absent
    care: tuple[CareLine, ...]
    incidents: tuple[Incident, ...]
    undelivered: tuple[str, ...] = ()
    """Addresses that could not be reached, as of the newest night with something to report."""


def facts_of(folder: DataFolder, care: CareConfig, ending: NightEnding) -> NightFacts:
    """Collects the facts. If the state or the copy cannot be read, its sections are absent."""
    nights = _nights_until(folder, ending)
    incidents = read_incidents(folder)
    crawled: Crawled | Absent
    gates: Gates | Absent
    try:
        # The state may be why a night failed.
        if ending.status == "failed" and (damage := damaged_state(folder)) is not None:
            raise damage
        with open_store(folder.root, command="report", read_only=True) as store:
            crawled, gates = _crawled(store, ending), _judged(store, ending)
            shown, cared = _outcomes(store, nights), (*_care(folder, care, ending, store),)
    except FetchError as unreadable:
        crawled = gates = (
            "There is no state yet: nothing was ever fetched."
            if isinstance(unreadable, StoreMissing)
            else f"The state cannot be read: {unreadable}"
        )
        shown, cared = _outcomes(None, nights), (*_care(folder, care, ending, None),)
    return NightFacts(
        ending=ending,
        crawled=crawled,
        nights=shown,
        gates=gates,
        corpus=corpus_changes(folder, ending),
        care=cared,
        incidents=tuple(item for item in incidents.open if item.opened_at <= ending.ended_at),
        undelivered=tuple(f"{item.address} could not be reached: {item.why}" for item in incidents.undelivered),
    )


def _nights_until(folder: DataFolder, ending: NightEnding) -> list[LoggedNight]:
    nights = [night for night in logged_nights(folder) if night.night_id < ending.night_id]
    begun = [night for night in nights if night.ending is None or night.ending.status != "refused"]
    return [LoggedNight(ending.night_id, ending.began_at, ending), *begun[: NIGHTS_SHOWN - 1]]


def _outcomes(store: Store | None, nights: Sequence[LoggedNight]) -> tuple[NightOutcomes, ...]:
    of_nights = {night.night_id: night.ending.crawl_id for night in nights if night.ending is not None}
    named = {"crawls": json.dumps([*of_nights.values()]), "settled": json.dumps(SETTLED)}
    rows = [] if store is None else store.state.execute(_sql("night_outcomes"), named)
    counts = {crawl_id: row for crawl_id, *row in rows}
    return tuple(
        NightOutcomes(
            night.began_at,
            None if night.ending is None else night.ending.status,
            *counts.get(of_nights.get(night.night_id), ()),
        )
        for night in nights
    )


def _crawled(store: Store, ending: NightEnding) -> Crawled | Absent:
    crawl = _crawl_of(store, ending)
    if crawl is None:
        return "The night did not crawl."
    reasons = {host.host: why(host) for host in read_reasons(store, crawl.crawl_id).hosts}
    store.state.create_function("host_of", 1, host_of)
    hosts = []
    for host, asked, answered, failed, changed, lost, gone, oldest, outcome, addresses in store.state.execute(
        _sql("host_nights"), OUTCOMES | {"crawl_id": crawl.crawl_id}
    ):
        reason = reasons.get(host)
        if reason is None and not answered:
            # The crawl was killed before it counted its addresses, so show their most frequent ending.
            meaning = f"{addresses:,}: {Outcome(outcome).meaning}" if addresses else "no address of it was asked for"
            reason = f"nothing fetched; {meaning}"
        oldest_at = None if oldest is None else datetime.fromisoformat(oldest)
        said = None if reason is None else reason.removeprefix(f"{host}: ")
        hosts.append(HostNight(host, asked, answered, failed, changed, lost, gone, oldest_at, said))
    hosts.sort(key=lambda host: (host.answered > 0, host.why is None, -host.failed, host.host))
    return Crawled(crawl.fetched, crawl.unchanged, crawl.failed, tuple(hosts))


def _crawl_of(store: Store, ending: NightEnding) -> CrawlRow | None:
    """The crawl of the night. If none ended, the one that it began."""
    crawls = [crawl for crawl in store.crawls() if crawl.kind == "crawl"]
    if ending.crawl_id is not None:
        return next((crawl for crawl in crawls if crawl.crawl_id == ending.crawl_id), None)
    begun = [crawl for crawl in crawls if ending.began_at <= crawl.started_at <= ending.ended_at]
    return begun[-1] if begun else None


def _judged(store: Store, ending: NightEnding) -> Gates | Absent:
    until = f"{ending.ended_at:%Y%m%dT%H%M%SZ}~"
    rows = [row for row in gate_measures(store.state) if row.crawl_id <= until]
    if not rows:
        return "The gates have judged nothing yet: they judge each run when it is built."
    newest = in_force(rows)
    hosts = by_host(newest)
    losses: list[GateMeasureRow] = []
    watch: list[GateMeasureRow] = []
    for host in hosts:
        # A held measure is not reported again, and a reported one is not watched.
        held = {row.measure for row in host.held}
        reported = host.plainest("alert", "shadow", "accepted", besides=held)
        losses += reported
        watch += host.plainest("watch", besides=held | {row.measure for row in reported})
    # The oldest come first: a later acceptance of a measure replaces an earlier one.
    accepts = [row for row in gate_accepts(store.state) if row.accepted_at <= ending.ended_at]
    accepted = {(row.host, row.measure): row for row in accepts}
    return Gates(
        held=tuple(sorted((host.held for host in hosts if host.held), key=lambda rows: -max(row.lost for row in rows))),
        down=frozenset(host.host for host in hosts if host.is_down),
        losses=tuple(sorted(losses, key=_most_first)),
        watch=tuple((row, _history(row, rows)) for row in sorted(watch, key=_most_first)),
        accepted=tuple(sorted(accepted.values(), key=lambda row: row.accepted_at, reverse=True)),
        unjudged=tuple(sorted({row.host for row in newest if row.state == "unjudged"})),
    )


def _most_first(row: GateMeasureRow) -> tuple[int, str, str]:
    return -row.lost, row.host, row.measure


def _history(of: GateMeasureRow, all_rows: Sequence[GateMeasureRow]) -> tuple[float, ...]:
    """The share lost in each run, oldest first."""
    series = of.host, of.measure, of.test, of.unit
    runs = [row for row in all_rows if (row.host, row.measure, row.test, row.unit) == series and row.had]
    return tuple(min(1.0, row.lost / row.had) for row in sorted(runs, key=lambda row: row.crawl_id)[-RUNS_DRAWN:])


def _care(folder: DataFolder, care: CareConfig, ending: NightEnding, store: Store | None) -> Iterator[CareLine]:
    if store is not None:
        yield _verified(last_verification(store), ending)
    try:
        free = shutil.disk_usage(folder.root).free / 1e9
    except OSError as error:
        yield CareLine("Free disk", str(error.strerror), is_wrong=True)
    else:
        is_short = free < care.min_free_gb
        yield CareLine("Free disk", f"{free:,.1f} GB" + (f", under {care.min_free_gb:g}" if is_short else ""), is_short)


def _verified(last: NotedVerification | None, ending: NightEnding) -> CareLine:
    if last is None:
        return CareLine("Verified", "nothing has been verified yet", is_wrong=True)
    amount = f"{last.records:,} records, {last.bytes / 1e6:,.1f} MB"
    if last.damaged:
        return CareLine("Verified", f"{amount}: {last.damaged:,} damaged, such as {last.example}", is_wrong=True)
    if last.verified_at >= ending.began_at:
        return CareLine("Verified", f"{amount} tonight, nothing damaged")
    age = ending.ended_at - last.verified_at
    says = f"{amount} {age_in_words(age)} ago, nothing damaged; nothing tonight"
    return CareLine("Verified", says, is_wrong=age > VERIFIED_WITHIN)


def age_in_words(age: timedelta) -> str:
    """`3 hours`, `12 days`: rounded down."""
    hours = int(age.total_seconds()) // 3600
    if hours < 1:
        return "under an hour"
    count, unit = (hours, "hour") if hours < 48 else (hours // 24, "day")
    return f"{count:,} {unit}" + ("s" if count > 1 else "")


def _sql(name: str) -> str:
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")
