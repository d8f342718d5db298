"""Which observations must be normalized together with new ones: all that their evidence affects, and no more.

Reads the columns of the record files that hold what each observation depends on (`DependencyKeys`). A scan of them all
takes a tenth of a second for a million takes; the cost of what is normalized afterwards follows the night.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

WHOLE_SHARE = 0.5
"""Where more of the observations than this are affected, building everything is quicker."""

KEYS_OF_CARDS = 4
"""A comparison has two cards with two keys each, by slug and by name."""


@dataclass(frozen=True, slots=True)
class Affected:
    """Addresses to normalize, and the keys of the tools that they decide completely."""

    urls: frozenset[str]
    tools: frozenset[int]


def find_affected(
    files: Sequence[Path], new: Collection[Path], urls: Collection[str], moved: Iterable[tuple[str, str]] = ()
) -> Affected | None:
    """What the observations of `new` files and of some addresses affect. None where that is most of the corpus.

    `moved` are addresses and those that their pages are held under: the tools that only one of the two has may be one.

    Also None where there are no files, and where any address can be cut into two slugs in several ways: that depends on
    every slug of its host.
    """
    if not files:
        return None
    observations = pl.concat(
        pl.scan_parquet(file).select(
            "url", "tools", "is_open", "is_ambiguous", "texts", "sides", is_new=pl.lit(file in new)
        )
        for file in files
    ).collect()
    if observations["is_ambiguous"].any():
        return None
    observations = observations.with_row_index("number")
    cards = _cards(observations)
    takes = _takes(observations)
    renamed = _renamed(observations, moved)
    seeds = observations.filter(pl.col("is_new") | pl.col("url").is_in(list(urls)))["number"]
    tools = cards.filter(pl.col("number").is_in(seeds.implode()))["key"].unique()
    while True:
        wider = _widened(tools, cards, takes, renamed)
        if len(wider) == len(tools):
            break
        tools = wider
    with_tools = cards.filter(pl.col("key").is_in(tools.implode()))["number"].unique()
    numbers = pl.concat([with_tools, seeds]).unique()
    if len(numbers) > WHOLE_SHARE * len(observations):
        return None
    affected_urls = observations.filter(pl.col("number").is_in(numbers.implode()))["url"].unique()
    return Affected(frozenset(affected_urls) | frozenset(urls), frozenset(tools))


def _cards(observations: pl.DataFrame) -> pl.DataFrame:
    """Two rows per card: number of the observation, side, and key, once by slug and once by name."""
    comparisons = observations.filter(pl.col("tools").is_not_null()).select("number", "is_open", "tools")
    return pl.concat(
        comparisons.select("number", "is_open", side=pl.lit(index // 2, pl.Int8), key=pl.col("tools").list.get(index))
        for index in range(KEYS_OF_CARDS)
    )


def _takes(observations: pl.DataFrame) -> pl.DataFrame:
    """One row per long take: number of the observation, side (-1 without a label), key of the text."""
    with_takes = observations.filter(pl.col("texts").list.len() > 0).select("number", side="sides", text="texts")
    return with_takes.explode("side", "text")


def _renamed(observations: pl.DataFrame, moved: Iterable[tuple[str, str]]) -> pl.DataFrame:
    """Keys of tools that pages lead from and to: in each row two that may be those of one tool."""
    pairs = pl.DataFrame([*moved], schema={"source": pl.String, "target": pl.String}, orient="row")
    slugs = (
        observations.filter(pl.col("url").is_in([*pairs["source"], *pairs["target"]]), pl.col("tools").is_not_null())
        .select("url", key=pl.concat_list(pl.col("tools").list.get(0), pl.col("tools").list.get(2)))
        .explode("key")
        .unique()
    )
    left = pairs.join(slugs, left_on="source", right_on="url").rename({"key": "old"})
    right = pairs.join(slugs, left_on="target", right_on="url").rename({"key": "new"})
    both = ["source", "target"]
    only_old = left.join(right, left_on=[*both, "old"], right_on=[*both, "new"], how="anti")
    only_new = right.join(left, left_on=[*both, "new"], right_on=[*both, "old"], how="anti")
    links = only_old.join(only_new, on=both).select("old", "new")
    return pl.concat([links, links.select(old="new", new="old")])


def _widened(tools: pl.Series, cards: pl.DataFrame, takes: pl.DataFrame, renamed: pl.DataFrame) -> pl.Series:
    """One step on: other keys of the tools' cards, both tools of open pages, sharers of long texts, other slugs."""
    own_cards = cards.filter(pl.col("key").is_in(tools.implode()))
    sides = own_cards.select("number", "side").unique()
    labelled = takes.join(sides, on=["number", "side"], how="semi")
    unlabelled = takes.filter(pl.col("side") == -1).join(sides, on="number", how="semi")
    texts = pl.concat([labelled["text"], unlabelled["text"]]).unique()
    sharing = takes.filter(pl.col("text").is_in(texts.implode()))
    owners = cards.join(sharing, on=["number", "side"], how="semi")
    open_owners = cards.join(sharing.filter(pl.col("side") == -1), on="number", how="semi")
    other_slugs = renamed.filter(pl.col("old").is_in(tools.implode()))["new"]
    return pl.concat([tools, _keys_beside(own_cards, cards), owners["key"], open_owners["key"], other_slugs]).unique()


def _keys_beside(own_cards: pl.DataFrame, cards: pl.DataFrame) -> pl.Series:
    """The keys of the same cards, and on open pages those of both cards."""
    same = cards.join(own_cards.select("number", "side").unique(), on=["number", "side"], how="semi")
    both = cards.filter("is_open").join(own_cards.select("number").unique(), on="number", how="semi")
    return pl.concat([same["key"], both["key"]]).unique()
