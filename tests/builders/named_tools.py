"""Labelled pairs of tools: one of a panel, and one that another site names. How well they are matched is counted."""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from verdicts.corpus.enumerations import CandidateDecision
from verdicts.normalize.external import DECISIONS, find_best_matches
from verdicts.normalize.identity.ids import KnownTool

_DECLARED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
FLOORS = _DECLARED["floors"]
PAGE = "https://lists.example.org/best-ai-tools"


class Pair(NamedTuple):
    """A tool of the panel, and what another site names; `is_same` where they are one tool."""

    tool: str
    slug: str | None
    name: str
    link: str | None
    is_same: bool


class Matching(NamedTuple):
    """Shares of pairs: of those merged and of the candidates, the ones that are same; of the same, the ones found."""

    merged_precision: float
    merged_recall: float
    candidate_precision: float
    recall: float


def pairs() -> list[Pair]:
    """All of them, in the order they are written."""
    return [
        Pair(tool["name"], tool.get("slug"), name, link[0] if link else None, is_same)
        for tool in _DECLARED["tools"]
        for is_same in (True, False)
        for name, *link in tool["same" if is_same else "other"]
    ]


def digest() -> str:
    return hashlib.sha256(json.dumps(pairs()).encode()).hexdigest()


def decide(pair: Pair) -> CandidateDecision:
    """What matching says of a pair by itself."""
    tool = KnownTool("0" * 32, pair.tool, None, pair.slug, None, None, "", None)
    matches = find_best_matches(pair.name, pair.link, PAGE, [tool])
    return DECISIONS[matches[0].reason] if matches else "none"


def measure(of_pairs: Iterable[Pair] | None = None) -> Matching:
    """How well the pairs are matched."""
    found = [(pair.is_same, decide(pair)) for pair in of_pairs or pairs()]
    merged = [is_same for is_same, decision in found if decision == "merged"]
    candidates = [is_same for is_same, decision in found if decision == "candidate"]
    same = sum(is_same for is_same, _ in found)
    return Matching(_share(merged), sum(merged) / same, _share(candidates), (sum(merged) + sum(candidates)) / same)


def _share(right: Sequence[bool]) -> float:
    return sum(right) / len(right) if right else 1.0
