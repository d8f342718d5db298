"""A made corpus of any size, as Parquet rows of the warehouse's tables, and a night that changes some of it."""

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from builders.made_corpora import DEEDS, GLUE, MANNERS, THINGS
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.loading.rows import ParquetFiles

SEED = 1
WORDS = [*GLUE, *THINGS, *DEEDS, *MANNERS, *[one + other for one in THINGS for other in DEEDS][:20_000]]
"""A vocabulary of some size: words of later places are rare."""

BY_TOOL = ("tools", "tool_history", "price_history", "pricing_tiers", "reviews", "review_history")
BY_PAGE_OR_REVIEW = ("appearances", "attribution_evidence")
BY_PAGE = ("pages", "mentions", "tool_cards", "verdicts", "verdict_history")


def make_corpus(reviews: int, folder: Path) -> None:
    """Writes a file a table: four reviews a tool, each on two pages."""
    folder.mkdir(parents=True, exist_ok=True)
    sql = (Path(__file__).parent / "warehouse_corpus.sql").read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.register("texts", _texts(reviews))
        for statement in connection.extract_statements(sql):
            connection.execute(statement, {"reviews": reviews} if statement.named_parameters else None)
        for table in (*BY_TOOL, *BY_PAGE_OR_REVIEW, *BY_PAGE):
            # The load fills them. Until then they hold a value of their type, so that the rows keep their contract.
            for column in TABLES[table].columns:
                if column.is_derived:
                    value = "NULL" if column.is_optional else f"0::{column.type}"
                    connection.execute(
                        f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS {column.name} {column.type} DEFAULT {value}"
                    )
            connection.execute(f"COPY {table} TO '{folder}/{table}.parquet' (FORMAT parquet, COMPRESSION zstd)")


def make_night(corpus: Path, folder: Path, share: float) -> None:
    """Writes the corpus after a night that saw `share` of the tools again: scores one higher, a day later."""
    folder.mkdir(parents=True, exist_ok=True)
    tools = pl.read_parquet(corpus / "tools.parquet")
    touched = tools.head(round(share * tools.height)).select("tool_id")
    cards = pl.read_parquet(corpus / "tool_cards.parquet")
    pages = cards.join(touched, on="tool_id").select("page_id").unique()
    reviews = pl.read_parquet(corpus / "reviews.parquet").join(touched, on="tool_id").select("review_id")
    of_pages = pl.col("page_id").is_in(pages["page_id"].implode())
    of_reviews = pl.col("review_id").is_in(reviews["review_id"].implode())
    decided = (
        (BY_TOOL, pl.col("tool_id").is_in(touched["tool_id"].implode())),
        (BY_PAGE_OR_REVIEW, of_pages | of_reviews),
        (BY_PAGE, of_pages),
    )
    for tables, wanted in decided:
        for table in tables:
            rows = pl.read_parquet(corpus / f"{table}.parquet")
            for column, more in (("score", pl.lit(1)), ("last_seen_at", pl.duration(days=1))):
                if column in rows.columns:
                    rows = rows.with_columns(
                        pl.when(wanted).then(pl.col(column) + more).otherwise(column).alias(column)
                    )
            rows.write_parquet(folder / f"{table}.parquet")


def list_files(folder: Path) -> dict[str, ParquetFiles]:
    """The files as a load takes them."""
    return {file.stem: ParquetFiles((file,)) for file in sorted(folder.glob("*.parquet"))}


def _texts(reviews: int) -> pa.Table:
    """Texts of 25 to 64 words."""
    chance = np.random.default_rng(SEED)
    lengths = chance.integers(25, 65, reviews)
    places = (chance.random(int(lengths.sum())) ** 3 * len(WORDS)).astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    said = pa.ListArray.from_arrays(offsets, pa.array(WORDS).take(pa.array(places)))
    return pa.table({"number": np.arange(reviews), "text": pc.binary_join(said, " ")})
