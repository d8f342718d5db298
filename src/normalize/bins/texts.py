"""Stages `texts` and `homes`: which texts have to do with each other, and are folded in one bin.

Texts meet under a tool, so each is sent to the bins of all tools that it may be about. Those that have nothing to do
with each other, however indirectly, fold apart as they do together: see `fold_round`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from normalize.bins.messages import TEXT_TIES, TEXTS_AT_HOME, Move, TextAtHome, TextTie, send_mentions, sent_mentions
from normalize.bins.outbox import EVERYBODY, Inbox, Outbox, bin_of
from normalize.bins.shared import Shared
from normalize.dedup.clusters import ClusterMember
from normalize.dedup.mention_records import Mention
from normalize.dedup.reach import read_mentions
from normalize.dedup.similar_texts import Home, components, neighbours
from normalize.dedup.thresholds import THRESHOLDS
from normalize.state.memory import MemoryState


def text_bin(inbox: Inbox, shared: Shared, outbox: Outbox) -> None:
    """Distinct texts of mentions. Sends TEXTS_AT_HOME to the bins of their tools."""
    shown = [*sent_mentions(inbox)]
    read = read_mentions(state_of(shown, shared), shown)
    for home in read.days.homes:
        text, tool_id = read.days.texts[home.text], read.tool_ids[home.tool]
        # Days have numbers among those of one bin alone.
        day, has_unknown_tool, mentions, letters, text_id = text.rank
        age = (read.names[day], has_unknown_tool, mentions, letters, text_id)
        at_home = TextAtHome(text.text_id, text.match_key, text.text, age, tool_id, read.names[home.day])
        outbox.send("homes", tool_id, TEXTS_AT_HOME, at_home)


def state_of(mentions: Sequence[Mention], shared: Shared) -> MemoryState:
    """A state with what is known of the tools of some mentions."""
    versions = {id(mention.version): mention.version for mention in mentions}.values()
    early = chain.from_iterable(version.early_ids for version in versions)
    return shared.state(early, chain.from_iterable(version.tool_ids for version in versions))


def home_bin(inbox: Inbox, outbox: Outbox) -> None:
    """Texts by the tools that they may be about. Sends TEXT_TIES of those that have to do with each other there."""
    at_home: list[TextAtHome] = inbox[TEXTS_AT_HOME.name]
    by_age = sorted({item.text_id: item for item in at_home}.values(), key=lambda item: item.age)
    texts = [_member(item) for item in by_age]
    numbers = {text.text_id: number for number, text in enumerate(texts)}
    days = {name: number for number, name in enumerate(sorted({item.since for item in at_home}))}
    tools = {tool_id: number for number, tool_id in enumerate(sorted({item.tool_id for item in at_home}))}
    homes = [Home(numbers[item.text_id], tools[item.tool_id], days[item.since]) for item in at_home]
    found = components(neighbours(texts, homes, THRESHOLDS))
    ties = (TextTie(texts[first].text_id, texts[number].text_id) for number, first in found.items() if first != number)
    outbox.send_to("planner", EVERYBODY, TEXT_TIES, ties)


def _member(text: TextAtHome) -> ClusterMember:
    # Which other texts one meets follows from what it says and since when it is at home.
    rank = (0, False, 0, 0, text.text_id)
    return ClusterMember(text.text_id, text.match_key, text.text, rank, frozenset(), is_labelled=False)


def moves(ties: Iterable[TextTie], bins: int) -> Iterator[Move]:
    """The texts that are folded in another bin: in that of the first by id of those that they have to do with."""
    for text_id, first in joined((tie.text_id, tie.other_id) for tie in ties).items():
        if bin_of(text_id, bins) != (there := bin_of(first, bins)):
            yield Move(text_id, there)


def joined(pairs: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """By id, the smallest of those that it hangs together with, however indirectly."""
    first: dict[str, str] = {}

    def find(one: str) -> str:
        while (above := first.setdefault(one, one)) != one:
            first[one] = first[above]
            one = first[above]
        return one

    for one, other in pairs:
        one, other = sorted((find(one), find(other)))
        first[other] = one
    return {one: find(one) for one in first}


def moving_bin(inbox: Inbox, shared: Shared, outbox: Outbox) -> None:
    """Sends the mentions of texts that are folded in other bins there."""
    leaving: dict[int, list[Mention]] = defaultdict(list)
    for mention in sent_mentions(inbox):
        if mention.text_id in shared.moves:
            leaving[shared.moves[mention.text_id]].append(mention)
    for there, mentions in leaving.items():
        send_mentions(outbox, "folds", there, mentions)
