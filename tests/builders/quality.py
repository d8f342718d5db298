"""Quality of a corpus: the rows that normalization makes of a generated world, compared with its truth."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from builders.made_corpora import REVIEWERS, MadePage, make_pages
from builders.made_observations import observations
from verdicts.normalize.corpus import Corpus, normalize

HARD = ("observed", "matched", "intersected", "excluded")
"""Kinds of evidence other than row order."""


class Pairs(NamedTuple):
    """Pairwise precision and recall of a grouping, 0 to 1."""

    precision: float
    recall: float


class Bin(NamedTuple):
    """Reviews of one confidence: their number, and the share with their true tool."""

    reviews: int
    confidence: float
    precision: float


class Quality(NamedTuple):
    """Shares by name, 0 to 1: those that floors hold. Counts by name: takes by evidence, `lost`, `lookalikes`.

    `evidenced` is the share of takes attributed by more than order, `seated` the share with a reviewer. A lost take has
    no appearance.
    """

    shares: Mapping[str, float]
    counts: Mapping[str, int]
    calibration: Sequence[Bin]


def make_and_measure(appearances: int, *, seed: int, labelled: float, takes_a_tool: int) -> Quality:
    """The quality of one world."""
    pages = list(make_pages(appearances, seed=seed, labelled=labelled, takes_a_tool=takes_a_tool))
    return measure(pages, normalize(observations(pages)))


def measure(pages: Sequence[MadePage], corpus: Corpus) -> Quality:
    """Compares every take, card and tool with the truth."""
    rows: Mapping[str, Sequence[Any]] = corpus
    appearances = {(row.segment_offset, row.review_number): row for row in rows["appearances"]}
    reviews = {row.review_id: row for row in rows["reviews"]}
    tools, cards = _tools(pages, rows)
    review_ids: list[str] = []
    truth: list[Hashable] = []
    kinds: dict[str, list[bool]] = defaultdict(list)
    reviewers: list[bool] = []
    trust: dict[str, tuple[float, bool]] = {}
    lost = 0
    for page in pages:
        for position, take in enumerate(page.takes):
            true_tool = page.b if take.is_b else page.a
            row = appearances.get((page.number, position))
            if row is None:
                lost += 1
                continue
            review = reviews[row.review_id]
            is_right = tools.get(review.tool_id) == true_tool.number
            review_ids.append(row.review_id)
            truth.append((true_tool.number, take.reviewer))
            kinds[row.attribution].append(is_right)
            trust[row.review_id] = (review.confidence, is_right)
            if review.reviewer is not None:
                reviewers.append(review.reviewer == REVIEWERS[take.reviewer])
    takes = len(review_ids) + lost
    groupings = {
        "dedupe": (review_ids, truth),
        "tools": ([tool for tool, _ in cards], [number for _, number in cards]),
        "products": _products(pages, rows, tools),
    }
    shares = {
        f"{name}_{share}": value
        for name, grouping in groupings.items()
        for share, value in pairs(*grouping)._asdict().items()
    }
    shares |= {f"{kind}_precision": _share(right) for kind, right in sorted(kinds.items())}
    shares["evidenced"] = sum(len(kinds[kind]) for kind in HARD) / takes
    shares |= {"seated": len(reviewers) / takes, "reviewer_precision": _share(reviewers)}
    counts = {kind: len(right) for kind, right in sorted(kinds.items())}
    bins: dict[float, list[bool]] = defaultdict(list)
    for confidence, is_right in trust.values():
        bins[confidence].append(is_right)
    calibration = [Bin(len(right), confidence, _share(right)) for confidence, right in sorted(bins.items())]
    return Quality(shares, counts | {"lost": lost, "lookalikes": len(rows["lookalikes"])}, calibration)


def pairs(groups: Sequence[Hashable], truth: Sequence[Hashable]) -> Pairs:
    """Compares the group of each element with its true group: which pairs of elements are in one group."""
    both = _pair_count(Counter(zip(groups, truth, strict=True)))
    return Pairs(_ratio(both, _pair_count(Counter(groups))), _ratio(both, _pair_count(Counter(truth))))


def digest(pages: Iterable[MadePage]) -> str:
    """SHA-256 over all texts and truths of a world."""
    sha256 = hashlib.sha256()
    for page in pages:
        sha256.update(f"{page.a.slug} {page.b.slug} {page.is_labelled}\n".encode())
        for take in page.takes:
            sha256.update(f"{take.reviewer} {take.is_b} {take.text}\n".encode())
    return sha256.hexdigest()


def _tools(
    pages: Sequence[MadePage], rows: Mapping[str, Sequence[Any]]
) -> tuple[dict[str, int], list[tuple[str, int]]]:
    """The true tool that most cards of each tool_id show, and (tool_id, true tool) of every card."""
    offsets = {row.page_id: row.segment_offset for row in rows["appearances"]}
    by_number = {page.number: page for page in pages}
    cards = []
    for row in rows["tool_cards"]:
        page = by_number[offsets[row.page_id]]
        cards.append((row.tool_id, (page.b if row.side == "b" else page.a).number))
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for tool_id, number in cards:
        votes[tool_id][number] += 1
    return {tool_id: counted.most_common(1)[0][0] for tool_id, counted in votes.items()}, cards


def _products(
    pages: Sequence[MadePage], rows: Mapping[str, Sequence[Any]], tools: Mapping[str, int]
) -> tuple[list[str], list[tuple[int, str]]]:
    """The product of each tool, and the true one."""
    true_tools = {tool.number: tool for page in pages for tool in (page.a, page.b)}
    groups = {row.tool_id: row.product_id for row in rows["products"]}
    known = [row.tool_id for row in rows["tools"] if row.tool_id in tools]
    return [groups.get(one, one) for one in known], [true_tools[tools[one]].product for one in known]


def _pair_count(groups: Counter[Any]) -> int:
    return sum(size * (size - 1) // 2 for size in groups.values())


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _share(right: Sequence[bool]) -> float:
    return sum(right) / len(right) if right else 1.0
