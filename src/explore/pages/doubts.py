"""`/doubts`: what could not be read, what contradicts, and which takes rest on little."""

from verdicts.explore.pages.visit import View, Visit

ROWS = 30
"""Rows of each list; the questions behind them have the rest."""


def page(visit: Visit) -> View:
    rule = visit.values.get("rule")
    return View(
        "doubts",
        {
            "rule": rule,
            "rejected": visit.ask("rejected"),
            "contradictions": visit.ask("contradictions"),
            "newest": visit.ask("newest_doubts", rule=rule, limit=ROWS),
            "weak": visit.ask("weakly_attributed", limit=ROWS),
            "alike": visit.ask("takes_that_look_alike", limit=ROWS),
            "most": ROWS,
        },
    )
