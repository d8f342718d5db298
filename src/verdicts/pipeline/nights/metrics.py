"""The numbers of a night's record, in a file for the textfile collector of Prometheus' node_exporter."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from verdicts.pipeline.nights.record import STATES, HostNight, NightCrawl, NightRecord

HOSTS_MAX = 100
"""Hosts with their own numbers, the largest ones. Every label is a time series, so the others are summed as `other`."""

METRICS: dict[str, tuple[str, tuple[str, ...]]] = {
    "verdicts_addresses": ("Known addresses by their ending in the newest crawl.", ("host", "ending")),
    "verdicts_night_ended_timestamp_seconds": ("When the newest night ended.", ()),
    "verdicts_night_duration_seconds": ("How long the newest night took.", ()),
    "verdicts_night_exit_code": ("Exit code of the newest night; -1 if a signal ended it.", ()),
    "verdicts_night_status": ("1 for the state of the newest night, 0 for all others.", ("status",)),
    "verdicts_last_success_timestamp_seconds": ("When the newest successful night ended.", ()),
    "verdicts_last_published_timestamp_seconds": ("When the newest night ended that readers have.", ()),
    "verdicts_step_duration_seconds": ("How long the steps of the newest night took.", ("step",)),
    "verdicts_open_incidents": ("Open incidents by cause.", ("cause",)),
    "verdicts_disk_free_bytes": ("Free bytes of the disk of the data folder.", ()),
    "verdicts_disk_size_bytes": ("Size of that disk.", ()),
}
"""Description and labels of each metric."""


def write_metrics(path: Path, record: NightRecord, earlier: Sequence[NightRecord] = ()) -> None:
    """Replaces the file. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    registry = CollectorRegistry()
    gauges = {name: Gauge(name, what, labels, registry=registry) for name, (what, labels) in METRICS.items()}
    if isinstance(record.crawl, NightCrawl):
        for (host, ending), count in _count_endings(record.crawl.hosts).items():
            gauges["verdicts_addresses"].labels(host, ending).set(count)
    for status in filter(None, STATES):
        gauges["verdicts_night_status"].labels(status).set(status == record.status)
    for step, seconds in record.step_seconds.items():
        gauges["verdicts_step_duration_seconds"].labels(step).set(round(seconds, 3))
    for cause, count in Counter(incident.cause for incident in record.incidents).items():
        gauges["verdicts_open_incidents"].labels(cause).set(count)
    nights = [record, *earlier]
    free, size = record.disk
    single = {
        "verdicts_night_ended_timestamp_seconds": _ended(record).timestamp(),
        "verdicts_night_duration_seconds": (_ended(record) - record.began_at).total_seconds(),
        "verdicts_night_exit_code": -1 if record.exit_code is None else record.exit_code,
        "verdicts_last_success_timestamp_seconds": _newest(night for night in nights if night.status == "done"),
        "verdicts_last_published_timestamp_seconds": _newest(night for night in nights if night.published is not None),
        "verdicts_disk_free_bytes": free,
        "verdicts_disk_size_bytes": size,
    }
    for name, value in single.items():
        gauges[name].set(value)
    write_to_textfile(str(path), registry)


def _ended(night: NightRecord) -> datetime:
    return night.ended_at or night.began_at


def _newest(nights: Iterable[NightRecord]) -> float:
    """When the last of them ended; 0 for none."""
    return max((_ended(night).timestamp() for night in nights), default=0)


def _count_endings(hosts: Sequence[HostNight]) -> Mapping[tuple[str, str], int]:
    sizes = Counter({host.host: sum(host.endings.values()) for host in hosts})
    named = {host for host, _ in sizes.most_common(HOSTS_MAX)}
    counts: Counter[tuple[str, str]] = Counter()
    for host in hosts:
        for ending, addresses in host.endings.items():
            counts[host.host if host.host in named else "other", ending] += addresses
    return counts
