"""`/changes?since=`: verdicts that turned, prices that moved, tools that came and went."""

from verdicts.explore.pages.visit import View, Visit

ROWS = 50
"""Rows of each table, the newest; the CSV has all."""


def page(visit: Visit) -> View:
    since = visit.values.get("since")
    return View(
        "changes",
        {
            "since": since,
            "verdicts": visit.ask("changed_verdicts", since=since, limit=ROWS),
            "prices": visit.ask("changed_prices", since=since, limit=ROWS),
            "arrived": visit.ask("new_tools", since=since, limit=ROWS),
            "vanished": visit.ask("tools_that_vanished", since=since, limit=ROWS),
            "most": ROWS,
        },
    )
