"""Pages over the whole corpus: what panels say, seats, prices, changes, nights, doubts."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from verdicts.explore.figures.answers import drawn
from verdicts.explore.figures.matches import matrix_of
from verdicts.explore.figures.prices import ladders_of, price_axis
from verdicts.explore.figures.scores import TONES, heatmap_of, histogram_of
from verdicts.explore.figures.series import failures_of, outcomes_of, sparkline_of
from verdicts.explore.pages.records import KNOWN
from verdicts.explore.visit import View, Visit
from verdicts.pipeline.corrections import read_corrections
from verdicts.pipeline.data_folder import DataFolder
from verdicts.reading.doubts import Doubt, settled_by, unsettled

DOUBTS_SHOWN = 20
"""The most doubts with their decisions; `verdicts doubts` has all."""

HOME_ROWS = 8
"""Rows of each table of the first page; the pages behind them have the rest."""

COMPARED = 60
"""Tools with the most matches; of these, the ones that met each other are shown."""

SEATS_MAX = 12
"""The most seats side by side, those with the most takes; the site has six."""

WORDS, TAKES_MAX = 12, 5_000
"""The number of words, and the most takes whose words are counted without a category: 100,000 take 5 s."""

CATEGORIES_MAX = 30
"""The most categories of prices, those with the most tools: with 20 marks each the page stays below 100 kB."""

DOTS_MAX = 20
"""The most prices of a category as single dots."""

CHEAPEST, POINTS_MAX = 15, 200
"""The cheapest tools, and the most tools as points of price and score."""

CHANGES, DOUBTS = 50, 30
"""The newest rows of each table of changes and doubts; the CSV has all."""

NIGHTS, HOSTS, LOADS = 30, 20, 8
"""Nights, hosts, and loads that show the drift of columns; a load has some sixty columns."""

COLUMNS, MEASURES = 20, 40
"""The columns with most drift, and the tests of the gates."""

QUIET = {"passed": "passed", "unjudged": "have nothing to compare with yet"}
"""States of a test that nobody needs to look at, and what their number says."""


def home(visit: Visit) -> View:
    """`/`: the panels' verdicts."""
    seats = visit.ask("score_histogram")
    matches = visit.ask("matches_between", tools=COMPARED)
    return View(
        "home",
        matches=matches,
        matrix=matrix_of(matches.rows),
        corpus=visit.ask("corpus_counts"),
        top=visit.ask("top_tools", limit=HOME_ROWS),
        contested=visit.ask("contested", limit=HOME_ROWS),
        turned=visit.ask("changed_verdicts", limit=HOME_ROWS),
        seats=seats,
        histogram=histogram_of(seats.rows),
    )


def seats(visit: Visit) -> View:
    """`/seats`: how each seat scores, which seats disagree, and the words of takes that say skip."""
    category = visit.values.get("category")
    leanings = visit.ask("seat_leanings", limit=SEATS_MAX)
    bins = visit.ask("score_histogram", category=category)
    pairs = visit.ask("seats_that_disagree", category=category)
    complaints = None
    if category or visit.ask("corpus_counts").rows[0]["takes"] <= TAKES_MAX:
        complaints = visit.ask("complaints", category=category, limit=WORDS)
    shown = [row["seat"] for row in leanings.rows]
    return View(
        "seats",
        category=category,
        categories=visit.ask("category_summary"),
        bins=bins,
        histogram=histogram_of([row for row in bins.rows if row["seat"] in shown]),
        pairs=pairs,
        heatmap=heatmap_of(shown, pairs.rows),
        tones=[(tone, *ends) for tone, ends in enumerate(pairwise((None, *map(int, TONES), None)))],
        leanings=leanings,
        complaints=complaints,
    )


def prices(visit: Visit) -> View:
    """`/prices?category=`: the monthly prices of each category, the cheapest tools, prices and scores."""
    category = visit.values.get("category")
    cheapest = visit.ask("cheapest_tools", category=category, limit=CHEAPEST)
    scored = visit.ask("price_and_score", category=category, limit=POINTS_MAX)
    dots = visit.ask("price_dots", dots=DOTS_MAX, categories=CATEGORIES_MAX)
    return View(
        "prices",
        prices=visit.ask("category_prices", limit=CATEGORIES_MAX),
        dots=dots,
        ladders=ladders_of(dots.rows),
        axis=price_axis(),
        most=CATEGORIES_MAX,
        category=category,
        categories=visit.ask("category_summary"),
        cheapest=cheapest,
        cheapest_most=CHEAPEST,
        scored=scored,
        points=drawn(scored.query.picture, scored.rows),
    )


def changes(visit: Visit) -> View:
    """`/changes?since=`: turned verdicts, moved prices, new and lost tools."""
    since = visit.values.get("since")
    tables = {
        "verdicts": "changed_verdicts",
        "prices": "changed_prices",
        "arrived": "new_tools",
        "vanished": "tools_that_vanished",
    }
    asked = {table: visit.ask(question, since=since, limit=CHANGES) for table, question in tables.items()}
    return View("changes", since=since, most=CHANGES, **asked)


def open_doubts(visit: Visit) -> list[Doubt]:
    """The open doubts that affect most rows. Raises `ConfigError` for a broken correction."""
    settled = settled_by(read_corrections(DataFolder(visit.raw.parent)))
    return unsettled(visit.ask("doubts_to_settle", limit=DOUBTS_SHOWN + len(settled)).rows, settled)[:DOUBTS_SHOWN]


def doubts(visit: Visit) -> View:
    """`/doubts`: takes with little evidence, takes that may be one, contradictions, and unreadable pages."""
    rule = visit.values.get("rule")
    return View(
        "doubts",
        doubts=open_doubts(visit),
        token=visit.token,
        rule=rule,
        rejected=visit.ask("doubts_by_rule", kind="reject"),
        contradictions=visit.ask("doubts_by_rule", kind="discrepancy"),
        newest=visit.ask("newest_doubts", rule=rule, limit=DOUBTS),
        weak=visit.ask("weakly_attributed", limit=DOUBTS),
        alike=visit.ask("takes_that_look_alike", limit=DOUBTS),
        most=DOUBTS,
        known=KNOWN,
    )


def nights(visit: Visit) -> View:
    """`/nights`: the outcomes of each run, the gates' measures, and how full columns are."""
    runs = visit.ask("outcomes_by_night", nights=NIGHTS)
    hosts = visit.ask("hosts_by_night", nights=NIGHTS, limit=HOSTS)
    gates = visit.ask("gates_by_night", nights=NIGHTS)
    measures = [row for row in gates.rows if row["crawl_id"] == gates.rows[0]["crawl_id"]]
    states = Counter(row["state"] for row in measures)
    fills = visit.ask("fill_rates_by_load", loads=LOADS)
    drifts = _drifts(fills.rows)
    return View(
        "nights",
        nights=runs,
        outcomes=outcomes_of(runs.rows),
        failed=failures_of(runs.rows),
        hosts=hosts,
        sparkline_of=sparkline_of,
        failures=visit.ask("failures_by_host", nights=NIGHTS, limit=HOSTS),
        coverage=visit.ask("coverage_by_host"),
        gates=gates,
        unusual=[row for row in measures if row["state"] not in QUIET][:MEASURES],
        quiet=[row for row in measures if row["state"] in QUIET][:MEASURES],
        quiet_states=", ".join(f"{states[state]:,} {says}" for state, says in QUIET.items() if states[state]),
        fills=fills,
        moved=[drift for drift in drifts if _change(drift)],
        still=[drift for drift in drifts if not _change(drift)],
        hosts_shown=HOSTS,
        back=NIGHTS,
        loads_back=LOADS,
    )


def _drifts(rows: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The fill rates of each column from the oldest load to the newest.

    Columns with the largest change come first, the emptiest of equal ones.
    """
    found = defaultdict(list)
    for row in reversed(rows):
        if row["filled_pct"] is not None:
            found[row["relation"], row["column_name"]].append(row)
    return sorted(found.values(), key=_rank)[:COLUMNS]


def _rank(loads: Sequence[dict[str, Any]]) -> tuple[float, float]:
    return -_change(loads), loads[-1]["filled_pct"]


def _change(loads: Sequence[dict[str, Any]]) -> float:
    change: float = abs(loads[-1]["filled_pct"] - loads[0]["filled_pct"])
    return change
