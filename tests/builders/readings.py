"""What the reader makes of pages of the two generators, in records and in rows."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple
from typing import Any

from builders.normalize_pages import normalized, rows
from builders.scoring import Reading, cell_value, compared, panel_values, review_value, tool_values
from builders.snapshots import html, observe, snapshot
from comparison_bench.gallery.facts import Break
from comparison_bench.gallery.pages import GalleryPage
from comparison_bench.other_site.answers import Key
from comparison_bench.other_site.cases import Case
from comparison_bench.other_site.web_shapes import WebPage
from comparison_bench.scoring import Value, judged
from verdicts.extract.model.records import Comparison, Document, DoubtRule, Reject
from verdicts.extract.page import extract
from verdicts.normalize.corpus import Corpus

INVISIBLE = dict.fromkeys(
    map(ord, "\u200b\u200c\u200e\u200f\u2066\u2067\u2068\u2069\u202a\u202b\u202c\u00ad\u2060\ufeff")
)
"""Characters that a reader cannot see."""


def read(case: Case) -> Reading:
    """A page is reported when it is refused, or when its rows carry a discrepancy or a reject."""
    page = snapshot(case.body, case.url, media_type=case.media_type)
    (observation,) = observe(page)
    extracted, is_doubtful = observation.extracted, case.demand == "doubted"
    is_refused = not isinstance(extracted, Comparison)
    reports, expected, given = [], [], []
    if is_refused:
        reports = [f"{extracted.reason}: {extracted.detail}" if isinstance(extracted, Reject) else "no comparison"]
    else:
        corpus = normalized(observation)
        reports = [f"{row.rule}: expected {row.expected}, found {row.found}" for row in rows(corpus, "discrepancies")]
        reports += [f"{row.reason}: {row.detail}" for row in rows(corpus, "rejects")]
    if is_doubtful:
        expected = [Value("doubt", "", "reported")]
        given = expected if reports else []
    else:
        expected = [*panel_values(case.key, as_seen)]
        if not is_refused:
            given = [*panel_values(asdict(extracted), as_seen)]
            if case.key["may_lack_gaps"]:
                expected = [value for value in expected if value.field != "missing take" or value in given]
            texts = _shared_texts(case.key, corpus)
            expected += _rows_of_key(case.key, texts)
            given += _rows_of_corpus(corpus, texts)
    findings = judged(expected, given, lambda *_: bool(reports))
    name = f"{case.family}: {case.name}, {case.layout}, seed {case.seed}, may be asked: {case.demand}"
    return Reading(page, name, case.family, case.layout, findings, tuple(reports), is_refused)


def read_web(page: WebPage) -> Reading:
    """A page of the open web. One that promises what it does not have must say so."""
    taken = html(page.html, f"https://wetboots.example/{page.layout}/{page.number}")
    extracted = extract(taken)
    assert isinstance(extracted, Document | Reject), "a page of another site was read as a panel's"
    is_refused = isinstance(extracted, Reject)
    rules = {extracted.reason} if is_refused else {doubt.rule for doubt in extracted.doubts}
    told = [Value("unkept promise", "", "reported")]
    key = [
        *tool_values("compares" if page.goods else None, page.goods),
        *(cell_value(one.name, *fact) for one in page.goods for fact in one.facts),
        *(told if page.is_told else ()),
    ]
    findings = compared(key, extracted, told if page.is_told and rules & {"list_not_read", "axis_unclear"} else ())
    kind = page.layout.replace("_", " ")
    return Reading(taken, f"{kind} {page.number}", kind, kind, findings, tuple(sorted(rules)), is_refused)


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
    findings = compared(key, extracted, reported)
    kind = page.layout.replace("_", " ")
    return Reading(snapshot, f"{kind} {page.form}", kind, kind, findings, tuple(sorted(rules)), is_refused)


def as_seen(field: str, value: Any) -> Any:
    """A value as a person takes it: shares as numbers, `8.5/10` as 85, `would ship` and `SHIP` as ship."""
    text = seen(value) if isinstance(value, str) else value
    if not isinstance(text, str):
        return text
    if field in ("card panel_ship", "card community"):
        number = re.search(r"\d+(\.\d+)?", text)
        return number[0] if number else text
    if field == "take score":
        score = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:(?:/|out of)\s*(\d+)|%)?", text)
        return round(float(score[1]) * 100 / int(score[2] or 100), 4) if score else text
    return text.lower().removeprefix("would ") or None if field == "take verdict" else text


def seen(text: str) -> str | None:
    """A text as the eye has it: without invisible characters, with single spaces. No text at all is None."""
    return " ".join(unicodedata.normalize("NFC", text).translate(INVISIBLE).split()) or None


def _shared_texts(key: Key, corpus: Corpus) -> set[str | None]:
    """Texts of one take alone that a review has: of a text that several takes share, one review may be made."""
    counts = Counter(seen(take["text"]) for take in key["takes"])
    return {text for text, count in counts.items() if count == 1} & {seen(row.text) for row in rows(corpus, "reviews")}


def _rows_of_key(key: Key, texts: set[str | None]) -> list[Value]:
    values: list[tuple[str, str | None, Any]] = []
    for card in key["cards"]:
        for name, field in (("panel_ship_pct", "panel_ship"), ("community_pct", "community")):
            values.append((name, card["side"], number(card[field])))
        values.append(("chip", card["side"], card["chip"] and card["chip"].lower()))
    for decision in key["decisions"]:
        votes = re.findall(r"\d+", decision["verdict"] or "") or (None, None)
        for name, vote in zip(("ship_votes", "skip_votes"), votes, strict=True):
            values.append((name, decision["side"], number(vote)))
    for take in key["takes"]:
        if (text := seen(take["text"])) in texts:
            values += [("review score", text, take["score"]), ("review verdict", text, take["verdict"])]
    return _stated(values)


def _rows_of_corpus(corpus: Corpus, texts: set[str | None]) -> list[Value]:
    values: list[tuple[str, str | None, Any]] = []
    for table, names in (
        ("tool_cards", ("panel_ship_pct", "community_pct", "chip")),
        ("verdicts", ("ship_votes", "skip_votes")),
    ):
        values += [(name, row.side, getattr(row, name)) for row in rows(corpus, table) for name in names]
    for review in rows(corpus, "reviews"):
        if (text := seen(review.text)) in texts:
            values += [("review score", text, review.score), ("review verdict", text, review.verdict)]
    return _stated(values)


def _stated(values: Iterable[tuple[str, str | None, Any]]) -> list[Value]:
    return [Value(f"row {name}", str(at), value) for name, at, value in values if value is not None]


def number(text: str | None) -> int | None:
    return None if text is None else int(text)
