"""Why a page was not read, and how statements contradict each other: each word with its meaning."""

from collections.abc import Mapping

REJECTS: Mapping[str, str] = {
    "empty": "no content, or neither a comparison nor main text",
    "undecodable": "bytes in a part that is read, or more than five bytes, are not text in the page's encoding",
    "not_html": "it is neither HTML nor plain text",
    "not_a_comparison": "below its site's comparison path, or without an address, and it does not compare two tools",
    "truncated": "it begins as a comparison and stops",
    "incomplete_card": "a card without its name, panel percentage or entry",
    "incomplete_decision": "a label that does not have exactly one value for each tool",
    "incomplete_scorecard": "a row that does not have exactly one cell for each tool, or has no reviewer",
    "too_slow": "it took more than 5 seconds of processor time, or a minute, twice",
    "too_much_memory": "it took more than 2 GB",
    "worker_died": "the process that read it died, twice",
    "extractor_failed": "this program failed on it: a bug",
    "normalizer_failed": "this program failed on what it read: a bug",
}
"""Reasons of `evidence.rejects` for a whole page. Other reasons are names of values that cannot be read."""

DISCREPANCIES: Mapping[str, str] = {
    "panel_vs_votes": "the percentage on the card differs from the votes of the Decision table",
    "votes_vs_reviews": "the votes of the Decision table differ from the reviews of the scorecard",
    "reviews_vs_panel": "votes or percentage of a panel do not allow the number of its reviews",
    "chip_vs_panel": "the card's chip does not fit its percentage",
    "chip_vs_verdict": "the card's chip differs from the verdict of the Decision table",
    "category_vs_decision": "the category on the card differs from that in the table",
    "tagline_vs_best_for": "the tagline on the card differs from `Best for` in the table",
    "community_vs_decision": "the community's percentage on the card differs from its votes in the table",
    "entry_vs_pricing": "`Free` or `Paid` on the card does not fit the pricing",
    "unread_price": "an amount in the pricing was not read as one price: its tier is `other`, without a number",
    "unread_text": "words in a part of the page are in no field",
    "copies_differ": "a part stands on the page twice, with differences",
    "missing_cell": "a row of the scorecard has one cell; the votes say to which tool it belongs",
    "undecodable_bytes": "some bytes are not text in the page's encoding",
    "incomplete_list": "the number of tools in the title, or the ranks, do not fit the sections",
    "axis_unclear": "the title promises a comparison, but in a table neither columns nor rows are clearly tools",
    "list_not_read": "the title promises tools, but no sections and no tables name them",
    "broken_statement": "a script of schema.org statements is not JSON: the other statements are read",
    "cut_statements": "the page has more statements, or deeper ones, than are read",
    "flawed_table": "a table has cells that overlap, spans that leave their rows, or short rows, or it is too large",
    "unreadable_cell": "a cell has an icon without a name instead of words",
    "left_over": "some numbers of a table, section or page belong to no tool",
    "statements_differ": "the page states two prices, or two ratings, of one tool: no value is taken",
    "price_differs": "a stated price differs from those near the tool's name: no price is taken",
    "rating_differs": "a stated rating differs from those near the tool's name: no rating is taken",
    "recipe_no_record": "the page has no record where the [recipe](recipes.md) of its host expects one",
    "recipe_count": "the page has another number of records than the recipe's `count`",
    "recipe_unfilled": "no record has a field of the recipe, a label has no value, or a record without name or text is"
    " left out",
    "recipe_ambiguous": "a field has two values: neither is taken; or a tool has two records: the first is taken",
    "price_not_shown": "the visible text lacks a stated price: the price is taken",
    "ambiguous_address": "the address can be cut into two slugs in several ways",
    "title_vs_cards": "title and cards have different orders, and neither links nor names show the slug of each card",
    "slug_vs_link": "the slugs of the address differ from the links of the cards",
    "reviewer_conflict": "pages of a host show one review under several reviewers",
    "review_tool_conflict": "one review stands on the side of several tools that are not the same tool on a mirror",
    "attribution_conflict": "two pieces of evidence name different tools for a review",
}
"""Rules of `evidence.discrepancies`. For a page without a panel they are reasons of `evidence.rejects`."""
