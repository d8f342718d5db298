"""`/nights`: what each run asked for and how it ended, what the gates measured, and how full columns are."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from verdicts.explore.figures.sparkline import sparkline_of
from verdicts.explore.figures.stacked import stacked_of
from verdicts.explore.pages.visit import View, Visit

NIGHTS = 30
HOSTS = 20

LOADS = 8
"""Loads over which the drift of columns is shown; a load has some sixty."""

COLUMNS, MEASURES = 20, 40
"""Columns, those that drifted most, and tests of the gates, those that did not pass first, that are shown."""


def page(visit: Visit) -> View:
    nights = visit.ask("outcomes_by_night", nights=NIGHTS)
    hosts = visit.ask("hosts_by_night", nights=NIGHTS, limit=HOSTS)
    gates = visit.ask("gates_by_night", nights=NIGHTS)
    fills = visit.ask("fill_rates_by_load", loads=LOADS)
    drifts = _drifts(fills.rows)
    return View(
        "nights",
        {
            "nights": nights,
            "stacked": stacked_of(nights.rows),
            "hosts": hosts,
            "sparklines": [sparkline_of(row["answered_by_night"]) for row in hosts.rows],
            "failures": visit.ask("failures_by_host", nights=NIGHTS, limit=HOSTS),
            "coverage": visit.ask("coverage_by_host"),
            "gates": gates,
            "measures": _newest_measures(gates.rows)[:MEASURES],
            "fills": fills,
            "drifts": drifts,
            "drift_lines": [sparkline_of([row["filled_pct"] for row in drift], "loads") for drift in drifts],
            "hosts_shown": HOSTS,
            "back": NIGHTS,
            "loads_back": LOADS,
        },
    )


def _newest_measures(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of the newest night that has some, what did not pass first."""
    newest = [row for row in rows if row["crawl_id"] == rows[0]["crawl_id"]]
    return sorted(newest, key=lambda row: row["state"] == "passed")


def _drifts(rows: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The fill rates of a column from the oldest load to the newest.

    First the columns that changed most, of those that did alike the emptiest.
    """
    found = defaultdict(list)
    for row in reversed(rows):
        if row["filled_pct"] is not None:
            found[row["relation"], row["column_name"]].append(row)
    return sorted(found.values(), key=_rank)[:COLUMNS]


def _rank(loads: Sequence[dict[str, Any]]) -> tuple[float, float]:
    was, now = loads[0]["filled_pct"], loads[-1]["filled_pct"]
    return -abs(now - was), now
