"""The numbers of a night, in a file for the textfile collector of Prometheus' node_exporter.

Two sums must add up: every address of the frontier has one ending, and every review that was read has one place in the
corpus. Each sum is counted from both ends, and a difference is reported every night.
"""

import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from verdicts.extract.model.records import Comparison
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.run.endings import Ending, endings_of
from verdicts.fetch.store.store import open_store
from verdicts.normalize.identity.ids import SHORT_MATCH_KEY, is_short, text_id
from verdicts.normalize.parse.text import take_key
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.build.record_files import VERSIONS, read_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.incidents import Incident
from verdicts.pipeline.nights.night_log import LoggedNight, NightEnding
from verdicts.warehouse.storage.connection import opened

HELD, MISSING = "held", "missing"
"""Endings of a review besides the three kinds of match with its review: held by a gate, or in no row."""

SHORT_TEXT = 4 * SHORT_MATCH_KEY
"""Published texts up to this many characters may have the letters of a short one."""

HOSTS_MAX = 100
"""Hosts with their own numbers, the largest ones. Every label is a time series, so the others are summed as `other`."""

METRICS: dict[str, tuple[str, tuple[str, ...]]] = {
    "verdicts_addresses": ("Known addresses by their ending in the newest crawl.", ("host", "ending")),
    "verdicts_addresses_unaccounted": ("Addresses of the frontier that are not counted exactly once; must be 0.", ()),
    "verdicts_reviews": ("Reviews read in the newest night by their place in the corpus.", ("ending",)),
    "verdicts_reviews_unaccounted": ("Reviews read in the newest night that are in no row; must be 0.", ()),
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

STATES = ("done", "partial", "held", "failed", "refused", "interrupted")

_KEPT = Path(__file__).parent / "sql" / "reviews_kept.sql"


@dataclass(frozen=True, slots=True)
class NightCounters:
    """The counters of a night. `endings` are those of its crawl; `frontier` counts the addresses of each host.

    `reviews` counts the reviews of the night's snapshots. `exact`, `near` and `prefix` are appearances, by how their
    words match their review. `held` are held by a gate, `missing` are in no row. Empty if nothing was published.
    """

    endings: tuple[Ending, ...] = ()
    frontier: Mapping[str, int] = field(default_factory=dict)
    takes: Mapping[str, int] = field(default_factory=dict)

    @property
    def unaccounted_addresses(self) -> int:
        """Addresses without an ending, or with too many."""
        ended: Counter[str] = Counter()
        for ending in self.endings:
            ended[ending.host] += ending.addresses
        return sum(abs(self.frontier.get(host, 0) - ended[host]) for host in self.frontier.keys() | ended.keys())

    @property
    def unaccounted_takes(self) -> int:
        return self.takes.get(MISSING, 0)

    def discrepancies(self) -> list[str]:
        """A line for each sum that does not add up."""
        lines = {
            f"{self.unaccounted_addresses:,} addresses of the frontier are not counted once: please report"
            " it": self.unaccounted_addresses,
            f"{self.unaccounted_takes:,} reviews that were read are in no row of the corpus: this program failed on"
            " their pages, or lost them; please report it": self.unaccounted_takes,
        }
        return [line for line, number in lines.items() if number]


def count_night(folder: DataFolder, ending: NightEnding) -> NightCounters:
    """The counters of a night, empty if its crawl did not end.

    Raises `StorageFailed`, `WarehouseBroken`, `MemoryShort`.
    """
    if ending.crawl_id is None:
        return NightCounters()
    with open_store(folder.root, command="run", read_only=True) as store:
        endings = tuple(endings_of(store.state, ending.crawl_id))
        frontier = dict(store.state.execute("SELECT host, count(*) FROM urls GROUP BY host").fetchall())
    takes: Mapping[str, int] = {}
    if ending.published is not None:
        manifest = read_manifest(folder.build_manifest)
        held = frozenset() if manifest is None else frozenset(location for location, _ in manifest.inputs.held)
        takes = count_takes(_takes(folder, ending.crawl_id), folder.serve / ending.published, held)
    return NightCounters(endings, frontier if endings else {}, takes)


def count_takes(takes: Iterable[tuple[Location, str]], corpus: Path, held: Collection[Location]) -> dict[str, int]:
    """Counts reviews, given as snapshot and words, by their place in a corpus. Each review is counted once.

    Raises `WarehouseBroken`, `MemoryShort`.
    """
    counts: Counter[str] = Counter()
    keys: Counter[str] = Counter()
    for location, text in takes:
        if location in held:
            counts[HELD] += 1
        else:
            keys[take_key(text)] += 1
    if keys:
        matches = _matches(corpus, [text_id(key, "") for key in keys if not is_short(key)])
        for key, count in keys.items():
            counts[matches.get(key if is_short(key) else text_id(key, ""), MISSING)] += count
    return dict(counts)


def _matches(corpus: Path, text_ids: list[str]) -> dict[str, str]:
    """The match of each text: long texts by id, short ones by match key."""
    matches = {}
    # `opened` reads views over a bucket as every reader does. DuckDB alone would need an extension.
    with opened(corpus, is_read_only=True) as connection:
        rows = connection.execute(_KEPT.read_text(encoding="utf-8"), {"text_ids": text_ids, "short": SHORT_TEXT})
        for known_id, text, match in rows.fetchall():
            matches[known_id or take_key(text)] = match
    return matches


def _takes(folder: DataFolder, crawl_id: str) -> Iterable[tuple[Location, str]]:
    files = sorted(folder.records.glob(f"{crawl_id}-*.{VERSIONS}.*.parquet"))
    for observation in read_records(files):
        if isinstance(observation.extracted, Comparison):
            for take in observation.extracted.takes:
                yield observation.location, take.text


def write_metrics(
    path: Path,
    ending: NightEnding,
    counters: NightCounters,
    *,
    data: Path,
    earlier: Sequence[LoggedNight] = (),
    incidents: Sequence[Incident] = (),
    step_seconds: Mapping[str, float] | None = None,
) -> None:
    """Replaces the file. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    registry = CollectorRegistry()
    gauges = {name: Gauge(name, what, labels, registry=registry) for name, (what, labels) in METRICS.items()}
    for (host, how), count in _by_host(counters.endings).items():
        gauges["verdicts_addresses"].labels(host, how).set(count)
    for how, count in counters.takes.items():
        gauges["verdicts_reviews"].labels(how).set(count)
    for status in STATES:
        gauges["verdicts_night_status"].labels(status).set(status == ending.status)
    for step, seconds in (step_seconds or {}).items():
        gauges["verdicts_step_duration_seconds"].labels(step).set(round(seconds, 3))
    for cause, count in Counter(incident.cause for incident in incidents).items():
        gauges["verdicts_open_incidents"].labels(cause).set(count)
    nights = [ending, *(logged.ending for logged in earlier if logged.ending is not None)]
    done = [night.ended_at.timestamp() for night in nights if night.status == "done"]
    published = [night.ended_at.timestamp() for night in nights if night.published is not None]
    disk = shutil.disk_usage(data)
    single = {
        "verdicts_addresses_unaccounted": counters.unaccounted_addresses,
        "verdicts_reviews_unaccounted": counters.unaccounted_takes,
        "verdicts_night_ended_timestamp_seconds": ending.ended_at.timestamp(),
        "verdicts_night_duration_seconds": (ending.ended_at - ending.began_at).total_seconds(),
        "verdicts_night_exit_code": -1 if ending.exit_code is None else ending.exit_code,
        "verdicts_last_success_timestamp_seconds": max(done, default=0),
        "verdicts_last_published_timestamp_seconds": max(published, default=0),
        "verdicts_disk_free_bytes": disk.free,
        "verdicts_disk_size_bytes": disk.total,
    }
    for name, value in single.items():
        gauges[name].set(value)
    write_to_textfile(str(path), registry)


def _by_host(endings: tuple[Ending, ...]) -> Mapping[tuple[str, str], int]:
    sizes: Counter[str] = Counter()
    for ending in endings:
        sizes[ending.host] += ending.addresses
    named = {host for host, _ in sizes.most_common(HOSTS_MAX)}
    counts: Counter[tuple[str, str]] = Counter()
    for ending in endings:
        counts[ending.host if ending.host in named else "other", ending.ending] += ending.addresses
    return counts
