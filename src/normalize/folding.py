"""Folding: every wording of every take, joined into reviews. Exact on two levels, then near inside a tool.

A review is led by its founding wording: of the earliest crawl, then the longest, then the smallest id. Others join a leader
directly, never through one another, so edits cannot chain two reviews together.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.fuzz import ratio

from extract.records import Side, Take
from normalize.ids import text_id
from normalize.text import skeleton
from normalize.views import View

NEAR_RATIO = 82.0
"""Two skeletons are one take from here on. Measured: distinct real reviews reach 54, edited ones stay above 82."""

PREFIX_SHARE = 0.93
"""A skeleton shorter than this share of another may be that one cut off: then only the common length is compared."""

PREFIX_MIN = 60
"""Characters a cut-off skeleton must have left; below, sibling tools share openings."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One take on one view. `tool_id` is the labelled tool, None where the page lost it."""

    view: View
    take: Take
    skeleton: str
    text_id: str
    tool_id: str | None

    @property
    def side(self) -> Side | None:
        return self.take.side


@dataclass(frozen=True, slots=True)
class Match:
    """How a wording belongs to its review. `similarity` is 0 to 1, against the founding wording."""

    review_id: str
    kind: Literal["exact", "near", "prefix"]
    similarity: float


@dataclass(slots=True)
class _Wording:
    text_id: str
    skeleton: str
    crawl_id: str
    tools: set[str]
    labelled: set[str]


def read_sightings(views: Sequence[View]) -> tuple[Sighting, ...]:
    """Every take of every view. Skeletons are made once for each distinct raw string."""
    skeletons: dict[str, str] = {}
    sightings = []
    for view in views:
        for take in view.comparison.takes:
            bones = skeletons.get(take.text)
            if bones is None:
                bones = skeletons[take.text] = skeleton(take.text)
            tool = None if take.side is None else view.tool(take.side)
            # Short takes are told apart by tool; without a label the row order is all there is.
            guess = tool or view.tools[take.position % 2]
            sightings.append(Sighting(view, take, bones, text_id(bones, guess), tool))
    return tuple(sightings)


def fold(sightings: Sequence[Sighting]) -> dict[str, Match]:
    """text_id to the review it belongs to. Idempotent, and the order of the sightings does not matter."""
    leaders: dict[str, list[_Wording]] = defaultdict(list)
    matches: dict[str, Match] = {}
    for wording in sorted(_wordings(sightings), key=lambda item: (item.crawl_id, -len(item.skeleton), item.text_id)):
        match = _closest(wording, leaders)
        if match is None:
            matches[wording.text_id] = Match(wording.text_id, "exact", 1.0)
            for tool in wording.labelled or wording.tools:
                leaders[tool].append(wording)
        else:
            matches[wording.text_id] = match
    return matches


def _wordings(sightings: Sequence[Sighting]) -> list[_Wording]:
    wordings: dict[str, _Wording] = {}
    for sighting in sightings:
        crawl_id = sighting.view.crawl_id
        wording = wordings.get(sighting.text_id)
        if wording is None:
            wording = _Wording(sighting.text_id, sighting.skeleton, crawl_id, set(sighting.view.tools), set())
            wordings[sighting.text_id] = wording
        wording.crawl_id = min(wording.crawl_id, crawl_id)
        wording.tools &= set(sighting.view.tools)
        wording.tools = wording.tools or set(sighting.view.tools)
        if sighting.tool_id is not None:
            wording.labelled.add(sighting.tool_id)
    return list(wordings.values())


def _closest(wording: _Wording, leaders: dict[str, list[_Wording]]) -> Match | None:
    """The most similar leader of the wording's tools that any rule accepts."""
    best: tuple[float, str, Match] | None = None
    for tool in wording.labelled or wording.tools:
        for leader in leaders[tool]:
            match = _compare(wording.skeleton, leader.skeleton, leader.text_id)
            if match is not None and (best is None or (match.similarity, match.review_id) > best[:2]):
                best = (match.similarity, match.review_id, match)
    return None if best is None else best[2]


def _compare(one: str, leader: str, review_id: str) -> Match | None:
    whole = ratio(one, leader, score_cutoff=NEAR_RATIO)
    if whole:
        return Match(review_id, "near", whole / 100)
    short, long = sorted((one, leader), key=len)
    if PREFIX_MIN <= len(short) < PREFIX_SHARE * len(long):
        cut = ratio(short, long[: len(short)], score_cutoff=NEAR_RATIO)
        if cut:
            return Match(review_id, "prefix", cut / 100)
    return None
