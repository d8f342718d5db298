"""Which views are brought up to date key by key: declared here alone.

The rows of such a view that have a key depend on rows of its tables that have a key, too; `touched/*.sql` say which
keys a change of the tables touches. Every other view is made anew when a table that it reads has changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

TOUCHED = ("tools", "renamed_tools", "reviews", "speaking_reviews", "pages", "tools_of_pages", "crawls")
"""The files of `touched/`, each after those that it reads: `touched_<name>`."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """Rows of the view whose `column` is in `keys` are made again, of these rows of its tables alone.

    `reads` has table, or view, to the column of it that is in a set of keys, and that set. What is not there is read
    whole.
    """

    column: str
    keys: str
    reads: Mapping[str, tuple[str, str]]


def _by(column: str, keys: str, *tables: str) -> Keyed:
    return Keyed(column, keys, dict.fromkeys(tables, (column, keys)))


KEYED_VIEWS: Mapping[str, Keyed] = {
    "contested_tools": _by("tool_id", "tools", "tools", "tool_cards", "reviews"),
    "crawl_health": _by("crawl_id", "crawls", "crawls", "fetches"),
    "crawl_outcomes": _by("crawl_id", "crawls", "crawls", "fetches"),
    "duplicate_reviews": _by("review_id", "reviews", "reviews", "appearances"),
    "free_to_start": _by("tool_id", "tools", "tools", "pricing_tiers"),
    "head_to_head": Keyed(
        "page_id",
        "pages",
        {
            "pages": ("page_id", "pages"),
            "tool_cards": ("page_id", "pages"),
            "verdicts": ("page_id", "pages"),
            "reviews": ("tool_id", "tools_of_pages"),
        },
    ),
    "price_changes": _by("tool_id", "tools", "tools", "price_history"),
    "scorecards": _by("tool_id", "tools", "tools", "tool_cards", "verdicts", "reviews"),
    "scored_takes": _by("tool_id", "tools", "tools", "reviews"),
    "seat_pairs": _by("tool_id", "tools", "scored_takes"),
    "stated_numbers": _by("review_id", "reviews", "reviews"),
    "switches": _by("review_id", "speaking_reviews", "reviews"),
    "token_prices": _by("tool_id", "tools", "tools", "pricing_tiers"),
    "tool_matches": _by("page_id", "pages", "head_to_head"),
    "verdict_changes": _by("page_id", "pages", "verdict_history"),
}
