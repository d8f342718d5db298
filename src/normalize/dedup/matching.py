"""Matching: the cluster that a text belongs to, if there is one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from normalize.dedup.clusters import ClusterMember
from normalize.dedup.co_occurrence import CoOccurrence
from normalize.dedup.similar_texts import SimilarText
from normalize.dedup.similarity import Similarity


class Match(NamedTuple):
    """The canonical text of a cluster, and how similar a text is to it."""

    canonical: ClusterMember
    similarity: Similarity


class ClusterMatcher:
    """Finds the canonical text that a text belongs to, and keeps the lookalikes it meets. `texts` come oldest first."""

    def __init__(
        self,
        texts: Sequence[ClusterMember],
        similar: Mapping[int, Sequence[SimilarText]],
        co_occurrence: CoOccurrence,
    ) -> None:
        self._texts = texts
        self._similar = similar
        self._co_occurrence = co_occurrence
        self._lookalikes: dict[tuple[str, str], float] = {}

    @property
    def lookalikes(self) -> Mapping[tuple[str, str], float]:
        """Score (0 to 1) by the ids of a text and of a canonical text that were too different to join."""
        return self._lookalikes

    def beside(self, member: ClusterMember) -> Iterator[ClusterMember]:
        """The texts that are similar to one, whatever their tools."""
        return (self._texts[other.number] for other in self._similar.get(member.number, ()))

    def closest(self, member: ClusterMember) -> Match | None:
        """The most similar older canonical text that the rules allow to join; of equals the oldest."""
        matches = [*self._matches(member)]
        joinable = [match for match in matches if _is_joinable(member, match)]
        if not joinable:
            return None
        best = min(joinable, key=lambda match: (-match.similarity.score, match.canonical.number))
        if member.has_known_tool:
            return best
        # A text of unknown tool may be what a sibling tool's reviewer said in nearly the same words: it joins neither.
        tools = best.canonical.candidate_tools
        is_undecided = any(not match.canonical.candidate_tools & tools for match in matches)
        return None if is_undecided else best

    def _matches(self, member: ClusterMember) -> Iterator[Match]:
        """Every older canonical text of its tools that is similar, and a lookalike at least."""
        for other in self._similar.get(member.number, ()):
            canonical = self._texts[other.number]
            if other.number > member.number or not canonical.is_canonical:
                continue
            if not other.tools & member.candidate_tools & canonical.candidate_tools:
                continue
            if self._co_occurrence.are_separate(member, canonical):
                continue
            if other.similarity.kind == "lookalike":
                self._lookalikes[member.text_id, canonical.text_id] = other.similarity.score
            yield Match(canonical, other.similarity)


def _is_joinable(member: ClusterMember, match: Match) -> bool:
    if match.similarity.kind == "excerpt":
        return member.has_known_tool and match.canonical.has_known_tool
    return match.similarity.kind in {"near", "prefix", "passage"}
