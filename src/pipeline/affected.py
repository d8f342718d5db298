"""Which observations must be normalized together with a night's: all that its evidence touches, and no more.

Reads the columns of the record files that say what each observation touches. A scan of them all takes a tenth of a
second for a million takes; what is normalized after it follows the night.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

WHOLE_SHARE = 0.5
"""Where more of the observations than this are in reach, it is quicker to make everything anew."""


@dataclass(frozen=True, slots=True)
class Affected:
    """Addresses to normalize, and the keys of the tools that are decided by them."""

    urls: frozenset[str]
    tools: frozenset[int]


def find_affected(files: Sequence[Path], new: Collection[Path], urls: Collection[str]) -> Affected | None:
    """What the observations of `new` files and of some addresses reach. None where that is most of the corpus.

    Also None where an address can be cut in two slugs in several ways: that depends on every slug of its host.
    """
    seen = pl.concat(
        pl.scan_parquet(file).select(
            "url", "tools", "is_open", "is_ambiguous", "texts", "sides", is_new=pl.lit(file in new)
        )
        for file in files
    ).collect()
    if seen["is_ambiguous"].any():
        return None
    seen = seen.with_row_index("at")
    cards = _cards(seen)
    takes = _takes(seen)
    seeds = seen.filter(pl.col("is_new") | pl.col("url").is_in(list(urls)))["at"]
    tools = cards.filter(pl.col("at").is_in(seeds.implode()))["key"].unique()
    while True:
        wider = _widened(tools, cards, takes)
        if len(wider) == len(tools):
            break
        tools = wider
    reached = cards.filter(pl.col("key").is_in(tools.implode()))["at"].unique()
    places = pl.concat([reached, seeds]).unique()
    if len(places) > WHOLE_SHARE * len(seen):
        return None
    found = seen.filter(pl.col("at").is_in(places.implode()))["url"].unique()
    return Affected(frozenset(found) | frozenset(urls), frozenset(tools))


def _cards(seen: pl.DataFrame) -> pl.DataFrame:
    """Two rows a card: its place, side, and key by slug or by name."""
    held = seen.filter(pl.col("tools").is_not_null()).select("at", "is_open", "tools")
    return pl.concat(
        held.select("at", "is_open", side=pl.lit(at // 2, pl.Int8), key=pl.col("tools").list.get(at)) for at in range(4)
    )


def _takes(seen: pl.DataFrame) -> pl.DataFrame:
    """A row a long take: its place, side (-1 without a label) and key."""
    held = seen.filter(pl.col("texts").list.len() > 0).select("at", side="sides", text="texts")
    return held.explode("side", "text")


def _widened(tools: pl.Series, cards: pl.DataFrame, takes: pl.DataFrame) -> pl.Series:
    """One step on: to the other keys of their cards, to both tools of open pages, to tools that share long words."""
    hit = cards.filter(pl.col("key").is_in(tools.implode()))
    reached = _keys_of(hit, cards)
    told = hit.select("at", "side").unique()
    labelled = takes.join(told, on=["at", "side"], how="semi")
    unlabelled = takes.filter(pl.col("side") == -1).join(told, on="at", how="semi")
    texts = pl.concat([labelled["text"], unlabelled["text"]]).unique()
    sharing = takes.filter(pl.col("text").is_in(texts.implode()))
    owners = cards.join(sharing, on=["at", "side"], how="semi")
    open_owners = cards.join(sharing.filter(pl.col("side") == -1), on="at", how="semi")
    return pl.concat([tools, reached, owners["key"], open_owners["key"]]).unique()


def _keys_of(hit: pl.DataFrame, cards: pl.DataFrame) -> pl.Series:
    own = cards.join(hit.select("at", "side").unique(), on=["at", "side"], how="semi")
    both = cards.filter("is_open").join(hit.select("at").unique(), on="at", how="semi")
    return pl.concat([own["key"], both["key"]]).unique()
