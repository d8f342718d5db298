"""Wordings: the distinct texts of one night's takes. Sightings in, wordings out; most sightings vanish here.

Exact on two levels: equal strings first, then, of these alone, equal skeletons.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import polars as pl

from normalize.identity.ids import is_short, text_id
from normalize.parse.text import fold_name, skeleton

NIGHT_SCHEMA = pl.Schema(
    {"text": pl.String(), "view": pl.UInt32(), "tool_a": pl.UInt32(), "tool_b": pl.UInt32(), "label": pl.UInt32()}
)
"""A sighting a row: the words as published, the view they stand on, its two tools, and the labelled one or null.

Views and tools are numbered by the caller; the numbers mean the same in every night.
"""

_NO_OWNER = 0xFFFF_FFFF


class Wording(NamedTuple):
    """One text as a night showed it. `text` is the smallest of its raw strings: several have one skeleton.

    `homes` are the tools it stands labelled with, else those on all its pages.
    """

    text_id: str
    skeleton: str
    text: str
    homes: frozenset[int]
    is_labelled: bool
    sightings: int


class Night(NamedTuple):
    """`numbers` gives each sighting's place in `wordings`, `views` (a list each) where each wording stands."""

    wordings: Sequence[Wording]
    numbers: Sequence[int]
    views: pl.Series


class _Bones(NamedTuple):
    """Distinct skeletons with their smallest raw string, and each distinct raw string's place among them."""

    skeletons: list[str]
    texts: list[str]
    of_raw: list[int]


def read_night(sightings: pl.DataFrame, tool_ids: Mapping[int, str]) -> Night:
    """The wordings of one night. The order of the rows does not matter."""
    # Distinct strings get numbers by a hash of the whole column: no Python for what is merely repeated.
    raws = sightings.select(pl.col("text").unique())
    bones = _bones(raws["text"])
    of_raw = raws.with_columns(
        bone=pl.Series(bones.of_raw, dtype=pl.UInt32),
        short=pl.Series([is_short(bones.skeletons[bone]) for bone in bones.of_raw], dtype=pl.Boolean),
    )
    told = sightings.join(of_raw, on="text", how="left", maintain_order="left").select(
        "bone",
        "view",
        "tool_a",
        "tool_b",
        "label",
        first=_owner(pl.min_horizontal("tool_a", "tool_b")),
        second=_owner(pl.max_horizontal("tool_a", "tool_b")),
    )
    groups = (
        told.with_row_index("row")
        .group_by("bone", "first", "second")
        .agg(
            "row",
            "view",
            pl.len().alias("sightings"),
            pl.col("tool_a").first().alias("a"),
            pl.col("tool_b").first().alias("b"),
            _on_all_pages(pl.col("tool_a").first()).alias("is_a_common"),
            _on_all_pages(pl.col("tool_b").first()).alias("is_b_common"),
            pl.col("label").min().alias("label"),
            pl.col("label").max().alias("last_label"),
        )
        .sort("bone", "first", "second")
    )
    several = _several_labels(told)
    plain = groups.select(
        "bone", "first", "second", "sightings", "a", "b", "is_a_common", "is_b_common", "label", "last_label"
    )
    wordings = []
    for bone, first, second, count, a, b, is_a, is_b, label, last_label in plain.iter_rows():
        folded = bones.skeletons[bone]
        owner = "" if first == _NO_OWNER else "|".join(sorted({tool_ids[first], tool_ids[second]}))
        if label is None:
            homes = _tools(a, b) if is_a and is_b else _tools(a, a) if is_a else _tools(b, b) if is_b else frozenset()
        else:
            homes = _tools(label, label) if label == last_label else several[bone]
        wordings.append(Wording(text_id(folded, owner), folded, bones.texts[bone], homes, label is not None, count))
    numbers = groups.select("row").with_row_index("number").explode("row").sort("row")["number"]
    return Night(wordings, numbers.to_list(), groups["view"])


def _owner(unlabelled: pl.Expr) -> pl.Expr:
    """A short take is known by its tool too; without a label, by the two it may be of."""
    return pl.when("short").then(pl.coalesce("label", unlabelled)).otherwise(pl.lit(_NO_OWNER, pl.UInt32))


def _on_all_pages(tool: pl.Expr) -> pl.Expr:
    return ((pl.col("tool_a") == tool) | (pl.col("tool_b") == tool)).all()


def _several_labels(told: pl.DataFrame) -> Mapping[int, frozenset[int]]:
    """Skeletons that stand labelled with more than one tool. Only long ones can."""
    labelled = (
        told.filter(pl.col("label").is_not_null(), first=_NO_OWNER).group_by("bone").agg(pl.col("label").unique())
    )
    return {bone: frozenset(tools) for bone, tools in labelled.filter(pl.col("label").list.len() > 1).iter_rows()}


@lru_cache(maxsize=65_536)
def _tools(one: int, other: int) -> frozenset[int]:
    """One object for each set: a million wordings share them."""
    return frozenset({one, other})


def _bones(raws: pl.Series) -> _Bones:
    numbers: dict[str, int] = {}
    texts: list[str] = []
    of_raw = []
    for raw in raws:
        # A take of signs alone has no letters to keep.
        folded = skeleton(raw) or fold_name(raw)
        number = numbers.setdefault(folded, len(texts))
        if number == len(texts):
            texts.append(raw)
        elif raw < texts[number]:
            texts[number] = raw
        of_raw.append(number)
    return _Bones(list(numbers), texts, of_raw)
