"""Distinct texts: the takes of one ingest day without repetition.

Duplicates are exact on two levels: equal strings first, then, among the distinct strings, equal match keys.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count, pairwise
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import polars as pl

from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.identity.ids import KnownTool, ToolAlias, is_short, text_id
from verdicts.normalize.identity.page_versions import VersionHead
from verdicts.normalize.parse.text import fold_name, match_key

MENTION_SCHEMA = pl.Schema(
    {
        "text": pl.String(),
        "version": pl.UInt32(),
        "site": pl.UInt32(),
        "tool_a": pl.UInt32(),
        "tool_b": pl.UInt32(),
        "label": pl.UInt32(),
    }
)
"""One row per mention: the text as published, its page version and host, the page's two tools, and the labelled one.

Host and label are null where there is none. Versions, hosts and tools are numbered by the
caller; a number means the same on every day.
"""

_NO_OWNER = 0xFFFF_FFFF


class Day(NamedTuple):
    """The mentions of one ingest day, as in `MENTION_SCHEMA`, and the tools that turned out to be others.

    `reassigned` has those since the last day. Tools are numbered by the caller; a number means the same on every day.
    """

    mentions: pl.DataFrame
    reassigned: Mapping[int, int] = MappingProxyType({})


class MentionDays(NamedTuple):
    """`names` are the ingest days, as `20261101`; `tool_ids` gives the id of each tool number."""

    names: Sequence[str]
    days: Sequence[Day]
    tool_ids: Mapping[int, str]


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
    # Most mentions of a version share one object.
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
    # A tool that no mention names gets its number here.
    claimed = [(alias.since, numbers[alias.alias_id], numbers[alias.tool_id]) for alias in claims]
    days = []
    for before, name in pairwise(["", *names]):
        frame = pl.DataFrame([*zip(*rows.pop(name, ()), strict=True)], schema=MENTION_SCHEMA, orient="col")
        days.append(Day(frame, {old: new for since, old, new in claimed if before < since <= name}))
    return MentionDays(names, days, dict(enumerate(numbers)))


class DistinctText(NamedTuple):
    """One text of a day. `text` is the smallest of its strings as published: several have one match key.

    `candidate_tools` are the tools it is labelled with, or without a label those on all its pages; where hosts mirror
    each other and none is, those on all its pages of a host. `mentions` counts. `is_contradicted`: it has no label, and
    no tool is on all its pages.
    """

    text_id: str
    match_key: str
    text: str
    candidate_tools: frozenset[int]
    is_labelled: bool
    mentions: int
    is_contradicted: bool


class DayTexts(NamedTuple):
    """The texts of a day. `text_indexes` has, for each mention, its index in `texts`.

    `versions` has, for each text, the list of page versions that show it.
    """

    texts: Sequence[DistinctText]
    text_indexes: Sequence[int]
    versions: pl.Series


class _MatchKeys(NamedTuple):
    """Distinct match keys, the smallest string of each, and for each distinct string the index of its match key."""

    keys: list[str]
    texts: list[str]
    key_indexes: list[int]


def distinct_texts(mentions: pl.DataFrame, tool_ids: Mapping[int, str]) -> DayTexts:
    """The distinct texts of one day. The order of the rows does not matter."""
    # Polars numbers the distinct strings by a hash of the whole column, so repeated ones cost no Python.
    strings = mentions.select(pl.col("text").unique())
    match_keys = _match_keys(strings["text"])
    keyed = _with_keys(mentions, strings, match_keys)
    groups = _group_by_text(keyed)
    tools_of_key = _keys_with_several_labels(keyed)
    tools_by_site = _tools_by_site(keyed)
    short_texts = _short_texts(mentions, keyed)
    columns = ("key", "owner_a", "owner_b", "mentions", "a", "b", "is_a_on_all", "is_b_on_all", "label", "last_label")
    texts = []
    for key, owner_a, owner_b, total, a, b, is_a, is_b, label, last_label in groups.select(columns).iter_rows():
        folded = match_keys.keys[key]
        owner = "" if owner_a == _NO_OWNER else "|".join(sorted({tool_ids[owner_a], tool_ids[owner_b]}))
        if label is None:
            common = tools_by_site.get((key, owner_a, owner_b), _NO_TOOLS)
            candidates = _tools(a if is_a else b, b if is_b else a) if is_a or is_b else common
        else:
            candidates = _tools(label, label) if label == last_label else tools_of_key[key]
        is_labelled = label is not None
        text = match_keys.texts[key] if owner_a == _NO_OWNER else short_texts[key, owner_a, owner_b]
        is_contradicted = not (is_labelled or is_a or is_b)
        texts.append(
            DistinctText(text_id(folded, owner), folded, text, candidates, is_labelled, total, is_contradicted)
        )
    text_indexes = groups.select("row").with_row_index("text_index").explode("row").sort("row")["text_index"]
    return DayTexts(texts, text_indexes.to_list(), groups["version"])


def _match_keys(strings: pl.Series) -> _MatchKeys:
    index_of_key: dict[str, int] = {}
    texts: list[str] = []
    key_indexes = []
    for string in strings:
        # A take of punctuation alone has no letters to keep.
        folded = match_key(string) or fold_name(string)
        index = index_of_key.setdefault(folded, len(texts))
        if index == len(texts):
            texts.append(string)
        elif string < texts[index]:
            texts[index] = string
        key_indexes.append(index)
    return _MatchKeys(list(index_of_key), texts, key_indexes)


def _with_keys(mentions: pl.DataFrame, strings: pl.DataFrame, match_keys: _MatchKeys) -> pl.DataFrame:
    """The mentions with the index of their match key and, for short texts, the tools that own them."""
    key_of_string = strings.with_columns(
        key=pl.Series(match_keys.key_indexes, dtype=pl.UInt32),
        is_short=pl.Series([is_short(match_keys.keys[index]) for index in match_keys.key_indexes], dtype=pl.Boolean),
    )
    return mentions.join(key_of_string, on="text", how="left", maintain_order="left").select(
        "key",
        "version",
        "site",
        "tool_a",
        "tool_b",
        "label",
        owner_a=_owner(pl.min_horizontal("tool_a", "tool_b")),
        owner_b=_owner(pl.max_horizontal("tool_a", "tool_b")),
    )


def _owner(unlabelled: pl.Expr) -> pl.Expr:
    """A short text is identified by its tool, too; without a label, by the two tools of its page."""
    return pl.when("is_short").then(pl.coalesce("label", unlabelled)).otherwise(pl.lit(_NO_OWNER, pl.UInt32))


def _group_by_text(keyed: pl.DataFrame) -> pl.DataFrame:
    """One row for each distinct text."""
    return (
        keyed.with_row_index("row")
        .group_by("key", "owner_a", "owner_b")
        .agg(
            "row",
            "version",
            pl.len().alias("mentions"),
            *_COMMON_TOOLS,
            pl.col("label").min().alias("label"),
            pl.col("label").max().alias("last_label"),
        )
        .sort("key", "owner_a", "owner_b")
    )


def _short_texts(mentions: pl.DataFrame, keyed: pl.DataFrame) -> Mapping[tuple[int, int, int], str]:
    """By key and owners, the smallest string of each short text: what other tools' takes of these words say is not its.

    Strings come in one order in UTF-8 and in Python.
    """
    owned = keyed.select("key", "owner_a", "owner_b", mentions["text"]).filter(pl.col("owner_a") != _NO_OWNER)
    smallest = owned.group_by("key", "owner_a", "owner_b").agg(pl.col("text").min())
    return {(key, owner_a, owner_b): text for key, owner_a, owner_b, text in smallest.iter_rows()}


def _is_on_all_pages(tool: pl.Expr) -> pl.Expr:
    return ((pl.col("tool_a") == tool) | (pl.col("tool_b") == tool)).all()


_COMMON_TOOLS = (
    pl.col("tool_a").first().alias("a"),
    pl.col("tool_b").first().alias("b"),
    _is_on_all_pages(pl.col("tool_a").first()).alias("is_a_on_all"),
    _is_on_all_pages(pl.col("tool_b").first()).alias("is_b_on_all"),
)


def _tools_by_site(keyed: pl.DataFrame) -> Mapping[tuple[int, int, int], frozenset[int]]:
    """For texts on several hosts, by key and owners: for every host, the tools on all its pages."""
    if keyed["site"].drop_nulls().n_unique() < 2:
        return {}
    with_site = keyed.filter(pl.col("site").is_not_null())
    of_sites = with_site.group_by("key", "owner_a", "owner_b", "site").agg(*_COMMON_TOOLS)
    several = of_sites.filter(pl.len().over("key", "owner_a", "owner_b") > 1)
    tools: dict[tuple[int, int, int], frozenset[int]] = defaultdict(frozenset)
    for key, owner_a, owner_b, _, a, b, is_a, is_b in several.iter_rows():
        tools[key, owner_a, owner_b] |= {tool for tool, is_common in ((a, is_a), (b, is_b)) if is_common}
    return tools


def _keys_with_several_labels(keyed: pl.DataFrame) -> Mapping[int, frozenset[int]]:
    """Match keys with labels of several tools, and these tools. Only long texts can have several."""
    labelled = (
        keyed.filter(pl.col("label").is_not_null(), owner_a=_NO_OWNER).group_by("key").agg(pl.col("label").unique())
    )
    return {key: frozenset(tools) for key, tools in labelled.filter(pl.col("label").list.len() > 1).iter_rows()}


_NO_TOOLS: frozenset[int] = frozenset()


@lru_cache(maxsize=65_536)
def _tools(first: int, second: int) -> frozenset[int]:
    """One object per set: a million texts share them."""
    return frozenset({first, second})
