"""Days to fold: mentions by the ingest day of their page version, with tools and hosts by number."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count, pairwise
from typing import NamedTuple, TypeAlias

import polars as pl

from normalize.dedup.deduplicate import Day
from normalize.dedup.distinct_texts import MENTION_SCHEMA
from normalize.dedup.mention_records import Mention
from normalize.identity.tool_identity import ToolAlias
from normalize.identity.version_head import VersionHead


class MentionDays(NamedTuple):
    """`names` are the ingest days, as `20261101`; `tool_ids` gives the id of each tool number."""

    names: Sequence[str]
    days: Sequence[Day]
    tool_ids: Sequence[str]


_Head: TypeAlias = tuple[int, int | None, int, int]
"""Of a page version, its number, that of its host, and those of its tools A and B as they were known on its day."""


def mention_days(
    mentions: Sequence[Mention], aliases: Mapping[str, ToolAlias], hosts: Mapping[str, str | None]
) -> MentionDays:
    """The days of these mentions, and those on which a tool that they name turned out to be another.

    `aliases` are by alias id; `hosts` are the hosts of tools, None for one that none is known of.
    """
    numbers: dict[str, int] = defaultdict(count().__next__)
    rows: dict[str, list[tuple[str, int, int | None, int, int, int | None]]] = defaultdict(list)
    # A version's mentions mostly share it.
    heads: dict[int, _Head] = {}
    versions: dict[tuple[str, int], int] = defaultdict(count().__next__)
    sites: dict[str, int] = defaultdict(count().__next__)

    def head_of(version: VersionHead) -> _Head:
        known = next((host for tool_id in version.tool_ids if (host := hosts.get(tool_id))), version.host)
        first, second = version.early_ids
        place = (version.location.segment, version.location.offset)
        return versions[place], None if known is None else sites[known], numbers[first], numbers[second]

    for mention in mentions:
        version = mention.version
        head = heads.get(id(version)) or heads.setdefault(id(version), head_of(version))
        label = None if mention.label is None else head[2 + version.tool_ids.index(mention.label)]
        rows[version.ingest_day].append((mention.take.text, *head, label))
    claims = [alias for alias in aliases.values() if alias.alias_id in numbers]
    names = sorted({*rows, *(alias.since for alias in claims)})
    days = []
    for since, until in pairwise(["", *names]):
        frame = pl.DataFrame([*zip(*rows[until], strict=True)], schema=MENTION_SCHEMA, orient="col")
        claimed = {numbers[alias.alias_id]: numbers[alias.tool_id] for alias in claims if since < alias.since <= until}
        days.append(Day(frame, claimed))
    return MentionDays(names, days, [*numbers])


def grown_texts(before: Iterable[Mention], now: Iterable[Mention]) -> Mapping[str, Collection[Mention]]:
    """The texts of some pages that lost no mention there, with those that they got; by what folding reads of them."""
    earlier, later = ({_read_of(mention): mention for mention in mentions} for mentions in (before, now))
    lost = {mention.text_id for key, mention in earlier.items() if key not in later}
    grown: dict[str, list[Mention]] = {mention.text_id: [] for mention in later.values() if mention.text_id not in lost}
    for key, mention in later.items():
        if key not in earlier and mention.text_id in grown:
            grown[mention.text_id].append(mention)
    return grown


def _read_of(mention: Mention) -> tuple[object, ...]:
    version, take = mention.version, mention.take
    tools = (version.tool_ids, version.early_ids, version.host)
    return (mention.text_id, mention.label, take.text, take.position, version.location, version.ingest_day, *tools)
