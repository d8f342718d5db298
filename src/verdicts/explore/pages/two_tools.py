"""Two tools side by side: those of a panel's page, or any two that a reader picks."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any, TypeAlias

from verdicts.explore.figures.scores import draw_dumbbell
from verdicts.explore.visit import NotThere, QuestionAnswer, View, Visit, address
from verdicts.warehouse.serving.name_lookup import NAME_ALONE, NEAR, find_name_key
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

SIDES = ("one", "other")

PANEL_PAGE = {
    "card": "page_card",
    "pairs": "page_reviewers",
    "reviews": "page_reviews",
    "corrections": "record_corrections",
    "discrepancies": "newest_doubts",
}
OF_TOOL = {
    "card": "tool_card",
    "reviews": "tool_reviews",
    "prices": "tool_prices",
    "opponents": "tool_opponents?limit=1000",
}
OF_NAME = {"names": "names_mentioned?limit=1"}
CHOICE = {
    "tools": "list_tools?sort=pages&limit=300",
    "names": "list_mentioned?limit=300",
    "pages": "list_pages?kind=panel&sort=panel&limit=12",
    "others": "list_pages?kind=versus&limit=12",
}
COMPARED = {
    "said": "compare_tools?limit=400",
    **{f"{side}_{part}": question for side in SIDES for part, question in (OF_TOOL | OF_NAME).items()},
    **CHOICE,
}
"""The parts of each page."""

OF_SIDE = (
    *("tool_id", "name", "name_key", "slug", "is_shared_name", "panel_verdict", "panel_ship_pct", "ship_votes"),
    *("skip_votes", "mean_score", "scored_reviews", "community_pct", "pricing", "entry", "category", "tagline"),
)
"""What is shown of a tool beside another one; None where it is not known."""

Row: TypeAlias = dict[str, Any]


def find_meant(visit: Visit, words: str) -> str | QuestionAnswer:
    """The id of the one tool that is meant, `name:` with its key on pages, or the tools that it may be.

    Raises NotThere.
    """
    name = words.removeprefix(NAME_ALONE)
    called = visit.ask("find_tool", tool=name)
    is_near = not called.rows or called.rows[0]["how"] == NEAR
    if (is_near or name != words) and (key := find_name_key(visit.copy.connection, name)) is not None:
        return f"{NAME_ALONE}{key}"
    if not called.rows:
        raise NotThere(f"No tool has the id, slug or name {name}.")
    if is_near and visit.is_json:
        names = " or ".join(row["name"] for row in called.rows)
        raise NotThere(f"No tool has the id, slug or name {name}; did you mean {names}?")
    return called if is_near or len(called.rows) > 1 else str(called.rows[0]["tool_id"])


def show_candidates(called: QuestionAnswer, wanted: str, leads_to: str) -> View:
    """Lists the tools that `wanted` may be. Each id completes the address `leads_to`."""
    is_near = called.rows[0]["how"] == NEAR
    values = {"called": called, "wanted": wanted, "is_near": is_near, "leads_to": leads_to}
    return View("candidates", 404 if is_near else 300, **values)


def compare(visit: Visit) -> View:
    """`/compare?one=&other=`: any two tools, whether a page compares them or not. Without them a form and pages."""
    given = {side: visit.values[side] for side in SIDES if side in visit.values}
    if len(given) < len(SIDES):
        return View("compare", **visit.parts(CHOICE), **{side: given.get(side) for side in SIDES})
    meant: dict[str, str] = {}
    for side, opposite in zip(SIDES, reversed(SIDES), strict=True):
        candidate = find_meant(visit, given[side])
        if isinstance(candidate, QuestionAnswer):
            return show_candidates(candidate, given[side], address("/compare", {opposite: given[opposite], side: ""}))
        meant[side] = candidate
    if meant["one"] == meant["other"]:
        raise QuestionFailed(f"{given['one']} and {given['other']} are the same tool; choose two")
    answers: dict[str, QuestionAnswer] = {}
    for side, key in meant.items():
        parts = OF_NAME if key.startswith(NAME_ALONE) else OF_TOOL
        of_side = visit.parts(parts, tool=key, mentioned=key)
        answers |= {f"{side}_{part}": answer for part, answer in of_side.items()}
    sides = [_side(answers, side, key) for side, key in meant.items()]
    said = visit.parts({"said": COMPARED["said"]}, **meant)["said"]
    rows = {part: answer.rows for part, answer in answers.items()}
    reviewers = pair_reviews(rows.get("one_reviews", []), rows.get("other_reviews", []))
    met = [row for row in rows.get("one_opponents", []) if row["tool_id"] == sides[1]["tool_id"]]
    return View(
        "comparison",
        **answers,
        said=said,
        page=None,
        sides=sides,
        reviewers=reviewers,
        dumbbell=_dumbbell(_scores(reviewers)),
        met=met,
        sources=[*answers.values(), said],
    )


def _side(answers: dict[str, QuestionAnswer], side: str, key: str) -> Row:
    """A tool as `page_card` shows it; one that only pages mention has a name alone."""
    if key.startswith(NAME_ALONE):
        name_key = key.removeprefix(NAME_ALONE)
        named = answers[f"{side}_names"].first
        row = {"name": named["name"] if named else name_key, "name_key": name_key}
    else:
        pricing = " / ".join(tier["raw"] for tier in answers[f"{side}_prices"].rows)
        row = {**answers[f"{side}_card"].rows[0], "pricing": pricing or None}
    return {name: row.get(name) for name in OF_SIDE}


def panel_page(visit: Visit, page_id: str, why: Row | None) -> View:
    """`/pages/PAGE` of a panel: its two tools, with `why` it was fetched."""
    answers = visit.parts(PANEL_PAGE, page=page_id)
    first, second = ([row for row in answers["reviews"].rows if row["side"] == side] for side in "ab")
    return View(
        "comparison",
        **answers,
        page=answers["card"].rows[0],
        sides=[{name: row.get(name) for name in OF_SIDE} for row in answers["card"].rows if row["side"]],
        reviewers=pair_reviews(first, second),
        dumbbell=_dumbbell(answers["pairs"].rows),
        sources=[answers[part] for part in ("card", "pairs", "reviews")],
        why=why,
    )


def pair_reviews(first: Sequence[Row], second: Sequence[Row]) -> list[tuple[str | None, list[Row], list[Row]]]:
    """Each reviewer of either tool with its reviews of both; unknown reviewers come last."""
    names = sorted({row["reviewer"] for row in (*first, *second)}, key=lambda name: (name is None, name))
    return [(name, *([row for row in rows if row["reviewer"] == name] for rows in (first, second))) for name in names]


def _scores(reviewers: Sequence[tuple[str | None, list[Row], list[Row]]]) -> list[Row]:
    """The mean score of each known reviewer for both tools, as in the answer of `page_reviewers`."""
    means = []
    for reviewer, *both in reviewers:
        scores_by_side = [[row["score"] for row in rows if row["score"] is not None] for rows in both]
        if reviewer is not None and any(scores_by_side):
            score_a, score_b = (fmean(scores) if scores else None for scores in scores_by_side)
            means.append({"reviewer": reviewer, "score_a": score_a, "score_b": score_b})
    return means


def _dumbbell(rows: Sequence[Row]) -> object:
    return draw_dumbbell(rows) if rows else None
