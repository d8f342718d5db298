"""Days to fold: mentions by the ingest day of their page version, with tools and hosts by number."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count, pairwise
from typing import NamedTuple, TypeAlias

import polars as pl

from verdicts.normalize.dedup.deduplicate import Day, ReadDays, read_days
from verdicts.normalize.dedup.distinct_texts import MENTION_SCHEMA
from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.identity.identity import KnownTool, ToolAlias
from verdicts.normalize.identity.version_head import VersionHead


class MentionDays(NamedTuple):
    """`names` are the ingest days, as `20261101`; `tool_ids` gives the id of each tool number."""

    names: Sequence[str]
    days: Sequence[Day]
    tool_ids: Sequence[str]

    def read(self) -> ReadDays:
        """The distinct texts of all days."""
        return read_days(self.days, dict(enumerate(self.tool_ids)))


_Head: TypeAlias = tuple[int, int | None, int, int]
"""Of a page version, its number, that of its host, and those of its tools A and B as they were known on its day."""


def mention_days(
    mentions: Sequence[Mention], aliases: Mapping[str, ToolAlias], tools: Mapping[str, KnownTool]
) -> MentionDays:
    """The days of these mentions, and those on which a tool that they name turned out to be another.

    `aliases` are by alias id, `tools` by id.
    """
    numbers: dict[str, int] = defaultdict(count().__next__)
    rows: dict[str, list[tuple[str, int, int | None, int, int, int | None]]] = defaultdict(list)
    # A version's mentions mostly share it.
    heads: dict[int, _Head] = {}
    versions: dict[tuple[str, int], int] = defaultdict(count().__next__)
    sites: dict[str, int] = defaultdict(count().__next__)

    def head_of(version: VersionHead) -> _Head:
        hosts = (tools[tool_id].host for tool_id in version.tool_ids if tool_id in tools)
        known = next((host for host in hosts if host), version.host)
        first, second = version.early_ids
        place = (version.location.segment, version.location.offset)
        return versions[place], None if known is None else sites[known], numbers[first], numbers[second]

    for mention in mentions:
        version = mention.version
        head = heads.get(id(version)) or heads.setdefault(id(version), head_of(version))
        label = None if mention.label is None else head[2 + version.tool_ids.index(mention.label)]
        rows[version.ingest_day].append((mention.take.text, *head, label))
    claims = [aliases[early_id] for early_id in numbers if early_id in aliases]
    names = sorted({*rows, *(alias.since for alias in claims)})
    # A tool that nobody names before it is claimed gets its number here, last.
    claimed = [(alias.since, numbers[alias.alias_id], numbers[alias.tool_id]) for alias in claims]
    days = []
    for before, name in pairwise(["", *names]):
        frame = pl.DataFrame([*zip(*rows.pop(name, ()), strict=True)], schema=MENTION_SCHEMA, orient="col")
        days.append(Day(frame, {old: new for since, old, new in claimed if before < since <= name}))
    return MentionDays(names, days, [*numbers])
