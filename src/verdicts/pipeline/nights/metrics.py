"""The numbers of a night's record, in a file for the textfile collector of Prometheus' node_exporter."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from verdicts.pipeline.nights.record import STATES, NightRecord

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
    nights, ended = [record, *earlier], _find_end([record])
    values: dict[str, Iterable[tuple[tuple[str, ...], float]]] = {
        "verdicts_addresses": _count_endings(record).items(),
        "verdicts_night_ended_timestamp_seconds": [((), ended)],
        "verdicts_night_duration_seconds": [((), ended - record.began_at.timestamp())],
        "verdicts_night_exit_code": [((), -1 if record.exit_code is None else record.exit_code)],
        "verdicts_night_status": [((status,), status == record.status) for status in STATES if status],
        "verdicts_last_success_timestamp_seconds": [
            ((), _find_end(night for night in nights if night.status == "done"))
        ],
        "verdicts_last_published_timestamp_seconds": [((), _find_end(night for night in nights if night.published))],
        "verdicts_step_duration_seconds": [((step,), round(took, 3)) for step, took in record.step_seconds.items()],
        "verdicts_open_incidents": Counter((incident.cause,) for incident in record.incidents).items(),
        "verdicts_disk_free_bytes": [((), record.disk[0])],
        "verdicts_disk_size_bytes": [((), record.disk[1])],
    }
    for name, gauge in gauges.items():
        for labels, value in values[name]:
            (gauge.labels(*labels) if labels else gauge).set(value)
    write_to_textfile(str(path), registry)


def _find_end(nights: Iterable[NightRecord]) -> float:
    """When the last of them ended; 0 for none."""
    return max(((night.ended_at or night.began_at).timestamp() for night in nights), default=0)


def _count_endings(record: NightRecord) -> Counter[tuple[str, ...]]:
    hosts = () if record.crawl is None else record.crawl.hosts
    sizes = Counter({host.host: sum(host.endings.values()) for host in hosts})
    largest = {host for host, _ in sizes.most_common(HOSTS_MAX)}
    counts: Counter[tuple[str, ...]] = Counter()
    for host in hosts:
        for ending, addresses in host.endings.items():
            counts[host.host if host.host in largest else "other", ending] += addresses
    return counts
