"""Pages of other sites as they are read: tools with the values that are chosen for them, and facts line by line."""

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.corpus.enumerations import Claim, Reader
from verdicts.extract.model.fact_lines import group_lines
from verdicts.extract.model.records import Document, Doubt, OutsideReview, PageGrid, SideBySide
from verdicts.normalize.parse.tool_values import ComparedTool, Undecided, choose_tools


@dataclass(frozen=True)
class ComparedRow:
    """A line with a value for each tool, in the tools' order, or a question with one answer for all."""

    kind: str
    attribute: str
    values: tuple[str | None, ...]
    section: str | None = None
    grid: int | None = None


@dataclass(frozen=True)
class ReadComparison:
    reader: Reader
    tools: tuple[ComparedTool, ...]
    rows: tuple[ComparedRow, ...]
    reviews: tuple[OutsideReview, ...]
    claim: Claim
    undecided: tuple[Undecided, ...]


@dataclass(frozen=True)
class ReadDocument:
    title: str | None
    author: str | None
    published_date: str | None
    text: str
    side_by_side: ReadComparison | None
    doubts: tuple[Doubt, ...]
    grids: tuple[PageGrid, ...]


def as_read(document: Document) -> ReadDocument:
    page = document.side_by_side
    return ReadDocument(
        document.title,
        document.author,
        document.published_date,
        document.text,
        None if page is None else read_comparison(page),
        document.doubts,
        document.grids,
    )


def read_comparison(page: SideBySide) -> ReadComparison:
    asked = [ComparedRow("question", one.question, (one.answer,)) for one in page.questions]
    tools, undecided = choose_tools(page)
    return ReadComparison(page.reader, tools, (*read_rows(page), *asked), page.reviews, page.claim, undecided)


def read_rows(page: SideBySide) -> Sequence[ComparedRow]:
    """The lines of labelled facts."""
    rows = []
    for _, of_line in sorted(group_lines(page.facts).items()):
        values = {fact.tool: fact.value for fact in of_line}
        by_tool = tuple(values.get(place) for place in range(len(page.tools)))
        rows.append(ComparedRow("attribute", of_line[0].label or "", by_tool, of_line[0].section, of_line[0].grid))
    return rows
