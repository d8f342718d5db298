"""`/tools`: the tools, to be filtered and sorted; `/tools/TOOL`: one of them."""

from verdicts.explore.figures.strip import strip_axis, strip_of
from verdicts.explore.pages.visit import Elsewhere, NotThere, View, Visit, address, page_number
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
"""What `list_tools` sorts by, and the column that says so."""

FILTERS = ("words", "category", "verdict", "entry")

KNOWN = {
    "observed": "a page labels it with this tool",
    "matched": "the same words are labelled with this tool on another page",
    "intersected": "this is the only tool on all the pages that show it",
    "excluded": "the other tool of the page has its own take in this place",
    "ordered": "the order on the page is all that tells",
}
"""How it is known whose a take is, in words."""


def index(visit: Visit) -> View:
    number = page_number(visit)
    chosen = {name: visit.values.get(name) for name in FILTERS}
    sort = visit.values.get("sort", "mean")
    if sort not in SORTS:
        raise QuestionFailed(f"tools are not sorted by {sort}, but by {', '.join(SORTS)}")
    tools = visit.ask("list_tools", **chosen, sort=sort, limit=TOOLS_A_PAGE, offset=(number - 1) * TOOLS_A_PAGE)
    found = tools.rows[0]["tools_found"] if tools.rows else 0
    axis = strip_axis([row["scores"] or [] for row in tools.rows])
    return View(
        "tools",
        {
            "tools": tools,
            "strips": [strip_of(axis, row["seats"], row["scores"]) if row["scores"] else None for row in tools.rows],
            "axis": axis,
            "categories": visit.ask("categories"),
            "chosen": chosen,
            "sort": sort,
            "sorts": {name: (title, address("/tools", chosen | {"sort": name})) for name, title in SORTS.items()},
            "found": found,
            "before": _page_at(visit, number - 1) if number > 1 else None,
            "after": _page_at(visit, number + 1) if number * TOOLS_A_PAGE < found else None,
            "first": (number - 1) * TOOLS_A_PAGE + 1,
        },
    )


def _page_at(visit: Visit, number: int) -> str:
    return address("/tools", {**visit.values, "page": str(number) if number > 1 else None})


def page(visit: Visit) -> View | Elsewhere:
    """By its id, the beginning of one, a slug or a name; the candidates where these are several tools."""
    wanted = visit.path["tool"]
    called = visit.ask("find_tool", tool=wanted)
    if not called.rows:
        raise NotThere(f"No tool has the id, slug or name {wanted}.")
    is_near = called.rows[0]["how"] == "near"
    if is_near or len(called.rows) > 1:
        candidates = {"called": called, "wanted": wanted, "is_near": is_near}
        return View("candidates", candidates, status=404 if is_near else 300)
    tool = called.rows[0]["tool_id"]
    if tool != wanted:
        return Elsewhere(f"/tools/{tool}")
    return View(
        "tool",
        {
            "card": visit.ask("tool_card", tool=tool),
            "takes": visit.ask("tool_takes", tool=tool),
            "prices": visit.ask("tool_prices", tool=tool),
            "prices_before": visit.ask("tool_price_history", tool=tool),
            "changes": visit.ask("tool_changes", tool=tool),
            "opponents": visit.ask("tool_opponents", tool=tool),
            "namesakes": visit.ask("tool_namesakes", tool=tool),
            "known": KNOWN,
        },
    )
