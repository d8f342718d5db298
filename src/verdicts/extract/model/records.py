"""The records of extraction. Strings are as published; `normalize` converts them to numbers and enumerations.

Absent is `None`. Every record names the blocks of its page that it was read from.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from verdicts.corpus.enumerations import (
    Claim,
    GridReason,
    NameEvidence,
    NamesIn,
    Reader,
    Rendering,
    Side,
)
from verdicts.fetch.model.snapshot import Location


@dataclass(frozen=True, slots=True)
class Span:
    """The blocks that a record was read from: first and last number, both inclusive."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Card:
    """One tool's card. `slug` comes from the link on the card's name, if there is one."""

    side: Side
    name: str
    slug: str | None
    tagline: str | None
    category: str | None
    chip: str | None
    """`Ship`, `Mixed`, `Skip` as printed."""
    panel_ship: str | None
    """`75%`."""
    community: str | None
    """`62%`; a dash or a missing line is None."""
    entry: str | None
    description: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Decision:
    """One tool's column of the Decision table."""

    side: Side
    name: str
    verdict: str | None
    """`Ship · 3 ship / 1 skip`."""
    community: str | None
    """`No community votes yet` or `62% · 130 votes`, as printed."""
    pricing: str | None
    best_for: str | None
    category: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Take:
    """One take on the page. `position` counts from 0 in reading order, row by row, A before B.

    `row`, `side`, `reviewer`, `score` and `verdict` are None if the page lost them.
    """

    position: int
    row: int | None
    side: Side | None
    reviewer: str | None
    score: str | None
    """`88/100`."""
    verdict: str | None
    """`ship` or `skip`, as printed."""
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class MissingTake:
    """A scorecard cell with `No panel take`: this reviewer has not judged this tool."""

    reviewer: str
    side: Side
    span: Span


DoubtRule: TypeAlias = Literal[
    "unread_text",
    "copies_differ",
    "missing_cell",
    "undecodable_bytes",
    "incomplete_list",
    "list_not_read",
    "axis_unclear",
    "broken_statement",
    "cut_statements",
    "flawed_table",
    "unreadable_cell",
    "left_over",
    "statements_differ",
    "price_differs",
    "price_not_shown",
    "rating_differs",
    "recipe_no_record",
    "recipe_count",
    "recipe_unfilled",
    "recipe_ambiguous",
]
"""What a reading leaves in doubt: `verdicts.corpus.findings` explains each rule."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that the reading of a page left open. `side` is None if it is not about one tool."""

    rule: DoubtRule
    side: Side | None
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison page in one format. `cards` is A then B; `decisions` is empty or A then B."""

    profile: str
    """The site profile that it was read with: it gives its strings their meaning."""
    rendering: Rendering
    title: str
    canonical_url: str | None
    cards: tuple[Card, Card]
    decisions: tuple[Decision, ...]
    takes: tuple[Take, ...]
    missing_takes: tuple[MissingTake, ...]
    doubts: tuple[Doubt, ...] = ()


Property: TypeAlias = Literal["url", "description", "category", "price", "rating", "rank", "best_for"]
"""What a page can say of a tool without a label."""

FactReader: TypeAlias = Literal["recipe", "heading", "section", "table", "statement"]
"""Where a fact stands: where a recipe says, beside the name in a heading, in the tool's section, in a table, in a
schema.org item."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A value on a page of another site about one of its tools, at one place. `tool` is the tool's index.

    Either the `label` says what it is, as printed, or the `property`: a recipe and a statement name it, and `$9/mo` or
    `4.6/5` without a label looks like it. `normalize` decides which labels are prices or ratings.
    """

    tool: int
    value: str
    reader: FactReader
    label: str | None = None
    property: Property | None = None
    line: int | None = None
    """Facts with one label share it: a row of a table, the n-th value under a label. None without a label."""
    section: str | None = None
    """The title above its row in the table."""
    grid: int | None = None
    """Its table, as an index into the document's `grids`."""
    scale: str | None = None
    """The end of a rating's scale, if it is stated apart."""
    ratings: str | None = None
    """The number of ratings of which this is the mean."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about all tools of a page, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class OutsideReview:
    """A review on a page of another site. `tool` is the tool's index on the page; None if the page does not name it."""

    tool: int | None
    author: str | None
    rating: str | None
    rating_best: str | None
    published_date: str | None
    text: str


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The names of the tools that a page of any other site compares or describes, and what it says of them.

    `reader` recognized the names.
    """

    reader: Reader
    tools: tuple[str, ...]
    facts: tuple[Fact, ...]
    reviews: tuple[OutsideReview, ...] = ()
    claim: Claim = "compares"
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class PageGrid:
    """A table of data on a page that compares, or claims to.

    `names_in` is None for an unread table; `points` are those of the `evidence` for its names. `cells`: the text of
    each place, row by row; None if there are too many.
    """

    reason: GridReason
    names_in: NamesIn | None
    points: int
    evidence: tuple[NameEvidence, ...]
    caption: str | None
    left_over: tuple[str, ...]
    """Texts that belong to no tool."""
    cells: tuple[tuple[str, ...], ...] | None


@dataclass(frozen=True, slots=True)
class Document:
    """A page of any other kind: its main text, and its comparison, if any."""

    title: str | None
    author: str | None
    published_date: str | None
    """ISO date."""
    text: str
    side_by_side: SideBySide | None = None
    doubts: tuple[Doubt, ...] = ()
    grids: tuple[PageGrid, ...] = ()


RejectReason: TypeAlias = Literal[
    "empty",
    "undecodable",
    "not_html",
    "not_a_comparison",
    "truncated",
    "incomplete_card",
    "incomplete_decision",
    "incomplete_scorecard",
    "too_slow",
    "too_much_memory",
    "worker_died",
    "extractor_failed",
]

FAILURES: frozenset[RejectReason] = frozenset({"too_slow", "too_much_memory", "worker_died", "extractor_failed"})
"""Reasons that say nothing about the page: an earlier record of the same snapshot stays."""


@dataclass(frozen=True, slots=True)
class Reject:
    """A page that could not be read: the reason, and a sentence for a person."""

    reason: RejectReason
    detail: str


Extracted: TypeAlias = Comparison | Document | Reject


@dataclass(frozen=True, slots=True)
class Observation:
    """The result of one snapshot: one row of the record files, and the whole input of normalization.

    `url` is the key of the page, `urn:sha256:...` for a file without an address; `address` is the one that answered.
    `failure`: the last try to read the snapshot failed, and `extracted` comes from an earlier one.
    """

    url: str
    fetched_at: datetime
    crawl_id: str
    location: Location
    sha256: str
    extracted: Extracted
    failure: Reject | None = None
    address: str | None = None


class PageRejected(Exception):
    """The whole page cannot be read. Carries the reason, and a sentence for a person."""

    def __init__(self, reason: RejectReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reject = Reject(reason, detail)
