"""The numbers of a night's record, in a file for the textfile collector of Prometheus' node_exporter.

`metrics.prom.jinja` has every metric with its meaning.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from verdicts.pipeline.nights.record import STATES, NightRecord
from verdicts.warehouse.storage.durable import replace_text

HOSTS_MAX = 100
"""Hosts with their own numbers, the largest ones. Every label is a time series, so the others are summed as `other`."""


def write_metrics(path: Path, nights: Sequence[NightRecord]) -> None:
    """Replaces the file. `nights`: newest first. Raises `OSError`."""
    made = Environment(
        loader=PackageLoader("verdicts.pipeline", "nights"),
        autoescape=False,  # noqa: S701  no HTML
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"end": _find_end, "label": _escape_label}
    endings = sorted(_count_endings(nights[0]).items())
    values = {"night": nights[0], "nights": nights, "endings": endings, "states": STATES}
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, made.get_template("metrics.prom.jinja").render(values))


def _escape_label(words: str) -> str:
    return words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _find_end(nights: Iterable[NightRecord]) -> float:
    """When the last of them ended; 0 for none."""
    return max(((night.ended_at or night.began_at).timestamp() for night in nights), default=0)


def _count_endings(record: NightRecord) -> Counter[tuple[str, str]]:
    hosts = () if record.crawl is None else record.crawl.hosts
    sizes = Counter({host.host: sum(host.endings.values()) for host in hosts})
    largest = {host for host, _ in sizes.most_common(HOSTS_MAX)}
    counts: Counter[tuple[str, str]] = Counter()
    for host in hosts:
        for ending, addresses in host.endings.items():
            counts[host.host if host.host in largest else "other", ending] += addresses
    return counts
