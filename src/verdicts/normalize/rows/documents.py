"""Rows by address, from its newest reading: pages of any other site with their tools, and rejects of every site."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from verdicts.corpus.enumerations import PageKind, Reader, Stage
from verdicts.corpus.rows.other_sites import (
    ComparedGridRow,
    ComparisonFactRow,
    ComparisonRow,
    DocumentRow,
    ExternalReviewRow,
)
from verdicts.corpus.rows.pages import MentionRow, PageRow
from verdicts.corpus.rows.runs import RejectRow
from verdicts.extract.model.fact_lines import count_lines
from verdicts.extract.model.records import Comparison, Document, Observation, Reject
from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.model.url_state import is_gone
from verdicts.fetch.parse.rights import UNSTATED
from verdicts.normalize.identity.ids import make_address_id, make_external_review_id
from verdicts.normalize.identity.page_versions import make_observation_key
from verdicts.normalize.parse.names import make_name_key
from verdicts.normalize.parse.typed_page import Broken, TypedComparison, TypedSideBySide, type_side_by_side
from verdicts.normalize.work import RunInputs

Documents: TypeAlias = Mapping[str, Document]
"""The newest document of each address that ever gave one, but no panel's comparison."""

Tables: TypeAlias = Mapping[str, TypedSideBySide]
"""The comparisons of these documents."""


def make_address_rows(
    observations: Iterable[Observation], comparisons: Mapping[Location, TypedComparison], inputs: RunInputs
) -> dict[str, Iterable[Any]]:
    """All rows of the observations' addresses by table, unsorted: pages of other sites, comparisons, and rejects.

    All observations of these addresses must be given; order and repetitions do not matter. `comparisons` are those of a
    panel, by location.
    """
    observed = sorted({item.location: item for item in observations}.values(), key=make_observation_key)
    by_url: dict[str, list[Observation]] = defaultdict(list)
    for item in observed:
        by_url[item.url].append(item)
    readings = {
        url: [item for item in of_url if isinstance(item.extracted, Document)] or of_url
        for url, of_url in by_url.items()
        if not any(isinstance(item.extracted, Comparison) for item in of_url)
    }
    documents = {
        url: of_url[-1].extracted for url, of_url in readings.items() if isinstance(of_url[-1].extracted, Document)
    }
    tables = {
        url: type_side_by_side(document.side_by_side)
        for url, document in documents.items()
        if document.side_by_side is not None
    }

    def list_broken_values(newest: Observation) -> Sequence[Broken]:
        read = tables.get(newest.url) if isinstance(newest.extracted, Document) else comparisons.get(newest.location)
        return () if read is None else read.broken

    newest = [of_url[-1] for of_url in by_url.values()]
    return {
        "pages": (_make_page_row(url, of_url, inputs) for url, of_url in readings.items()),
        "documents": (DocumentRow(make_address_id(url), document.text) for url, document in documents.items()),
        "mentions": make_mention_rows(tables),
        "comparison_rows": make_comparison_rows(tables),
        "comparison_facts": make_fact_rows(tables),
        "compared_grids": make_grid_rows(documents),
        "outside_reviews": make_external_review_rows(tables),
        "rejects": chain.from_iterable(_make_reject_rows(item, list_broken_values(item)) for item in newest),
    }


def _make_page_row(url: str, readings: Sequence[Observation], inputs: RunInputs) -> PageRow:
    """`readings` come oldest first. Those that repeat the one before are not seen anew."""
    newest = readings[-1]
    contents = [item.extracted for item in readings]
    times = [
        item.fetched_at
        for number, item in enumerate(readings)
        if not number or contents[number - 1] != contents[number]
    ]
    rights = inputs.rights.get(url, UNSTATED)
    document = newest.extracted if isinstance(newest.extracted, Document) else None
    texts: tuple[str | None, ...] = (None, None, None)
    reader: Reader | None = None
    if document is not None:
        texts = (document.title, document.author, document.published_date)
        reader = "main_text" if document.side_by_side is None else document.side_by_side.reader
    title, author, published_date = texts
    return PageRow(
        page_id=make_address_id(url),
        kind=_find_page_kind(document),
        url=url,
        address=newest.address,
        host=find_host(url) or None,
        title=title,
        author=author,
        published_date=published_date,
        reader=reader,
        renderings=(),
        is_ambiguous=False,
        first_seen_at=min(times),
        last_seen_at=max(times),
        is_gone=is_gone(inputs.gone.get(url, ())),
        rights=rights.stated or None,
        is_reserved=rights.is_reserved,
    )


def _find_page_kind(document: Document | None) -> PageKind:
    if document is None:
        return "unread"
    if document.side_by_side is None:
        return "article"
    match document.side_by_side.claim, len(document.side_by_side.tools):
        case "describes", 1:
            return "product"
        case "compares", 2:
            return "versus"
        case _:
            return "list"


def make_mention_rows(pages: Tables) -> Iterator[MentionRow]:
    """One row for each tool of a page."""
    for url, page in pages.items():
        page_id = make_address_id(url)
        rated_tools = zip(page.tools, page.ratings, page.rating_counts, strict=True)
        for number, (tool, (rating, best), ratings) in enumerate(rated_tools):
            # Without a stated scale, only schema.org defines one.
            best = 5.0 if best is None and rating is not None and page.printed.reader == "schema_org" else best
            stated = (tool.url, tool.description, tool.category, tool.price, rating, best, ratings)
            yield MentionRow(page_id, number, tool.name, make_name_key(tool.name), *stated, tool.rank, tool.best_for)


def make_comparison_rows(pages: Tables) -> Iterator[ComparisonRow]:
    """One row for each labelled value: an attribute of one tool, or the answer to a question."""
    for url, page in pages.items():
        labelled = [fact for fact in page.facts if fact.label is not None]
        for fact in labelled:
            values = (fact.label or "", fact.value, fact.section, fact.grid)
            yield ComparisonRow(make_address_id(url), fact.line, fact.tool, "attribute", *values)
        for number, asked in enumerate(page.printed.questions, start=count_lines(page.printed.facts)):
            yield ComparisonRow(make_address_id(url), number, 0, "question", asked.question, asked.answer, None, None)


def make_fact_rows(pages: Tables) -> Iterator[ComparisonFactRow]:
    """One row for each fact in a value."""
    for url, page in pages.items():
        for fact in page.facts:
            for number, parsed in enumerate(fact.parsed):
                yield ComparisonFactRow(make_address_id(url), fact.line, fact.tool, number, fact.label, *parsed)


def make_grid_rows(documents: Documents) -> Iterator[ComparedGridRow]:
    """One row for each data table of a page that compares or claims to."""
    for url, document in documents.items():
        for number, grid in enumerate(document.grids):
            cells = None if grid.cells is None else json.dumps(grid.cells, ensure_ascii=False)
            read = (grid.caption, grid.reason, grid.names_in, grid.points, grid.evidence, grid.left_over)
            yield ComparedGridRow(make_address_id(url), number, *read, cells)


def make_external_review_rows(pages: Tables) -> Iterator[ExternalReviewRow]:
    """One row for each review of a page."""
    for url, page in pages.items():
        names = dict(enumerate(page.printed.tools))
        for number, (review, rated) in enumerate(zip(page.printed.reviews, page.review_ratings, strict=True)):
            name = None if review.tool is None else names.get(review.tool)
            review_id = make_external_review_id(name, review.author, rated, review.text, f"{url}\x1f{number}")
            whose = (make_address_id(url), number, review.tool, review.author)
            yield ExternalReviewRow(*whose, *rated, review.published_date, review.text, review_id)


def _make_reject_rows(newest: Observation, broken: Iterable[Broken]) -> Iterator[RejectRow]:
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
    for (stage, reason), of_reason in details.items():
        yield RejectRow(newest.url, stage, reason, "; ".join(of_reason), *newest.location)
