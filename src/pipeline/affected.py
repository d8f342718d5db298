"""Which observations must be normalized again with a night's: all that share evidence with them, and no others.

Reads the columns of the record files that hold what each observation depends on. A scan of a million takes lasts a
tenth of a second; the normalization after it takes as long as the night is large.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

WHOLE_SHARE = 0.5
"""Where a larger share of the observations than this is affected, it is quicker to normalize everything."""


@dataclass(frozen=True, slots=True)
class Affected:
    """Addresses to normalize, and the keys of the tools that they decide."""

    urls: frozenset[str]
    tools: frozenset[int]


def find_affected(files: Sequence[Path], new: Collection[Path], urls: Collection[str]) -> Affected | None:
    """What the observations of `new` files and those of `urls` affect. None where that is most of the corpus.

    Also None where an address can be cut into two slugs in several ways: that depends on every slug of its host.
    """
    observations = pl.concat(
        pl.scan_parquet(file).select(
            "url", "tools", "is_open", "is_ambiguous", "texts", "sides", is_new=pl.lit(file in new)
        )
        for file in files
    ).collect()
    if observations["is_ambiguous"].any():
        return None
    observations = observations.with_row_index("row")
    cards = _cards(observations)
    takes = _takes(observations)
    changed_rows = observations.filter(pl.col("is_new") | pl.col("url").is_in(list(urls)))["row"]
    tools = cards.filter(pl.col("row").is_in(changed_rows.implode()))["key"].unique()
    while True:
        wider = _widened(tools, cards, takes)
        if len(wider) == len(tools):
            break
        tools = wider
    tool_rows = cards.filter(pl.col("key").is_in(tools.implode()))["row"].unique()
    rows = pl.concat([tool_rows, changed_rows]).unique()
    if len(rows) > WHOLE_SHARE * len(observations):
        return None
    affected_urls = observations.filter(pl.col("row").is_in(rows.implode()))["url"].unique()
    return Affected(frozenset(affected_urls) | frozenset(urls), frozenset(tools))


def _cards(observations: pl.DataFrame) -> pl.DataFrame:
    """Two rows per card: row of its observation, side, and key by slug or by name."""
    comparisons = observations.filter(pl.col("tools").is_not_null()).select("row", "is_open", "tools")
    return pl.concat(
        comparisons.select("row", "is_open", side=pl.lit(index // 2, pl.Int8), key=pl.col("tools").list.get(index))
        for index in range(4)
    )


def _takes(observations: pl.DataFrame) -> pl.DataFrame:
    """One row per long take: row of its observation, side (-1 without a label) and key of its text."""
    with_takes = observations.filter(pl.col("texts").list.len() > 0)
    return with_takes.select("row", side="sides", text="texts").explode("side", "text")


def _widened(tools: pl.Series, cards: pl.DataFrame, takes: pl.DataFrame) -> pl.Series:
    """One step further: other keys of the same cards, both tools of open pages, tools that share a long text."""
    own_cards = cards.filter(pl.col("key").is_in(tools.implode()))
    own_sides = own_cards.select("row", "side").unique()
    labelled = takes.join(own_sides, on=["row", "side"], how="semi")
    unlabelled = takes.filter(pl.col("side") == -1).join(own_sides, on="row", how="semi")
    texts = pl.concat([labelled["text"], unlabelled["text"]]).unique()
    sharing = takes.filter(pl.col("text").is_in(texts.implode()))
    owners = cards.join(sharing, on=["row", "side"], how="semi")
    open_owners = cards.join(sharing.filter(pl.col("side") == -1), on="row", how="semi")
    return pl.concat([tools, _keys_of(own_cards, cards), owners["key"], open_owners["key"]]).unique()


def _keys_of(own_cards: pl.DataFrame, cards: pl.DataFrame) -> pl.Series:
    """All keys of these cards, and those of both cards of a page where it is open which is which."""
    same_side = cards.join(own_cards.select("row", "side").unique(), on=["row", "side"], how="semi")
    open_pages = cards.filter("is_open").join(own_cards.select("row").unique(), on="row", how="semi")
    return pl.concat([same_side["key"], open_pages["key"]]).unique()
