"""The numbers of a night's record, in a file for the textfile collector of Prometheus' node_exporter.

`metrics.prom.jinja` has every metric with its meaning.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from verdicts.pipeline.nights.record import STATES, NightRecord
from verdicts.warehouse.storage.durable import replace_text


def write_metrics(path: Path, nights: Sequence[NightRecord]) -> None:
    """Replaces the file. `nights`: newest first. Raises `OSError`."""
    environment = Environment(
        loader=PackageLoader("verdicts.pipeline", "nights"),
        autoescape=False,  # noqa: S701  no HTML
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"end": _find_end, "label": _escape_label}
    values = {"night": nights[0], "nights": nights, "states": STATES}
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, environment.get_template("metrics.prom.jinja").render(values))


def _escape_label(words: str) -> str:
    return words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _find_end(nights: Iterable[NightRecord]) -> float:
    """When the last of them ended; 0 for none."""
    return max(((night.ended_at or night.began_at).timestamp() for night in nights), default=0)
