"""What a row must be to pass the door: names, order, types, null, values, ranges and keys of every table.

The meaning of the columns stands in `schema/<table>.sql`. Ranges: `_pct` and `score` 0-100; `confidence` and
`similarity` 0-1. A row that fails is a bug of ours and stops the load.
"""

import dataframely as dy
import polars as pl

from warehouse.storage.errors import ContractBroken

VERDICTS = ("ship", "mixed", "skip")
TAKE_VERDICTS = ("ship", "skip")
SIDES = ("a", "b")
ATTRIBUTIONS = ("observed", "matched", "intersected", "excluded", "ordered")
SEAT_SOURCES = ("label", "row_order")
MATCHES = ("exact", "near", "prefix")
RENDERINGS = ("html", "innertext", "quotes")
READERS = ("main_text", "schema_org", "table")
ROW_KINDS = ("attribute", "question")
STAGES = ("extract", "normalize")
CRAWL_KINDS = ("crawl", "ingest")
CRAWL_STATUSES = ("running", "done", "partial", "failed")


def _id(*, is_key: bool = False, is_optional: bool = False) -> dy.String:
    return dy.String(primary_key=is_key, nullable=is_optional, regex="^[0-9a-f]{32}$")


def _word(words: tuple[str, ...], *, is_key: bool = False, is_optional: bool = False) -> dy.String:
    return dy.String(primary_key=is_key, nullable=is_optional, check={"known": lambda text: text.is_in(words)})


def _words(*, is_key: bool = False) -> dy.String:
    return dy.String(primary_key=is_key, min_length=1)


def _text() -> dy.String:
    return dy.String(nullable=True)


def _time(*, is_key: bool = False, is_optional: bool = False) -> dy.Datetime:
    return dy.Datetime(primary_key=is_key, nullable=is_optional, time_unit="us", time_zone="UTC")


def _count(*, is_key: bool = False, is_optional: bool = False, least: int = 0) -> dy.Int64:
    return dy.Int64(primary_key=is_key, nullable=is_optional, min=least)


def _pct() -> dy.Int64:
    return dy.Int64(nullable=True, min=0, max=100)


def _share() -> dy.Float64:
    return dy.Float64(min=0, max=1)


def _is_in_order(earlier: str, later: str) -> pl.Expr:
    return pl.col(later).is_null() | (pl.col(earlier) <= pl.col(later))


class _Seen(dy.Schema):
    @dy.rule()
    def seen_first_before_last(cls) -> pl.Expr:  # noqa: N805 - dataframely calls it on the class
        return _is_in_order("first_seen_at", "last_seen_at")


class _Stood(dy.Schema):
    @dy.rule()
    def valid_from_before_valid_to(cls) -> pl.Expr:  # noqa: N805 - dataframely calls it on the class
        return pl.col("valid_to").is_null() | (pl.col("valid_from") < pl.col("valid_to"))


class Pages(_Seen):
    page_id = _id(is_key=True)
    url = _text()
    host = _text()
    title = dy.String()
    renderings = dy.List(_word(RENDERINGS))
    is_ambiguous = dy.Bool()
    first_seen_at = _time()
    last_seen_at = _time()
    is_gone = dy.Bool()
    load_id = _words()


class Documents(_Seen):
    url = _words(is_key=True)
    host = _text()
    title = _text()
    author = _text()
    published_on = _text()
    text = dy.String()
    reader = _word(READERS)
    first_seen_at = _time()
    last_seen_at = _time()
    load_id = _words()


class ComparedTools(dy.Schema):
    url = _words(is_key=True)
    position = _count(is_key=True)
    name = _words()
    tool_url = _text()
    description = _text()
    category = _text()
    price = _text()
    rating = dy.Float64(nullable=True, min=0)
    rating_best = dy.Float64(nullable=True, min=0)
    ratings = _count(is_optional=True)
    load_id = _words()


class ComparisonRows(dy.Schema):
    url = _words(is_key=True)
    position = _count(is_key=True)
    tool_position = _count(is_key=True)
    kind = _word(ROW_KINDS)
    attribute = _words()
    value = _words()
    load_id = _words()


class OutsideReviews(dy.Schema):
    url = _words(is_key=True)
    position = _count(is_key=True)
    tool_position = _count(is_optional=True)
    author = _text()
    rating = dy.Float64(nullable=True, min=0)
    rating_best = dy.Float64(nullable=True, min=0)
    published_on = _text()
    text = _words()
    load_id = _words()


class Tools(_Seen):
    tool_id = _id(is_key=True)
    host = _text()
    slug = _text()
    name = _words()
    tagline = _text()
    description = _text()
    category = _text()
    entry = _text()
    product = _words()
    first_seen_at = _time()
    last_seen_at = _time()
    load_id = _words()


class ToolAliases(dy.Schema):
    alias_id = _id(is_key=True)
    tool_id = _id()
    name = _words()
    tagline = _text()
    reason = _words()
    load_id = _words()


class Products(dy.Schema):
    tool_id = _id(is_key=True)
    product_id = _id()
    name = _words()
    score = _share()
    reason = _words()
    load_id = _words()


class ToolCards(dy.Schema):
    page_id = _id(is_key=True)
    side = _word(SIDES, is_key=True)
    tool_id = _id()
    name = _words()
    tagline = _text()
    category = _text()
    panel_ship_pct = _pct()
    chip = _word(VERDICTS, is_optional=True)
    community_pct = _pct()
    entry = _text()
    description = _text()
    load_id = _words()


class Verdicts(dy.Schema):
    page_id = _id(is_key=True)
    side = _word(SIDES, is_key=True)
    tool_id = _id()
    verdict = _word(VERDICTS, is_optional=True)
    ship_votes = _count(is_optional=True)
    skip_votes = _count(is_optional=True)
    community_pct = _pct()
    community_votes = _count(is_optional=True)
    pricing = _text()
    best_for = _text()
    category = _text()
    verdict_raw = _text()
    community_raw = _text()
    load_id = _words()


class PricingTiers(dy.Schema):
    tool_id = _id(is_key=True)
    position = _count(is_key=True)
    plan = _text()
    kind = _words()
    amount = dy.Float64(nullable=True, min=0)
    currency = _text()
    period = _text()
    license = _text()
    raw = _words()
    load_id = _words()


class Reviews(_Seen):
    review_id = _id(is_key=True)
    tool_id = _id()
    seat = _text()
    seat_source = _word(SEAT_SOURCES, is_optional=True)
    score = _pct()
    verdict = _word(TAKE_VERDICTS, is_optional=True)
    text = _words()
    attribution = _word(ATTRIBUTIONS)
    confidence = _share()
    appearances = _count(least=1)
    first_seen_at = _time()
    last_seen_at = _time()
    load_id = _words()


class ReviewAliases(dy.Schema):
    old_id = _id(is_key=True)
    review_id = _id()
    reason = _words()
    load_id = _words()


class Lookalikes(dy.Schema):
    review_id = _id(is_key=True)
    other_id = _id(is_key=True)
    similarity = _share()
    load_id = _words()


class Appearances(_Seen):
    page_id = _id(is_key=True)
    text_id = _id(is_key=True)
    review_id = _id()
    position = _count()
    side = _word(SIDES, is_optional=True)
    match = _word(MATCHES)
    similarity = _share()
    attribution = _word(ATTRIBUTIONS)
    text = _words()
    segment = _words()
    segment_offset = _count()
    first_block = _count()
    last_block = _count()
    first_seen_at = _time()
    last_seen_at = _time()
    load_id = _words()

    @dy.rule()
    def first_block_before_last(cls) -> pl.Expr:  # noqa: N805 - dataframely calls it on the class
        return _is_in_order("first_block", "last_block")


class AttributionEvidence(dy.Schema):
    review_id = _id(is_key=True)
    kind = _word(ATTRIBUTIONS, is_key=True)
    page_id = _id(is_key=True)
    weight = _share()
    detail = dy.String()
    load_id = _words()


class PriceHistory(_Stood):
    tool_id = _id(is_key=True)
    pricing = _words()
    valid_from = _time(is_key=True)
    valid_to = _time(is_optional=True)
    load_id = _words()


class ToolHistory(_Stood):
    tool_id = _id(is_key=True)
    name = _words()
    tagline = _text()
    description = _text()
    category = _text()
    entry = _text()
    valid_from = _time(is_key=True)
    valid_to = _time(is_optional=True)
    load_id = _words()


class VerdictHistory(_Stood):
    page_id = _id(is_key=True)
    side = _word(SIDES, is_key=True)
    tool_id = _id()
    verdict = _word(VERDICTS, is_optional=True)
    ship_votes = _count(is_optional=True)
    skip_votes = _count(is_optional=True)
    panel_ship_pct = _pct()
    community_pct = _pct()
    community_votes = _count(is_optional=True)
    pricing = _text()
    valid_from = _time(is_key=True)
    valid_to = _time(is_optional=True)
    load_id = _words()


class Discrepancies(dy.Schema):
    page_id = _id(is_key=True)
    tool_id = _id(is_optional=True)
    rule = _words(is_key=True)
    expected = dy.String(primary_key=True)
    found = dy.String(primary_key=True)
    load_id = _words()


class Rejects(dy.Schema):
    url = _words()
    stage = _word(STAGES)
    reason = _words(is_key=True)
    detail = dy.String()
    segment = _words(is_key=True)
    segment_offset = _count(is_key=True)
    load_id = _words()


class Crawls(dy.Schema):
    crawl_id = _words(is_key=True)
    kind = _word(CRAWL_KINDS)
    started_at = _time()
    finished_at = _time(is_optional=True)
    status = _word(CRAWL_STATUSES)
    fetched = _count()
    unchanged = _count()
    failed = _count()
    bytes = _count()
    load_id = _words()


class Fetches(dy.Schema):
    fetch_id = _words(is_key=True)
    crawl_id = _words()
    url = _words()
    outcome = _words()
    status_code = _count(is_optional=True)
    attempt = _count(least=1)
    started_at = _time()
    elapsed_ms = _count()
    bytes = _count()
    body_sha256 = _text()
    segment = _text()
    segment_offset = _count(is_optional=True)
    detail = _text()
    load_id = _words()


class Loads(dy.Schema):
    load_id = _words(is_key=True)
    loaded_at = _time()
    rows_added = _count()
    rows_changed = _count()
    rows_removed = _count()
    extractor_version = dy.String()
    elapsed_ms = _count(is_optional=True)


class LoadCounts(dy.Schema):
    load_id = _words(is_key=True)
    relation = _words(is_key=True)
    rows_added = _count()
    rows_changed = _count()
    rows_removed = _count()
    rows_held = _count()


CONTRACTS: dict[str, type[dy.Schema]] = {
    "pages": Pages,
    "documents": Documents,
    "compared_tools": ComparedTools,
    "comparison_rows": ComparisonRows,
    "outside_reviews": OutsideReviews,
    "tools": Tools,
    "tool_aliases": ToolAliases,
    "products": Products,
    "tool_cards": ToolCards,
    "verdicts": Verdicts,
    "pricing_tiers": PricingTiers,
    "reviews": Reviews,
    "review_aliases": ReviewAliases,
    "lookalikes": Lookalikes,
    "appearances": Appearances,
    "attribution_evidence": AttributionEvidence,
    "tool_history": ToolHistory,
    "price_history": PriceHistory,
    "verdict_history": VerdictHistory,
    "discrepancies": Discrepancies,
    "rejects": Rejects,
    "crawls": Crawls,
    "fetches": Fetches,
    "loads": Loads,
    "load_counts": LoadCounts,
}
"""Table name to its contract: every table of the warehouse, parents before children."""


CLUSTERS: dict[str, tuple[str, ...]] = {
    "reviews": ("first_seen_at",),
    "appearances": ("review_id",),
    "tool_cards": ("tool_id",),
    "verdicts": ("tool_id",),
    "verdict_history": ("tool_id",),
}
"""Tables whose rows lie by another column before their key. What is told again lies side by side, and takes a third
less room and half the time to write (two million appearances, each text told twice). Reviews lie by the night that
brought them: a month is one stretch of the table, and what a night adds comes last."""


TABLES = tuple(CONTRACTS)
"""Names of all tables, parents before children."""


def key(table: str) -> tuple[str, ...]:
    """The columns that name one row of `table`."""
    return tuple(CONTRACTS[table].primary_key())


def order(table: str) -> tuple[str, ...]:
    """The columns by which the rows of `table` lie in a file. They name one row, so the order is one."""
    return (*CLUSTERS.get(table, ()), *(name for name in key(table) if name not in CLUSTERS.get(table, ())))


def checked(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """`frame` with each row once, every row of it within the contract of `table`; raises ContractBroken otherwise.

    The same row twice is one; two rows that differ under one key break the contract.
    """
    if CONTRACTS[table].is_valid(frame):
        return frame
    failed = CONTRACTS[table].filter(frame).failure.counts()
    if set(failed) == {"primary_key"} and (once := frame.unique(maintain_order=True)).height < frame.height:
        return checked(table, once)
    for rule, count in failed.items():
        raise ContractBroken(table, rule, count)
    raise AssertionError(f"{table} is not valid, and no rule says why")
