"""Mentions as the rounds before folding keep them, of everything observed; and what folding all of them gives."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise

import polars as pl

from builders.batch_pages import read_page_versions, tool_addresses
from extract.model.records import Observation
from normalize.dedup.deduplicate import Day, TakeClusters, fold
from normalize.dedup.distinct_texts import MENTION_SCHEMA
from normalize.dedup.fold_round import FoldDelta, fold_round
from normalize.dedup.mention_days import grown_texts
from normalize.dedup.mention_records import LOOKALIKES, MENTIONS, TEXTS, FoldedText, Lookalike, Mention
from normalize.identity.ids import text_id
from normalize.identity.known_tool import TOOLS, KnownTool
from normalize.identity.page_versions import PageVersion
from normalize.identity.tool_identity import ALIASES, ToolAlias
from normalize.identity.version_head import VersionHead
from normalize.parse.text import fold_name, match_key
from normalize.state.relation import State


@dataclass
class Known:
    """All mentions of a corpus, what its tools were known as, and their hosts."""

    mentions: Sequence[Mention] = ()
    aliases: Mapping[str, ToolAlias] = field(default_factory=dict)
    hosts: Mapping[str, str] = field(default_factory=dict)


def known_of(observations: Iterable[Observation], moved: Mapping[str, str] | None = None) -> Known:
    """What the rounds before folding know of these observations."""
    versions, aliases = read_page_versions([*observations], moved_urls=moved or {})
    by_id = {alias.alias_id: alias for alias in aliases}
    addresses = tool_addresses(versions)
    mentions = []
    for version in versions:
        first, second = (_early(version, side, by_id) for side in (0, 1))
        head = _head(version, (first, second))
        for take in version.comparison.takes:
            label = None if take.side is None else version.tool(take.side)
            owner = "|".join(sorted({first, second}))
            if label is not None:
                owner = head.early_ids[version.tool_ids.index(label)]
            key = match_key(take.text) or fold_name(take.text)
            mentions.append(Mention(text_id(key, owner), head, take, label))
    return Known(mentions, by_id, {tool_id: address.host for tool_id, address in addresses.items()})


def _early(version: PageVersion, side: int, aliases: Mapping[str, ToolAlias]) -> str:
    name_id, tool_id = version.name_ids[side], version.tool_ids[side]
    alias = aliases.get(name_id)
    is_unclaimed = alias is not None and alias.tool_id == tool_id and alias.since > version.ingest_day
    return name_id if is_unclaimed else tool_id


def _head(version: PageVersion, early_ids: tuple[str, str]) -> VersionHead:
    return VersionHead(
        page_id=version.page_id,
        source=version.source,
        url=version.url,
        host=version.host,
        tool_ids=version.tool_ids,
        early_ids=early_ids,
        slugs=None,
        crawl=version.crawl,
        ingest_day=version.ingest_day,
        fetched_at=version.fetched_at,
        sha256=version.sha256,
        location=version.location,
        rendering=version.comparison.rendering,
        profile="shiporskip",
        title=version.comparison.title,
        sizes=((), ()),
        is_standing=True,
    )


def fold_night(state: State, before: Known, now: Known, *, tell_growth: bool = True) -> FoldDelta:
    """Brings a state from the one to the other as a night does."""
    old, new = _by_page(before.mentions), _by_page(now.mentions)
    pages = {page for page in {*old, *new} if old.get(page) != new.get(page)}
    lost, got = ([mention for page in pages for mention in side.get(page, ())] for side in (old, new))
    state.replace(MENTIONS, "page_id", pages, got)
    aliases = _changed(before.aliases, now.aliases)
    hosts = _changed(before.hosts, now.hosts)
    state.replace(ALIASES, "alias_id", aliases, [now.aliases[name] for name in aliases if name in now.aliases])
    tools = [KnownTool(tool, tool, now.hosts[tool], None, None, None, None) for tool in hosts if tool in now.hosts]
    state.replace(TOOLS, "tool_id", hosts, tools)
    texts = {mention.text_id for mention in {*lost} ^ {*got}}
    if tell_growth:
        return fold_round(state, texts, aliases | hosts, grown_texts(lost, got))
    return fold_round(state, texts, aliases | hosts)


def _by_page(mentions: Iterable[Mention]) -> dict[str, list[Mention]]:
    pages: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        pages[mention.page_id].append(mention)
    return pages


def _changed(before: Mapping[str, object], now: Mapping[str, object]) -> set[str]:
    return {key for key in {*before, *now} if before.get(key) != now.get(key)}


def folded_at_once(known: Known) -> TakeClusters:
    """The reviews of all mentions, one ingest day after the other, with no round and no state."""
    numbers: dict[str, int] = defaultdict(count().__next__)
    sites: dict[str, int] = defaultdict(count().__next__)
    places: dict[object, int] = defaultdict(count().__next__)
    claims = known.aliases.values()
    names = sorted({*(item.version.ingest_day for item in known.mentions), *(alias.since for alias in claims)})
    days = []
    for since, until in pairwise(["", *names]):
        rows = []
        for mention in known.mentions:
            version = mention.version
            if version.ingest_day == until:
                tools = dict(zip(reversed(version.tool_ids), reversed(version.early_ids), strict=True))
                host = next((known.hosts[tool] for tool in version.tool_ids if tool in known.hosts), version.host)
                site = None if host is None else sites[host]
                pair = (numbers[version.early_ids[0]], numbers[version.early_ids[1]])
                label = None if mention.label is None else numbers[tools[mention.label]]
                rows.append((mention.take.text, places[version.location], site, *pair, label))
        claimed = {numbers[one.alias_id]: numbers[one.tool_id] for one in claims if since < one.since <= until}
        days.append(Day(pl.DataFrame(rows, schema=MENTION_SCHEMA, orient="row"), claimed))
    return fold(days, {number: tool_id for tool_id, number in numbers.items()})


def kept(state: State) -> tuple[set[FoldedText], set[Lookalike]]:
    """What rounds have written."""
    return {*state.all(TEXTS)}, {*state.all(LOOKALIKES)}


def given(clusters: TakeClusters) -> tuple[set[FoldedText], set[Lookalike]]:
    """What folding everything gives."""
    texts = (
        FoldedText(item.text_id, item.match_key, item.text, item.canonical.text_id, item.kind, item.similarity, former)
        for item in clusters.texts.values()
        for former in (item.was_canonical,)
    )
    return {*texts}, {*clusters.lookalikes()}
