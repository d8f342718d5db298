"""Tools: what pages say about them day by day, their states over time, and the rows of both.

A tool has the value that its pages stated last, and NULL if no page shows a value any more. A page that was not visited
keeps the values of its last visit. A page that is gone counts only if all pages of the tool are gone.

A page that repeats its earlier statement reports nothing. So if two pages disagree, the one fetched last does not win
again on every crawl. Within a crawl day the freshest page counts.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from verdicts.corpus.enumerations import CorrectionOutcome
from verdicts.corpus.rows.tools import PriceHistoryRow, PricingTierRow, ToolHistoryRow, ToolRow
from verdicts.fetch.model.url_state import Absences
from verdicts.normalize.corrections import Correction, Corrections, Outcome
from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.identity.page_versions import find_page_absences
from verdicts.normalize.parse.names import Parts, find_category_group, find_vendor, parse_name, split_category
from verdicts.normalize.parse.prices import parse_price_tiers
from verdicts.normalize.rows.page_states import PageState

TOOL_FIELDS = ("name", "tagline", "description", "category", "entry")

State: TypeAlias = Mapping[str, Any]


class StateReport(NamedTuple):
    """The state of a tool or verdict from a moment on.

    The last report of a `batch` (a crawl or its day) counts.
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


def list_periods(reports: Sequence[StateReport]) -> list[Period]:
    """The states in order. Reports come oldest and poorest first; each has all values of the state."""
    batches: dict[str, tuple[datetime, State]] = {}
    for report in reports:
        since, _ = batches.get(report.batch, (report.reported_at, report.state))
        batches[report.batch] = (min(since, report.reported_at), report.state)
    starts: list[tuple[datetime, State]] = []
    stated: set[str] = set()
    for _, (moment, state) in sorted(batches.items()):
        # A value that was never known before is not a change.
        if starts and (moment <= starts[-1][0] or all(starts[-1][1][name] == state[name] for name in stated)):
            starts[-1] = (starts[-1][0], state)
        else:
            starts.append((moment, state))
        stated |= {name for name, value in state.items() if value is not None}
    ends = [*(moment for moment, _ in starts[1:]), None]
    return [Period(state, since, until) for (since, state), until in zip(starts, ends, strict=True)]


FIELDS = (*TOOL_FIELDS, "pricing")
"""The values of a statement, in order."""

_TOOL_STATE = attrgetter(*TOOL_FIELDS)
_NOTHING = (None,) * len(FIELDS)

FIRST_OF_DAY, LAST_OF_DAY = -1, 9
"""Places of a page's return and of its end among the versions of a day (`RICHNESS`)."""


class Statement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The values (`FIELDS`) that a page shows of a tool, from one of its versions on. None: not shown.

    A statement without a name has no values: a person decided that the page shows another tool. `host` and `slug` come
    together.
    """

    tool_id: str
    page_id: str
    freshness: tuple[str, int, str, str, str]
    """The crawl day first, as in `VersionHead`."""
    fetched_at: datetime
    values: tuple[str | None, ...] = _NOTHING
    host: str | None = None
    slug: str | None = None
    kind: Literal["version", "gone", "back"] = "version"
    """`gone`: the page shows nothing from then on; `back`: it shows again what it showed before."""


def list_statements(states: Sequence[PageState], gone: Mapping[str, Absences]) -> Iterator[Statement]:
    """What a page says about its tools. Its states come oldest first; `gone` says when pages were gone, by address."""
    for version, sides in states:
        head, slugs = version.head, version.identity.slugs
        uncorrected_ids = version.identity.own_ids or version.identity.tool_ids
        has_address = slugs is not None and not slugs.is_ambiguous and head.host is not None
        for index, side in enumerate(sides):
            whose = (side.tool_id, head.page_id, head.freshness, head.fetched_at)
            if uncorrected_ids[index] != side.tool_id:
                # A tool that a person merged into another one has the name, card and price of that tool.
                yield Statement(*whose)
                continue
            values = (*_TOOL_STATE(side.card), side.decision and side.decision.pricing)
            yield Statement(*whose, values, *((head.host, slugs[index]) if slugs and has_address else (None, None)))
    head = states[-1].version.head
    for since, until in find_page_absences([state.version for state in states], gone):
        # A state that ends on the day on which it began is not a change of that day.
        if until is None or until.date() > since.date():
            for tool_id in head.tool_ids:
                yield Statement(tool_id, head.page_id, _place(since, LAST_OF_DAY), since, kind="gone")
                if until is not None:
                    yield Statement(tool_id, head.page_id, _place(until, FIRST_OF_DAY), until, kind="back")


def _place(moment: datetime, among: int) -> tuple[str, int, str, str, str]:
    return (f"{moment:%Y%m%d}", among, "", "", "")


class ToolStates(NamedTuple):
    """A tool over time, from all its pages. `prices` begin with the first price; None: no page shows one any more."""

    tool_id: str
    states: list[Period]
    prices: list[Period]
    host: str | None
    slug: str | None
    first_at: datetime
    last_at: datetime
    first_page: str


class _Shown:
    """What the pages of a tool show: by field the value of each page, the newest statement last."""

    def __init__(self) -> None:
        self.by_field: dict[str, dict[str, str]] = {name: {} for name in FIELDS}
        self.present: set[str] = set()

    def add(self, statement: Statement) -> None:
        if statement.kind == "gone":
            self.present.discard(statement.page_id)
            return
        if statement.values[0] is not None:
            for of_pages, value in zip(self.by_field.values(), statement.values, strict=True):
                if of_pages.get(statement.page_id) != value:
                    of_pages.pop(statement.page_id, None)
                    if value is not None:
                        of_pages[statement.page_id] = value
        if statement.page_id in self.by_field["name"]:
            self.present.add(statement.page_id)

    def find_state(self) -> dict[str, str | None]:
        return {name: self._find_newest(of_pages) for name, of_pages in self.by_field.items()}

    def _find_newest(self, of_pages: dict[str, str]) -> str | None:
        pages = (page for page in reversed(of_pages) if page in self.present or not self.present)
        return next(map(of_pages.__getitem__, pages), None)


def trace_states(statements: Iterable[Statement]) -> ToolStates:
    """A tool's states, from statements in any order."""
    ordered = sorted(statements, key=attrgetter("freshness"))
    pages, states, prices = _Shown(), list[StateReport](), list[StateReport]()
    for day, of_day in groupby(ordered, key=lambda statement: statement.freshness[0]):
        moments = []
        for statement in of_day:
            pages.add(statement)
            moments.append(statement.fetched_at)
        state = pages.find_state()
        price = {"pricing": state.pop("pricing")}
        states.append(StateReport(day, min(moments), state))
        if prices or price["pricing"] is not None:
            prices.append(StateReport(day, min(moments), price))
    versions = [statement for statement in ordered if statement.kind == "version"]
    times = [statement.fetched_at for statement in versions]
    host, slug = next(
        ((statement.host, statement.slug) for statement in reversed(versions) if statement.host is not None),
        (None, None),
    )
    return ToolStates(
        tool_id=ordered[0].tool_id,
        states=list_periods(states),
        prices=list_periods(prices) if prices else [],
        host=host,
        slug=slug,
        first_at=min(times),
        last_at=max(times),
        first_page=min(statement.page_id for statement in versions),
    )


def make_known_tool(row: ToolRow, first_page: str) -> KnownTool:
    """The tool as its row says."""
    return KnownTool(
        tool_id=row.tool_id,
        name=row.name,
        host=row.host,
        slug=row.slug,
        tagline=row.tagline,
        category=row.category,
        first_page=first_page,
        name_block=parse_name(row.name).block,
    )


def correct_groups(rows: Iterable[ToolRow], corrections: Corrections) -> tuple[list[ToolRow], list[Outcome]]:
    """The tools with the groups of categories that people decided."""
    decided: dict[Parts, list[Correction]] = defaultdict(list)
    for correction in corrections.select("category", "tools"):
        decided[split_category(correction.target)].append(correction)
    grouped, outcomes = list[ToolRow](), list[Outcome]()
    for row in rows:
        of_category = decided.get(split_category(row.category or ""), ())
        groups = {correction.decision for correction in of_category}
        # A corrected category has another group.
        group = find_category_group(row.category)
        for correction in of_category:
            outcome: CorrectionOutcome = "agrees" if groups == {group} else "applied"
            if len(groups) > 1:
                outcome = "contradicts"
            outcomes.append(Outcome(correction.id, outcome, row.category, group))
        chosen = groups.pop() if len(groups) == 1 else group
        grouped.append(row if row.category_group == chosen else replace(row, category_group=chosen))
    return grouped, outcomes


def make_tool_row(tool: ToolStates) -> ToolRow:
    """The row of a tool. Its product is its own name until the load fills it."""
    state = tool.states[-1].state
    name = state["name"] or ""
    vendor = find_vendor(name, tool.slug)
    return ToolRow(
        tool_id=tool.tool_id,
        host=tool.host,
        slug=tool.slug,
        name=name,
        tagline=state["tagline"],
        description=state["description"],
        category=state["category"],
        category_group=find_category_group(state["category"]),
        entry=state["entry"],
        product=name,
        vendor=vendor and vendor.name,
        vendor_evidence=vendor and vendor.evidence,
        first_seen_at=tool.first_at,
        last_seen_at=tool.last_at,
    )


def make_tool_history_rows(tool: ToolStates) -> Iterator[ToolHistoryRow]:
    """One row for each state."""
    for period in tool.states:
        yield ToolHistoryRow(tool.tool_id, **period.state, valid_from=period.valid_from, valid_to=period.valid_to)


def make_price_history_rows(tool: ToolStates) -> Iterator[PriceHistoryRow]:
    """One row for each pricing."""
    for period in tool.prices:
        if (pricing := period.state["pricing"]) is not None:
            yield PriceHistoryRow(tool.tool_id, pricing, period.valid_from, period.valid_to)


def make_pricing_tier_rows(tool: ToolStates) -> Iterator[PricingTierRow]:
    """One row for each tier of the newest pricing string."""
    for number, tier in enumerate(parse_price_tiers((tool.prices and tool.prices[-1].state["pricing"]) or "")):
        columns = tier._asdict()
        del columns["is_refused"]
        yield PricingTierRow(tool_id=tool.tool_id, tier_number=number, is_free=tier.is_free, **columns)
