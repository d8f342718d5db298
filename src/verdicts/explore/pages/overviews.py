"""Pages over the whole corpus: what panels say, reviewers, prices, changes, nights, doubts."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from verdicts.explore.figures.answer_charts import draw_answer
from verdicts.explore.figures.price_charts import draw_ladders, price_axis
from verdicts.explore.figures.scores import draw_histogram
from verdicts.explore.figures.series import draw_outcomes, draw_sparkline
from verdicts.explore.pages.record_pages import EVIDENCE_WORDS
from verdicts.explore.visit import QuestionAnswer, View, Visit
from verdicts.pipeline.correction_files import read_corrections
from verdicts.pipeline.data_folder import DataFolder
from verdicts.reading.doubts import NEAR_TOOLS, Doubt, list_settled, select_open

DOUBTS_SHOWN = 5
"""The most doubts with their decisions; `verdicts doubts` has all."""

TO_DECIDE_BY = {"card": "tool_card", "reviews": "tool_reviews?limit=2"}
"""What is shown of each of two tools that may be one."""

HOME_ROWS = 8
"""Rows of each table of the first page; the pages behind them have the rest."""

CATEGORIES_MAX = 30
"""The most categories of prices, those with the most tools: with 20 marks each the page stays below 100 kB."""

CHEAPEST = 15
"""The cheapest tools."""

CHANGES, DOUBTS = 50, 30
"""The newest rows of each table of changes and doubts; the CSV has all."""

NIGHTS, HOSTS, LOADS = 30, 20, 8
"""Nights, hosts, and loads that show the drift of columns; a load has some sixty columns."""

COLUMNS, MEASURES = 20, 40
"""The columns with most drift, and the tests of the gates."""

QUIET = {"passed": "passed", "unjudged": "have nothing to compare with yet"}
"""States of a test that nobody needs to look at, and what their number says."""


NEWS = 5
"""The most lines of a kind of news on the first page."""

HOME = {
    "corpus": "corpus_counts",
    "nights": "outcomes_by_night?nights=2",
    "top": f"top_tools?limit={HOME_ROWS}",
    "contested": f"contested?limit={HOME_ROWS}",
    "others": f"pages_of_other_sites?limit={HOME_ROWS}",
    "mentioned": f"list_mentioned?panel=not+reviewed&limit={HOME_ROWS}",
}
REVIEWERS = {
    "categories": "category_summary",
    "bins": "score_histogram",
    "pairs": "reviewers_that_disagree",
    "leanings": "reviewer_leanings?limit=12",
}
PRICES = {
    "prices": f"category_prices?limit={CATEGORIES_MAX}",
    "dots": f"price_dots?dots=20&categories={CATEGORIES_MAX}",
    "categories": "category_summary",
}
OF_CATEGORY = {
    "cheapest": f"cheapest_tools?limit={CHEAPEST}",
    "scored": "price_and_score?limit=200",
}
CHANGED = {
    "verdicts": f"changed_verdicts?limit={CHANGES}",
    "reviews": f"changed_reviews?limit={CHANGES}",
    "prices": f"changed_prices?limit={CHANGES}",
    "arrived": f"new_tools?limit={CHANGES}",
    "vanished": f"tools_that_vanished?limit={CHANGES}",
    "newest": f"list_pages?limit={CHANGES}",
}
SINCE_LAST_NIGHT = {part: f"{question.partition('?')[0]}?limit={NEWS}" for part, question in CHANGED.items()}
ON_HOME = HOME | SINCE_LAST_NIGHT
NIGHT = {
    "nights": f"outcomes_by_night?nights={NIGHTS}",
    "hosts": f"hosts_by_night?nights={NIGHTS}&limit={HOSTS}",
    "failures": f"failures_by_host?nights={NIGHTS}&limit={HOSTS}",
    "gates": f"gates_by_night?nights={NIGHTS}",
    "fills": f"fill_rates_by_load?loads={LOADS}",
    "coverage": "coverage_by_host",
}
DOUBTFUL = {
    "weak": f"weakly_attributed?limit={DOUBTS}",
    "alike": f"reviews_that_look_alike?limit={DOUBTS}",
    "contradictions": "doubts_by_rule?kind=discrepancy",
    "rejected": "doubts_by_rule?kind=reject",
}
NEWEST = {"newest": f"newest_doubts?limit={DOUBTS}"}
"""The parts of each page."""


def home(visit: Visit) -> View:
    """`/`: what the corpus holds, what the newest night changed, the tools with the highest means."""
    answers = visit.parts(HOME)
    nights = answers["nights"].rows
    # The first night changes nothing.
    since = nights[0]["started_at"] if len(nights) > 1 else None
    changed = visit.parts(SINCE_LAST_NIGHT, since=since) if since else {}
    new_pages = changed["newest"].rows if since else []
    has_news = any(answer.rows for answer in changed.values())
    sources = [*answers.values(), *changed.values()]
    news = {"since": since, "has_news": has_news, "new_pages": new_pages, "news": NEWS}
    return View("home", **answers, **changed, **news, sources=sources)


def reviewers(visit: Visit) -> View:
    """`/reviewers`: how each reviewer scores, and which reviewers disagree."""
    category = visit.values.get("category")
    answers = visit.parts(REVIEWERS, category=category)
    names = {row["reviewer"] for row in answers["leanings"].rows}
    histogram = draw_histogram([row for row in answers["bins"].rows if row["reviewer"] in names])
    return View("reviewers", **answers, category=category, histogram=histogram)


def prices(visit: Visit) -> View:
    """`/prices?category=`: the monthly prices of each category, the cheapest tools, prices and scores."""
    category = visit.values.get("category")
    answers = visit.parts(PRICES) | visit.parts(OF_CATEGORY, category=category)
    return View(
        "prices",
        **answers,
        ladders=draw_ladders(answers["dots"].rows),
        axis=price_axis(),
        most=CATEGORIES_MAX,
        category=category,
        cheapest_most=CHEAPEST,
        points=draw_answer(answers["scored"].query.picture, answers["scored"].rows),
    )


def changes(visit: Visit) -> View:
    """`/changes?since=`: changed verdicts, reviews and prices, new and lost tools, new pages."""
    since = visit.values.get("since")
    answers = visit.parts(CHANGED, since=since)
    return View("changes", since=since, most=CHANGES, **answers)


def open_doubts(visit: Visit) -> list[Doubt]:
    """The open doubts that affect most rows. Raises `ConfigError` for a broken correction."""
    settled = list_settled(read_corrections(DataFolder(visit.raw.parent)))
    return select_open(visit.ask("doubts_to_settle", limit=DOUBTS_SHOWN + len(settled)).rows, settled)[:DOUBTS_SHOWN]


def _tools_in(visit: Visit, doubt: Doubt) -> list[dict[str, QuestionAnswer]]:
    """The two tools of a doubt whether they are one."""
    entry = doubt.accept.entry
    ids = [entry["tool"], entry["into"]] if doubt.doubt == NEAR_TOOLS else []
    return [visit.parts(TO_DECIDE_BY, tool=id_) for id_ in ids]


def doubts(visit: Visit) -> View:
    """`/doubts`: reviews with little evidence, reviews that may be one, contradictions, and unreadable pages."""
    rule = visit.values.get("rule")
    return View(
        "doubts",
        doubts=[(doubt, _tools_in(visit, doubt)) for doubt in open_doubts(visit)],
        token=visit.token,
        rule=rule,
        **visit.parts(DOUBTFUL),
        **visit.parts(NEWEST, rule=rule),
        most=DOUBTS,
        known=EVIDENCE_WORDS,
    )


def nights(visit: Visit) -> View:
    """`/nights`: the outcomes of each run, the gates' measures, and how full columns are."""
    answers = visit.parts(NIGHT)
    gates = answers["gates"].rows
    measures = [row for row in gates if row["crawl_id"] == gates[0]["crawl_id"]]
    states = Counter(row["state"] for row in measures)
    drifts = _drifts(answers["fills"].rows)
    return View(
        "nights",
        **answers,
        outcomes=draw_outcomes(answers["nights"].rows),
        draw_sparkline=draw_sparkline,
        unusual=[row for row in measures if row["state"] not in QUIET][:MEASURES],
        quiet=[row for row in measures if row["state"] in QUIET][:MEASURES],
        quiet_states=", ".join(f"{states[state]:,} {says}" for state, says in QUIET.items() if states[state]),
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
    by_column = defaultdict(list)
    for row in reversed(rows):
        if row["filled_pct"] is not None:
            by_column[row["relation"], row["column_name"]].append(row)
    return sorted(by_column.values(), key=_rank)[:COLUMNS]


def _rank(loads: Sequence[dict[str, Any]]) -> tuple[float, float]:
    return -_change(loads), loads[-1]["filled_pct"]


def _change(loads: Sequence[dict[str, Any]]) -> float:
    change: float = abs(loads[-1]["filled_pct"] - loads[0]["filled_pct"])
    return change


def glossary(_: Visit) -> View:
    """`/glossary`: the words of the pages and their meaning."""
    return View("glossary", known=EVIDENCE_WORDS)
