"""Pages of one record, or of search results: tools, reviews, comparisons."""

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import quote

from starlette.responses import RedirectResponse

from verdicts.explore.pages.two_tools import find_meant, panel_page, show_candidates
from verdicts.explore.rendering import is_web
from verdicts.explore.visit import NotThere, QuestionAnswer, View, Visit
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.reading.story import Place, source_words
from verdicts.warehouse.serving.name_lookup import FIND_RECORD, NAME_ALONE, WHOLE_ID, find_name_key, the_page
from verdicts.warehouse.serving.question_answers import names_a_record
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

EVIDENCE_WORDS = {
    "corrected": "a person says so",
    "observed": "a page labels it with this tool",
    "matched": "the same words are labelled with this tool on another page",
    "intersected": "this is the only tool on all the pages that show it",
    "excluded": "the other tool of the page has its own review in this place",
    "ordered": "only the order on the page shows it",
}
"""The evidence for the tool of a review, in words."""

PLACES = 10
"""The most places of a review with source words: each is read from the raw store."""

PAGES = {"review": "/reviews/", "tool": "/tools/", "page": "/pages/", "mentioned": "/mentioned/"}
"""The path of each kind of record."""

ID = re.compile("[0-9a-fA-F]{1,32}")
SLUG = re.compile("[a-z0-9]+(-[a-z0-9]+)+")

TOOL = {
    "card": "tool_card",
    "reviews": "tool_reviews",
    "prices": "tool_prices",
    "prices_before": "tool_price_history",
    "changes": "tool_changes",
    "revised": "changed_reviews",
    "withdrawn": "withdrawn_reviews",
    "opponents": "tool_opponents",
    "namesakes": "tool_namesakes",
    "corrections": "record_corrections",
    "listed": "who_lists",
    "said": "what_sites_say",
}
MENTIONED = {"listed": "who_lists?limit=200", "said": "what_sites_say?limit=500", "names": "names_mentioned"}
REVIEW = {
    "card": "review_card",
    "evidence": "review_evidence",
    "doubts": "review_doubts",
    "changes": "changed_reviews",
    "corrections": "record_corrections",
    "appearances": f"review_appearances?limit={PLACES}",
}
OTHER_PAGE = {
    "overview": "page_overview",
    "mentions": "page_mentions?limit=200",
    "facts": "page_facts?limit=1000",
    "text": "page_text",
}
SEARCH_PARTS = {
    "tools": "search_tools?limit=10",
    "reviews": "search_reviews?limit=30",
    "mentions": "search_mentions?limit=30",
    "words": "words_found",
}
"""The parts of the page of each kind of record, and of a search."""


def tool(visit: Visit) -> View | RedirectResponse:
    """`/tools/TOOL`, by its id, the beginning of one, a slug or a name; several candidates are listed."""
    wanted = visit.path["tool"]
    tool_id = find_meant(visit, wanted)
    if isinstance(tool_id, QuestionAnswer):
        return show_candidates(tool_id, wanted, "/tools/")
    if tool_id.startswith(NAME_ALONE):
        return RedirectResponse(f"/mentioned/{quote(tool_id.removeprefix(NAME_ALONE))}", 302)
    if tool_id != wanted and not visit.is_json:
        return RedirectResponse(f"/tools/{tool_id}", 302)
    return View("tool", **visit.parts(TOOL, tool=tool_id, mentioned=tool_id), known=EVIDENCE_WORDS)


def show_mentioned_tool(visit: Visit) -> View | RedirectResponse:
    """`/mentioned/NAME`: a tool by its name on pages of other sites: who lists it, and what they say of it."""
    wanted = visit.path["name"]
    key = find_name_key(visit.copy.connection, wanted)
    if key is None:
        raise NotThere(f"No page mentions a tool {wanted}.")
    if key != wanted and not visit.is_json:
        return RedirectResponse(f"/mentioned/{quote(key)}", 302)
    return View("mentioned_tool", **visit.parts(MENTIONED, mentioned=f"{NAME_ALONE}{key}"), key=key)


def review(visit: Visit) -> View | RedirectResponse:
    """`/reviews/REVIEW`: a review, why it belongs to its tool, where it appears, and its source words."""
    wanted = visit.path["review"]
    card = visit.ask("review_card", review=wanted)
    if card.first is None:
        return RedirectResponse(f"/reviews/{_full_id(visit, 'review', wanted)}", 302)
    answers = visit.parts(REVIEW, review=card.first["review_id"])
    appearances = answers["appearances"].rows
    return View(
        "review",
        **answers,
        reasons=_group_rows(answers["evidence"].rows, lambda row: (row["kind"], row["weight"], row["detail"])),
        places=_group_rows(appearances, lambda row: _source(visit, row, card.rows[0]["text"])),
        titles={row["page_id"]: row["title"] for row in appearances},
        known=EVIDENCE_WORDS,
    )


def _group_rows(rows: list[dict[str, Any]], key: Callable[[dict[str, Any]], Hashable]) -> list[tuple[Any, Any]]:
    """Rows with one key together, the keys in the order of their first rows."""
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return [*groups.items()]


def _source(visit: Visit, row: dict[str, Any], text: str) -> tuple[str | None, str | None]:
    """The words of the blocks that were read, `[…]` where they are the review's `text`; or why they are missing."""
    place = Place(*(row[name] for name in Place.__slots__))
    try:
        words = source_words(visit.raw, place)
    except (StorageFailed, OSError):
        return None, "The record is not as it was written; 'verdicts verify' says more."
    if words is None:
        return None, "The raw store has no such record here."
    return words.replace(text, "[…]"), None


def page(visit: Visit) -> View | RedirectResponse:
    """`/pages/PAGE`: a panel's two tools side by side, or the tools of another page. PAGE may be address or title."""
    wanted = visit.path["page"]
    if not WHOLE_ID.fullmatch(wanted):
        try:
            return RedirectResponse(f"/pages/{the_page(visit.copy.connection, wanted)}", 302)
        except QuestionFailed as error:
            why = visit.explain(wanted) if is_web(wanted) else None
            if why is None:
                raise NotThere(f"{error}") from error
            sentence = f"{error}".partition("\n")[0].rstrip(":")
            document = {"error": sentence, "why": asdict(why)}
            return View("unread", 404, why=document["why"], sentence=sentence, document=document)
    overview = visit.ask("page_overview", page=wanted).first
    if overview is None:
        return RedirectResponse(f"/pages/{_full_id(visit, 'page', wanted)}", 302)
    why = None if overview["address"] is None else visit.explain(overview["address"])
    if overview["kind"] != "panel":
        answers = visit.parts(OTHER_PAGE, page=wanted)
        table = arrange_table(answers["facts"].rows)
        return View("other_page", **answers, table=table, why=None if why is None else asdict(why))
    return panel_page(visit, wanted, None if why is None else asdict(why))


def arrange_table(facts: Sequence[dict[str, Any]]) -> tuple[list[str], list[tuple[str, list[str | None]]]]:
    """The values of a page as a table: its heads, and each line with its head. The longer axis runs down."""
    values = {(row["attribute"], row["name"]): row["value"] for row in facts if row["name"] is not None}
    attributes, names = (
        [*dict.fromkeys(attribute for attribute, _ in values)],
        [*dict.fromkeys(name for _, name in values)],
    )
    if len(names) > len(attributes):
        return attributes, [(name, [values.get((attribute, name)) for attribute in attributes]) for name in names]
    return names, [(attribute, [values.get((attribute, name)) for name in names]) for attribute in attributes]


def search(visit: Visit) -> View | RedirectResponse:
    """`/search`: tools, reviews and pages by words; an id, a slug, an address or a title leads to the record."""
    words = visit.values.get("words")
    hits = {}
    if words is not None:
        if names_a_record(words) or SLUG.fullmatch(words):
            lead = _lead(visit, words)
            if lead is not None:
                return lead
        hits = visit.parts(SEARCH_PARTS, words=words)
    spellings = {row["spelling"] for row in hits["words"].rows} if hits else set()
    return View("search", words=words, found=hits, spellings=spellings)


def by_id(visit: Visit) -> View | RedirectResponse:
    """`/id/RECORD`: the record with an id that begins so, or with this address, path, title, slug or name."""
    wanted = visit.path["record"]
    if ID.fullmatch(wanted):
        records = _beginning(visit, wanted)
        if len(records.rows) > 1:
            return View("ids", 300, found=records, prefix=wanted, pages=PAGES)
        return RedirectResponse(PAGES[records.rows[0]["kind"]] + records.rows[0]["id"], 302)
    return _lead(visit, wanted) or tool(replace(visit, path={"tool": wanted}))


def _lead(visit: Visit, words: str) -> RedirectResponse | None:
    """To the one record that the words name as `verdicts search` finds it, or the one tool with this slug."""
    rows = [(row["kind"], row["id"]) for row in visit.ask(FIND_RECORD, words=words).rows]
    if not rows:
        tools = visit.ask("find_tool", tool=words).rows
        rows = [("tool", row["tool_id"]) for row in tools if row["how"] == "slug"]
    return RedirectResponse(PAGES[rows[0][0]] + rows[0][1], 302) if len(rows) == 1 else None


def _full_id(visit: Visit, kind: str, prefix: str) -> str:
    """The one id of this kind that begins so. Raises NotThere."""
    ids = [row["id"] for row in _beginning(visit, prefix).rows if row["kind"] == kind]
    if len(ids) != 1:
        raise NotThere(f"{'Several ids begin' if ids else f'No {kind} has an id that begins'} {prefix}.")
    return str(ids[0])


def _beginning(visit: Visit, prefix: str) -> QuestionAnswer:
    records = visit.ask(FIND_RECORD, words=prefix.lower())
    if not records.rows:
        raise NotThere(f"No review, tool or page has an id that begins {prefix}.")
    return records
