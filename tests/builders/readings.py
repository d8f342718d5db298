"""What the reader makes of a page of the gallery."""

from collections.abc import Mapping
from dataclasses import astuple

from builders.scoring import Reading, cell_value, compare_values, review_value, tool_values
from builders.snapshots import html
from comparison_bench.gallery.facts import Break
from comparison_bench.gallery.pages import GalleryPage
from comparison_bench.scoring import Value
from verdicts.extract.model.records import Document, DoubtRule, Reject
from verdicts.extract.page import extract

_BREAKS: Mapping[Break, frozenset[DoubtRule]] = {
    "another_count": frozenset({"incomplete_list"}),
    "ranks_with_gap": frozenset({"list_not_read", "incomplete_list"}),
    "copies_differ": frozenset({"copies_differ"}),
    "unnamed_icon": frozenset({"unreadable_cell"}),
    "statements_differ": frozenset({"statements_differ", "price_differs", "rating_differs"}),
    "promise_unkept": frozenset({"list_not_read", "axis_unclear"}),
}
"""The doubts that report a break, any of them."""


def read_gallery(page: GalleryPage) -> Reading:
    """What the reader makes of one page of the gallery."""
    snapshot, answer = html(page.html, page.url), page.answer
    extracted = extract(snapshot)
    key = [
        *tool_values(answer.claim, answer.tools),
        *(cell_value(*cell) for cell in answer.cells),
        *(review_value(*astuple(review)) for review in answer.reviews),
        *(Value("break", one, "reported") for one in answer.breaks),
    ]
    assert isinstance(extracted, Document | Reject), "a page of another site was read as a panel's"
    is_refused = isinstance(extracted, Reject)
    rules = {extracted.reason} if is_refused else {doubt.rule for doubt in extracted.doubts}
    reported = [Value("break", one, "reported") for one in answer.breaks if _BREAKS[one] & rules]
    findings = compare_values(key, extracted, reported)
    kind = page.layout.replace("_", " ")
    return Reading(snapshot, f"{kind} {page.form}", kind, kind, findings, tuple(sorted(rules)), is_refused)
