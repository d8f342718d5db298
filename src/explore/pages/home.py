"""`/`: what the panels say."""

from explore.pages.visit import View, Visit


def page(visit: Visit) -> View:
    return View("home", {"corpus": visit.ask("corpus_counts")})
