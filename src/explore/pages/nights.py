"""`/nights`: what each run asked for and how it ended."""

from explore.figures.sparkline import sparkline_of
from explore.figures.stacked import stacked_of
from explore.pages.visit import View, Visit

NIGHTS = 30
HOSTS = 20


def page(visit: Visit) -> View:
    nights = visit.ask("outcomes_by_night", nights=NIGHTS)
    hosts = visit.ask("hosts_by_night", nights=NIGHTS, limit=HOSTS)
    return View(
        "nights",
        {
            "nights": nights,
            "stacked": stacked_of(nights.rows),
            "hosts": hosts,
            "sparklines": [sparkline_of(row["answered_by_night"]) for row in hosts.rows],
            "failures": visit.ask("failures_by_host", nights=NIGHTS, limit=HOSTS),
            "coverage": visit.ask("coverage_by_host"),
            "hosts_shown": HOSTS,
            "back": NIGHTS,
        },
    )
