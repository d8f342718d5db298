"""Clusters: the distinct texts of one review, around the canonical text that gives the review its id."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from verdicts.normalize.dedup.distinct_texts import DistinctText

MatchKind: TypeAlias = Literal["exact", "near", "prefix"]


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
    rank: tuple[int, bool, int, int, str]
    candidate_tools: frozenset[int]
    is_labelled: bool
    number: int = field(init=False)
    canonical: "ClusterMember" = field(init=False)
    is_placed: bool = False
    is_canonical: bool = False
    kind: MatchKind = "exact"
    similarity: float = 1.0
    was_canonical: bool = False
    members: tuple["ClusterMember", ...] = ()

    @property
    def has_known_tool(self) -> bool:
        return len(self.candidate_tools) == 1


def new_member(text: DistinctText, day: int) -> ClusterMember:
    """A text that no earlier day showed, not yet in a cluster. `day` counts the ingest days."""
    has_unknown_tool = len(text.candidate_tools) != 1
    rank = (day, has_unknown_tool, -text.mentions, -len(text.match_key), text.text_id)
    return ClusterMember(text.text_id, text.match_key, text.text, rank, text.candidate_tools, text.is_labelled)
