"""How far a night reaches: the texts that must be folded together with those that changed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from normalize.dedup.clusters import ClusterMember
from normalize.dedup.deduplicate import ReadDays, read_days
from normalize.dedup.mention_days import mention_days
from normalize.dedup.mention_records import HOMES, TEXTS, TIES, FoldedText, Mention, TextTies
from normalize.dedup.similar_texts import Arrival, new_links
from normalize.dedup.thresholds import THRESHOLDS
from normalize.identity.known_tool import TOOLS
from normalize.identity.tool_identity import ALIASES
from normalize.state.relation import State


class ReadMentions(NamedTuple):
    """Days of mentions: their names, the ids of tools by number, and the texts."""

    names: Sequence[str]
    tool_ids: Sequence[str]
    days: ReadDays


class Night(NamedTuple):
    """Texts by id: their ties of before; those folded for sure, what they were before, and their homes now; quiet ones.

    A quiet text has its ties of now.
    """

    ties: Mapping[str, TextTies]
    folded: set[str]
    before: Mapping[str, FoldedText]
    homes: Mapping[str, set[str]]
    quiet: Mapping[str, TextTies]

    def arrived(self, read: "ReadMentions") -> Iterator[tuple[str, str]]:
        """Text and tool where a text was not at home before, or other strings stand for it."""
        strings = {text.text_id: text.text for text in read.days.texts}
        for text_id, homes in self.homes.items():
            is_same = text_id in self.before and self.before[text_id].text == strings[text_id]
            before = self.ties[text_id].homes if is_same and text_id in self.ties else ()
            yield from ((text_id, tool_id) for tool_id in homes.difference(before))
        for text_id, now in self.quiet.items():
            yield from ((text_id, tool_id) for tool_id in {*now.homes}.difference(self.ties[text_id].homes))


def told_by_host(tool_id: str) -> str:
    """The home of a text that no tool is on all pages of: which hosts these are of then says what it may be about."""
    return f"host of {tool_id}"


def read_mentions(state: State, mentions: Sequence[Mention]) -> ReadMentions:
    """The days of these mentions, with what is known of their tools."""
    versions = {id(mention.version): mention.version for mention in mentions}.values()
    tool_ids = {tool_id for version in versions for tool_id in version.tool_ids}
    early_ids = {tool_id for version in versions for tool_id in version.early_ids}
    aliases = {alias.alias_id: alias for alias in state.find(ALIASES, "alias_id", early_ids)}
    hosts = {tool.tool_id: tool.host for tool in state.find(TOOLS, "tool_id", tool_ids)}
    names, days, ids = mention_days(mentions, aliases, hosts)
    return ReadMentions(names, ids, read_days(days, dict(enumerate(ids))))


def homes_of(read: ReadMentions) -> Mapping[str, set[str]]:
    """The homes of each text."""
    homes: dict[str, set[str]] = defaultdict(set)
    for home in read.days.homes:
        homes[read.days.texts[home.text].text_id].add(read.tool_ids[home.tool])
    claimed = {old: new for day in read.days.days for old, new in day.reassigned.items()}
    for day, of_day in zip(read.days.days, read.days.day_texts, strict=True):
        if any(text.is_contradicted for text in of_day.texts):
            pairs = zip(of_day.text_indexes, day.mentions["tool_a"], day.mentions["tool_b"], strict=True)
            for index, *tools in pairs:
                if of_day.texts[index].is_contradicted:
                    # Hosts are known of what the tools turned out to be.
                    known = {*tools, *(claimed[tool] for tool in tools if tool in claimed)}
                    homes[of_day.texts[index].text_id] |= {told_by_host(read.tool_ids[tool]) for tool in known}
    return homes


def reached(state: State, night: Night, read: ReadMentions) -> set[str]:
    """Further texts that must be folded with those of the night: of their components of before and of now."""
    links = [*_links(state, night, read)]
    asked = {text_id for ids, _ in links for text_id in ids} - night.folded
    ties = {of_text.text_id: of_text for of_text in state.find(TIES, "text_id", asked)}
    linked = set()
    for ids, is_crowded in links:
        names = {ties[text_id].component if text_id in ties else None for text_id in ids}
        # What more joins two texts of one component, none of which changes, changes nothing before a later day.
        if is_crowded or None in names or len(names) > 1:
            linked |= ids - night.folded
    there = chain((of_text for of_text in night.ties.values() if of_text.text_id in night.folded), ties.values())
    names = {of_text.component for of_text in there if of_text.text_id in linked or of_text.text_id in night.folded}
    members = state.find(TIES, "component", {name for name in names if name is not None})
    return (linked | {of_text.text_id for of_text in members}) - night.folded


def _links(state: State, night: Night, read: ReadMentions) -> Iterator[tuple[set[str], bool]]:
    """Texts that new homes link, where one of them is not folded for sure, and whether by a crowded run."""
    arrived = {*night.arrived(read)}
    tools = {tool_id for _, tool_id in arrived}
    at_home = {(home.text_id, home.tool_id) for home in state.find(HOMES, "tool_id", tools)}
    at_home |= {pair for pair in arrived if pair[0] in night.quiet}
    at_home = {pair for pair in at_home if pair[0] not in night.folded}
    if not at_home:
        return
    at_home |= {(text_id, tool_id) for text_id, homes in night.homes.items() for tool_id in homes & tools}
    others = state.find(TEXTS, "text_id", {text_id for text_id, _ in at_home} - night.folded)
    texts: list[FoldedText | ClusterMember] = [*others, *read.days.texts]
    numbers = {text.text_id: number for number, text in enumerate(texts)}
    tool_numbers = {tool_id: number for number, tool_id in enumerate(tools)}
    homes = (Arrival(numbers[pair[0]], tool_numbers[pair[1]], pair in arrived) for pair in at_home)
    for link in new_links(texts, homes, THRESHOLDS):
        ids = {texts[number].text_id for number in link.texts}
        if not ids <= night.folded:
            yield ids, link.is_crowded
