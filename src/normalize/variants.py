"""Variants: wordings in their reviews, and the leaders that a new one is compared with."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Literal, TypeAlias

from normalize.thresholds import FoldRules
from normalize.wordings import Wording

Kind: TypeAlias = Literal["exact", "near", "prefix"]


@dataclass(slots=True, eq=False)
class Variant:
    """A wording in its review. `homes` are the tools it may be about; `leader` is itself where it leads its review.

    `rank` orders founders: the smallest gives a review its id. `kind` and `similarity` are against the leader,
    `has_led` says that its id once named a review, `reason` why it does no more.
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
    reason: str = ""
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


class Leaders:
    """The leaders of each tool: those known to be about it, and those that may be."""

    def __init__(self, rules: FoldRules) -> None:
        self._rules = rules
        self._known: dict[int, list[Variant]] = defaultdict(list)
        self._unknown: dict[int, list[Variant]] = defaultdict(list)

    def add(self, leader: Variant) -> None:
        """Files a leader under its tools; again when these have changed."""
        filed = self._known if leader.is_known else self._unknown
        for tool in leader.homes:
            filed[tool].append(leader)

    def known(self, tool: int) -> Iterator[Variant]:
        """Leaders known to be about a tool."""
        return (leader for leader in self._known[tool] if leader.leads and leader.is_known and tool in leader.homes)

    def rivals(self, variant: Variant) -> Iterator[Variant]:
        """Older leaders that may be the same take: those of its tools, each once."""
        met: set[Variant] = set()
        for tool in sorted(variant.homes):
            others = self._unknown[tool]
            if not variant.is_known and len(others) > self._rules.unknown_a_tool:
                others = []
            for leader in islice(chain(self._known[tool], others), self._rules.leaders_a_tool):
                if leader.leads and leader.rank < variant.rank and tool in leader.homes and leader not in met:
                    met.add(leader)
                    yield leader
