"""Deduplication: the distinct texts of all takes, joined into reviews, one ingest day after the other.

A review is a cluster around its canonical text: of the first day that showed it, there the one whose tool is known,
then the most frequent (edits and truncated copies are rare), then the longest, then the smallest id. Other texts join
the canonical text directly, never through one another, so edits cannot chain two reviews together.

A day moves nothing that earlier days joined, except where it shows which tool a text is about. Then two reviews can
become one (the younger's id becomes an alias), or a text leaves a review that is about another tool.

Adding the days one by one gives the same reviews as a rebuild, and each day costs only what it brings. Within a day the
order of the mentions does not matter.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from verdicts.normalize.dedup.clusters import ClusterMatch, ClusterMatcher, ClusterMember, CoOccurrence, new_member
from verdicts.normalize.dedup.distinct_texts import Day, DayTexts, DistinctText, distinct_texts
from verdicts.normalize.dedup.mentions import Lookalike
from verdicts.normalize.dedup.similar_texts import Block, Neighbours, neighbours
from verdicts.normalize.dedup.similarity import THRESHOLDS, Thresholds, compare
from verdicts.normalize.work import without_collector

T = TypeVar("T")


class ReadDays(NamedTuple):
    """Of each day the tools that turned out to be others and the distinct texts; all texts by age, and their blocks.

    Mentions are not among it: of a million they take half a gigabyte, and folding has no use for them.
    """

    reassigned: Sequence[Mapping[int, int]]
    day_texts: Sequence[DayTexts]
    texts: Sequence[ClusterMember]
    blocks: Sequence[Block]


def fold(days: Sequence[Day], tool_ids: Mapping[int, str], thresholds: Thresholds = THRESHOLDS) -> "TakeClusters":
    """The reviews of all days. `tool_ids` gives the id of each tool number."""
    with without_collector():
        return fold_days(read_days(days, tool_ids), thresholds)


def read_days(days: Sequence[Day], tool_ids: Mapping[int, str]) -> ReadDays:
    """The texts of all days."""
    day_texts = [distinct_texts(day.mentions, tool_ids) for day in days]
    texts = _by_age(day_texts)
    reassigned = [day.reassigned for day in days]
    blocks = _blocks({text.text_id: text.number for text in texts}, day_texts, reassigned)
    return ReadDays(reassigned, day_texts, texts, [*blocks])


def fold_days(read: ReadDays, thresholds: Thresholds = THRESHOLDS) -> "TakeClusters":
    """The reviews of all days."""
    clusters = TakeClusters(read.texts, neighbours(read.texts, read.blocks, thresholds), thresholds)
    for reassigned, in_texts in zip(read.reassigned, read.day_texts, strict=True):
        clusters.add_day(in_texts, reassigned)
    return clusters


def _by_age(days: Sequence[DayTexts]) -> Sequence[ClusterMember]:
    """Every text, numbered by age."""
    members: dict[str, ClusterMember] = {}
    for number, day in enumerate(days):
        for text in day.texts:
            if text.text_id not in members:
                members[text.text_id] = new_member(text, number)
    by_age = sorted(members.values(), key=lambda member: member.rank)
    for number, member in enumerate(by_age):
        member.number = number
    return by_age


def _blocks(
    numbers: Mapping[str, int], texts: Sequence[DayTexts], reassigned: Sequence[Mapping[int, int]]
) -> Iterator[Block]:
    """Every tool that a text may be about, since the first such day."""
    blocked: dict[int, set[int]] = defaultdict(set)
    for number, (of_day, others) in enumerate(zip(texts, reassigned, strict=True)):
        arrived = [(old, text) for old in others for text in blocked[old]]
        new = {(others[old], text) for old, text in arrived}
        new |= {(tool, numbers[text.text_id]) for text in of_day.texts for tool in text.candidate_tools}
        for tool, text in new:
            if text not in blocked[tool]:
                blocked[tool].add(text)
                yield Block(text, tool, number)


class TakeClusters:
    """The reviews of all days so far. `texts` come oldest first, those of later days among them."""

    def __init__(self, texts: Sequence[ClusterMember], near: Neighbours, thresholds: Thresholds) -> None:
        self.texts = {text.text_id: text for text in texts}
        """Every distinct text by its id, as a member of its cluster."""
        self.mentions: list[Sequence[ClusterMember]] = []
        """For each day, the text of each mention."""
        self.near = near
        self._thresholds = thresholds
        self._of_tool: dict[int, list[ClusterMember]] = defaultdict(list)
        self._co_occurrence = CoOccurrence()
        self._matcher = ClusterMatcher(texts, near, self._co_occurrence, thresholds)

    def add_day(self, day: DayTexts, reassigned: Mapping[int, int]) -> None:
        """Adds one ingest day."""
        self._co_occurrence.start_day(day)
        for text in day.texts:
            member = self.texts[text.text_id]
            for other in self._matcher.beside(member):
                if other.number < member.number:
                    self._co_occurrence.note_separate(member, other)
        changed = self._reassign(reassigned)
        new = []
        for text in day.texts:
            member = self.texts[text.text_id]
            if not member.is_placed:
                new.append(member)
            elif self._narrow(member, text):
                changed.add(member.text_id)
        self._regroup([self.texts[text_id] for text_id in sorted(changed)])
        for member in sorted(new, key=lambda member: member.number):
            for tool in member.candidate_tools:
                self._of_tool[tool].append(member)
            self._place(member)
        self.mentions.append([self.texts[day.texts[index].text_id] for index in day.text_indexes])

    def review_id(self, text_id: str) -> str:
        """The review of a text."""
        return self.texts[text_id].canonical.text_id

    def lookalikes(self) -> Iterable[Lookalike]:
        """Pairs of similar texts in two reviews."""
        for (text_id, other_id), similarity in sorted(self._matcher.lookalikes.items()):
            if self.review_id(text_id) != self.review_id(other_id):
                yield Lookalike(text_id, other_id, similarity)

    def _reassign(self, reassigned: Mapping[int, int]) -> set[str]:
        """Replaces former tools by the present ones, and returns the ids of the changed texts."""
        changed = set()
        for old, new in sorted(reassigned.items()):
            for member in self._of_tool.pop(old, ()):
                tools = member.candidate_tools
                if old in tools and self._set_candidates(member, tools - {old} | {new}):
                    changed.add(member.text_id)
        return changed

    def _narrow(self, member: ClusterMember, text: DistinctText) -> bool:
        """Narrows the candidate tools of a known text by this day. Returns whether they changed."""
        tools = narrowed(member.candidate_tools, text.candidate_tools, (member.is_labelled, text.is_labelled))
        member.is_labelled |= text.is_labelled
        return self._set_candidates(member, tools)

    def _set_candidates(self, member: ClusterMember, tools: frozenset[int]) -> bool:
        if tools == member.candidate_tools:
            return False
        for tool in tools - member.candidate_tools:
            self._of_tool[tool].append(member)
        member.candidate_tools = tools
        return True

    def _regroup(self, changed: Sequence[ClusterMember]) -> None:
        """Splits clusters with texts of two tools, then joins clusters of one tool."""
        moved = {text.number: text for text in changed}
        for text in changed:
            for member in text.members if text.is_canonical else (text,):
                canonical = member.canonical
                if not member.candidate_tools & canonical.candidate_tools:
                    canonical.members = tuple(kept for kept in canonical.members if kept is not member)
                    moved[member.number] = member
                    self._place(member)
        near = {other.number: other for text in moved.values() for other in self._matcher.beside(text)}
        for _, text in sorted((moved | near).items()):
            if text.is_canonical and text.has_known_tool:
                match = self._matcher.closest(text)
                if match is not None:
                    self._merge(text, match)

    def _merge(self, younger: ClusterMember, match: ClusterMatch) -> None:
        """Dissolves a cluster: its canonical text joins the match; its members join, too, or find their own place."""
        members, younger.members = younger.members, ()
        self._join(younger, match)
        for member in members:
            member.canonical = match.canonical
            similarity = compare(member, match.canonical, self._thresholds)
            if similarity is not None and similarity.kind != "lookalike":
                self._join(member, ClusterMatch(match.canonical, similarity))
            else:
                self._place(member)

    def _place(self, member: ClusterMember) -> None:
        """Joins the closest cluster, or makes the text canonical in a new cluster."""
        match = self._matcher.closest(member)
        if match is not None:
            self._join(member, match)
            return
        member.canonical = member
        member.kind, member.similarity = "exact", 1.0
        member.is_placed = member.is_canonical = member.was_canonical = True
        self._matcher.note_canonical(member)

    def _join(self, member: ClusterMember, match: ClusterMatch) -> None:
        canonical, similarity = match
        member.canonical, member.is_canonical, member.is_placed = canonical, False, True
        member.kind = "prefix" if similarity.kind == "prefix" else "near"
        member.similarity = similarity.score
        canonical.members = (*canonical.members, member)
        common = canonical.candidate_tools & member.candidate_tools
        if not canonical.is_labelled and common != canonical.candidate_tools:
            self._set_candidates(canonical, common)
        self._co_occurrence.note_join(member, canonical)


def narrowed(tools: frozenset[T], shown: frozenset[T], is_labelled: tuple[bool, bool]) -> frozenset[T]:
    """The tools that a text may be about after a day; `is_labelled` before and on the day."""
    match is_labelled:
        case True, True:
            return tools | shown
        case False, True:
            return shown
        case True, False:
            return tools
        case _:
            # Pages without a common tool contradict: the earlier tools stay, and attribution reports it.
            return tools & shown or tools
