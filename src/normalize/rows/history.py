"""What tools and verdicts said, and when. Slowly changing dimensions of type 2, from full and partial crawls alike.

A crawl that did not see something ends nothing, nor does a rendering that lost a field: only another value does. A page
that repeats what it said before is no news: of two pages that disagree, the one fetched last does not win every night.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from corpus.tables import PriceHistoryRow, Side, ToolHistoryRow, VerdictHistoryRow
from normalize.identity.page_versions import SIDES, View
from normalize.parse.values import community, percent, readable, verdict_line

TOOL_FIELDS = ("name", "tagline", "description", "category", "entry")

VERDICT_FIELDS = (
    "verdict",
    "ship_votes",
    "skip_votes",
    "panel_ship_pct",
    "community_pct",
    "community_votes",
    "pricing",
)

Values = Mapping[str, str | int | None]


class Statement(NamedTuple):
    """What one view says of one thing; a field it does not show is left out or None."""

    era: str
    moment: datetime
    said: Values


@dataclass(frozen=True, slots=True)
class Period:
    """A state and the half-open time it held; `valid_to` is None for the present one."""

    state: Values
    valid_from: datetime
    valid_to: datetime | None


def periods(statements: Sequence[Statement]) -> list[Period]:
    """Runs of one state, from statements that come oldest and poorest first: within a crawl the last one wins."""
    by_era: dict[str, tuple[datetime, Values]] = {}
    for statement in statements:
        since, state = by_era.get(statement.era, (statement.moment, {}))
        by_era[statement.era] = (min(since, statement.moment), _merged(state, statement.said))
    found: list[tuple[datetime, Values]] = []
    for _, (moment, said) in sorted(by_era.items()):
        if not found:
            found.append((moment, said))
            continue
        since, before = found[-1]
        state = _merged(before, said)
        # A value that was merely unknown before: learning it is no change.
        is_learned = all(before.get(name) in {None, value} for name, value in state.items())
        if is_learned or moment <= since:
            found[-1] = (since, state)
        else:
            found.append((moment, state))
    ends = [*(moment for moment, _ in found[1:]), None]
    return [Period(state, since, until) for (since, state), until in zip(found, ends, strict=True)]


def _merged(before: Values, said: Values) -> Values:
    return {**before, **{name: value for name, value in said.items() if value is not None or name not in before}}


def tool_periods(views: Sequence[View]) -> dict[str, list[Period]]:
    """Every tool's states. Views come oldest first."""
    statements: dict[str, list[Statement]] = defaultdict(list)
    last: dict[tuple[str, Side, str], dict[str, str]] = {}
    for view in views:
        for side, tool, card in zip(SIDES, view.tools, view.comparison.cards, strict=True):
            source = (view.page_id, side, view.comparison.rendering)
            before = last.setdefault(source, {})
            shown = {name: value for name in TOOL_FIELDS if (value := getattr(card, name)) is not None}
            news = {name: value for name, value in shown.items() if before.get(name) != value}
            before |= shown
            statements[tool].append(Statement(view.era, view.fetched_at, news))
    return {tool: periods(said) for tool, said in statements.items()}


def tool_history_rows(by_tool: Mapping[str, Sequence[Period]]) -> Iterable[ToolHistoryRow]:
    """A row a state of a tool."""
    for tool_id, states in by_tool.items():
        for period in states:
            state: dict[str, Any] = {name: period.state.get(name) for name in TOOL_FIELDS}
            yield ToolHistoryRow(tool_id, **state, valid_from=period.valid_from, valid_to=period.valid_to)


def price_periods(views: Sequence[View]) -> dict[str, list[Period]]:
    """Every tool's pricings. A page that repeats an old one is no news. Views come oldest first."""
    statements: dict[str, list[Statement]] = defaultdict(list)
    last: dict[tuple[str, Side], str] = {}
    for view in views:
        for side, decision in zip(SIDES, view.comparison.decisions, strict=False):
            pricing = decision.pricing
            if pricing is not None and last.get((view.page_id, side)) != pricing:
                last[view.page_id, side] = pricing
                statements[view.tool(side)].append(Statement(view.era, view.fetched_at, {"pricing": pricing}))
    return {tool: periods(said) for tool, said in statements.items()}


def price_history_rows(by_tool: Mapping[str, Sequence[Period]]) -> Iterable[PriceHistoryRow]:
    """A row a pricing of a tool."""
    for tool_id, states in by_tool.items():
        for period in states:
            yield PriceHistoryRow(tool_id, str(period.state["pricing"]), period.valid_from, period.valid_to)


def verdict_history_rows(views: Sequence[View]) -> Iterable[VerdictHistoryRow]:
    """A row a state of a tool's verdict on a page, from the first view that shows the Decision table."""
    statements: dict[tuple[str, Side], list[Statement]] = defaultdict(list)
    tools: dict[str, tuple[str, str]] = {}
    for view in views:
        if not view.comparison.decisions and view.page_id not in tools:
            continue
        tools[view.page_id] = view.tools
        for index, side in enumerate(SIDES):
            said = _verdict(view, index)
            statements[view.page_id, side].append(Statement(view.crawl, view.fetched_at, said))
    for (page_id, side), said_there in statements.items():
        for period in periods(said_there):
            state: dict[str, Any] = {name: period.state.get(name) for name in VERDICT_FIELDS}
            tool = tools[page_id][SIDES.index(side)]
            yield VerdictHistoryRow(
                page_id, side, tool, **state, valid_from=period.valid_from, valid_to=period.valid_to
            )


def _verdict(view: View, index: int) -> Values:
    share = readable(percent, view.comparison.cards[index].panel_ship)
    if not view.comparison.decisions:
        return {"panel_ship_pct": share}
    decision = view.comparison.decisions[index]
    line = readable(verdict_line, decision.verdict, view.profile)
    votes = readable(community, decision.community, view.profile)
    return dict(zip(VERDICT_FIELDS, (*line, share, *votes, decision.pricing), strict=True))
