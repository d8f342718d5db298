"""Rows by address, from its newest reading: main texts and comparisons of any other site, and rejects of every site."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from verdicts.corpus.enumerations import Claim, Reader, Stage
from verdicts.corpus.rows.other_sites import (
    ComparedGridRow,
    ComparedToolRow,
    ComparisonFactRow,
    ComparisonRow,
    DescribedToolRow,
    DocumentRow,
    ExternalReviewRow,
)
from verdicts.corpus.rows.runs import RejectRow
from verdicts.extract.model.fact_lines import count_lines
from verdicts.extract.model.records import Document, Observation, Reject
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.parse.rights import UNSTATED, Rights
from verdicts.normalize.identity.ids import external_review_id
from verdicts.normalize.identity.page_versions import observation_order
from verdicts.normalize.parse.typed_page import Broken, TypedComparison, TypedSideBySide, type_side_by_side

ToolRow = TypeVar("ToolRow", bound=ComparedToolRow)


Documents: TypeAlias = Mapping[str, Document]
"""The newest document of each address that ever gave one."""

Tables: TypeAlias = Mapping[str, TypedSideBySide]
"""The comparisons of these documents."""


def address_rows(
    observations: Iterable[Observation], comparisons: Mapping[Location, TypedComparison], rights: Mapping[str, Rights]
) -> dict[str, Iterable[Any]]:
    """All rows of the observations' addresses by table, unsorted: documents, comparisons, and rejects.

    All observations of these addresses must be given; order and repetitions do not matter. `comparisons` are those of a
    panel, by location.
    """
    observed = sorted({item.location: item for item in observations}.values(), key=observation_order)
    versions: dict[str, list[tuple[datetime, Document]]] = defaultdict(list)
    addresses: dict[str, str | None] = {}
    for item in observed:
        if isinstance(item.extracted, Document):
            versions[item.url].append((item.fetched_at, item.extracted))
            addresses[item.url] = item.address
    documents = {url: of_url[-1][1] for url, of_url in versions.items()}
    tables = {
        url: type_side_by_side(document.side_by_side)
        for url, document in documents.items()
        if document.side_by_side is not None
    }

    def broken_values(newest: Observation) -> Sequence[Broken]:
        read = tables.get(newest.url) if isinstance(newest.extracted, Document) else comparisons.get(newest.location)
        return () if read is None else read.broken

    newest = {item.url: item for item in observed}.values()
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
        "rejects": chain.from_iterable(_reject_rows(item, broken_values(item)) for item in newest),
    }


def _document_row(
    url: str, address: str | None, versions: Sequence[tuple[datetime, Document]], rights: Rights
) -> DocumentRow:
    """`versions` come oldest first. Those that repeat the one before are not seen anew."""
    times = [at for place, (at, document) in enumerate(versions) if not place or document != versions[place - 1][1]]
    document = versions[-1][1]
    texts = (host_of(url) or None, document.title, document.author, document.published_date, document.text)
    compared = document.side_by_side
    read_by: tuple[Reader, Claim | None] = ("main_text", None)
    if compared is not None:
        read_by = (compared.reader, compared.claim)
    seen, stated = (min(times), max(times)), (rights.stated or None, rights.is_reserved)
    return DocumentRow(url, address, *texts, *read_by, *seen, *stated)


def tool_rows(pages: Tables, claim: Claim, row: type[ToolRow]) -> Iterator[ToolRow]:
    """One row for each tool of a page."""
    for url, page in pages.items():
        rated_tools = zip(page.tools, page.ratings, page.rating_counts, strict=True)
        for position, (tool, rated, ratings) in enumerate(rated_tools if page.printed.claim == claim else ()):
            stated = (tool.name, tool.url, tool.description, tool.category, tool.price)
            yield row(url, position, *stated, *rated, ratings, tool.rank, tool.best_for)


def comparison_row_rows(pages: Tables) -> Iterator[ComparisonRow]:
    """One row for each labelled value: an attribute of one tool, or the answer to a question."""
    for url, page in pages.items():
        labelled = [fact for fact in page.facts if fact.label is not None]
        for fact in labelled:
            said = (fact.label or "", fact.value, fact.section, fact.grid)
            yield ComparisonRow(url, fact.line, fact.tool, "attribute", *said)
        for number, asked in enumerate(page.printed.questions, start=count_lines(page.printed.facts)):
            yield ComparisonRow(url, number, 0, "question", asked.question, asked.answer, None, None)


def comparison_fact_rows(pages: Tables) -> Iterator[ComparisonFactRow]:
    """One row for each fact in a value."""
    for url, page in pages.items():
        for fact in page.facts:
            for place, parsed in enumerate(fact.parsed):
                yield ComparisonFactRow(url, fact.line, fact.tool, place, fact.label, *parsed)


def compared_grid_rows(documents: Documents) -> Iterator[ComparedGridRow]:
    """One row for each data table of a page that compares or claims to."""
    for url, document in documents.items():
        for position, grid in enumerate(document.grids):
            cells = None if grid.cells is None else json.dumps(grid.cells, ensure_ascii=False)
            read = (grid.caption, grid.reason, grid.names_in, grid.points, grid.evidence, grid.left_over)
            yield ComparedGridRow(url, position, *read, cells)


def external_review_rows(pages: Tables) -> Iterator[ExternalReviewRow]:
    """One row for each review of a page."""
    for url, page in pages.items():
        names = dict(enumerate(page.printed.tools))
        for position, (review, rated) in enumerate(zip(page.printed.reviews, page.review_ratings, strict=True)):
            name = None if review.tool is None else names.get(review.tool)
            review_id = external_review_id(name, review.author, rated, review.text, f"{url}\x1f{position}")
            whose = (url, position, review.tool, review.author)
            claim = None if review.tool is None else page.printed.claim
            yield ExternalReviewRow(*whose, *rated, review.published_date, review.text, review_id, claim)


def _reject_rows(newest: Observation, broken: Iterable[Broken]) -> Iterator[RejectRow]:
    """One row for each reason why a page, or `broken` values of it, cannot be read. Rows of earlier readings stay."""
    extracted, details = newest.extracted, defaultdict[tuple[Stage, str], list[str]](list)
    for failed in (newest.failure, extracted):
        if isinstance(failed, Reject):
            details["extract", failed.reason].append(failed.detail)
    # A page may have several broken scripts.
    for doubt in dict.fromkeys(extracted.doubts if isinstance(extracted, Document) else ()):
        details["extract", doubt.rule].append(f"{doubt.found}; expected {doubt.expected}")
    for value in broken:
        details["normalize", f"broken_{value.field}"].append(f"'{value.raw}' {value.where}")
    for (stage, reason), found in details.items():
        yield RejectRow(newest.url, stage, reason, "; ".join(found), *newest.location)
