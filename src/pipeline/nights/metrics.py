"""The newest night in numbers, in a file that Prometheus' node_exporter reads (its textfile collector)."""

import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from verdicts.fetch.run.endings import Ending
from verdicts.pipeline.nights.counters import NightCounters
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.incidents import Incident
from verdicts.pipeline.nights.night_log import LoggedNight

HOSTS_MAX = 100
"""Hosts with numbers of their own, those with the most addresses: a label of any size is a time series each. The others
are summed as `other`."""

OTHERS = "other"

METRICS: dict[str, tuple[str, tuple[str, ...]]] = {
    "verdicts_addresses": ("Known addresses by how the newest crawl ended for them.", ("host", "ending")),
    "verdicts_addresses_unaccounted": ("Addresses of the frontier that the endings do not count once; 0.", ()),
    "verdicts_takes": ("Takes read in the newest night by where they are in the corpus.", ("ending",)),
    "verdicts_takes_unaccounted": ("Takes read in the newest night that are in no row; 0.", ()),
    "verdicts_night_ended_timestamp_seconds": ("When the newest night ended.", ()),
    "verdicts_night_duration_seconds": ("How long the newest night took.", ()),
    "verdicts_night_exit_code": ("What the newest night exited with; -1 where a signal ended it.", ()),
    "verdicts_night_status": ("1 for the state of the newest night, 0 for all others.", ("status",)),
    "verdicts_last_success_timestamp_seconds": ("When the newest night ended that was done.", ()),
    "verdicts_last_published_timestamp_seconds": ("When the newest night ended whose corpus readers have.", ()),
    "verdicts_step_duration_seconds": ("How long the steps of the newest night took.", ("step",)),
    "verdicts_open_incidents": ("What is wrong and not yet found to be gone.", ("cause",)),
    "verdicts_disk_free_bytes": ("Free bytes of the disk of the data folder.", ()),
    "verdicts_disk_size_bytes": ("Size of that disk.", ()),
}
"""Name to what it is, in one sentence, and its labels."""

STATES = ("done", "partial", "held", "failed", "refused", "interrupted")


@dataclass(frozen=True, slots=True)
class NightNumbers:
    """All that is written: the night, its counters, the nights before it, newest first, and what stands now."""

    ending: NightEnding
    counters: NightCounters
    nights: tuple[LoggedNight, ...]
    incidents: tuple[Incident, ...]
    step_seconds: Mapping[str, float]
    data: Path


def write_metrics(path: Path, night: NightNumbers) -> None:
    """Replaces the file whole. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_to_textfile(str(path), _registry(night))


def _registry(night: NightNumbers) -> CollectorRegistry:
    registry = CollectorRegistry()
    gauges = {name: Gauge(name, what, labels, registry=registry) for name, (what, labels) in METRICS.items()}
    ending, counters = night.ending, night.counters
    for (host, how), count in _by_host(counters.endings).items():
        gauges["verdicts_addresses"].labels(host, how).set(count)
    for how, count in counters.takes.items():
        gauges["verdicts_takes"].labels(how).set(count)
    for status in STATES:
        gauges["verdicts_night_status"].labels(status).set(status == ending.status)
    for step, seconds in night.step_seconds.items():
        gauges["verdicts_step_duration_seconds"].labels(step).set(round(seconds, 3))
    for cause, count in Counter(incident.cause for incident in night.incidents).items():
        gauges["verdicts_open_incidents"].labels(cause).set(count)
    disk = shutil.disk_usage(night.data)
    single = {
        "verdicts_addresses_unaccounted": counters.unaccounted_addresses,
        "verdicts_takes_unaccounted": counters.unaccounted_takes,
        "verdicts_night_ended_timestamp_seconds": ending.ended_at.timestamp(),
        "verdicts_night_duration_seconds": (ending.ended_at - ending.began_at).total_seconds(),
        "verdicts_night_exit_code": -1 if ending.exit_code is None else ending.exit_code,
        "verdicts_last_success_timestamp_seconds": _newest(night, is_success=True),
        "verdicts_last_published_timestamp_seconds": _newest(night, is_success=False),
        "verdicts_disk_free_bytes": disk.free,
        "verdicts_disk_size_bytes": disk.total,
    }
    for name, value in single.items():
        gauges[name].set(value)
    return registry


def _newest(night: NightNumbers, *, is_success: bool) -> float:
    """When the newest night ended that was done, or whose corpus was published; 0 before the first."""
    endings = [night.ending, *(logged.ending for logged in night.nights if logged.ending is not None)]
    moments = [
        ending.ended_at
        for ending in endings
        if (ending.status == "done" if is_success else ending.published is not None)
    ]
    return max(moments).timestamp() if moments else 0


def _by_host(endings: tuple[Ending, ...]) -> Mapping[tuple[str, str], int]:
    sizes: Counter[str] = Counter()
    for ending in endings:
        sizes[ending.host] += ending.addresses
    named = {host for host, _ in sizes.most_common(HOSTS_MAX)}
    counts: Counter[tuple[str, str]] = Counter()
    for ending in endings:
        counts[ending.host if ending.host in named else OTHERS, ending.ending] += ending.addresses
    return counts
