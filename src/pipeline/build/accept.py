"""A person accepts what the gates hold: from then on the run's readings are what later ones are compared with."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from corpus.enumerations import GATE_MEASURES
from corpus.rows.gates import GateAcceptRow, GateMeasureRow
from corpus.unicode_text import escaped
from fetch.care.gate_log import gate_measures, note_accepts, note_measures
from fetch.store.store import Store
from pipeline.build.gates import in_force
from pipeline.errors import ConfigError


def accept(store: Store, host: str, measure: str | None, *, by: str, why: str, at: datetime) -> list[GateAcceptRow]:
    """Accepts all that is held of a host, or one measure of it, and says what was.

    Raises `ConfigError` where no such thing is held.
    """
    rows = gate_measures(store.state)
    held = [row for row in in_force(rows) if row.state == "held"]
    chosen = {row.measure for row in held if row.host == host and measure in {None, row.measure}}
    if not chosen:
        raise ConfigError(_nothing(host, measure, held))
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
