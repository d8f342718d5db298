"""Deduplication: the distinct texts of all takes, joined into reviews, one ingest day after the other.

A review is a cluster around its canonical text: of the first day that showed it, there the one whose tool is known,
then the most frequent (edits and truncated copies are rare), then the longest, then the smallest id. Other texts join
the canonical text directly, never through one another, so edits cannot chain two reviews together.

A day moves nothing that earlier days joined, except where it shows which tool a text is about. Then two reviews can
become one (the younger's id becomes an alias), or a text leaves a review that is about another tool.

Adding the days one by one gives the same reviews as a rebuild, and each day costs only what it brings. Within a day the
order of the mentions does not matter.
"""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import polars as pl

from normalize.dedup.blocking import BlockingIndex
from normalize.dedup.clusters import ClusterMember, new_member
from normalize.dedup.co_occurrence import CoOccurrence
from normalize.dedup.distinct_texts import DayTexts, DistinctText, distinct_texts
from normalize.dedup.matching import ClusterMatcher, Match
from normalize.dedup.similarity import compare
from normalize.dedup.thresholds import THRESHOLDS, Thresholds


class Lookalike(NamedTuple):
    """Two texts that are similar and were not joined. `similarity` is 0 to 1."""

    text_id: str
    other_id: str
    similarity: float


@contextmanager
def _without_garbage_collector() -> Iterator[None]:
    """Clustering makes millions of objects that stay: the cyclic collector would walk them all, time and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class TakeClusters:
    """The reviews of all days so far. `tool_ids` gives the id of each tool number, and may grow."""

    def __init__(self, tool_ids: Mapping[int, str], thresholds: Thresholds = THRESHOLDS) -> None:
        self.texts: dict[str, ClusterMember] = {}
        """Every distinct text by its id, as a member of its cluster."""
        self._thresholds = thresholds
        self._tool_ids = tool_ids
        self._of_tool: dict[int, list[ClusterMember]] = defaultdict(list)
        self._index = BlockingIndex(thresholds)
        self._co_occurrence = CoOccurrence()
        self._matcher = ClusterMatcher(self._index, self._co_occurrence, thresholds)
        self._days = 0

    def add_day(self, mentions: pl.DataFrame, reassigned: Mapping[int, int] | None = None) -> Sequence[ClusterMember]:
        """Adds one ingest day, and gives the cluster member of each of its mentions.

        `mentions` are as in `MENTION_SCHEMA`. `reassigned` maps tools to those they turned out to be since the last
        day.
        """
        with _without_garbage_collector():
            return self._add(distinct_texts(mentions, self._tool_ids), reassigned or {})

    def _add(self, day: DayTexts, reassigned: Mapping[int, int]) -> Sequence[ClusterMember]:
        self._co_occurrence.start_day(day)
        changed = self._reassign(reassigned)
        new = []
        for text in day.texts:
            member = self.texts.get(text.text_id)
            if member is None:
                new.append(new_member(text, self._days))
            elif self._narrow(member, text):
                changed.add(member.text_id)
        self._regroup([self.texts[text_id] for text_id in sorted(changed)])
        for member in sorted(new, key=lambda member: member.rank):
            self.texts[member.text_id] = member
            for tool in member.candidate_tools:
                self._of_tool[tool].append(member)
            self._place(member)
        self._days += 1
        return [self.texts[day.texts[index].text_id] for index in day.text_indexes]

    def review_id(self, text_id: str) -> str:
        """The review a text belongs to."""
        return self.texts[text_id].canonical.text_id

    def lookalikes(self) -> Iterable[Lookalike]:
        """Pairs of texts that may be one take and are in two reviews."""
        for (text_id, other_id), similarity in sorted(self._matcher.lookalikes.items()):
            if self.review_id(text_id) != self.review_id(other_id):
                yield Lookalike(text_id, other_id, similarity)

    def _reassign(self, reassigned: Mapping[int, int]) -> set[str]:
        """Replaces tools by what they turned out to be, and gives the ids of the texts that changed."""
        changed = set()
        for old, new in sorted(reassigned.items()):
            for member in self._of_tool.pop(old, ()):
                tools = member.candidate_tools
                if old in tools and self._set_candidates(member, tools - {old} | {new}):
                    changed.add(member.text_id)
        return changed

    def _narrow(self, member: ClusterMember, text: DistinctText) -> bool:
        """Narrows the candidate tools of a known text to what this day shows. True where they changed."""
        if text.is_labelled:
            tools = member.candidate_tools | text.candidate_tools if member.is_labelled else text.candidate_tools
            member.is_labelled = True
        elif member.is_labelled:
            tools = member.candidate_tools
        else:
            # Pages without a common tool contradict: the earlier tools stay, and attribution reports it.
            tools = member.candidate_tools & text.candidate_tools or member.candidate_tools
        return self._set_candidates(member, tools)

    def _set_candidates(self, member: ClusterMember, tools: frozenset[int]) -> bool:
        if tools == member.candidate_tools:
            return False
        for tool in tools - member.candidate_tools:
            self._of_tool[tool].append(member)
        member.candidate_tools = tools
        if member.is_canonical:
            self._index.add(member)
        return True

    def _regroup(self, changed: Sequence[ClusterMember]) -> None:
        """Splits clusters whose texts turned out to be of two tools, then joins those that turned out to be of one."""
        for text in changed:
            for member in text.members if text.is_canonical else (text,):
                canonical = member.canonical
                if not member.candidate_tools & canonical.candidate_tools:
                    canonical.members = tuple(kept for kept in canonical.members if kept is not member)
                    self._place(member)
        tools = {tool for text in changed if text.has_known_tool for tool in text.candidate_tools}
        canonical_texts = {text.text_id: text for tool in tools for text in self._index.of_tool(tool)}
        for text in sorted(canonical_texts.values(), key=lambda text: text.rank):
            match = self._matcher.closest(text)
            if match is not None:
                self._merge(text, match)

    def _merge(self, younger: ClusterMember, match: Match) -> None:
        """Dissolves a cluster: its canonical text joins the match, its members join too or find their own place."""
        members, younger.members = younger.members, ()
        self._join(younger, match)
        for member in members:
            member.canonical = match.canonical
            similarity = compare(member, match.canonical, self._thresholds)
            if similarity is not None and similarity.kind != "lookalike":
                self._join(member, Match(match.canonical, similarity))
            else:
                self._place(member)

    def _place(self, member: ClusterMember) -> None:
        """Joins the closest cluster, or makes the text canonical in one of its own."""
        match = self._matcher.closest(member)
        if match is not None:
            self._join(member, match)
            return
        member.canonical = member
        member.kind, member.similarity, member.was_canonical = "exact", 1.0, True
        self._index.add(member)

    def _join(self, member: ClusterMember, match: Match) -> None:
        canonical, similarity = match
        member.canonical = canonical
        member.kind = "prefix" if similarity.kind == "prefix" else "near"
        member.similarity = similarity.score
        canonical.members = (*canonical.members, member)
        common = canonical.candidate_tools & member.candidate_tools
        if not canonical.is_labelled and common != canonical.candidate_tools:
            self._set_candidates(canonical, common)
        self._co_occurrence.note_join(member, canonical)
