"""Mentions: every take of every page version, with the distinct text and the review it belongs to."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from textwrap import shorten
from typing import NamedTuple

import polars as pl

from extract.model.records import Take
from normalize.dedup.clusters import ClusterMember
from normalize.dedup.deduplicate import Day, TakeClusters, fold
from normalize.dedup.distinct_texts import MENTION_SCHEMA
from normalize.identity.page_versions import PageVersion
from normalize.identity.tool_addresses import ToolAddress, host_of
from normalize.identity.tool_identity import ToolAlias

QUOTED = 60
"""Characters of a take that a report quotes."""


@dataclass(frozen=True, slots=True)
class TakeMention:
    """One take on one page version. `tool_id` is the tool of its label, None where the page lost the label.

    `version_number` counts the page versions, oldest first.
    """

    version: PageVersion
    version_number: int
    take: Take
    tool_id: str | None
    member: ClusterMember

    @property
    def text_id(self) -> str:
        """The id of its distinct text."""
        return self.member.text_id

    @property
    def review_id(self) -> str:
        """The id of its review: that of the canonical text."""
        return self.member.canonical.text_id

    @property
    def quote(self) -> str:
        """The first words of the take, as reports quote it."""
        return f"'{shorten(self.take.text, QUOTED, placeholder='…')}'"


class _LabelledTake(NamedTuple):
    """A mention before its text is clustered."""

    version: PageVersion
    version_number: int
    take: Take
    tool_id: str | None


class _ToolNumbers:
    """Tools by number, as clustering needs them. Before the day of its claim, a tool has the id of its name."""

    def __init__(self, aliases: Sequence[ToolAlias]) -> None:
        self._aliases = {alias.alias_id: alias for alias in aliases}
        self._numbers: dict[str, int] = defaultdict(count().__next__)

    @property
    def ids(self) -> Mapping[int, str]:
        return {number: tool_id for tool_id, number in self._numbers.items()}

    def of_version(self, version: PageVersion) -> tuple[int, int]:
        """The tools of a page version as they were known on its ingest day."""
        return self._of_side(version, 0), self._of_side(version, 1)

    def claimed(self, since: str, until: str) -> Mapping[int, int]:
        """Tools known by name to those that claimed them, after the one ingest day and up to the other."""
        return {
            self._numbers[alias.alias_id]: self._numbers[alias.tool_id]
            for alias in self._aliases.values()
            if since < alias.since <= until
        }

    def _of_side(self, version: PageVersion, side: int) -> int:
        name_id, tool_id = version.name_ids[side], version.tool_ids[side]
        alias = self._aliases.get(name_id)
        is_unclaimed = alias is not None and alias.tool_id == tool_id and alias.since > version.ingest_day
        return self._numbers[name_id if is_unclaimed else tool_id]


def read_mentions(
    versions: Sequence[PageVersion], aliases: Sequence[ToolAlias], addresses: Mapping[str, ToolAddress]
) -> tuple[list[TakeMention], TakeClusters]:
    """Every take of every page version, oldest first, clustered one ingest day after the other."""
    by_day: dict[str, list[_LabelledTake]] = defaultdict(list)
    for number, version in enumerate(versions):
        for take in version.comparison.takes:
            tool_id = None if take.side is None else version.tool(take.side)
            by_day[version.ingest_day].append(_LabelledTake(version, number, take, tool_id))
    numbers = _ToolNumbers(aliases)
    sites = _sites(versions, addresses)
    days = sorted(by_day)
    frames = [_frame(by_day[day], numbers, sites) for day in days]
    claims = [numbers.claimed(since, until) for since, until in pairwise(["", *days])]
    clusters = fold([Day(frame, claimed) for frame, claimed in zip(frames, claims, strict=True)], numbers.ids)
    mentions = [
        TakeMention(*take, member)
        for day, members in zip(days, clusters.mentions, strict=True)
        for take, member in zip(by_day[day], members, strict=True)
    ]
    mentions.sort(key=lambda mention: (mention.version_number, mention.take.position))
    return mentions, clusters


def _sites(versions: Sequence[PageVersion], addresses: Mapping[str, ToolAddress]) -> Sequence[int | None]:
    """The number of each page version's host, None where no host is known."""
    numbers: dict[str, int] = defaultdict(count().__next__)
    hosts = (host_of(version, addresses) for version in versions)
    return [None if host is None else numbers[host] for host in hosts]


def _frame(takes: Sequence[_LabelledTake], numbers: _ToolNumbers, sites: Sequence[int | None]) -> pl.DataFrame:
    tools = [numbers.of_version(item.version) for item in takes]
    labels = [
        None if item.tool_id is None else pair[item.version.tool_ids.index(item.tool_id)]
        for item, pair in zip(takes, tools, strict=True)
    ]
    return pl.DataFrame(
        {
            "text": [item.take.text for item in takes],
            "version": [item.version_number for item in takes],
            "site": [sites[item.version_number] for item in takes],
            "tool_a": [first for first, _ in tools],
            "tool_b": [second for _, second in tools],
            "label": labels,
        },
        schema=MENTION_SCHEMA,
    )
