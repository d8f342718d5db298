"""Rows made by hand for the warehouse tests: a small corpus that is right, and factories for rows that are not."""

import hashlib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from verdicts.corpus.rows.pages import PageRow, ToolCardRow, VerdictRow
from verdicts.corpus.rows.reviews import AppearanceRow, ReviewHistoryRow, ReviewRow
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.corpus.rows.tools import PricingTierRow, ToolHistoryRow, ToolRow, VerdictHistoryRow
from verdicts.corpus.tables import TABLES

Corpus = dict[str, list[Any]]
Row = TypeVar("Row")

NIGHT = datetime(2026, 11, 20, 1, 30, tzinfo=UTC)
NEXT_NIGHT = NIGHT + timedelta(days=1)
HOST = "demo.verdicts.example"
NEWS, LIST = f"http://{HOST}/news/one", "http://lists.example/best"
LATER = NEXT_NIGHT + timedelta(days=9)


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
    segment: str | None = "20261120T013000Z-0001-00001.warc.gz"
    segment_offset: int | None = 0
    detail: str | None = None


def page(word: str, **changes: Any) -> PageRow:
    page = {"page_id": an_id(word), "url": f"http://{HOST}/compare/{word}", "title": word, "renderings": ("html",)}
    address = {"address": changes.get("url", page["url"]), "kind": "panel", "reader": "panel"}
    address |= {"author": None, "published_date": None}
    return PageRow(**(SEEN | page | address | {"host": HOST, "is_ambiguous": False, "is_gone": False} | changes))


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
    votes = {"panel_verdict": "ship", "ship_votes": 3, "skip_votes": 1, "community_pct": None, "community_votes": None}
    raw = {"panel_verdict_raw": "Ship · 3 ship / 1 skip", "community_raw": "No community votes yet"}
    terms = {"pricing": "Free tier / $20/mo Pro", "best_for": f"What {tool_word} is for"}
    changes = votes | raw | terms | changes
    return _like(tool(tool_word), VerdictRow, page_id=an_id(page_word), side=side, **changes)


def tier(tool_word: str, number: int, **changes: Any) -> PricingTierRow:
    row: dict[str, Any] = dict.fromkeys(PricingTierRow.__struct_fields__)
    plan = {"plan": "Pro", "kind": "paid", "is_free": False, "raw": "$20/mo Pro"}
    price = {"amount": 20.0, "is_from": False, "currency": "USD", "period": "month"}
    return PricingTierRow(**(row | plan | price | {"tool_id": an_id(tool_word), "tier_number": number} | changes))


def review(word: str, tool_word: str, **changes: Any) -> ReviewRow:
    label = {"reviewer": "Builder", "reviewer_source": "label", "score": 80, "verdict": "ship"}
    told = {"text": f"A review on {tool_word}, known as {word}.", "hosts": (HOST,), "appearances": 1, "is_shown": True}
    evidence = {"attribution": "observed", "confidence": 1.0}
    ids = {"review_id": an_id(word), "tool_id": an_id(tool_word)}
    return ReviewRow(**(SEEN | ids | label | told | evidence | changes))


def with_states(rows: Corpus) -> Corpus:
    """The rows, with one state for each review that has none: as it is, since it was first seen."""
    known = {state.review_id for state in rows.get("review_history", ())}
    states = [
        _like(of, ReviewHistoryRow, valid_from=of.first_seen_at, valid_to=None if of.is_shown else LATER)
        for of in rows.get("reviews", ())
        if of.review_id not in known
    ]
    return rows | {"review_history": [*rows.get("review_history", ()), *states]}


def appearance(page_word: str, review_word: str, position: int = 0, **changes: Any) -> AppearanceRow:
    ids = {"page_id": an_id(page_word), "text_id": an_id(f"text of {review_word}"), "review_id": an_id(review_word)}
    place = {"review_number": position, "side": "a", "first_block": 20 + position, "last_block": 20 + position}
    match = {
        "match": "exact",
        "similarity": 1.0,
        "attribution": "observed",
        "text": f"A review known as {review_word}.",
    }
    record = {"segment": "20261120T013000Z-0001-00001.warc.gz", "segment_offset": 0}
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


FACTORIES: Mapping[str, Callable[..., Any]] = {
    "pages": page,
    "tools": tool,
    "tool_cards": card,
    "verdicts": verdict,
    "pricing_tiers": tier,
    "reviews": review,
    "appearances": appearance,
    "tool_history": tool_state,
    "verdict_history": verdict_state,
}
DECLARED = tomllib.loads(Path(__file__).with_name("hand_made.toml").read_text(encoding="utf-8"))


def corpus() -> Corpus:
    """The hand-made corpus: `hand_made.toml`."""
    return with_states(_rows(DECLARED["corpus"]))


def market() -> Corpus:
    """The hand-made corpus with what an analyst of the market asks for."""
    rows = corpus()
    for table, more in _rows(DECLARED["market"]).items():
        key = attrgetter(*TABLES[table].key)
        rows[table] = [*({key(row): row for row in (*rows.get(table, []), *more)}.values())]
    # Alpha and beta turned later than in the corpus, and once.
    return with_states(rows | {"verdict_history": _rows(DECLARED["market"])["verdict_history"]})


def _rows(declared: Mapping[str, list[dict[str, Any]]]) -> Corpus:
    return {table: [_row(table, columns) for columns in rows] for table, rows in declared.items()}


def _row(table: str, declared: Mapping[str, Any]) -> Any:
    columns = {name: _value(value) for name, value in declared.items() if name != "of"}
    if "of" in declared:
        return FACTORIES[table](*declared["of"], **columns)
    row = TABLES[table].row
    needed = row.__struct_fields__[: len(row.__struct_fields__) - len(row.__struct_defaults__)]
    return row(**(dict.fromkeys(needed) | columns))


def _value(declared: Any) -> Any:
    if isinstance(declared, str):
        return None if declared == "NULL" else an_id(declared[1:]) if declared[0] == "#" else declared
    return tuple(declared) if isinstance(declared, list) else declared


def make_loss(host: str, state: str, measure: str, *examples: str) -> GateMeasureRow:
    """What a gate found: pages of a host that lost something."""
    counted = ("night", "page", 130, 104, 0.005, 1e-9)
    return GateMeasureRow("20261121T023001Z-0001", host, measure, *counted, state, examples, "5", "1")


def measures() -> list[GateMeasureRow]:
    """One host held, one that passed."""
    counted = ("reviews", "night", "page", 10)
    return [
        GateMeasureRow(Crawl().crawl_id, host, *counted, pages, 0.1, 0.5, state, (), "1", "1")
        for host, pages, state in ((HOST, 9, "held"), ("other.example", 0, "passed"))
    ]


def crawls() -> list[Crawl]:
    return [Crawl()]


def fetches() -> list[Fetch]:
    return [
        Fetch("1"),
        Fetch("2", url=f"http://{HOST}/compare/alpha-vs-gamma", elapsed_ms=60),
        Fetch("3", url=f"http://{HOST}/tool/alpha", outcome="unchanged", status_code=304),
        Fetch("4", url=f"http://{HOST}/tool/beta", outcome="connect_error", status_code=None, bytes=0, elapsed_ms=0),
    ]
