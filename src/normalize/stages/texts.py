"""Which texts must be folded in one partition: `texts`, `homes`, `components`, `moving`.

Texts meet under a tool, so each is sent to the partitions of all tools that it may be about. Texts that have nothing to
do with each other, however indirectly, fold apart as they do together.
"""

from collections import defaultdict

from verdicts.normalize.components import joined
from verdicts.normalize.dedup.deduplicate import read_days
from verdicts.normalize.dedup.distinct_texts import mention_days
from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.dedup.similar_texts import Home, components_of, neighbours
from verdicts.normalize.dedup.similarity import THRESHOLDS
from verdicts.normalize.stages.relations import (
    ALIASES,
    MENTIONS,
    MOVED_MENTIONS,
    TEXT_MOVES,
    TEXT_TIES,
    TEXTS_AT_HOME,
    TOOLS,
    Move,
    TextAtHome,
    TextTie,
)
from verdicts.normalize.work import Rows, Work


def texts(work: Work) -> Rows:
    """Sends each distinct text to the tools that it may be about."""
    aliases = {alias.alias_id: alias for alias in work.read(ALIASES)}
    days = mention_days(work.read(MENTIONS), aliases, {tool.tool_id: tool for tool in work.read(TOOLS)})
    read = read_days(days.days, days.tool_ids)
    for home in read.homes:
        text = read.texts[home.text]
        # Days have numbers among those of one partition alone.
        day, has_unknown_tool, mentions, letters, text_id = text.rank
        age = (days.names[day], has_unknown_tool, mentions, letters, text_id)
        since, tool_id = days.names[home.day], days.tool_ids[home.tool]
        work.send(TEXTS_AT_HOME, (TextAtHome(text.text_id, text.match_key, text.text, age, tool_id, since),))
    return {}


def homes(work: Work) -> Rows:
    """Sends the texts of a tool that must be folded together."""
    at_home = work.read(TEXTS_AT_HOME)
    by_age = sorted({item.text_id: item for item in at_home}.values(), key=lambda item: item.age)
    numbers = {text.text_id: number for number, text in enumerate(by_age)}
    days = {name: number for number, name in enumerate(sorted({item.since for item in at_home}))}
    tools = {tool_id: number for number, tool_id in enumerate(sorted({item.tool_id for item in at_home}))}
    found = neighbours(
        by_age, [Home(numbers[item.text_id], tools[item.tool_id], days[item.since]) for item in at_home], THRESHOLDS
    )
    firsts = components_of(found)
    work.send(
        TEXT_TIES,
        (TextTie(by_age[first].text_id, by_age[text].text_id) for text, first in firsts.items() if first != text),
    )
    return {}


def components(work: Work) -> Rows:
    """Sends the texts that are folded elsewhere than their id says: where the first of their component by id is."""
    known = work.known
    for text_id, first in joined((tie.text_id, tie.other_id) for tie in work.read(TEXT_TIES)).items():
        there = known.partition_of("text", first)
        if known.partition_of("text", text_id) != there:
            work.send(TEXT_MOVES, (Move(text_id, there),))
    return {}


def moving(work: Work) -> Rows:
    """Sends the mentions of texts that are folded elsewhere."""
    moves = {move.key: move.partition for move in work.read(TEXT_MOVES)}
    leaving: dict[int, list[Mention]] = defaultdict(list)
    for mention in work.read(MENTIONS):
        if mention.text_id in moves:
            leaving[moves[mention.text_id]].append(mention)
    for there, mentions in leaving.items():
        work.send_to(MOVED_MENTIONS, there, mentions)
    return {}
