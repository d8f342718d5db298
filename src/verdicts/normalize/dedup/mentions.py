"""Mentions: every take of every page version; and the distinct texts of each ingest day."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from textwrap import shorten
from typing import NamedTuple

import msgspec

from verdicts.corpus.enumerations import Match
from verdicts.normalize.identity.ids import KnownTool, ToolAlias, ToolPair, is_short, text_id
from verdicts.normalize.identity.page_versions import VersionHead
from verdicts.normalize.parse.text import take_key
from verdicts.normalize.parse.typed_page import TypedTake

QUOTED = 60
"""Most characters of a take in a quote."""


class Mention(msgspec.Struct, frozen=True, array_like=True):
    """One take on one page version. `label` is the tool that the page names, None where the page lost the label."""

    text_id: str
    version: VersionHead
    take: TypedTake
    label: str | None

    @property
    def page_id(self) -> str:
        return self.version.page_id

    @property
    def early_label(self) -> str | None:
        """The label as the tool was known on the ingest day."""
        version = self.version
        return None if self.label is None else version.early_ids[version.tool_ids.index(self.label)]

    @property
    def age(self) -> tuple[tuple[str, int, str, str, str], int]:
        """Sorts mentions from the oldest to the newest, those of one version in reading order."""
        return self.version.freshness, self.take.position

    @property
    def quote(self) -> str:
        """The first words of the take."""
        return f"'{shorten(self.take.text, QUOTED, placeholder='…')}'"


class FoldedText(msgspec.Struct, frozen=True, array_like=True):
    """A distinct text and the review it belongs to. `kind` and `similarity` (0 to 1) are against the canonical text.

    `text` is one of its strings as published. `was_canonical`: its id has been a review's.
    """

    text_id: str
    match_key: str
    text: str
    review_id: str
    kind: Match
    similarity: float
    was_canonical: bool


class TextIds:
    """Ids of distinct texts, cached: most takes repeat a text."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._ids: dict[tuple[str, str], str] = {}

    def of(self, text: str, early_ids: ToolPair, label: str | None) -> str:
        """The id of a take.

        `early_ids` are the tools of its page as known on the day it came in, `label` is one of them. They matter only
        for a short text.
        """
        key = self._keys.get(text)
        if key is None:
            key = self._keys[text] = take_key(text)
        owner = label or "|".join(sorted({*early_ids})) if is_short(key) else ""
        known = self._ids.get((key, owner))
        if known is None:
            known = self._ids[key, owner] = text_id(key, owner)
        return known


class DistinctText(NamedTuple):
    """One text of a day. `text` is the smallest of its strings as published: several have one match key.

    `candidate_tools` are the tools that label it. Without a label they are the tools on all its pages, or if hosts
    mirror each other and share none, the tools on all its pages of a host. All are as known on that day.
    """

    text_id: str
    match_key: str
    text: str
    candidate_tools: frozenset[str]
    is_labelled: bool
    mentions: Sequence[Mention]


class Day(NamedTuple):
    """The texts of an ingest day (`20261101`). `reassigned` maps tools to those that this day showed them to be."""

    name: str
    texts: Sequence[DistinctText]
    reassigned: Mapping[str, str]


def days_of(
    mentions: Iterable[Mention], aliases: Mapping[str, ToolAlias], tools: Mapping[str, KnownTool]
) -> Sequence[Day]:
    """The days of these mentions and aliases, oldest first. `aliases` are by alias id, `tools` by id."""
    by_day: dict[str, dict[str, list[Mention]]] = defaultdict(lambda: defaultdict(list))
    for mention in mentions:
        by_day[mention.version.ingest_day][mention.text_id].append(mention)
    reassigned: dict[str, dict[str, str]] = defaultdict(dict)
    for alias in aliases.values():
        reassigned[alias.since][alias.alias_id] = alias.tool_id
    return [
        Day(name, [_distinct(*of_text, tools) for of_text in by_day[name].items()], reassigned[name])
        for name in sorted({*by_day, *reassigned})
    ]


def _distinct(text_id: str, mentions: Sequence[Mention], tools: Mapping[str, KnownTool]) -> DistinctText:
    text = min({mention.take.text for mention in mentions})
    labels = frozenset(label for mention in mentions if (label := mention.early_label) is not None)
    candidates = _shared(labels or _common_tools(mentions, tools))
    return DistinctText(text_id, take_key(text), text, candidates, bool(labels), mentions)


def _common_tools(mentions: Sequence[Mention], tools: Mapping[str, KnownTool]) -> frozenset[str]:
    common = _on_all({mention.version.early_ids for mention in mentions})
    if common:
        return common
    of_host: dict[str, set[ToolPair]] = defaultdict(set)
    for mention in mentions:
        if (host := _host(mention.version, tools)) is not None:
            of_host[host].add(mention.version.early_ids)
    return frozenset().union(*map(_on_all, of_host.values())) if len(of_host) > 1 else common


def _on_all(pairs: Collection[ToolPair]) -> frozenset[str]:
    return frozenset.intersection(*map(frozenset, pairs))


def _host(version: VersionHead, tools: Mapping[str, KnownTool]) -> str | None:
    """The host of a page's tools; for tools that no page with an address shows, that of the page."""
    hosts = (tools[tool_id].host for tool_id in version.tool_ids if tool_id in tools)
    return next((host for host in hosts if host), version.host)


@lru_cache(maxsize=65_536)
def _shared(tools: frozenset[str]) -> frozenset[str]:
    """One object per set: a million texts share them."""
    return tools
