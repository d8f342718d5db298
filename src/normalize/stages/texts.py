"""Which texts must be folded in one partition: `texts`, `blocking`, `components`, `repartition`.

Texts meet under a tool, so each is sent to the partitions of all tools that it may be about. Texts that have nothing to
do with each other, however indirectly, fold apart as they do together.
"""

from collections import defaultdict

from verdicts.normalize.components import joined
from verdicts.normalize.dedup.deduplicate import read_days
from verdicts.normalize.dedup.distinct_texts import mention_days
from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.dedup.similar_texts import Block, components_of, neighbours
from verdicts.normalize.dedup.similarity import THRESHOLDS
from verdicts.normalize.stages import relations as rel
from verdicts.normalize.work import Rows, Work


def texts(work: Work) -> Rows:
    """Sends each distinct text to the tools that it may be about."""
    aliases = {alias.alias_id: alias for alias in work.read(rel.ALIASES)}
    days = mention_days(work.read(rel.MENTIONS), aliases, {tool.tool_id: tool for tool in work.read(rel.TOOLS)})
    read = read_days(days.days, days.tool_ids)
    for block in read.blocks:
        text = read.texts[block.text]
        # Days have numbers among those of one partition alone.
        day, has_unknown_tool, mentions, letters, text_id = text.rank
        age = (days.names[day], has_unknown_tool, mentions, letters, text_id)
        since, tool_id = days.names[block.day], days.tool_ids[block.tool]
        work.send(rel.BLOCKED_TEXTS, (rel.BlockedText(text.text_id, text.match_key, text.text, age, tool_id, since),))
    return {}


def blocking(work: Work) -> Rows:
    """Sends the texts of a tool that must be folded together."""
    blocked = work.read(rel.BLOCKED_TEXTS)
    by_age = sorted({item.text_id: item for item in blocked}.values(), key=lambda item: item.age)
    numbers = {text.text_id: number for number, text in enumerate(by_age)}
    days = {name: number for number, name in enumerate(sorted({item.since for item in blocked}))}
    tools = {tool_id: number for number, tool_id in enumerate(sorted({item.tool_id for item in blocked}))}
    found = neighbours(
        by_age, [Block(numbers[item.text_id], tools[item.tool_id], days[item.since]) for item in blocked], THRESHOLDS
    )
    firsts = components_of(found)
    work.send(
        rel.TEXT_TIES,
        (rel.TextTie(by_age[first].text_id, by_age[text].text_id) for text, first in firsts.items() if first != text),
    )
    return {}


def components(work: Work) -> Rows:
    """Sends the texts that are folded elsewhere than their id says: where the first of their component by id is."""
    known = work.known
    for text_id, first in joined((tie.text_id, tie.other_id) for tie in work.read(rel.TEXT_TIES)).items():
        there = known.partition_of("text", first)
        if known.partition_of("text", text_id) != there:
            work.send(rel.TEXT_MOVES, (rel.Move(text_id, there),))
    return {}


def repartition(work: Work) -> Rows:
    """Sends the mentions of texts that are folded elsewhere."""
    moves = {move.key: move.partition for move in work.read(rel.TEXT_MOVES)}
    leaving: dict[int, list[Mention]] = defaultdict(list)
    for mention in work.read(rel.MENTIONS):
        if mention.text_id in moves:
            leaving[moves[mention.text_id]].append(mention)
    for there, mentions in leaving.items():
        work.send_to(rel.MOVED_MENTIONS, there, mentions)
    return {}
