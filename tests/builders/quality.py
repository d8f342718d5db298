"""How true a corpus is: the rows normalization made of a made world against what that world says."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from builders.made_corpora import SEATS, MadePage, MadeTool, make_pages
from builders.made_observations import observations
from normalize.corpus import Corpus, normalize

HARD = ("observed", "matched", "intersected", "excluded")
"""Kinds of evidence that are more than row order."""


class Pairs(NamedTuple):
    """Pairs of things put together: how many of those made are right, and how many of the right ones were made."""

    precision: float
    recall: float


class Kind(NamedTuple):
    """Takes attributed by one kind of evidence, and the share of them at their true tool."""

    takes: int
    precision: float


class Bin(NamedTuple):
    """Reviews of one confidence: how many, and the share that is right."""

    reviews: int
    confidence: float
    precision: float


@dataclass(frozen=True, slots=True)
class Quality:
    """`evidenced` is the share of takes attributed by more than row order; `seated` the share that has a seat.

    `lost` are takes that no appearance shows.
    """

    takes: int
    lost: int
    dedupe: Pairs
    kinds: Mapping[str, Kind]
    evidenced: float
    seated: float
    seat_precision: float
    tools: Pairs
    products: Pairs
    calibration: Sequence[Bin]
    lookalikes: int


def make_and_measure(appearances: int, *, seed: int, labelled: float, takes_a_tool: int) -> Quality:
    """The quality of one world."""
    pages = list(make_pages(appearances, seed=seed, labelled=labelled, takes_a_tool=takes_a_tool))
    return measure(pages, normalize(observations(pages)))


def measure(pages: Sequence[MadePage], found: Corpus) -> Quality:
    """Compares every take, card and tool with the truth."""
    rows: Mapping[str, Sequence[Any]] = found
    shown = {(row.segment_offset, row.position): row for row in rows["appearances"]}
    reviews = {row.review_id: row for row in rows["reviews"]}
    tools, cards = _tools(pages, rows)
    put: list[str] = []
    said: list[Hashable] = []
    kinds: dict[str, list[bool]] = defaultdict(list)
    seats: list[bool] = []
    trust: dict[str, tuple[float, bool]] = {}
    lost = 0
    for page in pages:
        for at, take in enumerate(page.takes):
            about = page.b if take.is_b else page.a
            row = shown.get((page.number, at))
            if row is None:
                lost += 1
                continue
            review = reviews[row.review_id]
            is_right = tools.get(review.tool_id) == about.number
            put.append(row.review_id)
            said.append((about.number, take.seat))
            kinds[row.attribution].append(is_right)
            trust[row.review_id] = (review.confidence, is_right)
            if review.seat is not None:
                seats.append(review.seat == SEATS[take.seat])
    takes = len(put) + lost
    return Quality(
        takes=takes,
        lost=lost,
        dedupe=pairs(put, said),
        kinds={kind: Kind(len(right), _share(right)) for kind, right in sorted(kinds.items())},
        evidenced=sum(len(kinds[kind]) for kind in HARD) / takes,
        seated=len(seats) / takes,
        seat_precision=_share(seats),
        tools=pairs([tool for tool, _ in cards], [number for _, number in cards]),
        products=_products(pages, rows, tools),
        calibration=_calibration(trust.values()),
        lookalikes=len(rows["lookalikes"]),
    )


def pairs(put: Sequence[Hashable], said: Sequence[Hashable]) -> Pairs:
    """Pairwise precision and recall of groups `put` against the true groups `said`, element by element."""
    both = _together(Counter(zip(put, said, strict=True)))
    return Pairs(_ratio(both, _together(Counter(put))), _ratio(both, _together(Counter(said))))


def digest(pages: Iterable[MadePage]) -> str:
    """Changes when a world does: SHA-256 over all words and truths."""
    made = hashlib.sha256()
    for page in pages:
        made.update(f"{page.a.slug} {page.b.slug} {page.is_labelled}\n".encode())
        for take in page.takes:
            made.update(f"{take.seat} {take.is_b} {take.text}\n".encode())
    return made.hexdigest()


def _tools(
    pages: Sequence[MadePage], rows: Mapping[str, Sequence[Any]]
) -> tuple[dict[str, int], list[tuple[str, int]]]:
    """The made tool that most cards of each tool_id show, and (tool_id, made tool) of every card."""
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


def _products(pages: Sequence[MadePage], rows: Mapping[str, Sequence[Any]], tools: Mapping[str, int]) -> Pairs:
    made: dict[int, MadeTool] = {tool.number: tool for page in pages for tool in (page.a, page.b)}
    groups = {row.tool_id: row.product_id for row in rows["products"]}
    known = [
        (groups.get(row.tool_id, row.tool_id), made[tools[row.tool_id]].product)
        for row in rows["tools"]
        if row.tool_id in tools
    ]
    return pairs([product for product, _ in known], [product for _, product in known])


def _calibration(trust: Iterable[tuple[float, bool]]) -> list[Bin]:
    bins: dict[float, list[bool]] = defaultdict(list)
    for confidence, is_right in trust:
        bins[confidence].append(is_right)
    return [Bin(len(held), confidence, _share(held)) for confidence, held in sorted(bins.items())]


def _together(groups: Counter[Any]) -> int:
    return sum(size * (size - 1) // 2 for size in groups.values())


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _share(right: Sequence[bool]) -> float:
    return sum(right) / len(right) if right else 1.0
