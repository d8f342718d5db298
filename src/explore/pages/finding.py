"""`/search`: tools and takes by words; `/id/PREFIX`: whatever has an id that begins so."""

from verdicts.explore.asking import Asked
from verdicts.explore.pages.visit import Elsewhere, NotThere, View, Visit

PAGES = {"take": "/takes/", "tool": "/tools/", "page": "/pages/"}
"""Kind of record to where it is shown."""

TOOLS, TAKES = 10, 30
"""Tools and takes that are found, at most."""


def search(visit: Visit) -> View:
    words = visit.values.get("words")
    found = {}
    if words is not None:
        found = {
            "tools": visit.ask("search_tools", words=words, limit=TOOLS),
            "takes": visit.ask("search_takes", words=words, limit=TAKES),
        }
    return View("search", {"words": words, "found": found})


def by_id(visit: Visit) -> View | Elsewhere:
    prefix = visit.path["prefix"]
    found = _beginning(visit, prefix)
    if len(found.rows) == 1:
        return Elsewhere(PAGES[found.rows[0]["kind"]] + found.rows[0]["id"])
    return View("ids", {"found": found, "prefix": prefix, "pages": PAGES}, status=300)


def full_id(visit: Visit, kind: str, prefix: str) -> str:
    """The one id of this kind that begins so. Raises NotThere."""
    ids = [row["id"] for row in _beginning(visit, prefix).rows if row["kind"] == kind]
    if len(ids) != 1:
        raise NotThere(f"{'Several ids begin' if ids else f'No {kind} has an id that begins'} {prefix}.")
    return str(ids[0])


def _beginning(visit: Visit, prefix: str) -> Asked:
    found = visit.ask("ids_beginning", id=prefix.lower())
    if not found.rows:
        raise NotThere(f"No take, tool or page has an id that begins {prefix}.")
    return found
