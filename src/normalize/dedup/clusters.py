"""Variants: wordings in their reviews, and the leaders that a new one is compared with."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from normalize.dedup.distinct_texts import Wording
from normalize.dedup.similarity import holds, probes
from normalize.dedup.thresholds import FoldRules

Kind: TypeAlias = Literal["exact", "near", "prefix"]


@dataclass(slots=True, eq=False)
class Variant:
    """A wording in its review. `homes` are the tools it may be about; `leader` is itself where it leads its review.

    `rank` orders founders: the smallest gives a review its id. `kind` and `similarity` are against the leader,
    `has_led` says that its id once named a review.
    """

    text_id: str
    skeleton: str
    text: str
    rank: tuple[int, bool, int, int, str]
    homes: frozenset[int]
    is_labelled: bool
    leader: "Variant" = field(init=False)
    kind: Kind = "exact"
    similarity: float = 1.0
    has_led: bool = False
    members: tuple["Variant", ...] = ()

    @property
    def is_known(self) -> bool:
        return len(self.homes) == 1

    @property
    def leads(self) -> bool:
        return self.leader is self


def open_variant(wording: Wording, night: int) -> Variant:
    """A wording that no earlier night showed, before its place is found."""
    is_open = len(wording.homes) != 1
    rank = (night, is_open, -wording.sightings, -len(wording.skeleton), wording.text_id)
    return Variant(wording.text_id, wording.skeleton, wording.text, rank, wording.homes, wording.is_labelled)


@dataclass(slots=True)
class _Shelf:
    """Leaders of one tool, and all their letters in one string, to be searched at once."""

    leaders: list[Variant] = field(default_factory=list)
    letters: str = ""

    def add(self, leader: Variant) -> None:
        self.leaders.append(leader)
        self.letters += f" {leader.skeleton}"


class Leaders:
    """The leaders of each tool: those known to be about it, and those that may be."""

    def __init__(self, rules: FoldRules) -> None:
        self._rules = rules
        self._known: dict[int, _Shelf] = defaultdict(_Shelf)
        self._unknown: dict[int, _Shelf] = defaultdict(_Shelf)

    def add(self, leader: Variant) -> None:
        """Files a leader under its tools; again when these have changed."""
        filed = self._known if leader.is_known else self._unknown
        for tool in leader.homes:
            filed[tool].add(leader)

    def known(self, tool: int) -> Iterator[Variant]:
        """Leaders known to be about a tool."""
        leaders = self._known[tool].leaders
        return (leader for leader in leaders if leader.leads and leader.is_known and tool in leader.homes)

    def rivals(self, variant: Variant) -> Sequence[Variant]:
        """Older leaders that may be the same take: those of its tools that share letters with it, each once."""
        found: list[Variant] = []
        runs = probes(variant.skeleton)
        for tool in sorted(variant.homes):
            filed: list[Variant] = []
            if holds(self._known[tool].letters, runs):
                filed += self._known[tool].leaders
            others = self._unknown[tool]
            is_asked = variant.is_known or len(others.leaders) <= self._rules.unknown_a_tool
            if is_asked and holds(others.letters, runs):
                filed += others.leaders
            for leader in filed[: self._rules.leaders_a_tool]:
                if leader.leads and leader.rank < variant.rank and tool in leader.homes and leader not in found:
                    found.append(leader)
        return found
