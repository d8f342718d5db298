"""What is kept of reviews between nights."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from corpus.enumerations import Attribution
from corpus.rows.doubts import DiscrepancyRow
from normalize.state.relation import Relation


class JudgedReview(msgspec.Struct, frozen=True):
    """A review and what was found of it.

    `seat` is the one that labels show. `inferred_seat` is one that the order of rows allows alone. `counterparts` are
    tools of mirrors to the same tool at home. `is_settled`: its own mentions decided its tool. `digest` is of all that
    its rows on every page depend on.
    """

    review_id: str
    tool_id: str
    kind: Attribution
    is_settled: bool
    seat: str | None
    inferred_seat: str | None
    counterparts: dict[str, str]
    digest: str

    def at_home(self, tool_id: str) -> str:
        """The tool as the home host names it: a mirror's tool is its counterpart."""
        return self.counterparts.get(tool_id, tool_id)


REVIEWS = Relation("reviews", JudgedReview, ("review_id",))


class OpenReview(msgspec.Struct, frozen=True, array_like=True):
    """A review whose own mentions leave its tool open, on a page of a tool on a crawl day (`tool_day`)."""

    review_id: str
    page_id: str
    tool_day: str
    fetched_at: datetime


OPEN_REVIEWS = Relation("open_reviews", OpenReview, ("review_id", "page_id", "tool_day"))


class SeatRange(msgspec.Struct, frozen=True, array_like=True):
    """The first and the last seat that a review can have by one page, by index in the page order of the site's seats.

    The index after the last one stands for a seat whose row was never seen: it is never inferred.
    """

    review_id: str
    page_id: str
    profile: str
    first: int
    last: int


SEAT_RANGES = Relation("seat_ranges", SeatRange, ("review_id", "page_id"))


class Doubt(msgspec.Struct, frozen=True, array_like=True):
    """A row of `discrepancies` and where it comes from: a page's own rules, a tool's numbers, or a review."""

    source: str
    page_id: str
    tool_id: str | None
    rule: str
    expected: str
    found: str


DOUBTS = Relation("doubts", Doubt, ("source", "page_id"))


def discrepancies(doubts: Iterable[Doubt]) -> list[DiscrepancyRow]:
    """Rows of contradictions: of one that was met twice first that of the tool that comes first."""
    in_order = sorted(doubts, key=lambda doubt: (doubt.tool_id or "", doubt.source))
    return [DiscrepancyRow(item.page_id, item.tool_id, item.rule, item.expected, item.found) for item in in_order]
