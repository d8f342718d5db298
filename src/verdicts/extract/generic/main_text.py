"""The main text of a page that no site's grammar reads, by trafilatura with its fallback readers.

Without them (its `fast`) a teaser marked up as an article becomes the text of a shop's page. They cost a fifth more
CPU.
"""

import re
from collections.abc import Sequence, Set
from datetime import date
from itertools import islice
from typing import Any

from trafilatura import bare_extraction, external

from verdicts.corpus.text import is_visible, remove_unstorable
from verdicts.extract.model.blocks import clean
from verdicts.extract.model.records import Document

DATES = {"original_date": True, "extensive_search": False, "max_date": "9999-12-31"}
"""Makes htmldate read dates only from markup and common words: otherwise it takes a price for a date.

It also takes 6 s for `2026-13-45T99:99:99Z`. Its default last day is today, and a page would read differently tomorrow.
"""

REACH = 40
"""Characters around a year that may hold its month and day."""
YEARS_MAX = 1_000
"""The most mentions of the year to look at."""

_FIRM = frozenset({"good", "bad"})
_NEAR = _FIRM | {"neargood"}
"""Classes that justext compares other paragraphs with."""


def read_document(html: str, url: str) -> Document | None:
    """The page's main text, title, author and date. None without a main text.

    If trafilatura fails on the metadata, the page keeps its text: it gives up on a date such as
    `2026-01-01T00:00+99:99`.
    """
    for with_metadata in (True, False):
        article = bare_extraction(
            html,
            url=url,
            with_metadata=with_metadata,
            include_comments=False,
            date_extraction_params=DATES,
        )
        if article is not None and not isinstance(article, dict) and article.text:
            return Document(
                title=_visible(article.title),
                author=_visible(article.author),
                published_date=article.date if article.date and _is_stated(article.date, html) else None,
                text=remove_unstorable(article.text),
            )
    return None


def _classify_by_neighbours(paragraphs: Sequence[Any], _distance: int) -> None:
    """Gives justext's paragraphs its own classes, but in linear time.

    justext searches all paragraphs for a classified neighbour of each short one: 57 s for 36,000. Its rules for
    headings are left out, as trafilatura turns them off.
    """
    classes = [paragraph.cf_class for paragraph in paragraphs]
    before, behind = _nearest(classes, _FIRM), _nearest(classes[::-1], _FIRM)[::-1]
    near_before, near_behind = _nearest(classes, _NEAR), _nearest(classes[::-1], _NEAR)[::-1]
    for place, former in enumerate(classes[:]):
        if former == "short":
            around = (before[place], behind[place])
            is_near = "neargood" in {
                near
                for firm, near in zip(around, (near_before[place], near_behind[place]), strict=True)
                if firm == "bad"
            }
            is_good = around == ("good", "good") or (around != ("bad", "bad") and is_near)
            classes[place] = "good" if is_good else "bad"
    behind = _nearest(classes[::-1], _FIRM)[::-1]
    for place, (former, paragraph) in enumerate(zip(classes[:], paragraphs, strict=True)):
        if former == "neargood":
            above = classes[place - 1] if place else "bad"
            classes[place] = "bad" if (above, behind[place]) == ("bad", "bad") else "good"
        paragraph.class_type = classes[place]


def _nearest(classes: Sequence[str], wanted: Set[str]) -> list[str]:
    """For each position the nearest wanted class before it, else "bad"."""
    newest, found = "bad", []
    for one in classes:
        found.append(newest)
        newest = one if one in wanted else newest
    return found


external.revise_paragraph_classification = _classify_by_neighbours  # type: ignore[attr-defined]  # no other way in


def with_sections(text: str, prose: Sequence[str]) -> str:
    """The main text of a list of tools, followed by paragraphs of its sections that it lacks.

    trafilatura takes a page of boxes for boilerplate, and the paragraph before them for the article; in other lists it
    drops single paragraphs.
    """
    said = _words(text)
    return "\n".join(filter(None, (text, *(paragraph for paragraph in prose if _words(paragraph) not in said))))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


def _visible(text: str | None) -> str | None:
    text = clean(remove_unstorable(text or ""))
    return text if is_visible(text) else None


def _is_stated(day: str, html: str) -> bool:
    """Whether the page has year, month and day together: htmldate makes `2026-02-30` the first of February."""
    stated = date.fromisoformat(day)
    year, number, month = str(stated.year), rf"0?{stated.day}(?!\d)", rf"0?{stated.month}(?!\d)"
    word = r"[^\W\d]{3,12}"
    forms = (
        rf"{year}\D{{1,3}}{month}\D{{1,3}}{number}",
        stated.strftime("%Y%m%d"),
        rf"{number}\D{{1,3}}{month}\D{{1,3}}{year}",
        rf"{month}\D{{1,3}}{number}\D{{1,3}}{year}",
        rf"{number}(?:st|nd|rd|th)?\W{{0,3}}(?:of|de)?\W{{0,3}}{word}\W{{0,3}}(?:de\s)?{year}",
        rf"{word}\W{{1,3}}{number}(?:st|nd|rd|th)?\W{{0,3}}{year}",
    )
    form = re.compile(rf"(?<!\d)(?:{'|'.join(forms)})")
    years = (match.start() for match in islice(re.finditer(year, html), YEARS_MAX))
    return any(form.search(html, max(0, start - REACH), start + REACH) for start in years)
