"""Blocking: which canonical texts a text is compared with at all."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from normalize.dedup.clusters import ClusterMember
from normalize.dedup.similarity import contains_any, probes
from normalize.dedup.thresholds import Thresholds


@dataclass(slots=True)
class _Block:
    """Canonical texts of one tool, and the letters of as many as are compared in one string, to be searched at once."""

    texts: list[ClusterMember] = field(default_factory=list)
    letters: str = ""

    def add(self, text: ClusterMember, most: int) -> None:
        self.texts.append(text)
        if len(self.texts) <= most:
            self.letters += f" {text.match_key}"


class BlockingIndex:
    """The canonical texts of each tool: those known to be about it, and those that may be.

    Entries are never removed: one that is not canonical any more, or has other candidate tools, is skipped when read.
    """

    def __init__(self, thresholds: Thresholds) -> None:
        self._thresholds = thresholds
        self._known: dict[int, _Block] = defaultdict(_Block)
        self._unknown: dict[int, _Block] = defaultdict(_Block)

    def add(self, text: ClusterMember) -> None:
        """Adds a canonical text to its candidate tools; call it again when these have changed."""
        blocks = self._known if text.has_known_tool else self._unknown
        for tool in text.candidate_tools:
            blocks[tool].add(text, self._thresholds.max_reviews_per_tool)

    def of_tool(self, tool: int) -> Iterator[ClusterMember]:
        """Canonical texts known to be about a tool."""
        texts = self._known[tool].texts
        return (text for text in texts if text.is_canonical and text.has_known_tool and tool in text.candidate_tools)

    def candidates(self, member: ClusterMember) -> Sequence[ClusterMember]:
        """Older canonical texts that may be the same take: those of its tools that share letters with it."""
        candidates: dict[str, ClusterMember] = {}
        substrings = probes(member.match_key)
        for tool in sorted(member.candidate_tools):
            block: list[ClusterMember] = []
            if contains_any(self._known[tool].letters, substrings):
                block += self._known[tool].texts
            unknown = self._unknown[tool]
            is_searched = member.has_known_tool or len(unknown.texts) <= self._thresholds.max_unknown_per_tool
            if is_searched and contains_any(unknown.letters, substrings):
                block += unknown.texts
            for text in block[: self._thresholds.max_reviews_per_tool]:
                is_current = text.is_canonical and tool in text.candidate_tools
                if is_current and text.rank < member.rank:
                    candidates[text.text_id] = text
        return [*candidates.values()]
