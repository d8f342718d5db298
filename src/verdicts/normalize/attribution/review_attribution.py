"""The attribution of one review: the tools it may be about, the evidence that decides, and its weight."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from verdicts.corpus.enumerations import Attribution
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.identity.ids import ToolPair
from verdicts.normalize.identity.page_versions import VersionHead

WEIGHT: Mapping[Attribution, float] = MappingProxyType(
    {
        "corrected": 1.0,  # a person says so
        "observed": 1.0,  # the page's own label
        "matched": 0.999,  # the label of the same words on another page
        "intersected": 0.998,  # no other tool is on all the pages
        "excluded": 0.995,  # rests on pages being complete
    }
)


class OrderedWeight(NamedTuple):
    """The share of takes (0 to 1) that row order gives the right tool.

    `agreed`: counted from the last take, the turns are the same. If not, the take stands in a full row, or behind them.
    """

    agreed: float
    full_row: float
    behind: float


ORDERED_WEIGHT = {True: OrderedWeight(0.95, 0.92, 0.74), False: OrderedWeight(0.92, 0.86, 0.26)}
"""By whether the size of A's panel is known."""


class JudgedReview(msgspec.Struct, frozen=True, array_like=True):
    """The result for a review, for its pages. `reviewer` is the labelled reviewer.

    `counterparts` maps tools of mirrors to the same tool on the review's home host.
    """

    review_id: str
    tool_id: str
    kind: Attribution
    reviewer: str | None
    counterparts: dict[str, str]

    def find_at_home(self, tool_id: str) -> str:
        """The tool as the home host names it: a mirror's tool is its counterpart."""
        return self.counterparts.get(tool_id, tool_id)


class Reason(NamedTuple):
    """Why a review is about its tool. `weight` (0 to 1) is the share of such reasons that are right."""

    weight: float
    detail: str


@dataclass(slots=True)
class ReviewAttribution:
    """One review during attribution. While `kind` is None, it may be about any of `candidate_tools`.

    `mentions` come oldest first; `texts` has their folded texts by id.
    """

    review_id: str
    match_key: str
    mentions: list[Mention]
    texts: Mapping[str, FoldedText]
    candidate_tools: set[str]
    kind: Attribution | None = None
    evidence: dict[tuple[Attribution, str], Reason] = field(default_factory=dict)
    """By kind and page id."""
    is_contradicted: bool = False
    """No tool is on all its pages."""
    counterparts: Mapping[str, str] = field(default_factory=dict)
    """Tools of mirrors to the same tool on the review's home host (see `find_counterparts`)."""

    def find_at_home(self, tool_id: str) -> str:
        """The tool as the home host names it: a mirror's tool is its counterpart."""
        return self.counterparts.get(tool_id, tool_id)

    def list_tools(self, version: VersionHead) -> ToolPair:
        """The tools A and B of a page, as tools of the home host."""
        if not self.counterparts:
            return version.tool_ids
        first, second = version.tool_ids
        return self.find_at_home(first), self.find_at_home(second)

    def find_labelled_tool(self, mention: Mention) -> str | None:
        """The labelled tool of a mention, as a tool of the home host. None without a label."""
        return None if mention.label is None else self.find_at_home(mention.label)

    @property
    def tool_id(self) -> str:
        return min(self.candidate_tools)

    @property
    def mentions_with_label(self) -> list[Mention]:
        """Mentions with a label of its tool, on any host."""
        tool_id, counterparts = self.tool_id, self.counterparts
        return [
            mention
            for mention in self.mentions
            if (label := mention.label) is not None and counterparts.get(label, label) == tool_id
        ]

    @property
    def confidence(self) -> float:
        """The weight of its strongest reason."""
        return max(reason.weight for reason in self.evidence.values())

    def judge(self, reviewer: str | None) -> JudgedReview:
        """The result, once the tool is decided."""
        return JudgedReview(self.review_id, self.tool_id, self.kind or "ordered", reviewer, dict(self.counterparts))

    def assign(self, tool_id: str, kind: Attribution, page_id: str, reason: Reason) -> None:
        """Decides the tool. The first reason of a kind and page is kept."""
        self.candidate_tools = {tool_id}
        self.kind = kind
        self.evidence.setdefault((kind, page_id), reason)


def open_attributions(mentions: Iterable[Mention], texts: Mapping[str, FoldedText]) -> dict[str, ReviewAttribution]:
    """By review id, each with its mentions, oldest first, and without candidate tools.

    `texts` are by id, with at least those of the mentions and the canonical ones.
    """
    attributions: dict[str, ReviewAttribution] = {}
    for mention in mentions:
        review_id = texts[mention.text_id].review_id
        attribution = attributions.get(review_id)
        if attribution is None:
            match_key = texts[review_id].match_key
            attribution = attributions[review_id] = ReviewAttribution(review_id, match_key, [], texts, set())
        attribution.mentions.append(mention)
    for attribution in attributions.values():
        attribution.mentions.sort(key=attrgetter("age"))
    return attributions
