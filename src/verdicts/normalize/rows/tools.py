"""Tools: what pages say about them day by day, their states over time, and the rows of both.

Within a crawl day the freshest page counts, field by field. A state ends only when a page shows another value, not when
a crawl did not visit the page or a rendering lost the field. A page that repeats its earlier statement reports nothing.
So if two pages disagree, the one fetched last does not win again on every crawl.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from verdicts.corpus.enumerations import CorrectionOutcome
from verdicts.corpus.rows.tools import PriceHistoryRow, PricingTierRow, ToolHistoryRow, ToolRow
from verdicts.normalize.corrections import Correction, Corrections, Outcome
from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.identity.page_versions import PageVersion
from verdicts.normalize.parse.names import Parts, category_group, category_parts, compared_name, vendor_of
from verdicts.normalize.parse.prices import price_tiers

TOOL_FIELDS = ("name", "tagline", "description", "category", "entry")

State: TypeAlias = Mapping[str, Any]


class StateReport(NamedTuple):
    """What one page version says about a tool or verdict. A missing field is left out or None.

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
    """The states in order. Reports come oldest and poorest first; within a batch the last value counts."""
    if len(reports) == 1:
        return [Period(reports[0].state, reports[0].reported_at, None)]
    batches: dict[str, tuple[datetime, dict[str, Any]]] = {}
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
        # A value that was unknown before is not a change.
        is_unchanged = all(current.get(name) in {None, value} for name, value in state.items())
        if is_unchanged or moment <= since:
            starts[-1] = (since, state)
        else:
            starts.append((moment, state))
    ends = [*(moment for moment, _ in starts[1:]), None]
    return [Period(state, since, until) for (since, state), until in zip(starts, ends, strict=True)]


def _merge(state: dict[str, Any], update: State) -> None:
    for name, value in update.items():
        if value is not None or name not in state:
            state[name] = value


FIELDS = (*TOOL_FIELDS, "pricing", "host", "slug")
"""The fields of a statement, in order. Host and slug come together."""

_TOOL_STATE = attrgetter(*TOOL_FIELDS)
_NO_STATE = (None,) * len(TOOL_FIELDS)


class Statement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is new in a page version about a tool, by `FIELDS`. None: not stated, or as before."""

    tool_id: str
    page_id: str
    freshness: tuple[str, int, str, str, str]
    """The crawl day first, as in `VersionHead`."""
    fetched_at: datetime
    values: tuple[str | None, ...]


def page_statements(versions: Sequence[PageVersion]) -> Iterator[Statement]:
    """What a page says about its tools. Its versions come oldest first."""
    shown: dict[tuple[int, str], tuple[str | None, ...]] = {}
    priced: list[str | None] = [None, None]
    for version in versions:
        head, comparison, slugs = version.head, version.comparison, version.slugs
        has_address = slugs is not None and not slugs.is_ambiguous and head.host is not None
        for side, tool_id in enumerate(head.tool_ids):
            if version.own_ids[side] != tool_id:
                # What a person says is another tool has that one's name, card and price.
                yield Statement(tool_id, head.page_id, head.freshness, head.fetched_at, (None,) * len(FIELDS))
                continue
            card = _TOOL_STATE(comparison.cards[side])
            before = shown.get((side, head.rendering), _NO_STATE)
            pairs = [*zip(before, card, strict=True)]
            shown[side, head.rendering] = tuple([old if new is None else new for old, new in pairs])
            changed = [None if new == old else new for old, new in pairs]
            pricing = comparison.decisions[side].pricing if comparison.decisions else None
            if pricing == priced[side]:
                pricing = None
            elif pricing is not None:
                priced[side] = pricing
            address = (head.host, slugs[side]) if slugs is not None and has_address else (None, None)
            values = (*changed, pricing, *address)
            yield Statement(tool_id, head.page_id, head.freshness, head.fetched_at, values)


class ToolStates(NamedTuple):
    """A tool over time, from all its pages. `prices` is empty without a price."""

    tool_id: str
    states: list[Period]
    prices: list[Period]
    host: str | None
    slug: str | None
    first_at: datetime
    last_at: datetime
    first_page: str


def tool_states(statements: Iterable[Statement]) -> ToolStates:
    """A tool's states, from statements in any order."""
    ordered = sorted(statements, key=attrgetter("freshness"))
    host, slug = None, None
    states: list[StateReport] = []
    prices: list[StateReport] = []
    for said in ordered:
        *state, pricing, its_host, its_slug = said.values
        day = said.freshness[0]
        states.append(StateReport(day, said.fetched_at, dict(zip(TOOL_FIELDS, state, strict=True))))
        if pricing is not None:
            prices.append(StateReport(day, said.fetched_at, {"pricing": pricing}))
        if its_host is not None:
            host, slug = its_host, its_slug
    times = [said.fetched_at for said in ordered]
    return ToolStates(
        tool_id=ordered[0].tool_id,
        states=state_periods(states),
        prices=state_periods(prices) if prices else [],
        host=host,
        slug=slug,
        first_at=min(times),
        last_at=max(times),
        first_page=min(said.page_id for said in ordered),
    )


def known_tool(row: ToolRow, first_page: str) -> KnownTool:
    """The tool as its row says."""
    return KnownTool(
        tool_id=row.tool_id,
        name=row.name,
        host=row.host,
        slug=row.slug,
        tagline=row.tagline,
        category=row.category,
        first_page=first_page,
        name_block=compared_name(row.name).block,
    )


def in_corrected_groups(rows: Iterable[ToolRow], corrections: Corrections) -> tuple[list[ToolRow], list[Outcome]]:
    """The tools with the groups of categories that people decided."""
    decided: dict[Parts, list[Correction]] = defaultdict(list)
    for one in corrections.of("category", "tools"):
        decided[category_parts(one.target)].append(one)
    grouped, outcomes = list[ToolRow](), list[Outcome]()
    for row in rows:
        found = decided.get(category_parts(row.category or ""), ())
        groups = {one.decision for one in found}
        # A corrected category has another group.
        group = category_group(row.category)
        for one in found:
            outcome: CorrectionOutcome = "agrees" if groups == {group} else "applied"
            if len(groups) > 1:
                outcome = "contradicts"
            outcomes.append(Outcome(one.id, outcome, row.category, group))
        now = groups.pop() if len(groups) == 1 else group
        grouped.append(row if row.category_group == now else replace(row, category_group=now))
    return grouped, outcomes


def tool_row(tool: ToolStates) -> ToolRow:
    """The row of a tool. Its product is its own name until the load fills it."""
    state = tool.states[-1].state
    name = state["name"] or ""
    vendor = vendor_of(name, tool.slug)
    return ToolRow(
        tool_id=tool.tool_id,
        host=tool.host,
        slug=tool.slug,
        name=name,
        tagline=state["tagline"],
        description=state["description"],
        category=state["category"],
        category_group=category_group(state["category"]),
        entry=state["entry"],
        product=name,
        vendor=vendor and vendor.name,
        vendor_evidence=vendor and vendor.evidence,
        first_seen_at=tool.first_at,
        last_seen_at=tool.last_at,
    )


def tool_history_rows(tool: ToolStates) -> Iterator[ToolHistoryRow]:
    """One row for each state."""
    for period in tool.states:
        yield ToolHistoryRow(tool.tool_id, **period.state, valid_from=period.valid_from, valid_to=period.valid_to)


def price_history_rows(tool: ToolStates) -> Iterator[PriceHistoryRow]:
    """One row for each pricing."""
    for period in tool.prices:
        yield PriceHistoryRow(tool.tool_id, period.state["pricing"], period.valid_from, period.valid_to)


def pricing_tier_rows(tool: ToolStates) -> Iterator[PricingTierRow]:
    """One row for each tier of the newest pricing string."""
    for position, tier in enumerate(price_tiers(tool.prices[-1].state["pricing"]) if tool.prices else ()):
        columns = tier._asdict()
        del columns["is_refused"]
        yield PricingTierRow(tool_id=tool.tool_id, position=position, is_free=tier.is_free, **columns)
