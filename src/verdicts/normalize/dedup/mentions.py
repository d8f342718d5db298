"""Mentions, every take of every page version, and the distinct texts of all mentions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from textwrap import shorten
from typing import TypeAlias

import msgspec

from verdicts.corpus.enumerations import Match
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.ids import KnownTool, ToolPair, is_short, make_text_id
from verdicts.normalize.identity.page_versions import VersionHead
from verdicts.normalize.parse.match_keys import take_key
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
    def age(self) -> tuple[tuple[str, int, str, str, str], int]:
        """Sorts mentions from the oldest to the newest, those of one version in reading order."""
        return self.version.freshness, self.take.position

    @property
    def quote(self) -> str:
        """The first words of the take."""
        return f"'{shorten(self.take.text, QUOTED, placeholder='…')}'"


class TextIds:
    """Ids of distinct texts, cached: most takes repeat a text."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._ids: dict[tuple[str, str], str] = {}

    def find(self, takes: Sequence[TypedTake], printed_ids: ToolPair) -> list[str]:
        """The ids of the takes of one page version. `printed_ids` are those of its tools A and B."""
        printed = {None: "|".join(sorted({*printed_ids})), "a": printed_ids[0], "b": printed_ids[1]}
        owners = [(self._find_key(take.text), printed[take.side], take.reviewer) for take in takes]
        printed_for: dict[str, set[tuple[str, str | None]]] = defaultdict(set)
        for key, tool, reviewer in owners:
            printed_for[key].add((tool, reviewer))
        return [
            self._find_id(key, f"{tool}|{reviewer}" if len(printed_for[key]) > 1 else tool if is_short(key) else "")
            for key, tool, reviewer in owners
        ]

    def _find_key(self, text: str) -> str:
        key = self._keys.get(text)
        if key is None:
            key = self._keys[text] = take_key(text)
        return key

    def _find_id(self, key: str, owner: str) -> str:
        id_ = self._ids.get((key, owner))
        if id_ is None:
            id_ = self._ids[key, owner] = make_text_id(key, owner)
        return id_


Age: TypeAlias = tuple[str, bool, int, int, str]
"""The oldest crawl that shows a text, whether its tool is unknown, how many takes of that crawl repeat it, its length
(both below 0), its id: texts of one crawl are sorted by how likely they are the whole text, because edits and cut
copies are rare."""


class DistinctText(msgspec.Struct, frozen=True, array_like=True):
    """A distinct text of all mentions. Several published strings may have its match key; `text` is the smallest.

    `tools` are those that it may be about: the tools that label it; without a label the tools on all its pages, or if
    hosts mirror each other and share none, the tools on all its pages of a host. `reviewers` are printed beside it,
    `versions` show it.
    """

    text_id: str
    match_key: str
    text: str
    age: Age
    tools: frozenset[str]
    reviewers: frozenset[str]
    versions: tuple[Location, ...]


class FoldedText(msgspec.Struct, frozen=True, array_like=True):
    """A distinct text and the review it belongs to, which has the id of its oldest text.

    `kind` and `similarity` (0 to 1) compare it with the oldest text. `text` is one of its strings as published.
    """

    text_id: str
    match_key: str
    text: str
    review_id: str
    kind: Match
    similarity: float


def group_by_text(mentions: Iterable[Mention]) -> dict[str, list[Mention]]:
    by_text: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        by_text[mention.text_id].append(mention)
    return by_text


def make_lone_text(text_id: str, mentions: Sequence[Mention]) -> FoldedText:
    """A text that is a review of its own."""
    text = min({mention.take.text for mention in mentions})
    return FoldedText(text_id, take_key(text), text, text_id, "exact", 1.0)


def list_distinct_texts(mentions: Iterable[Mention], tools: Mapping[str, KnownTool]) -> list[DistinctText]:
    """The distinct texts of all mentions, oldest first. `tools` are by id."""
    by_text = group_by_text(mentions)
    texts = []
    while by_text:
        texts.append(_make_distinct(*by_text.popitem(), tools))
    return sorted(texts, key=lambda text: text.age)


def _make_distinct(text_id: str, mentions: Sequence[Mention], tools: Mapping[str, KnownTool]) -> DistinctText:
    text = min({mention.take.text for mention in mentions})
    key = take_key(text)
    labels = frozenset({mention.label for mention in mentions if mention.label is not None})
    candidates = _share_set(labels or _find_common_tools({mention.version for mention in mentions}, tools))
    crawls = [mention.version.crawl for mention in mentions]
    first = min(crawls)
    age = (first, len(candidates) != 1, -crawls.count(first), -len(key), text_id)
    reviewers = _share_set(
        frozenset({mention.take.reviewer for mention in mentions if mention.label and mention.take.reviewer})
    )
    versions = tuple({mention.version.location for mention in mentions})
    return DistinctText(text_id, key, text, age, candidates, reviewers, versions)


def _find_common_tools(versions: Iterable[VersionHead], tools: Mapping[str, KnownTool]) -> frozenset[str]:
    of_host: dict[str | None, frozenset[str]] = {}
    for version in versions:
        host = _find_host(version, tools)
        of_host[host] = of_host.get(host, frozenset(version.tool_ids)).intersection(version.tool_ids)
    common = frozenset.intersection(*of_host.values())
    return common or frozenset().union(*(shared for host, shared in of_host.items() if host and len(of_host) > 1))


def _find_host(version: VersionHead, tools: Mapping[str, KnownTool]) -> str | None:
    """The host of a page's tools; for tools that no page with an address shows, that of the page."""
    hosts = (tools[tool_id].host for tool_id in version.tool_ids if tool_id in tools)
    return next((host for host in hosts if host), version.host)


@lru_cache(maxsize=65_536)
def _share_set(names: frozenset[str]) -> frozenset[str]:
    """One object per set: a million texts share them."""
    return names
