"""Rows of pages without a panel, by address: their main text and their comparisons, from the newest reading."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, TypeVar

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
from verdicts.fetch.parse.rights import UNSTATED, Rights
from verdicts.normalize.identity.ids import external_review_id
from verdicts.normalize.identity.page_versions import observation_order
from verdicts.normalize.parse.facts import facts
from verdicts.normalize.parse.numbers import count, rating, scale_end
from verdicts.normalize.parse.values import readable
from verdicts.normalize.rows.rejects import reject_rows

ToolRow = TypeVar("ToolRow", bound=ComparedToolRow)


Documents: TypeAlias = Mapping[str, Document]
"""The newest document of each address that ever gave one."""

Tables: TypeAlias = Mapping[str, SideBySide]
"""The comparisons of these documents."""


def address_rows(
    observations: Iterable[Observation], profiles: Profiles, rights: Mapping[str, Rights]
) -> dict[str, Iterable[Any]]:
    """All rows of the observations' addresses by table, unsorted: documents, comparisons, and rejects.

    All observations of these addresses must be given; order and repetitions do not matter.
    """
    observed = sorted({item.location: item for item in observations}.values(), key=observation_order)
    versions: dict[str, list[tuple[datetime, Document]]] = defaultdict(list)
    addresses: dict[str, str | None] = {}
    for item in observed:
        if isinstance(item.extracted, Document):
            versions[item.url].append((item.fetched_at, item.extracted))
            addresses[item.url] = item.address
    documents = {url: of_url[-1][1] for url, of_url in versions.items()}
    tables = {url: document.side_by_side for url, document in documents.items() if document.side_by_side is not None}
    return {
        "documents": (
            _document_row(url, addresses[url], of_url, rights.get(url, UNSTATED)) for url, of_url in versions.items()
        ),
        "compared_tools": tool_rows(tables, "compares", ComparedToolRow),
        "described_tools": tool_rows(tables, "describes", DescribedToolRow),
        "comparison_rows": comparison_row_rows(tables),
        "comparison_facts": comparison_fact_rows(tables),
        "compared_grids": compared_grid_rows(documents),
        "outside_reviews": external_review_rows(tables),
        "rejects": reject_rows({item.url: item for item in observed}.values(), profiles),
    }


def _document_row(
    url: str, address: str | None, versions: Sequence[tuple[datetime, Document]], rights: Rights
) -> DocumentRow:
    """`versions` come oldest first. Those that repeat the one before are not seen anew."""
    times = [at for place, (at, document) in enumerate(versions) if not place or document != versions[place - 1][1]]
    document = versions[-1][1]
    texts = (host_of(url) or None, document.title, document.author, document.published_on, document.text)
    compared = document.side_by_side
    read_by: tuple[Reader, Claim | None] = ("main_text", None)
    if compared is not None:
        read_by = (compared.reader, compared.claim)
    seen, stated = (min(times), max(times)), (rights.stated or None, rights.is_reserved)
    return DocumentRow(url, address, *texts, *read_by, *seen, *stated)


def tool_rows(pages: Tables, claim: Claim, row: type[ToolRow]) -> Iterator[ToolRow]:
    """One row for each tool of a page."""
    for url, tables in pages.items():
        for position, tool in enumerate(tables.tools if tables.claim == claim else ()):
            stated = (tool.name, tool.url, tool.description, tool.category, tool.price)
            rated = (*_rating(tool.rating, tool.rating_best), readable(count, tool.ratings))
            yield row(url, position, *stated, *rated, tool.rank, tool.best_for)


def comparison_row_rows(pages: Tables) -> Iterator[ComparisonRow]:
    """One row for each value: an attribute of one tool, or the answer to a question."""
    for url, tables in pages.items():
        for position, row in enumerate(tables.rows):
            for tool_position, value in enumerate(row.values):
                if value is not None:
                    said = (row.kind, row.attribute, value, row.section, row.grid)
                    yield ComparisonRow(url, position, tool_position, *said)


def comparison_fact_rows(pages: Tables) -> Iterator[ComparisonFactRow]:
    """One row for each fact in a value."""
    for url, tables in pages.items():
        for position, row in enumerate(tables.rows):
            for tool_position, value in enumerate(row.values if row.kind == "attribute" else ()):
                for place, fact in enumerate(readable(facts, value, row.attribute)):
                    yield ComparisonFactRow(url, position, tool_position, place, *fact)


def compared_grid_rows(documents: Documents) -> Iterator[ComparedGridRow]:
    """One row for each data table of a page that compares or claims to."""
    for url, document in documents.items():
        for position, grid in enumerate(document.grids):
            cells = None if grid.cells is None else json.dumps(grid.cells, ensure_ascii=False)
            read = (grid.caption, grid.reason, grid.names_in, grid.points, grid.evidence, grid.left_over)
            yield ComparedGridRow(url, position, *read, cells)


def external_review_rows(pages: Tables) -> Iterator[ExternalReviewRow]:
    """One row for each review of a page."""
    for url, tables in pages.items():
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
