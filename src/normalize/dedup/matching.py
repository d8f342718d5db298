"""Matching: the cluster that a text belongs to, if there is one."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from normalize.dedup.blocking import BlockingIndex
from normalize.dedup.clusters import ClusterMember
from normalize.dedup.co_occurrence import CoOccurrence
from normalize.dedup.similarity import Similarity, compare
from normalize.dedup.thresholds import Thresholds


class Match(NamedTuple):
    """The canonical text of a cluster, and how similar a text is to it."""

    canonical: ClusterMember
    similarity: Similarity


class ClusterMatcher:
    """Compares texts with the canonical texts of their candidate tools, and keeps the lookalikes it meets."""

    def __init__(self, index: BlockingIndex, co_occurrence: CoOccurrence, thresholds: Thresholds) -> None:
        self._index = index
        self._co_occurrence = co_occurrence
        self._thresholds = thresholds
        self._lookalikes: dict[tuple[str, str], float] = {}

    @property
    def lookalikes(self) -> Mapping[tuple[str, str], float]:
        """Score (0 to 1) by the ids of a text and of a canonical text that were too different to join."""
        return self._lookalikes

    def closest(self, member: ClusterMember) -> Match | None:
        """The most similar older canonical text that the rules allow to join; of equals the oldest."""
        matches = self._similar(member)
        joinable = [match for match in matches if _is_joinable(member, match)]
        if not joinable:
            return None
        best = min(joinable, key=lambda match: (-match.similarity.score, match.canonical.rank))
        if member.has_known_tool:
            return best
        # A text of unknown tool may be what a sibling tool's reviewer said in nearly the same words: it joins neither.
        tools = best.canonical.candidate_tools
        is_undecided = any(not match.canonical.candidate_tools & tools for match in matches)
        return None if is_undecided else best

    def _similar(self, member: ClusterMember) -> Sequence[Match]:
        """Every candidate that is similar, and a lookalike at least."""
        matches = []
        for canonical in self._index.candidates(member):
            similarity = compare(member, canonical, self._thresholds)
            if similarity is None or self._co_occurrence.are_separate(member, canonical):
                continue
            if similarity.kind == "lookalike":
                self._lookalikes[member.text_id, canonical.text_id] = similarity.score
            matches.append(Match(canonical, similarity))
        return matches


def _is_joinable(member: ClusterMember, match: Match) -> bool:
    if match.similarity.kind == "excerpt":
        return member.has_known_tool and match.canonical.has_known_tool
    return match.similarity.kind in {"near", "prefix"}
