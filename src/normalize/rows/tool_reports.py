"""What pages say of tools, by tool and crawl day. Within a day the freshest page wins, field by field.

So a day of a tool is the merge of what its pages say of that day, whatever parts these are merged in.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple, TypeAlias

import msgspec

from verdicts.normalize.identity.page_versions import RICHNESS, PageVersion
from verdicts.normalize.identity.version_head import tool_day
from verdicts.normalize.rows.history import TOOL_FIELDS, Period, StateReport, state_periods

FIELDS = (*TOOL_FIELDS, "pricing", "host", "slug")
"""What a statement may say, in order. Host and slug are said together."""

_PRICING, _HOST = FIELDS.index("pricing"), FIELDS.index("host")
_TOOL_STATE = attrgetter(*TOOL_FIELDS)

Order: TypeAlias = tuple[int, str, str, str]
"""Richness, source, crawl and digest of a page version: sorts those of a crawl day as `PageVersion.freshness` does."""


class Statement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What one page version says of a tool that its page has not said before, by `FIELDS`; None is not said."""

    order: Order
    values: tuple[str | None, ...]


class ToolReport(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a page says of a tool on a crawl day, or all pages of it together: then `page_id` is the first by id.

    `first_at` and `last_at` are when the oldest and the newest version were fetched, `price_at` the oldest that says a
    price anew. `statements` come oldest and poorest first, and each has only what no later one says otherwise.
    """

    tool_id: str
    page_id: str
    crawl_day: str
    first_at: datetime
    last_at: datetime
    price_at: datetime | None
    statements: tuple[Statement, ...]

    @property
    def tool_day(self) -> str:
        """The tool on this crawl day."""
        return tool_day(self.tool_id, self.crawl_day)


def page_reports(versions: Sequence[PageVersion]) -> list[ToolReport]:
    """What a page says of its tools. Its versions come oldest first."""
    shown: dict[tuple[int, str], tuple[str | None, ...]] = {}
    priced: list[str | None] = [None, None]
    said: dict[tuple[str, str], list[tuple[PageVersion, Statement]]] = defaultdict(list)
    for version in versions:
        comparison = version.comparison
        rendering = comparison.rendering
        order = (RICHNESS[rendering], version.source, version.crawl, version.sha256)
        slugs = version.slugs
        has_address = slugs is not None and not slugs.is_ambiguous and version.host is not None
        for side, tool_id in enumerate(version.tool_ids):
            card = _TOOL_STATE(comparison.cards[side])
            before = shown.get((side, rendering))
            if before is not None:
                pairs = [*zip(before, card, strict=True)]
                shown[side, rendering] = tuple([old if new is None else new for old, new in pairs])
                card = tuple([None if new == old else new for old, new in pairs])
            else:
                shown[side, rendering] = card
            pricing = comparison.decisions[side].pricing if comparison.decisions else None
            if pricing == priced[side]:
                pricing = None
            elif pricing is not None:
                priced[side] = pricing
            address = (version.host, (slugs.a, slugs.b)[side]) if slugs is not None and has_address else (None, None)
            said[tool_id, version.crawl_day].append((version, Statement(order, (*card, pricing, *address))))
    return [_report(tool_id, day, of_day) for (tool_id, day), of_day in said.items()]


def _report(tool_id: str, crawl_day: str, said: Sequence[tuple[PageVersion, Statement]]) -> ToolReport:
    times = [version.fetched_at for version, _ in said]
    prices = [version.fetched_at for version, statement in said if statement.values[_PRICING] is not None]
    return ToolReport(
        tool_id=tool_id,
        page_id=said[0][0].page_id,
        crawl_day=crawl_day,
        first_at=min(times),
        last_at=max(times),
        price_at=min(prices, default=None),
        statements=_last_words([statement for _, statement in said]),
    )


def _last_words(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Of statements that come oldest first, what no later one says otherwise."""
    if len(statements) == 1:
        return tuple(statements)
    open_fields = [*range(len(FIELDS))]
    kept: list[Statement] = []
    for statement in reversed(statements):
        values = statement.values
        last = [field for field in open_fields if values[field] is not None]
        if last:
            open_fields = [field for field in open_fields if values[field] is None]
            only = [None if field not in last else value for field, value in enumerate(values)]
            kept.append(Statement(statement.order, tuple(only)))
    return tuple(reversed(kept))


def merged(reports: Sequence[ToolReport]) -> ToolReport:
    """Reports of one tool and day as one: of pages, or of several together."""
    first = reports[0]
    if len(reports) == 1:
        return first
    statements = [statement for report in reports for statement in report.statements]
    statements.sort(key=attrgetter("order"))
    return ToolReport(
        tool_id=first.tool_id,
        page_id=min(report.page_id for report in reports),
        crawl_day=first.crawl_day,
        first_at=min(report.first_at for report in reports),
        last_at=max(report.last_at for report in reports),
        price_at=min((report.price_at for report in reports if report.price_at is not None), default=None),
        statements=_last_words(statements),
    )


class ToolStates(NamedTuple):
    """A tool as all its pages have it over time. `prices` is empty where none says a price."""

    states: list[Period]
    prices: list[Period]
    host: str | None
    slug: str | None
    first_at: datetime
    last_at: datetime
    first_page: str


def tool_states(days: Iterable[ToolReport]) -> ToolStates:
    """A tool's states, from its days in any order."""
    ordered = sorted(days, key=attrgetter("crawl_day"))
    host, slug = None, None
    states: list[StateReport] = []
    prices: list[StateReport] = []
    for day in ordered:
        said: list[str | None] = [None] * len(FIELDS)
        for statement in day.statements:
            said = [old if new is None else new for old, new in zip(said, statement.values, strict=True)]
        states.append(StateReport(day.crawl_day, day.first_at, dict(zip(TOOL_FIELDS, said, strict=False))))
        if day.price_at is not None:
            prices.append(StateReport(day.crawl_day, day.price_at, {"pricing": said[_PRICING]}))
        if said[_HOST] is not None:
            host, slug = said[_HOST:]
    return ToolStates(
        states=state_periods(states),
        prices=state_periods(prices) if prices else [],
        host=host,
        slug=slug,
        first_at=min(day.first_at for day in ordered),
        last_at=max(day.last_at for day in ordered),
        first_page=min(day.page_id for day in ordered),
    )
