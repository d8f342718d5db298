"""When two texts are one take: measured thresholds, the rules, and which texts are compared.

`python -m benchmarks.quality --thresholds` measures the thresholds on the seeded corpus of 100,000 appearances;
`docs/benchmarks.md` has the results. Whether two texts are a pair depends only on these two, and on the number of older
texts of their tool: a pair that was found once stays a pair.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cdist

from verdicts.normalize.dedup.mentions import DistinctText


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When two texts are one take. Ratios and shares are 0 to 1, lengths are in characters of the match key."""

    near_ratio: float = 0.82
    """From this Indel similarity of their match keys on, two texts are one take. Distinct takes reach 0.54 on real
    pages and 0.62 between sibling tools that share a sentence; three edited words leave 0.88."""

    lookalike_ratio: float = 0.70
    """From here to `near_ratio` a pair is reported in `lookalikes` and not joined. That table should stay nearly empty;
    if it fills up, something is wrong."""

    prefix_share: float = 0.93
    """A match key shorter than this share of another may be a truncated copy: then only the common length is
    compared."""

    prefix_min: int = 60
    """Minimum length of a truncated copy. Below it, sibling tools share openings: one sentence has 50 to 90."""

    texts_a_tool: int = 100
    """The oldest texts of a tool, so many, are compared with all others of it. A panel has up to seven takes of a tool,
    and each is edited now and then."""

    max_compared: int = 2_000
    """The most letters of a text that are compared with another one, as many as takes have. The cost grows with the
    square: two texts of 400,000 letters took four seconds. The test of equality uses all letters."""


THRESHOLDS = Thresholds()

OPENING_RATIO = 0.6
"""From this similarity of their first letters on, as many as a cut copy has at least, two texts are compared whole."""


class Similarity(NamedTuple):
    """How similar two texts are; `score` is 0 to 1. `near` and `prefix` mean one take, `lookalike` two."""

    kind: Literal["near", "prefix", "lookalike"]
    score: float


def compare(first: str, second: str, thresholds: Thresholds) -> Similarity | None:
    """The similarity of the match keys of two texts about one tool, None if they are clearly two takes."""
    short, long = (first, second) if len(first) <= len(second) else (second, first)
    whole = ratio(short, long, score_cutoff=100 * thresholds.lookalike_ratio) / 100
    if whole >= thresholds.near_ratio:
        return Similarity("near", whole)
    if thresholds.prefix_min <= len(short) < thresholds.prefix_share * len(long):
        opening = ratio(short, long[: len(short)], score_cutoff=100 * thresholds.near_ratio) / 100
        if opening:
            return Similarity("prefix", opening)
    return Similarity("lookalike", whole) if whole else None


class SimilarText(NamedTuple):
    """Another text that is similar, and the tools that both may be about."""

    number: int
    similarity: Similarity
    tools: frozenset[str]


Neighbours: TypeAlias = Mapping[int, Sequence[SimilarText]]
"""By the number of a text: the texts similar to it, if there are any."""


def find_similar(texts: Sequence[DistinctText], thresholds: Thresholds = THRESHOLDS) -> Neighbours:
    """The texts that are similar to each text and may be about the same tool. `texts` come oldest first."""
    of_tool: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for tool_id in text.tools:
            of_tool[tool_id].append(number)
    keys = [text.match_key[: thresholds.max_compared] for text in texts]
    pairs: dict[tuple[int, int], tuple[Similarity, set[str]]] = {}
    for tool_id, numbers in of_tool.items():
        for older, younger in _possible_pairs([keys[number] for number in numbers], thresholds):
            pair = numbers[older], numbers[younger]
            similarity = compare(keys[pair[0]], keys[pair[1]], thresholds)
            if similarity is not None:
                pairs.setdefault(pair, (similarity, set()))[1].add(tool_id)
    similar: dict[int, list[SimilarText]] = defaultdict(list)
    for (older, younger), (similarity, tool_ids) in sorted(pairs.items()):
        tools = frozenset(tool_ids)
        similar[older].append(SimilarText(younger, similarity, tools))
        similar[younger].append(SimilarText(older, similarity, tools))
    return similar


def _possible_pairs(keys: Sequence[str], thresholds: Thresholds) -> Iterator[tuple[int, int]]:
    """The places of an older and a younger text of a tool that are alike as a whole, or in their first letters.

    That finds most pairs of a tool to be none without a loop in Python: a million takes have 20 million pairs.
    """
    openings = [key[: thresholds.prefix_min] for key in keys]
    possible = np.zeros((min(len(keys), thresholds.texts_a_tool), len(keys)), np.bool_)
    for texts, least in ((keys, thresholds.lookalike_ratio), (openings, OPENING_RATIO)):
        possible |= cdist(texts[: thresholds.texts_a_tool], texts, scorer=ratio, score_cutoff=100 * least) > 0
    for older, younger in np.argwhere(np.triu(possible, 1)):
        yield int(older), int(younger)
