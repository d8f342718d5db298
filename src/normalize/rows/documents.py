"""Rows of pages without a panel, by address: their main text and their comparisons, as last read."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from verdicts.corpus.enumerations import Claim, Reader
from verdicts.corpus.rows.other_sites import (
    ComparedGridRow,
    ComparedToolRow,
    ComparisonFactRow,
    ComparisonRow,
    DescribedToolRow,
    DocumentRow,
    ExternalReviewRow,
)
from verdicts.extract.model.records import Document, Observation, SideBySide
from verdicts.extract.panel.profile import Profiles
from verdicts.fetch.model.addresses import host_of
from verdicts.normalize.identity.ids import external_review_id
from verdicts.normalize.identity.page_versions import observation_order
from verdicts.normalize.parse.facts import facts
from verdicts.normalize.parse.numbers import count, rating, scale_end
from verdicts.normalize.parse.values import readable
from verdicts.normalize.rows.rejects import newest_by_url, reject_rows

ToolRow = TypeVar("ToolRow", bound=ComparedToolRow)


def document_rows(observations: Sequence[Observation]) -> Iterator[DocumentRow]:
    """One row for each address that ever had a document, from its newest observation."""
    observed = [item for item in observations if isinstance(item.extracted, Document)]
    changes: dict[str, list[Observation]] = defaultdict(list)
    for item in sorted(observed, key=observation_order):
        if not changes[item.url] or changes[item.url][-1].extracted != item.extracted:
            changes[item.url].append(item)
    for url, document in _newest_documents(observations):
        times = [item.fetched_at for item in changes[url]]
        host = host_of(url) or None
        texts = (document.title, document.author, document.published_on, document.text)
        compared = document.side_by_side
        read_by: tuple[Reader, Claim | None] = ("main_text", None)
        if compared is not None:
            read_by = (compared.reader, compared.claim)
        yield DocumentRow(url, host, *texts, *read_by, first_seen_at=min(times), last_seen_at=max(times))


def tool_rows(observations: Sequence[Observation], claim: Claim, row: type[ToolRow]) -> Iterator[ToolRow]:
    """One row for each tool of a page."""
    for url, tables in _newest_tables(observations):
        for position, tool in enumerate(tables.tools if tables.claim == claim else ()):
            stated = (tool.name, tool.url, tool.description, tool.category, tool.price)
            rated = (*_rating(tool.rating, tool.rating_best), readable(count, tool.ratings))
            yield row(url, position, *stated, *rated, tool.rank, tool.best_for)


def comparison_row_rows(observations: Sequence[Observation]) -> Iterator[ComparisonRow]:
    """One row for each value: an attribute of one tool, or the answer to a question."""
    for url, tables in _newest_tables(observations):
        for position, row in enumerate(tables.rows):
            for tool_position, value in enumerate(row.values):
                if value is not None:
                    said = (row.kind, row.attribute, value, row.section, row.grid)
                    yield ComparisonRow(url, position, tool_position, *said)


def comparison_fact_rows(observations: Sequence[Observation]) -> Iterator[ComparisonFactRow]:
    """One row for each fact in a value."""
    for url, tables in _newest_tables(observations):
        for position, row in enumerate(tables.rows):
            for tool_position, value in enumerate(row.values if row.kind == "attribute" else ()):
                for place, fact in enumerate(readable(facts, value, row.attribute)):
                    yield ComparisonFactRow(url, position, tool_position, place, *fact)


def compared_grid_rows(observations: Sequence[Observation]) -> Iterator[ComparedGridRow]:
    """One row for each data table of a page that compares or claims to."""
    for url, document in _newest_documents(observations):
        for position, grid in enumerate(document.grids):
            cells = None if grid.cells is None else json.dumps(grid.cells, ensure_ascii=False)
            read = (grid.caption, grid.reason, grid.names_in, grid.points, grid.evidence, grid.left_over)
            yield ComparedGridRow(url, position, *read, cells)


def external_review_rows(observations: Sequence[Observation]) -> Iterator[ExternalReviewRow]:
    """One row for each review of a page."""
    for url, tables in _newest_tables(observations):
        names = {place: tool.name for place, tool in enumerate(tables.tools)}
        for position, review in enumerate(tables.reviews):
            stated = _rating(review.rating, review.rating_best)
            name = None if review.tool is None else names.get(review.tool)
            review_id = external_review_id(name, review.author, stated, review.text, f"{url}\x1f{position}")
            whose = (url, position, review.tool, review.author)
            claim = None if review.tool is None else tables.claim
            yield ExternalReviewRow(*whose, *stated, review.published_on, review.text, review_id, claim)


def _rating(raw: str | None, raw_best: str | None) -> tuple[float | None, float | None]:
    """Value and end of the scale; None if broken, then `rejects` has a row."""
    best = readable(scale_end, raw_best)
    read = readable(rating, raw, best)
    return (None, best) if read is None else read


def _newest_documents(observations: Sequence[Observation]) -> Iterator[tuple[str, Document]]:
    """The newest document of each address that ever gave one."""
    observed = [item for item in observations if isinstance(item.extracted, Document)]
    for url, newest in newest_by_url(observed).items():
        if isinstance(newest.extracted, Document):
            yield url, newest.extracted


def _newest_tables(observations: Sequence[Observation]) -> Iterator[tuple[str, SideBySide]]:
    for url, document in _newest_documents(observations):
        if document.side_by_side is not None:
            yield url, document.side_by_side


def address_rows(observations: Sequence[Observation], profiles: Profiles) -> dict[str, Iterable[Any]]:
    """All rows of the observations' addresses by table, unsorted: documents, what they set side by side, and rejects.

    Every observation of these addresses is among the given ones; the order and repetitions do not matter.
    """
    observed = list({item.location: item for item in observations}.values())
    return {
        "documents": document_rows(observed),
        "compared_tools": tool_rows(observed, "compares", ComparedToolRow),
        "described_tools": tool_rows(observed, "describes", DescribedToolRow),
        "comparison_rows": comparison_row_rows(observed),
        "comparison_facts": comparison_fact_rows(observed),
        "compared_grids": compared_grid_rows(observed),
        "outside_reviews": external_review_rows(observed),
        "rejects": reject_rows(observed, profiles),
    }
