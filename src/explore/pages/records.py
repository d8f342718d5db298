"""Pages of one record, or of search results: tools, takes, comparisons."""

from collections.abc import Callable, Hashable
from typing import Any

from starlette.responses import RedirectResponse

from verdicts.explore.figures.scores import dumbbell_of, strip_axis, strip_of
from verdicts.explore.figures.series import history_of
from verdicts.explore.visit import Asked, NotThere, View, Visit, address, page_number
from verdicts.fetch.model.errors import StorageFailed
from verdicts.reading.story import Place, source_words
from verdicts.warehouse.serving.query import WHOLE_ID
from verdicts.warehouse.storage.errors import QuestionFailed

TOOLS_A_PAGE = 50

SORTS = {
    "name": "Tool",
    "panel": "Panel %",
    "mean": "Mean",
    "spread": "Seats",
    "takes": "Takes",
    "pages": "Pages",
}
"""Sort orders of `list_tools`, each with its column."""

FILTERS = ("words", "category", "verdict", "entry")

KNOWN = {
    "corrected": "a person says so",
    "observed": "a page labels it with this tool",
    "matched": "the same words are labelled with this tool on another page",
    "intersected": "this is the only tool on all the pages that show it",
    "excluded": "the other tool of the page has its own take in this place",
    "ordered": "only the order on the page shows it",
}
"""How the tool of a take is known, in words."""

PLACES = 10
"""The most places of a take with source words: each is read from the raw store."""

PAGES = {"take": "/takes/", "tool": "/tools/", "page": "/pages/"}
"""The path of each kind of record."""

TOOLS_FOUND, TAKES_FOUND = 10, 30
"""The most tools and takes of a search."""


def tools(visit: Visit) -> View:
    """`/tools`: the tools, with filters and sorting."""
    number = page_number(visit)
    chosen = {name: visit.values.get(name) for name in FILTERS}
    sort = visit.values.get("sort", "mean")
    if sort not in SORTS:
        raise QuestionFailed(f"tools are not sorted by {sort}, but by {', '.join(SORTS)}")
    listed = visit.ask("list_tools", **chosen, sort=sort, limit=TOOLS_A_PAGE, offset=(number - 1) * TOOLS_A_PAGE)
    found = listed.rows[0]["tools_found"] if listed.rows else 0
    axis = strip_axis([row["scores"] or [] for row in listed.rows])
    return View(
        "tools",
        tools=listed,
        strips=[strip_of(axis, row["seats"], row["scores"]) if row["scores"] else None for row in listed.rows],
        axis=axis,
        categories=visit.ask("categories"),
        chosen=chosen,
        sort=sort,
        sorts={name: (title, address("/tools", chosen | {"sort": name})) for name, title in SORTS.items()},
        found=found,
        before=_page_at(visit, number - 1) if number > 1 else None,
        after=_page_at(visit, number + 1) if number * TOOLS_A_PAGE < found else None,
        first=(number - 1) * TOOLS_A_PAGE + 1,
    )


def _page_at(visit: Visit, number: int) -> str:
    return address("/tools", {**visit.values, "page": str(number) if number > 1 else None})


def tool(visit: Visit) -> View | RedirectResponse:
    """`/tools/TOOL`, by its id, the beginning of one, a slug or a name; several candidates are listed."""
    wanted = visit.path["tool"]
    called = visit.ask("find_tool", tool=wanted)
    if not called.rows:
        raise NotThere(f"No tool has the id, slug or name {wanted}.")
    is_near = called.rows[0]["how"] == "near"
    if is_near or len(called.rows) > 1:
        return View("candidates", 404 if is_near else 300, called=called, wanted=wanted, is_near=is_near)
    tool_id = called.rows[0]["tool_id"]
    if tool_id != wanted:
        return RedirectResponse(f"/tools/{tool_id}", 302)
    card, over_time = visit.ask("tool_card", tool=tool_id), visit.ask("tool_over_time", tool=tool_id)
    return View(
        "tool",
        card=card,
        over_time=over_time,
        history=history_of(over_time.rows, card.rows[0]["last_seen_at"]),
        takes=visit.ask("tool_takes", tool=tool_id),
        prices=visit.ask("tool_prices", tool=tool_id),
        prices_before=visit.ask("tool_price_history", tool=tool_id),
        changes=visit.ask("tool_changes", tool=tool_id),
        opponents=visit.ask("tool_opponents", tool=tool_id),
        namesakes=visit.ask("tool_namesakes", tool=tool_id),
        corrections=visit.ask("record_corrections", tool=tool_id),
        known=KNOWN,
    )


def take(visit: Visit) -> View | RedirectResponse:
    """`/takes/TAKE`: a take, why it belongs to its tool, where it appears, and its source words."""
    wanted = visit.path["take"]
    card = visit.ask("take_card", take=wanted)
    if card.first is None:
        return RedirectResponse(f"/takes/{_full_id(visit, 'take', wanted)}", 302)
    review_id = card.first["review_id"]
    evidence = visit.ask("take_evidence", take=review_id)
    appearances = visit.ask("take_appearances", take=review_id, limit=PLACES)
    return View(
        "take",
        card=card,
        evidence=evidence,
        reasons=_gathered(evidence.rows, lambda row: (row["kind"], row["weight"], row["detail"])),
        doubts=visit.ask("take_doubts", take=review_id),
        corrections=visit.ask("record_corrections", take=review_id),
        appearances=appearances,
        places=_gathered(appearances.rows, lambda row: _source(visit, row, card.rows[0]["text"])),
        titles={row["page_id"]: row["title"] for row in appearances.rows},
        known=KNOWN,
    )


def _gathered(rows: list[dict[str, Any]], key: Callable[[dict[str, Any]], Hashable]) -> list[tuple[Any, Any]]:
    """Rows with one key together, the keys in the order of their first rows."""
    found: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return [*found.items()]


def _source(visit: Visit, row: dict[str, Any], text: str) -> tuple[str | None, str | None]:
    """The words of the blocks that were read, `[…]` where they are the take's `text`; or why they are missing."""
    place = Place(*(row[name] for name in Place.__slots__))
    try:
        words = source_words(visit.raw, place)
    except (StorageFailed, OSError):
        return None, "The record is not as it was written; 'verdicts verify' says more."
    if words is None:
        return None, "The raw store has no such record here."
    return words.replace(text, "[…]"), None


def comparison(visit: Visit) -> View | RedirectResponse:
    """`/pages/PAGE`: two tools side by side, seat by seat. PAGE may be its address or title, too."""
    wanted = visit.path["page"]
    if not WHOLE_ID.fullmatch(wanted):
        called = visit.ask("find_page", page=wanted).rows
        page_id = called[0]["page_id"] if len(called) == 1 else _full_id(visit, "page", wanted)
        return RedirectResponse(f"/pages/{page_id}", 302)
    card = visit.ask("page_card", page=wanted)
    if card.first is None:
        return RedirectResponse(f"/pages/{_full_id(visit, 'page', wanted)}", 302)
    seats = visit.ask("page_seats", page=wanted)
    return View(
        "comparison",
        card=card,
        seats=seats,
        dumbbell=dumbbell_of(seats.rows),
        takes=visit.ask("page_takes", page=wanted),
        corrections=visit.ask("record_corrections", page=wanted),
        discrepancies=visit.ask("page_discrepancies", page=wanted),
    )


def search(visit: Visit) -> View:
    """`/search`: tools and takes by words."""
    words = visit.values.get("words")
    found = {}
    if words is not None:
        found = {
            "tools": visit.ask("search_tools", words=words, limit=TOOLS_FOUND),
            "takes": visit.ask("search_takes", words=words, limit=TAKES_FOUND),
            "words": visit.ask("words_found", words=words),
        }
    spellings = {row["spelling"] for row in found["words"].rows} if found else set()
    return View("search", words=words, found=found, spellings=spellings)


def by_id(visit: Visit) -> View | RedirectResponse:
    """`/id/PREFIX`: the record whose id begins so."""
    prefix = visit.path["prefix"]
    found = _beginning(visit, prefix)
    if len(found.rows) == 1:
        return RedirectResponse(PAGES[found.rows[0]["kind"]] + found.rows[0]["id"], 302)
    return View("ids", 300, found=found, prefix=prefix, pages=PAGES)


def _full_id(visit: Visit, kind: str, prefix: str) -> str:
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
