"""Deduplication: joins the distinct texts of all takes into reviews, one ingest day after the other.

A review is a cluster around its canonical text. The canonical text is one of the first day that showed the take: the
one whose tool is known, then the most frequent (edits and truncated copies are rare), then the longest, then the one
with the smallest id. Other texts join the canonical text directly, never through one another, so edits cannot chain two
reviews together.

A day does not move what earlier days joined, unless it shows which tool a text is about. Then two reviews can become
one (the younger's id becomes an alias), or a text leaves a review that is about another tool. Adding the days one by
one gives the same reviews as a rebuild, and each day costs only what it brings. Within a day the order of the mentions
does not matter.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from rapidfuzz.fuzz import ratio

from verdicts.corpus.enumerations import Match
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.dedup.mentions import Day, DistinctText, FoldedText
from verdicts.normalize.dedup.similarity import (
    THRESHOLDS,
    Block,
    Neighbours,
    Similarity,
    Thresholds,
    compare,
    neighbours,
)


@dataclass(slots=True, eq=False)
class ClusterMember:
    """A text in its cluster. `canonical` is the text the cluster is built around; a canonical text is its own.

    `candidate_tools` are the tools it may be about. `rank` orders texts by age, and `number` counts them in that order:
    a canonical text has the smallest of its cluster at the time it was placed. `kind` and `similarity` (0 to 1) are
    against the canonical text. `is_placed` from the first day that shows it on. `was_canonical`: its id has been a
    review's. `members` are the other texts of a canonical text's cluster.
    """

    text_id: str
    match_key: str
    text: str
    rank: tuple[str, bool, int, int, str]
    candidate_tools: frozenset[str]
    is_labelled: bool
    number: int = field(init=False)
    canonical: "ClusterMember" = field(init=False)
    is_placed: bool = False
    is_canonical: bool = False
    kind: Match = "exact"
    similarity: float = 1.0
    was_canonical: bool = False
    members: tuple["ClusterMember", ...] = ()

    @property
    def has_known_tool(self) -> bool:
        return len(self.candidate_tools) == 1

    @property
    def folded(self) -> FoldedText:
        """The text with its review, once all texts are in clusters."""
        review_id = self.canonical.text_id
        return FoldedText(
            self.text_id, self.match_key, self.text, review_id, self.kind, self.similarity, self.was_canonical
        )


def new_member(text: DistinctText, day: str) -> ClusterMember:
    """A new text of an ingest day, not yet in a cluster."""
    has_unknown_tool = len(text.candidate_tools) != 1
    rank = (day, has_unknown_tool, -len(text.mentions), -len(text.match_key), text.text_id)
    return ClusterMember(text.text_id, text.match_key, text.text, rank, text.candidate_tools, text.is_labelled)


class CoOccurrence:
    """Which texts are on the same page version. Similar texts that were on one day stay separate on all later days.

    `apart` are pairs that are separate from the start.
    """

    def __init__(self, apart: Collection[frozenset[str]]) -> None:
        self._separate = set(apart)
        self._texts: dict[str, DistinctText] = {}

    def start_day(self, day: Day) -> None:
        """Replaces the page versions of the day before."""
        self._texts = {text.text_id: text for text in day.texts}

    def note_separate(self, member: ClusterMember, similar: Iterable[ClusterMember]) -> None:
        """Remembers similar texts that are on the same page today."""
        for other in similar:
            if self._share_a_version(member, other):
                self._separate.add(frozenset({member.text_id, other.text_id}))

    def are_separate(self, member: ClusterMember, canonical: ClusterMember) -> bool:
        """Whether a text is on a page with a text of the cluster, today or (if similar) on an earlier day."""
        return any(
            frozenset({member.text_id, text.text_id}) in self._separate or self._share_a_version(member, text)
            for text in (canonical, *canonical.members)
        )

    def _share_a_version(self, member: ClusterMember, other: ClusterMember) -> bool:
        return not self._versions(member).isdisjoint(self._versions(other))

    def _versions(self, member: ClusterMember) -> set[Location]:
        """The page versions of this day that show the text."""
        text = self._texts.get(member.text_id)
        return set() if text is None else {mention.version.location for mention in text.mentions}


class ClusterMatch(NamedTuple):
    """The canonical text of a cluster, and how similar a text is to it."""

    canonical: ClusterMember
    similarity: Similarity


class ClusterMatcher:
    """Finds the canonical text that a text belongs to, and keeps the lookalikes it meets. `texts` come oldest first."""

    def __init__(self, texts: Sequence[ClusterMember], neighbours: Neighbours, co_occurrence: CoOccurrence) -> None:
        self._texts = texts
        self._similar = neighbours
        self._co_occurrence = co_occurrence
        self.lookalikes: dict[tuple[str, str], float] = {}
        """Score (0 to 1) by the ids of a text and of a canonical text that were too different to join."""

    def beside(self, member: ClusterMember) -> Iterator[ClusterMember]:
        return (self._texts[other.number] for other in self._similar.get(member.number, ()))

    def closest(self, member: ClusterMember) -> ClusterMatch | None:
        """The most similar older canonical text that a text may join; of equals, the oldest."""
        matches = [*self._matches(member)]
        joinable = [match for match in matches if _is_joinable(member, match)]
        if not joinable:
            return None
        best = min(joinable, key=lambda match: (-match.similarity.score, match.canonical.number))
        if member.has_known_tool:
            return best
        # A text of an unknown tool that matches two tools joins neither: sibling tools have nearly equal takes.
        tools = best.canonical.candidate_tools
        is_undecided = any(not match.canonical.candidate_tools & tools for match in matches)
        return None if is_undecided else best

    def _matches(self, member: ClusterMember) -> Iterator[ClusterMatch]:
        """Every older canonical text of its tools that is at least a lookalike."""
        for number, similarity, tools in self._similar.get(member.number, ()):
            canonical = self._texts[number]
            is_older = canonical.is_canonical and number < member.number
            if not is_older or not tools & member.candidate_tools & canonical.candidate_tools:
                continue
            if not self._co_occurrence.are_separate(member, canonical):
                if similarity.kind == "lookalike":
                    self.lookalikes[member.text_id, canonical.text_id] = similarity.score
                yield ClusterMatch(canonical, similarity)


def _is_joinable(member: ClusterMember, match: ClusterMatch) -> bool:
    if match.similarity.kind == "excerpt":
        return member.has_known_tool and match.canonical.has_known_tool
    return match.similarity.kind in {"near", "prefix", "passage"}


T = TypeVar("T")


def fold(
    days: Sequence[Day], thresholds: Thresholds = THRESHOLDS, apart: Collection[frozenset[str]] = ()
) -> "TakeClusters":
    """The reviews of all days. `apart` are pairs of texts that are never one take."""
    texts = texts_by_age(days)
    clusters = TakeClusters(texts, neighbours(texts, blocks_of(days, texts), thresholds), thresholds, apart)
    for day in days:
        clusters.add_day(day)
    return clusters


def texts_by_age(days: Sequence[Day]) -> Sequence[ClusterMember]:
    members: dict[str, ClusterMember] = {}
    for day in days:
        for text in day.texts:
            if text.text_id not in members:
                members[text.text_id] = new_member(text, day.name)
    by_age = sorted(members.values(), key=lambda member: member.rank)
    for number, member in enumerate(by_age):
        member.number = number
    return by_age


def blocks_of(days: Sequence[Day], texts: Sequence[ClusterMember]) -> Sequence[Block]:
    """Every tool that a text may be about, since the first such day."""
    numbers = {text.text_id: text.number for text in texts}
    blocked: dict[str, dict[int, Block]] = defaultdict(dict)
    for day in days:
        arrived = [(new, text) for old, new in day.reassigned.items() for text in blocked.get(old, ())]
        arrived += [(tool_id, numbers[text.text_id]) for text in day.texts for tool_id in text.candidate_tools]
        for tool_id, text in arrived:
            if text not in blocked[tool_id]:
                blocked[tool_id][text] = Block(text, tool_id, day.name)
    return [block for of_tool in blocked.values() for block in of_tool.values()]


class TakeClusters:
    """The reviews of all days so far. `texts` come oldest first, and include those of later days."""

    def __init__(
        self,
        texts: Sequence[ClusterMember],
        near: Neighbours,
        thresholds: Thresholds,
        apart: Collection[frozenset[str]],
    ) -> None:
        self.texts = {text.text_id: text for text in texts}
        """Every distinct text by its id, as a member of its cluster."""
        self.near = near
        self._thresholds = thresholds
        self._of_tool: dict[str, list[ClusterMember]] = defaultdict(list)
        self._co_occurrence = CoOccurrence(apart)
        self._matcher = ClusterMatcher(texts, near, self._co_occurrence)

    def add_day(self, day: Day) -> None:
        self._co_occurrence.start_day(day)
        for text in day.texts:
            member = self.texts[text.text_id]
            older = [other for other in self._matcher.beside(member) if other.number < member.number]
            self._co_occurrence.note_separate(member, older)
        changed = self._reassign(day.reassigned)
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

    def join(self, into: Mapping[str, str]) -> None:
        """Joins reviews to others, by their ids, after all days. A joined review is never the target of another."""
        for younger, older in sorted(into.items()):
            canonical = self.texts[older]
            members, self.texts[younger].members = self.texts[younger].members, ()
            for member in (self.texts[younger], *members):
                score = ratio(member.match_key, canonical.match_key) / 100
                self._join(member, ClusterMatch(canonical, Similarity("near", score)))

    def lookalikes(self) -> Mapping[tuple[str, str], float]:
        """By the ids of two reviews: how similar their texts are. Of several pairs of texts the first counts."""
        found: dict[tuple[str, str], float] = {}
        for text_ids, similarity in sorted(self._matcher.lookalikes.items()):
            first, second = sorted(self.texts[text_id].canonical.text_id for text_id in text_ids)
            if first != second:
                found.setdefault((first, second), similarity)
        return found

    def _reassign(self, reassigned: Mapping[str, str]) -> set[str]:
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

    def _set_candidates(self, member: ClusterMember, tools: frozenset[str]) -> bool:
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

    def _join(self, member: ClusterMember, match: ClusterMatch) -> None:
        canonical, similarity = match
        member.canonical, member.is_canonical, member.is_placed = canonical, False, True
        member.kind = "prefix" if similarity.kind == "prefix" else "near"
        member.similarity = similarity.score
        canonical.members = (*canonical.members, member)
        common = canonical.candidate_tools & member.candidate_tools
        if not canonical.is_labelled and common != canonical.candidate_tools:
            self._set_candidates(canonical, common)


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
