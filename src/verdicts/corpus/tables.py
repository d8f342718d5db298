"""Every table of the corpus, parents before children."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from verdicts.corpus.declare import Row, Table, find_table
from verdicts.corpus.rows.correction_rows import CorrectionRow
from verdicts.corpus.rows.other_sites import (
    ComparedGridRow,
    ComparisonFactRow,
    ComparisonRow,
    DocumentRow,
    ExternalReviewRow,
)
from verdicts.corpus.rows.pages import MentionRow, PageRow, ToolCardRow, VerdictRow
from verdicts.corpus.rows.reviews import (
    AppearanceRow,
    AttributionEvidenceRow,
    LookalikeRow,
    ReviewAliasRow,
    ReviewHistoryRow,
    ReviewRow,
)
from verdicts.corpus.rows.runs import (
    CrawlRow,
    DiscrepancyRow,
    FillRateRow,
    GateAcceptRow,
    GateMeasureRow,
    LoadCountRow,
    LoadedFetchRow,
    LoadRow,
    RejectRow,
    RowChangeRow,
)
from verdicts.corpus.rows.tools import (
    PriceHistoryRow,
    PricingTierRow,
    ProductCandidateRow,
    ProductRow,
    ToolAliasRow,
    ToolHistoryRow,
    ToolRow,
    VerdictHistoryRow,
)

ROWS: tuple[type[Row], ...] = (
    PageRow,
    ToolRow,
    MentionRow,
    DocumentRow,
    ComparisonRow,
    ComparisonFactRow,
    ComparedGridRow,
    ExternalReviewRow,
    ToolAliasRow,
    ProductRow,
    ProductCandidateRow,
    ToolCardRow,
    VerdictRow,
    PricingTierRow,
    ReviewRow,
    ReviewAliasRow,
    LookalikeRow,
    AppearanceRow,
    AttributionEvidenceRow,
    ToolHistoryRow,
    PriceHistoryRow,
    VerdictHistoryRow,
    ReviewHistoryRow,
    DiscrepancyRow,
    CorrectionRow,
    RejectRow,
    CrawlRow,
    LoadedFetchRow,
    GateMeasureRow,
    GateAcceptRow,
    LoadRow,
    LoadCountRow,
    RowChangeRow,
    FillRateRow,
)

TABLES: Mapping[str, Table] = {declared.name: declared for declared in map(find_table, ROWS)}

CORPUS_TABLES = tuple(name for name, declared in TABLES.items() if not declared.is_log)
"""Tables whose rows a build may change or remove. The others are logs."""


def name_relation(table: str) -> str:
    """The name of a table in SQL, with its schema."""
    return TABLES[table].relation


@dataclass(frozen=True, slots=True)
class Reference:
    """`columns` of `table` name a row of `parent` by its `keys`, in rows that meet the SQL condition `where`.

    `has_many`: several rows of `table` may name the same row, so a join of `parent` with it repeats rows of `parent`.
    """

    table: str
    columns: tuple[str, ...]
    parent: str
    keys: tuple[str, ...]
    where: str | None
    has_many: bool


def list_references() -> Iterator[Reference]:
    """The references of all tables, in their order."""
    for table in TABLES.values():
        for column in table.columns:
            if column.references is not None:
                has_many = {column.name} != {*table.key}
                keys = TABLES[column.references].key
                yield Reference(table.name, (column.name,), column.references, keys, None, has_many)
        for joined in table.joined_references:
            has_many = not {*joined.columns} >= {*table.key}
            yield Reference(table.name, joined.columns, joined.table, joined.keys, joined.where, has_many)
