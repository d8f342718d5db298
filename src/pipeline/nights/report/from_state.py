"""What the state says of the night's crawl, of the ones before it, and of the gates. Reads only."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from verdicts.corpus.rows.gates import GateMeasureRow
from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.why import why
from verdicts.fetch.store.run_log import gate_accepts
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.gates import ANSWERED, GONE, in_force
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.night_log import LoggedNight
from verdicts.pipeline.nights.report.facts import Absent, Crawled, Gates, HostNight, NightOutcomes, some
from verdicts.pipeline.nights.report.from_gates import gates_of, most_lost

SQL = Path(__file__).parent / "sql"

SETTLED = tuple(
    outcome
    for outcome in Outcome
    if not outcome.is_failure and outcome not in {Outcome.STORED, Outcome.UNCHANGED, Outcome.SUPPORT}
)


def crawl_of(store: Store, ending: NightEnding) -> CrawlRow | None:
    """The night's crawl; of a night that came to no crawl's end, the one it had begun."""
    crawls = [crawl for crawl in store.crawls() if crawl.kind == "crawl"]
    if ending.crawl_id is not None:
        return next((crawl for crawl in crawls if crawl.crawl_id == ending.crawl_id), None)
    begun = [crawl for crawl in crawls if ending.began_at <= crawl.started_at <= ending.ended_at]
    return begun[-1] if begun else None


def crawled(store: Store, ending: NightEnding, measured: Iterable[GateMeasureRow]) -> Crawled | Absent:
    """The night's crawl, host by host: those of which nothing was fetched first. `measured` is all the gates noted."""
    crawl = crawl_of(store, ending)
    if crawl is None:
        return Absent("The night came to no crawl.")
    hosts = sorted(
        _hosts(store, crawl, measured), key=lambda host: (host.answered > 0, host.why is None, -host.failed, host.host)
    )
    asked = sum(host.asked for host in hosts)
    return Crawled(crawl.status, asked, crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes, some(hosts))


def judged(store: Store, ending: NightEnding, measured: Iterable[GateMeasureRow]) -> Gates | Absent:
    """What the gates hold and tell as of the night, of all they noted."""
    until = f"{ending.ended_at:%Y%m%dT%H%M%SZ}~"
    rows = [row for row in measured if row.crawl_id <= until]
    if not rows:
        return Absent("The gates judged nothing yet: they look at each run when it is built.")
    accepts = [row for row in gate_accepts(store.state) if row.accepted_at <= ending.ended_at]
    return gates_of(in_force(rows), rows, accepts)


def outcomes(store: Store | None, nights: Sequence[LoggedNight]) -> tuple[NightOutcomes, ...]:
    """The nights given, the oldest first, with the outcomes of their crawls as far as the state knows them."""
    crawls = {} if store is None else {crawl.crawl_id: crawl for crawl in store.crawls()}
    of_nights = {
        night.night_id: crawls[night.ending.crawl_id]
        for night in nights
        if night.ending is not None and night.ending.crawl_id in crawls
    }
    others = {} if store is None else _settled_otherwise(store.state, [*of_nights.values()])
    return tuple(_outcomes(night, of_nights.get(night.night_id), others) for night in reversed(nights))


def _outcomes(night: LoggedNight, crawl: CrawlRow | None, others: Mapping[str, int]) -> NightOutcomes:
    status = None if night.ending is None else night.ending.status
    if crawl is None:
        return NightOutcomes(night.began_at, status)
    other = others.get(crawl.crawl_id, 0)
    return NightOutcomes(night.began_at, status, crawl.unchanged, crawl.fetched, other, crawl.failed)


def _settled_otherwise(state: sqlite3.Connection, crawls: Sequence[CrawlRow]) -> dict[str, int]:
    named = {"crawls": json.dumps([crawl.crawl_id for crawl in crawls]), "settled": json.dumps(SETTLED)}
    return dict(state.execute(_sql("settled_otherwise"), named).fetchall())


def _hosts(store: Store, crawl: CrawlRow, measured: Iterable[GateMeasureRow]) -> list[HostNight]:
    last: dict[str, Counter[Outcome]] = defaultdict(Counter)
    for known, outcome, count, example in store.state.execute(_sql("host_outcomes"), {"crawl_id": crawl.crawl_id}):
        last[known or host_of(example) or "files"][Outcome(outcome)] += count
    reasons = {host.host: why(host) for host in read_reasons(store, crawl.crawl_id).hosts}
    oldest = {host: datetime.fromisoformat(at) for host, at in store.state.execute(_sql("oldest_readings"))}
    rows: dict[str, list[GateMeasureRow]] = defaultdict(list)
    for row in measured:
        if row.crawl_id == crawl.crawl_id:
            rows[row.host].append(row)
    return [
        _host(host, last.get(host, Counter()), reasons.get(host), rows.get(host, []), oldest.get(host))
        for host in last.keys() | reasons.keys() | oldest.keys()
    ]


def _host(
    host: str,
    ended: Counter[Outcome],
    reason: str | None,
    rows: Sequence[GateMeasureRow],
    oldest_at: datetime | None,
) -> HostNight:
    answered = sum(ended[outcome] for outcome in (*ANSWERED, Outcome.REDIRECTED))
    changed = next((row.lost for row in rows if row.measure == "changed"), ended[Outcome.STORED])
    return HostNight(
        host=host,
        asked=ended.total(),
        answered=answered,
        failed=sum(count for outcome, count in ended.items() if outcome.is_failure),
        changed=changed,
        lost=most_lost(rows) if any(row.state != "unjudged" for row in rows) else None,
        gone=sum(ended[outcome] for outcome in GONE),
        oldest_at=oldest_at,
        why=_why_nothing(ended)
        if reason is None and not answered
        else (reason or "").removeprefix(f"{host}: ") or None,
    )


def _why_nothing(ended: Counter[Outcome]) -> str:
    """Of a crawl that was killed before it counted what became of its addresses: how most of them ended."""
    if not ended:
        return "nothing fetched; no address of it was asked for"
    outcome, count = ended.most_common(1)[0]
    return f"nothing fetched; {count:,}: {outcome.meaning}"


def _sql(name: str) -> str:
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")
