"""Clusters: the distinct texts of one review around its canonical text, and the search for the cluster of a text.

Takes on the same page are different takes, even if they are similar (`CoOccurrence`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from verdicts.corpus.enumerations import Match
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.dedup.mentions import Day, DistinctText, FoldedText
from verdicts.normalize.dedup.similar_texts import Neighbours
from verdicts.normalize.dedup.similarity import Similarity


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
    """Which texts are on the same page version. Similar texts that were on one day stay separate on all later days."""

    def __init__(self) -> None:
        self._separate: dict[str, set[str]] = defaultdict(set)
        self._texts: dict[str, DistinctText] = {}

    def start_day(self, day: Day) -> None:
        """Replaces the page versions of the day before."""
        self._texts = {text.text_id: text for text in day.texts}

    def note_separate(self, member: ClusterMember, similar: Iterable[ClusterMember]) -> None:
        """Remembers similar texts that are on the same page today."""
        for other in similar:
            if self._share_a_version(member, other):
                self.separate(member.text_id, other.text_id)

    def separate(self, text_id: str, other_id: str) -> None:
        """Keeps two texts apart on all days."""
        self._separate[text_id].add(other_id)
        self._separate[other_id].add(text_id)

    def are_separate(self, member: ClusterMember, canonical: ClusterMember) -> bool:
        """Whether a text is on a page with a text of the cluster, today or (if similar) on an earlier day."""
        apart = self._separate.get(member.text_id, ())
        return any(
            text.text_id in apart or self._share_a_version(member, text) for text in (canonical, *canonical.members)
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
        """The texts similar to a text, of any tool."""
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
