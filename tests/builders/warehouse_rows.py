"""Rows made by hand for the warehouse tests: a small corpus that is right, and factories for rows that are not."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from verdicts.corpus.rows.other_sites import (
    ComparedToolRow,
    ComparisonRow,
    DocumentRow,
    ExternalReviewRow,
)
from verdicts.corpus.rows.pages import PageRow, ToolCardRow, VerdictRow
from verdicts.corpus.rows.reviews import AppearanceRow, AttributionEvidenceRow, LookalikeRow, ReviewAliasRow, ReviewRow
from verdicts.corpus.rows.runs import DiscrepancyRow, RejectRow
from verdicts.corpus.rows.tools import (
    PriceHistoryRow,
    PricingTierRow,
    ProductRow,
    ToolAliasRow,
    ToolHistoryRow,
    ToolRow,
    VerdictHistoryRow,
)

Corpus = dict[str, list[Any]]
Row = TypeVar("Row")

NIGHT = datetime(2026, 11, 20, 1, 30, tzinfo=UTC)
NEXT_NIGHT = NIGHT + timedelta(days=1)
HOST = "demo.verdicts.example"


SEEN = {"first_seen_at": NIGHT, "last_seen_at": NIGHT}


def an_id(word: str) -> str:
    """A stable id of the right shape."""
    return hashlib.md5(word.encode(), usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class Crawl:
    crawl_id: str = "20261120T013000Z-0001"
    kind: str = "crawl"
    started_at: datetime = NIGHT
    finished_at: datetime | None = NIGHT + timedelta(seconds=90)
    status: str = "done"
    fetched: int = 2
    unchanged: int = 1
    failed: int = 1
    bytes: int = 4096


@dataclass(frozen=True, slots=True)
class Fetch:
    fetch_id: str
    crawl_id: str = "20261120T013000Z-0001"
    url: str = f"http://{HOST}/compare/alpha-vs-beta"
    outcome: str = "stored"
    status_code: int | None = 200
    attempt: int = 1
    started_at: datetime = NIGHT
    elapsed_ms: int = 40
    bytes: int = 2048
    body_sha256: str | None = "00" * 32
    segment: str | None = "20261120T013000Z-0001-00001.warc.zst"
    segment_offset: int | None = 0
    detail: str | None = None


def page(word: str, **changes: Any) -> PageRow:
    page = {"page_id": an_id(word), "url": f"http://{HOST}/compare/{word}", "title": word, "renderings": ("html",)}
    return PageRow(**(SEEN | page | {"host": HOST, "is_ambiguous": False, "is_gone": False} | changes))


def tool(word: str, **changes: Any) -> ToolRow:
    says = {"tagline": f"What {word} is for", "description": f"{word.title()} does one thing.", "product": word.title()}
    kind = {"category": "Coding Agents", "category_group": "Coding Agents", "entry": "Free"}
    made = {"vendor": None, "vendor_evidence": None}
    tool = {"tool_id": an_id(word), "host": HOST, "slug": word, "name": word.title()}
    return ToolRow(**(SEEN | tool | says | kind | made | changes))


def card(page_word: str, side: str, tool_word: str, **changes: Any) -> ToolCardRow:
    shares = {"panel_ship_pct": 75, "chip": "ship", "community_pct": None}
    return _like(tool(tool_word), ToolCardRow, page_id=an_id(page_word), side=side, **(shares | changes))


def verdict(page_word: str, side: str, tool_word: str, **changes: Any) -> VerdictRow:
    votes = {"verdict": "ship", "ship_votes": 3, "skip_votes": 1, "community_pct": None, "community_votes": None}
    raw = {"verdict_raw": "Ship · 3 ship / 1 skip", "community_raw": "No community votes yet"}
    terms = {"pricing": "Free tier / $20/mo Pro", "best_for": f"What {tool_word} is for"}
    changes = votes | raw | terms | changes
    return _like(tool(tool_word), VerdictRow, page_id=an_id(page_word), side=side, **changes)


def tier(tool_word: str, position: int, **changes: Any) -> PricingTierRow:
    row: dict[str, Any] = dict.fromkeys(PricingTierRow.__struct_fields__)
    plan = {"plan": "Pro", "kind": "paid", "is_free": False, "raw": "$20/mo Pro"}
    price = {"amount": 20.0, "is_from": False, "currency": "USD", "period": "month"}
    return PricingTierRow(**(row | plan | price | {"tool_id": an_id(tool_word), "position": position} | changes))


def review(word: str, tool_word: str, **changes: Any) -> ReviewRow:
    label = {"seat": "Builder", "seat_source": "label", "score": 80, "verdict": "ship"}
    told = {"text": f"A take on {tool_word}, known as {word}.", "hosts": (HOST,), "appearances": 1}
    evidence = {"attribution": "observed", "confidence": 1.0}
    ids = {"review_id": an_id(word), "tool_id": an_id(tool_word)}
    return ReviewRow(**(SEEN | ids | label | told | evidence | changes))


def appearance(page_word: str, review_word: str, position: int = 0, **changes: Any) -> AppearanceRow:
    ids = {"page_id": an_id(page_word), "text_id": an_id(f"text of {review_word}"), "review_id": an_id(review_word)}
    place = {"position": position, "side": "a", "first_block": 20 + position, "last_block": 20 + position}
    match = {"match": "exact", "similarity": 1.0, "attribution": "observed", "text": f"A take known as {review_word}."}
    record = {"segment": "20261120T013000Z-0001-00001.warc.zst", "segment_offset": 0}
    return AppearanceRow(**(SEEN | ids | place | match | record | changes))


def tool_state(tool_word: str, **changes: Any) -> ToolHistoryRow:
    return _like(
        tool(tool_word, description=None), ToolHistoryRow, **({"valid_from": NIGHT, "valid_to": None} | changes)
    )


def verdict_state(page_word: str, side: str, tool_word: str, **changes: Any) -> VerdictHistoryRow:
    state = {"panel_ship_pct": 75, "valid_from": NIGHT, "valid_to": None}
    return _like(verdict(page_word, side, tool_word), VerdictHistoryRow, **(state | changes))


def _like(row: Any, made: type[Row], **changes: Any) -> Row:
    """A row of another table that says of a tool or verdict what this one says."""
    fields: tuple[str, ...] = made.__struct_fields__  # type: ignore[attr-defined]  # a struct
    return made(**({name: getattr(row, name) for name in fields if hasattr(row, name)} | changes))


def corpus() -> Corpus:
    """Two pages and three tools: alpha against beta, and alpha against gamma.

    Alpha's takes stand on both pages; gamma shares its name and product with beta; beta's verdict flipped once.
    """
    return {
        "pages": [page("alpha-vs-beta"), page("alpha-vs-gamma", renderings=("quotes",))],
        "documents": [
            DocumentRow(
                f"http://{HOST}/news/one",
                HOST,
                "One",
                None,
                "2026-11-01",
                "Our own words.",
                "table",
                "compares",
                NIGHT,
                NIGHT,
            )
        ],
        "compared_tools": [
            ComparedToolRow(f"http://{HOST}/news/one", 0, "Alpha", None, None, None, "9 USD", 4.5, 5.0, 12, None, None),
            ComparedToolRow(f"http://{HOST}/news/one", 1, "Beta", None, None, None, None, None, None, None, None, None),
        ],
        "comparison_rows": [
            ComparisonRow(f"http://{HOST}/news/one", 0, 0, "attribute", "Licence", "MIT", None, None),
            ComparisonRow(f"http://{HOST}/news/one", 1, 0, "question", "Is it fast?", "It is.", None, None),
        ],
        "outside_reviews": [
            ExternalReviewRow(
                f"http://{HOST}/news/one", 0, 0, "Ines", 5.0, 5.0, "2026-05-02", "A good one.", None, None
            )
        ],
        "tools": [
            tool("alpha"),
            tool("beta", name="Twin", product="Twin", category="Models", category_group="Models", entry="Paid"),
            tool("gamma", name="Twin", product="Twin"),
        ],
        "tool_aliases": [
            ToolAliasRow(an_id("dump of gamma"), an_id("gamma"), "Twin", "What gamma is for", "claimed by slug")
        ],
        "products": [
            ProductRow(an_id(slug), an_id("beta"), "Twin", 0.9, "same name as the other") for slug in ("beta", "gamma")
        ],
        "tool_cards": [
            card("alpha-vs-beta", "a", "alpha"),
            card("alpha-vs-beta", "b", "beta", name="Twin", panel_ship_pct=50, chip="mixed"),
            card("alpha-vs-gamma", "a", "alpha"),
            card("alpha-vs-gamma", "b", "gamma", name="Twin", panel_ship_pct=25, chip=None),
        ],
        "verdicts": [
            verdict("alpha-vs-beta", "a", "alpha"),
            verdict("alpha-vs-beta", "b", "beta", verdict="mixed", ship_votes=2, skip_votes=2),
        ],
        "pricing_tiers": [
            tier(
                "alpha",
                0,
                plan=None,
                kind="free",
                is_free=True,
                amount=0.0,
                currency=None,
                period=None,
                raw="Free tier",
            ),
            tier("alpha", 1),
            tier("beta", 0, amount=120.0, period="year", raw="Pro $120/yr"),
        ],
        "reviews": [
            review("alpha builder", "alpha", appearances=2),
            review("alpha skeptic", "alpha", seat="Skeptic", score=60, verdict="skip"),
            review("beta builder", "beta", score=90),
            review("gamma", "gamma", seat=None, score=None, verdict=None, attribution="ordered", confidence=0.5),
        ],
        "review_aliases": [ReviewAliasRow(an_id("alpha builder, cut"), an_id("alpha builder"), "cut short")],
        "lookalikes": [LookalikeRow(*sorted((an_id("alpha builder"), an_id("alpha skeptic"))), 0.75)],
        "appearances": [
            appearance("alpha-vs-beta", "alpha builder", 0),
            appearance("alpha-vs-beta", "beta builder", 1, side="b"),
            appearance("alpha-vs-beta", "alpha skeptic", 2),
            appearance("alpha-vs-gamma", "alpha builder", 0, match="near", similarity=0.97, attribution="matched"),
            appearance("alpha-vs-gamma", "gamma", 1, side=None, attribution="ordered"),
        ],
        "attribution_evidence": [
            AttributionEvidenceRow(an_id("alpha builder"), "observed", an_id("alpha-vs-beta"), 1.0, "labelled there"),
        ],
        "tool_history": [
            tool_state("alpha", entry="Paid", valid_to=NEXT_NIGHT),
            tool_state("alpha", valid_from=NEXT_NIGHT),
        ],
        "price_history": [
            PriceHistoryRow(an_id("alpha"), "Free / $10/mo Pro", NIGHT, NEXT_NIGHT),
            PriceHistoryRow(an_id("alpha"), "Free / $20/mo Pro", NEXT_NIGHT, None),
        ],
        "verdict_history": [
            verdict_state("alpha-vs-beta", "a", "alpha"),
            verdict_state("alpha-vs-beta", "b", "beta", valid_to=NEXT_NIGHT),
            verdict_state(
                "alpha-vs-beta",
                "b",
                "beta",
                verdict="mixed",
                ship_votes=2,
                skip_votes=2,
                panel_ship_pct=50,
                valid_from=NEXT_NIGHT,
            ),
        ],
        "discrepancies": [
            DiscrepancyRow(an_id("alpha-vs-gamma"), an_id("gamma"), "chip_follows_panel", "skip", "ship")
        ],
        "rejects": [
            RejectRow(f"http://{HOST}/compare/x", "extract", "empty", "the body is empty", "s-00001.warc.zst", 10),
        ],
    }


def crawls() -> list[Crawl]:
    return [Crawl()]


def fetches() -> list[Fetch]:
    return [
        Fetch("1"),
        Fetch("2", url=f"http://{HOST}/compare/alpha-vs-gamma", elapsed_ms=60),
        Fetch("3", url=f"http://{HOST}/tool/alpha", outcome="unchanged", status_code=304),
        Fetch("4", url=f"http://{HOST}/tool/beta", outcome="connect_error", status_code=None, bytes=0, elapsed_ms=0),
    ]
