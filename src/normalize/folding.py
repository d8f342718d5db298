"""Folding: every wording of every take, joined into reviews. Exact on two levels, then near inside a tool.

A review is led by its founding wording: of the earliest crawl, then the longest, then the smallest id. Others join a
leader directly, never through one another, so edits cannot chain two reviews together; and what came later does not
move what was joined before, so a review keeps its id from night to night.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from normalize.grams import grams, sampled
from normalize.sightings import Sighting
from normalize.similarity import Form, Likeness, compare
from normalize.wordings import Wording, read_wordings

LEADERS_A_GRAM = 8
"""Leaders remembered for one sampled gram of a tool; more would be boilerplate, and would make the cost quadratic."""

CANDIDATES_MAX = 6
"""Leaders that share samples a wording is compared with, those that share most first."""

LEADERS_A_TOOL = 32
"""Leaders of a known tool a wording is compared with though no sample is shared: a tool has seven takes at most."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a wording belongs to its review. `similarity` is 0 to 1, against the founding wording."""

    review_id: str
    kind: Literal["exact", "near", "prefix"]
    similarity: float


@dataclass(frozen=True, slots=True)
class Merge:
    """A review id that was given up when a later label showed that two wordings are about one tool."""

    old_id: str
    review_id: str
    reason: str


class _Leaders:
    """The founding wordings of each tool, found by sampled gram."""

    def __init__(self) -> None:
        self._by_gram: dict[tuple[str, int], list[str]] = defaultdict(list)
        self._known: dict[str, list[str]] = defaultdict(list)
        self._texts: dict[str, Wording] = {}

    def __getitem__(self, text_id: str) -> Wording:
        return self._texts[text_id]

    def add(self, text: Wording) -> None:
        self._texts[text.text_id] = text
        for tool in text.homes:
            for gram in sampled(grams(text.text)):
                held = self._by_gram[tool, gram]
                if len(held) < LEADERS_A_GRAM:
                    held.append(text.text_id)
            if text.is_known and len(self._known[tool]) < LEADERS_A_TOOL:
                self._known[tool].append(text.text_id)

    def near(self, text: Wording) -> list[str]:
        """Leaders that share samples and a tool, the most alike first; then those that share a known tool alone."""
        shared: Counter[str] = Counter()
        for gram in sampled(grams(text.text)):
            shared.update({leader for tool in text.homes for leader in self._by_gram.get((tool, gram), ())})
        alike = [leader for leader, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:CANDIDATES_MAX]]
        others = (leader for tool in text.homes for leader in self._known.get(tool, ())) if text.is_known else ()
        return list(dict.fromkeys((*alike, *others)))


def fold(sightings: Sequence[Sighting]) -> tuple[dict[str, Match], list[Merge]]:
    """text_id to the review it belongs to, and the ids given up. The order of the sightings does not matter."""
    leaders = _Leaders()
    matches: dict[str, Match] = {}
    merges: list[Merge] = []
    members: dict[str, set[int]] = {}
    for text in sorted(read_wordings(sightings), key=lambda item: (item.era, -len(item.skeleton), item.text_id)):
        found = _closest(text, leaders, members)
        if found is None:
            matches[text.text_id] = Match(text.text_id, "exact", 1.0)
            members[text.text_id] = set(text.views)
            leaders.add(text)
            continue
        leader, likeness = found
        matches[text.text_id] = Match(leader.text_id, likeness.kind, likeness.similarity)
        members[leader.text_id] |= text.views
        since = _joined_since(text, leader, likeness)
        if since > text.era:
            reason = f"{likeness.similarity:.0%} alike, and known since {since} to be about one tool"
            merges.append(Merge(text.text_id, leader.text_id, reason))
    return matches, merges


def _form(text: Wording) -> Form:
    every = grams(text.text)
    return Form(text.skeleton, every, sampled(every))


def _joined_since(text: Wording, leader: Wording, likeness: Likeness) -> str:
    """The era since which the two are known to be of one tool, as far as their likeness asks for that."""
    shared = min(max(text.home_since(tool), leader.home_since(tool)) for tool in text.homes & leader.homes)
    return shared if likeness.is_strict else max(shared, text.known_since or "", leader.known_since or "")


def _closest(text: Wording, leaders: _Leaders, members: Mapping[str, set[int]]) -> tuple[Wording, Likeness] | None:
    """The most similar leader that a rule accepts. Two takes that stand side by side on a page are never one."""
    best: tuple[Wording, Likeness] | None = None
    for leader_id in leaders.near(text):
        if members[leader_id] & text.views:
            continue
        leader = leaders[leader_id]
        likeness = compare(_form(text), _form(leader))
        if likeness is None or not (likeness.is_strict or (text.is_known and leader.is_known)):
            continue
        if best is None or (likeness.similarity, leader_id) > (best[1].similarity, best[0].text_id):
            best = (leader, likeness)
    return best
