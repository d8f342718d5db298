"""What tools and verdicts said, and when. Slowly changing dimensions of type 2, from full and partial crawls alike.

A crawl that did not see something ends nothing, nor does a rendering that lost a field: only another value does.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from extract.records import Side
from normalize.rows import ToolHistoryRow, VerdictHistoryRow
from normalize.values import community_votes, percent, verdict_line
from normalize.views import SIDES, View

TOOL_FIELDS = ("name", "tagline", "description", "category", "entry")

State = dict[str, str | int | None]


@dataclass(frozen=True, slots=True)
class Period:
    """A state and the half-open time it held; `valid_to` is None for the present one."""

    state: Mapping[str, str | int | None]
    valid_from: datetime
    valid_to: datetime | None


def periods(sightings: Sequence[tuple[str, datetime, State]]) -> list[Period]:
    """Runs of one state from (crawl id, time, what was shown), oldest and poorest first.

    Within a crawl the richest sighting wins; a value of None is one that was not shown.
    """
    by_crawl: dict[str, tuple[datetime, State]] = {}
    for crawl_id, moment, shown in sightings:
        since, state = by_crawl.get(crawl_id, (moment, {}))
        state = state | {name: value for name, value in shown.items() if value is not None or name not in state}
        by_crawl[crawl_id] = (min(since, moment), state)
    found: list[tuple[datetime, State]] = []
    # By time and not by crawl: an archive handed over late tells of an earlier day.
    for _, (moment, shown) in sorted(by_crawl.items(), key=lambda item: (item[1][0], item[0])):
        before = found[-1][1] if found else {}
        state = before | {name: value for name, value in shown.items() if value is not None or name not in before}
        is_learned = bool(found) and all(before[name] in {None, value} for name, value in state.items())
        if is_learned or (found and found[-1][0] == moment):
            # A value that was merely unknown before: learning it is no change of the tool.
            found[-1] = (found[-1][0], state)
        elif not found or state != before:
            found.append((moment, state))
    ends = [*(moment for moment, _ in found[1:]), None]
    return [Period(state, since, until) for (since, state), until in zip(found, ends, strict=True)]


def tool_periods(views: Sequence[View]) -> dict[str, list[Period]]:
    """Every tool's states. Views come oldest first."""
    shown: dict[str, list[tuple[str, datetime, State]]] = defaultdict(list)
    for view in views:
        for tool, card in zip(view.tools, view.comparison.cards, strict=True):
            shown[tool].append((view.crawl_id, view.fetched_at, {name: getattr(card, name) for name in TOOL_FIELDS}))
    return {tool: periods(sightings) for tool, sightings in shown.items()}


def tool_history_rows(by_tool: Mapping[str, Sequence[Period]]) -> Iterable[ToolHistoryRow]:
    """A row a state of a tool."""
    for tool_id, states in by_tool.items():
        for period in states:
            yield ToolHistoryRow(tool_id, **period.state, valid_from=period.valid_from, valid_to=period.valid_to)  # type: ignore[arg-type]  # the fields are TOOL_FIELDS


def verdict_history_rows(views: Sequence[View]) -> Iterable[VerdictHistoryRow]:
    """A row a state of a tool's verdict on a page. Pages that never showed their table have none."""
    shown: dict[tuple[str, Side], list[tuple[str, datetime, State]]] = defaultdict(list)
    tools: dict[tuple[str, Side], str] = {}
    for view in views:
        for side, card, decision in zip(SIDES, view.comparison.cards, view.comparison.decisions, strict=False):
            line = verdict_line(decision.verdict)
            state: State = {
                "verdict": line.verdict,
                "ship_votes": line.ship_votes,
                "skip_votes": line.skip_votes,
                "panel_ship_pct": percent(card.panel_ship),
                "community_pct": percent(decision.community),
                "community_votes": community_votes(decision.community),
                "pricing": decision.pricing,
            }
            shown[view.page_id, side].append((view.crawl_id, view.fetched_at, state))
            tools[view.page_id, side] = view.tool(side)
    for (page_id, side), sightings in shown.items():
        for period in periods(sightings):
            yield VerdictHistoryRow(
                page_id,
                side,
                tools[page_id, side],
                **period.state,  # type: ignore[arg-type]  # the fields of `state` above
                valid_from=period.valid_from,
                valid_to=period.valid_to,
            )
