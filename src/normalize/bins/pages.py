"""Stages `pages`, `tools`, `candidates`: page versions and tools with their rows, and tools that other sites name."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from normalize.bins.messages import send_mentions
from normalize.bins.outbox import EVERYBODY, Inbox, Outbox, bin_of
from normalize.bins.shared import Shared
from normalize.dedup.mention_records import Mention
from normalize.identity.identity import IDENTITIES, Identity
from normalize.identity.known_tool import TOOLS
from normalize.identity.tool_days import TOOL_DAYS, split_day
from normalize.judged_reviews import DOUBTS, Doubt
from normalize.outside.candidate_round import OUTSIDE_TOOLS, candidate_rows, outside_tools
from normalize.rows.address_round import address_round
from normalize.rows.page_round import page_round
from normalize.rows.tool_reports import TOOL_STATES, ToolReport, merged
from normalize.rows.tool_round import tool_round
from normalize.snapshots import SNAPSHOTS, KnownSnapshot, Read
from normalize.state.memory import MemoryState

Rows: TypeAlias = Mapping[str, Sequence[Any]]
"""Table name to rows of it, unsorted."""


def page_bin(number: int, inbox: Inbox, read: Read, shared: Shared, outbox: Outbox) -> Rows:
    """Pages of comparisons, and addresses of anything: rows of both, without discrepancies.

    Takes IDENTITIES and SNAPSHOTS; `read` gives the observations of all of these. Sends TOOL_STATES, each of what this
    bin says, mentions, TOOL_DAYS, DOUBTS, and OUTSIDE_TOOLS to the bin of the same number.
    """
    identities: list[Identity] = inbox[IDENTITIES.name]
    snapshots: list[KnownSnapshot] = inbox[SNAPSHOTS.name]
    state = shared.state(chain.from_iterable(identity.name_ids for identity in identities))
    state.replace(IDENTITIES, "place", (), identities)
    state.replace(SNAPSHOTS, "place", (), snapshots)
    delta = page_round(state, {identity.page_id for identity in identities}, read, shared.gone, shared.profiles)
    rows = delta.rows | address_round(state, {known.url for known in snapshots}, read, shared.profiles)
    outbox.send_to("candidates", number, OUTSIDE_TOOLS, outside_tools(rows))
    del rows["discrepancies"]
    for report in state.all(TOOL_STATES):
        outbox.send("tools", report.tool_id, TOOL_STATES, report)
    by_text: dict[int, list[Mention]] = defaultdict(list)
    for mention in delta.now:
        by_text[bin_of(mention.text_id, outbox.bins)].append(mention)
    for texts, mentions in by_text.items():
        send_mentions(outbox, "texts", texts, mentions)
    send_mentions(outbox, "pages", number, delta.now)
    for day in state.all(TOOL_DAYS):
        tool_id, _ = split_day(day.tool_day)
        outbox.send("comparing", tool_id, TOOL_DAYS, day)
    send_doubts(outbox, state.all(DOUBTS))
    return rows


def tool_bin(inbox: Inbox, outbox: Outbox) -> Rows:
    """Tools: their rows, without products. Takes TOOL_STATES of all bins; sends TOOLS to everybody, DOUBTS."""
    days: dict[str, list[ToolReport]] = defaultdict(list)
    for report in inbox[TOOL_STATES.name]:
        days[report.tool_day].append(report)
    state = MemoryState()
    state.replace(TOOL_STATES, "tool_id", (), map(merged, days.values()))
    delta = tool_round(state, {report.tool_id for report in state.all(TOOL_STATES)})
    outbox.send_to("planner", EVERYBODY, TOOLS, state.all(TOOLS))
    send_doubts(outbox, state.all(DOUBTS))
    return {table: rows for table, rows in delta.rows.items() if table not in {"products", "discrepancies"}}


def candidate_bin(inbox: Inbox, shared: Shared) -> Rows:
    """Which tools of the panel the pages of other sites of a bin name. Takes OUTSIDE_TOOLS."""
    return {"product_candidates": [*candidate_rows(inbox[OUTSIDE_TOOLS.name], shared.tools.values())]}


def send_doubts(outbox: Outbox, doubts: Iterable[Doubt]) -> None:
    """Sends contradictions to the bin of the page where they are told."""
    for doubt in doubts:
        outbox.send("pages", doubt.page_id, DOUBTS, doubt)
