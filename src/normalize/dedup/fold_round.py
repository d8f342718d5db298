"""The fold round: the reviews that texts belong to, after their mentions or what is known of tools changed.

Texts have to do with each other where they are similar or share a crowded run, under a tool that both may be about.
Those that do not, however indirectly, fold apart as they do together. So a night folds the components of the texts that
changed, as they were before and as they are now, and nothing else.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from normalize.collector import without_collector
from normalize.dedup.deduplicate import TakeClusters, fold_days, narrowed
from normalize.dedup.mention_records import (
    HOMES,
    LOOKALIKES,
    MENTIONS,
    TEXTS,
    TIES,
    FoldedText,
    Mention,
    TextHome,
    TextTies,
)
from normalize.dedup.reach import Night, ReadMentions, homes_of, reached, read_mentions, told_by_host
from normalize.dedup.similar_texts import components
from normalize.identity.tool_identity import ALIASES
from normalize.state.relation import State


class FoldDelta(NamedTuple):
    """`texts` were folded anew, `before` is what they were before, of those that were there.

    `quiet` are the others of those asked for: more mentions of them changed no review.
    """

    texts: frozenset[str]
    before: Mapping[str, FoldedText]
    quiet: frozenset[str]


def fold_round(
    state: State,
    texts: Collection[str],
    tools: Collection[str],
    grown: Mapping[str, Collection[Mention]] = MappingProxyType({}),
) -> FoldDelta:
    """Folds texts whose mentions changed, or what is known of their tools, with those that they have to do with.

    `tools` are those whose host changed, and names whose claim did (`ToolAlias.alias_id`). A claim that is new or
    withdrawn changes the mentions too, one that has another day may not. `grown` are the texts that
    lost no mention, with those that they got (`grown_texts`); a text that it leaves out is folded for sure.
    Reads MENTIONS, TOOLS and ALIASES, writes TEXTS, LOOKALIKES, HOMES and TIES.
    """
    with without_collector():
        claimed = {alias.alias_id for alias in state.find(ALIASES, "alias_id", tools)}
        watched = claimed | {*map(told_by_host, tools)}
        at_home = {home.text_id for home in state.find(HOMES, "tool_id", watched)}
        asked = {*texts, *at_home}
        ties = {of_text.text_id: of_text for of_text in state.find(TIES, "text_id", asked)}
        quiet = _quiet(state, ties, {text: grown[text] for text in (ties.keys() & grown.keys()) - at_home})
        sure = asked - quiet.keys()
        mentions = state.find(MENTIONS, "text_id", sure)
        read = read_mentions(state, mentions)
        before = {text.text_id: text for text in state.find(TEXTS, "text_id", sure)}
        homes = homes_of(read)
        further = reached(state, Night(ties, sure, before, homes, quiet), read)
        if further:
            mentions += state.find(MENTIONS, "text_id", further)
            read = read_mentions(state, mentions)
            homes = homes_of(read)
            before |= {text.text_id: text for text in state.find(TEXTS, "text_id", further)}
        folded = sure | further
        _write(state, folded, before, read, homes)
        still = {text_id: now for text_id, now in quiet.items() if text_id not in further}
        _write_quiet(state, ties, still)
        return FoldDelta(frozenset(folded), before, frozenset(still))


def _quiet(state: State, ties: Mapping[str, TextTies], grown: Mapping[str, Collection[Mention]]) -> dict[str, TextTies]:
    """The ties of texts whose new mentions change nothing by themselves: all are of one day, later than all before.

    They name no tool that the text was not known to be about, or the text has to do with no other.
    """
    later = [
        mention
        for text_id, more in grown.items()
        if all(_is_later(mention, ties[text_id]) for mention in more)
        and len({mention.version.ingest_day for mention in more}) == 1
        for mention in more
    ]
    quiet = {text_id: ties[text_id] for text_id, more in grown.items() if not more}
    read = read_mentions(state, later)
    for name, of_day in zip(read.names, read.days.day_texts, strict=True):
        for text in of_day.texts:
            known, shown = ties[text.text_id], frozenset(read.tool_ids[tool] for tool in text.candidate_tools)
            tools = frozenset(known.tools)
            is_same = tools == narrowed(tools, shown, (known.is_labelled, text.is_labelled))
            if not text.is_contradicted and (is_same or known.component is None):
                homes = (*known.homes, *sorted(shown.difference(known.homes)))
                is_labelled = known.is_labelled or text.is_labelled
                quiet[text.text_id] = TextTies(
                    text.text_id, known.component, homes, known.tools, is_labelled, last_day=name
                )
    return quiet


def _is_later(mention: Mention, known: TextTies) -> bool:
    version = mention.version
    return version.ingest_day > known.last_day and version.early_ids == version.tool_ids


def _write(
    state: State,
    folded: Collection[str],
    before: Mapping[str, FoldedText],
    read: ReadMentions,
    homes: Mapping[str, set[str]],
) -> None:
    """Folds, in place of what was known of these texts."""
    clusters = fold_days(read.days)
    texts = {
        text.text_id: FoldedText(
            text.text_id,
            text.match_key,
            text.text,
            text.canonical.text_id,
            text.kind,
            text.similarity,
            text.was_canonical,
        )
        for text in read.days.texts
    }
    changed = {text_id for text_id in folded if texts.get(text_id) != before.get(text_id)}
    state.replace(TEXTS, "text_id", changed, (texts[text_id] for text_id in changed if text_id in texts))
    state.replace(LOOKALIKES, "text_id", folded, clusters.lookalikes())
    state.replace(HOMES, "text_id", folded, _home_records(homes.items()))
    state.replace(TIES, "text_id", folded, _ties(read, homes, clusters))


def _ties(read: ReadMentions, homes: Mapping[str, set[str]], clusters: TakeClusters) -> Iterator[TextTies]:
    firsts = components(clusters.near)
    texts, ids = read.days.texts, read.tool_ids
    last_days = _last_days(read)
    for number, first_of_all in firsts.items():
        last_days[first_of_all] = max(last_days[first_of_all], last_days[number])
    for text in texts:
        first = firsts.get(text.number)
        yield TextTies(
            text.text_id,
            None if first is None else texts[first].text_id,
            tuple(homes.get(text.text_id, ())),
            tuple([ids[tool] for tool in text.candidate_tools]),
            text.is_labelled,
            read.names[last_days[text.number if first is None else first]],
        )


def _last_days(read: ReadMentions) -> list[int]:
    """By the number of a text, the last day that shows it or on which a tool it was at home in turned out another."""
    numbers = {text.text_id: text.number for text in read.days.texts}
    last = [0] * len(numbers)
    for day, of_day in enumerate(read.days.day_texts):
        for text in of_day.texts:
            last[numbers[text.text_id]] = day
    claimed = {old: day for day, of_day in enumerate(read.days.days) for old in of_day.reassigned}
    for home in read.days.homes:
        last[home.text] = max(last[home.text], claimed.get(home.tool, 0))
    return last


def _write_quiet(state: State, ties: Mapping[str, TextTies], quiet: Mapping[str, TextTies]) -> None:
    others = {text_id: now for text_id, now in quiet.items() if now != ties[text_id]}
    state.replace(TIES, "text_id", others, others.values())
    settled = {text_id: now.homes for text_id, now in quiet.items() if now.homes != ties[text_id].homes}
    state.replace(HOMES, "text_id", settled, _home_records(settled.items()))


def _home_records(homes: Iterable[tuple[str, Iterable[str]]]) -> Iterator[TextHome]:
    return (TextHome(text_id, tool_id) for text_id, of_text in homes for tool_id in of_text)
