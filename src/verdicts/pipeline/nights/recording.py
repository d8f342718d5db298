"""What a night came to, as parts of its record: its crawl, its gates, and the care of the data folder. Reads only."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from verdicts.corpus.rows.runs import CrawlRow, GateMeasureRow
from verdicts.fetch.care.verify import last_verification
from verdicts.fetch.run.endings import CrawlReasons
from verdicts.fetch.run.why import why
from verdicts.fetch.store.reader import StoreReader
from verdicts.fetch.store.run_log import gate_accepts
from verdicts.pipeline.gates.words import by_host
from verdicts.pipeline.nights.record import CareLine, HostNight, NightCrawl, NightGates, age_in_words
from verdicts.pipeline.sources.config_sections import CareConfig

VERIFIED_WITHIN = timedelta(days=7)
"""A share is verified every night. After this time without one, a person should act."""


def record_crawl(store: StoreReader, crawl: CrawlRow, reasons: CrawlReasons) -> NightCrawl:
    readings = store.state.execute((Path(__file__).parent / "sql" / "oldest_readings.sql").read_text(encoding="utf-8"))
    oldest = {host: datetime.fromisoformat(moment) for host, moment in readings}
    hosts = []
    for host in reasons.hosts:
        endings = {ending.ending: ending.addresses for ending in host.endings}
        line = why(host)
        reason = None if line is None else line.removeprefix(f"{host.host}: ")
        hosts.append(HostNight(host.host, endings, reason, oldest.get(host.host)))
    hosts.sort(key=lambda host: (host.answered > 0, host.why is None, -host.failed, host.host))
    return NightCrawl(crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes, tuple(hosts))


def add_losses(crawl: NightCrawl, measures: Sequence[GateMeasureRow], crawl_id: str | None) -> NightCrawl:
    """The crawl with what the gates counted of each host."""
    rows_by_host = {host.host: host.rows for host in by_host(row for row in measures if row.crawl_id == crawl_id)}
    hosts = []
    for host in crawl.hosts:
        rows = rows_by_host.get(host.host, ())
        is_judged = any(row.state != "unjudged" for row in rows)
        lost = max((row.lost for row in rows if (row.level, row.test) == ("hold", "night")), default=0)
        changed = max((row.lost for row in rows if row.measure == "changed"), default=host.endings.get("stored", 0))
        hosts.append(replace(host, changed=changed, lost=lost if is_judged else None))
    return replace(crawl, hosts=tuple(hosts))


def record_gates(store: StoreReader, measures: Sequence[GateMeasureRow]) -> NightGates:
    """`measures` are the rows of each host's newest run."""
    hosts = by_host(measures)
    losses: list[GateMeasureRow] = []
    for host in hosts:
        # A held measure is not reported again, and a reported one is not watched.
        held = {row.measure for row in host.held}
        reported = host.plainest("alert", "shadow", "accepted", besides=held)
        losses += reported
        losses += host.plainest("watch", besides=held | {row.measure for row in reported})
    # The oldest come first: a later acceptance of a measure replaces an earlier one.
    accepted = {(row.host, row.measure): row for row in gate_accepts(store.state)}
    return NightGates(
        held=tuple(sorted((host.held for host in hosts if host.held), key=lambda rows: -max(row.lost for row in rows))),
        down=tuple(host.host for host in hosts if host.is_down),
        losses=tuple(sorted(losses, key=_most_first)),
        accepted=tuple(sorted(accepted.values(), key=lambda row: row.accepted_at, reverse=True)),
        unjudged=tuple(sorted({row.host for row in measures if row.state == "unjudged"})),
    )


def _most_first(row: GateMeasureRow) -> tuple[int, str, str]:
    return -row.lost, row.host, row.measure


def record_verification(store: StoreReader, began_at: datetime) -> CareLine:
    last = last_verification(store)
    if last is None:
        return CareLine("Verified", "nothing has been verified yet", is_wrong=True)
    amount = f"{last.records:,} records, {last.bytes / 1e6:,.1f} MB"
    if last.damaged:
        return CareLine("Verified", f"{amount}: {last.damaged:,} damaged, such as {last.example}", is_wrong=True)
    if last.verified_at >= began_at:
        return CareLine("Verified", f"{amount} tonight, nothing damaged")
    age = began_at - last.verified_at
    says = f"{amount} {age_in_words(age)} before this night, nothing damaged; nothing tonight"
    return CareLine("Verified", says, is_wrong=age > VERIFIED_WITHIN)


def record_disk(root: Path, care: CareConfig) -> tuple[tuple[int, int], CareLine]:
    """Free bytes and all bytes of the disk, and its line."""
    try:
        disk = shutil.disk_usage(root)
    except OSError as error:
        return (0, 0), CareLine("Free disk", str(error.strerror), is_wrong=True)
    is_short = disk.free < care.min_free_gb * 1e9
    says = f"{disk.free / 1e9:,.1f} GB" + (f", under {care.min_free_gb:g}" if is_short else "")
    return (disk.free, disk.total), CareLine("Free disk", says, is_short)
