"""Matching: the cluster that a text belongs to, if there is one."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from verdicts.normalize.dedup.clusters import ClusterMember
from verdicts.normalize.dedup.co_occurrence import CoOccurrence
from verdicts.normalize.dedup.similar_texts import Neighbours
from verdicts.normalize.dedup.similarity import Similarity, compare
from verdicts.normalize.dedup.thresholds import Thresholds


class Match(NamedTuple):
    """The canonical text of a cluster, and how similar a text is to it."""

    canonical: ClusterMember
    similarity: Similarity


class ClusterMatcher:
    """Finds the canonical text that a text belongs to, and keeps the lookalikes it meets. `texts` come oldest first."""

    def __init__(
        self,
        texts: Sequence[ClusterMember],
        neighbours: Neighbours,
        co_occurrence: CoOccurrence,
        thresholds: Thresholds,
    ) -> None:
        self._texts = texts
        self._similar, self._crowded = neighbours
        self._co_occurrence = co_occurrence
        self._thresholds = thresholds
        self._leaders_of_run: dict[int, list[ClusterMember]] = defaultdict(list)
        self._lookalikes: dict[tuple[str, str], float] = {}

    @property
    def lookalikes(self) -> Mapping[tuple[str, str], float]:
        """Score (0 to 1) by the ids of a text and of a canonical text that were too different to join."""
        return self._lookalikes

    def beside(self, member: ClusterMember) -> Iterator[ClusterMember]:
        """The texts that are similar to one, whatever their tools, and the canonical ones of its crowded runs."""
        yield from (self._texts[other.number] for other in self._similar.get(member.number, ()))
        yield from self._shared_leaders(member)

    def note_canonical(self, text: ClusterMember) -> None:
        """A text became canonical: the crowded runs that it has lead to it, unless they lead to enough."""
        if text.number in self._crowded:
            for key in self._crowded[text.number].keys:
                leaders = self._leaders_of_run[key]
                if text not in leaders and len(leaders) < self._thresholds.texts_a_run:
                    leaders.append(text)

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
        for canonical, similarity in self._leaders(member).items():
            if similarity is None or self._co_occurrence.are_separate(member, canonical):
                continue
            if similarity.kind == "lookalike":
                self._lookalikes[member.text_id, canonical.text_id] = similarity.score
            yield Match(canonical, similarity)

    def _leaders(self, member: ClusterMember) -> Mapping[ClusterMember, Similarity | None]:
        """The older canonical texts of its tools that share enough runs with a text."""
        leaders: dict[ClusterMember, Similarity | None] = {}
        for other in self._similar.get(member.number, ()):
            text = self._texts[other.number]
            is_older = text.is_canonical and text.number < member.number
            if is_older and other.tools & member.candidate_tools & text.candidate_tools:
                leaders[text] = other.similarity
        for text, shared in self._shared_leaders(member).items():
            is_older = text.is_canonical and text.number < member.number
            if not is_older or text in leaders or not text.candidate_tools & member.candidate_tools:
                continue
            fewest = min(self._crowded[number].runs for number in (member.number, text.number))
            if shared >= self._thresholds.shared_runs * fewest:
                leaders[text] = compare(member, text, self._thresholds)
        return leaders

    def _shared_leaders(self, member: ClusterMember) -> Mapping[ClusterMember, int]:
        """What its crowded runs lead to, and how many of them."""
        if member.number not in self._crowded:
            return {}
        return Counter(chain.from_iterable(self._leaders_of_run[key] for key in self._crowded[member.number].keys))


def _is_joinable(member: ClusterMember, match: Match) -> bool:
    if match.similarity.kind == "excerpt":
        return member.has_known_tool and match.canonical.has_known_tool
    return match.similarity.kind in {"near", "prefix", "passage"}
