"""Documents: pages that are no comparison, with their main text as last read."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from corpus.rows.other_sites import ComparedToolRow, ComparisonRow, DocumentRow, OutsideReviewRow
from extract.model.records import Document, Observation, SideBySide
from fetch.model.snapshot import has_address
from normalize.identity.page_versions import order_of
from normalize.rows.rejects import newest_by_url


def document_rows(seen: Sequence[Observation]) -> Iterator[DocumentRow]:
    """A row an address that ever gave a document, as the newest one has it."""
    documents = [item for item in seen if isinstance(item.extracted, Document)]
    shown: dict[str, list[Observation]] = defaultdict(list)
    for item in sorted(documents, key=order_of):
        if not shown[item.url] or shown[item.url][-1].extracted != item.extracted:
            shown[item.url].append(item)
    for url, newest in newest_by_url(documents).items():
        found = newest.extracted
        if isinstance(found, Document):
            times = [item.fetched_at for item in shown[url]]
            host = urlsplit(url).hostname if has_address(url) else None
            words = (found.title, found.author, found.published_on, found.text)
            reader = "main_text" if found.side_by_side is None else found.side_by_side.reader
            yield DocumentRow(url, host, *words, reader, first_seen_at=min(times), last_seen_at=max(times))


RATING_MAX = 1e9
_NUMBER = re.compile(r"\d{1,12}(\.\d{1,6})?")


def compared_tool_rows(seen: Sequence[Observation]) -> Iterator[ComparedToolRow]:
    """A row a tool of a page."""
    for url, found in _pages(seen):
        for position, tool in enumerate(found.tools):
            yield ComparedToolRow(
                url,
                position,
                tool.name,
                tool.url,
                tool.description,
                tool.category,
                tool.price,
                number(tool.rating),
                number(tool.rating_best),
                count(tool.ratings),
            )


def comparison_row_rows(seen: Sequence[Observation]) -> Iterator[ComparisonRow]:
    """A row a value: an attribute of one tool, or the answer to a question."""
    for url, found in _pages(seen):
        for position, row in enumerate(found.rows):
            for tool, value in enumerate(row.values):
                if value is not None:
                    yield ComparisonRow(url, position, tool, row.kind, row.attribute, value)


def outside_review_rows(seen: Sequence[Observation]) -> Iterator[OutsideReviewRow]:
    """A row a review of a page."""
    for url, found in _pages(seen):
        for position, review in enumerate(found.reviews):
            scores = (number(review.rating), number(review.rating_best))
            yield OutsideReviewRow(url, position, review.tool, review.author, *scores, review.published_on, review.text)


def _pages(seen: Sequence[Observation]) -> Iterator[tuple[str, SideBySide]]:
    documents = [item for item in seen if isinstance(item.extracted, Document)]
    for url, newest in newest_by_url(documents).items():
        if isinstance(newest.extracted, Document) and newest.extracted.side_by_side is not None:
            yield url, newest.extracted.side_by_side


def number(text: str | None) -> float | None:
    """`4.6`, `4,6`, `4.6 out of 5`; None for what begins with no number, or with one that no rating has."""
    word = (text or "").split(" ")[0].replace(",", ".")
    found = float(word) if _NUMBER.fullmatch(word) else None
    return found if found is None or found < RATING_MAX else None


def count(text: str | None) -> int | None:
    """`1,280` ratings."""
    found = number((text or "").replace(",", ""))
    return None if found is None else int(found)
