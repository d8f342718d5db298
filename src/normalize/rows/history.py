"""How the states of tools, prices and verdicts changed over time (slowly changing dimensions, type 2).

A state ends only when another value is seen: not when a crawl did not visit the page, nor when a rendering lost the
field. A page that repeats what it said before reports nothing, so of two pages that disagree the one fetched last does
not win anew on every crawl.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.corpus.rows.histories import PriceHistoryRow, ToolHistoryRow, VerdictHistoryRow
from verdicts.normalize.identity.page_versions import PageVersion
from verdicts.normalize.parse.values import community, percent, readable, verdict_line

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


State: TypeAlias = Mapping[str, str | int | None]


class StateReport(NamedTuple):
    """What one page version says of a tool or verdict. A field it does not show is left out or None.

    Reports of one `batch`, a crawl or its day, are merged into one state.
    """

    batch: str
    reported_at: datetime
    state: State


@dataclass(frozen=True, slots=True)
class Period:
    """A state and the half-open interval in which it was valid; `valid_to` is None for the current one."""

    state: State
    valid_from: datetime
    valid_to: datetime | None


def state_periods(reports: Sequence[StateReport]) -> list[Period]:
    """The successive states. Reports come oldest and poorest first: within a batch the last value wins."""
    if len(reports) == 1:
        return [Period(reports[0].state, reports[0].reported_at, None)]
    batches: dict[str, tuple[datetime, dict[str, str | int | None]]] = {}
    for report in reports:
        since, state = batches.get(report.batch, (report.reported_at, {}))
        _merge(state, report.state)
        batches[report.batch] = (min(since, report.reported_at), state)
    starts: list[tuple[datetime, State]] = []
    for _, (moment, reported) in sorted(batches.items()):
        if not starts:
            starts.append((moment, reported))
            continue
        since, current = starts[-1]
        state = dict(current)
        _merge(state, reported)
        # A value that was only unknown before is no change.
        is_unchanged = all(current.get(name) in {None, value} for name, value in state.items())
        if is_unchanged or moment <= since:
            starts[-1] = (since, state)
        else:
            starts.append((moment, state))
    ends = [*(moment for moment, _ in starts[1:]), None]
    return [Period(state, since, until) for (since, state), until in zip(starts, ends, strict=True)]


def _merge(state: dict[str, str | int | None], update: State) -> None:
    for name, value in update.items():
        if value is not None or name not in state:
            state[name] = value


def tool_history_rows(periods_of_tool: Mapping[str, Sequence[Period]]) -> Iterable[ToolHistoryRow]:
    """One row per state of a tool."""
    for tool_id, periods in periods_of_tool.items():
        for period in periods:
            state: dict[str, Any] = {name: period.state.get(name) for name in TOOL_FIELDS}
            yield ToolHistoryRow(tool_id, **state, valid_from=period.valid_from, valid_to=period.valid_to)


def price_history_rows(periods_of_tool: Mapping[str, Sequence[Period]]) -> Iterable[PriceHistoryRow]:
    """One row per pricing of a tool."""
    for tool_id, periods in periods_of_tool.items():
        for period in periods:
            yield PriceHistoryRow(tool_id, str(period.state["pricing"]), period.valid_from, period.valid_to)


def verdict_history_rows(versions: Sequence[PageVersion]) -> Iterable[VerdictHistoryRow]:
    """One row per state of a tool's verdict on a page, from the first version that shows the Decision table on."""
    reports: dict[tuple[str, Side], list[StateReport]] = defaultdict(list)
    tools_of_page: dict[str, tuple[str, str]] = {}
    for version in versions:
        if not version.comparison.decisions and version.page_id not in tools_of_page:
            continue
        tools_of_page[version.page_id] = version.tool_ids
        for index, side in enumerate(SIDES):
            report = StateReport(version.crawl, version.fetched_at, _verdict_state(version, index))
            reports[version.page_id, side].append(report)
    for (page_id, side), of_side in reports.items():
        tool_id = tools_of_page[page_id][SIDES.index(side)]
        for period in state_periods(of_side):
            state: dict[str, Any] = {name: period.state.get(name) for name in VERDICT_FIELDS}
            yield VerdictHistoryRow(
                page_id, side, tool_id, **state, valid_from=period.valid_from, valid_to=period.valid_to
            )


def _verdict_state(version: PageVersion, index: int) -> State:
    panel_ship_pct = readable(percent, version.comparison.cards[index].panel_ship)
    if not version.comparison.decisions:
        return {"panel_ship_pct": panel_ship_pct}
    decision = version.comparison.decisions[index]
    line = readable(verdict_line, decision.verdict, version.profile)
    votes = readable(community, decision.community, version.profile)
    return dict(zip(VERDICT_FIELDS, (*line, panel_ship_pct, *votes, decision.pricing), strict=True))
