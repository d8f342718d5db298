"""Which texts are similar at all: those that share a run under one tool, compared pair by pair.

Whether two texts are a pair depends on the two, and for runs that many texts have on the age of these: a run leads to
the first `texts_a_run` texts of the tool that have it. So a pair that was found stays one, whatever comes later. Where
more texts have a run it is crowded: then it leads to the first canonical texts as well, since a take with a hundred
edits has few of these.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import polars as pl

from verdicts.normalize.components import joined
from verdicts.normalize.dedup.clusters import ClusterMember
from verdicts.normalize.dedup.runs import runs_of
from verdicts.normalize.dedup.similarity import Similarity, compare
from verdicts.normalize.dedup.thresholds import Thresholds


class Home(NamedTuple):
    """A tool that a text may be about, since some day. Texts are numbered by age."""

    text: int
    tool: int
    day: int


class SimilarText(NamedTuple):
    """Another text that is similar, and the tools under which the two share a run."""

    number: int
    similarity: Similarity
    tools: frozenset[int]


HOMES_AT_A_TIME = 30_000
"""Texts at home in tools whose runs are joined at once: of 300,000 these take two gigabytes."""

_SPREAD = 0x9E3779B97F4A7C15
"""Multiplies numbers of tools so that they differ in all bits."""


class CrowdedRuns(NamedTuple):
    """The runs of a text that more texts of a tool have than are followed, a number for run and tool.

    `runs` counts all runs of the text.
    """

    keys: Sequence[int]
    runs: int


class Neighbours(NamedTuple):
    """By the number of a text: the texts similar to it, and its crowded runs; where it has any."""

    similar: Mapping[int, Sequence[SimilarText]]
    crowded: Mapping[int, CrowdedRuns]


_KEY = pl.col("run") ^ (pl.col("tool").cast(pl.UInt64) * _SPREAD)
"""Of a tool and a run one number."""

HOME_SCHEMA = pl.Schema({"text": pl.UInt32(), "tool": pl.UInt32(), "day": pl.UInt32()})


def neighbours(texts: Sequence[ClusterMember], homes: Iterable[Home], thresholds: Thresholds) -> Neighbours:
    """Which texts each may have to do with. `texts` come oldest first."""
    runs = runs_of([text.match_key for text in texts], thresholds.max_compared)
    counts = runs.group_by("text").agg(runs=pl.len())
    at_home = pl.DataFrame([*homes], schema=HOME_SCHEMA, orient="row")
    met, many = [], []
    for part in _by_tools(at_home):
        shared = _shared_runs(part.join(runs, on="text"))
        met.append(_runs_in_common(_meetings(shared, thresholds.texts_a_run)))
        many.append(shared.filter(pl.len().over("key") > thresholds.texts_a_run).select("text", "key"))
    similar: dict[int, list[SimilarText]] = defaultdict(list)
    for older, younger, tools in _enough(pl.concat(met), counts, thresholds).iter_rows():
        similarity = compare(texts[younger], texts[older], thresholds)
        if similarity is not None:
            at = frozenset(tools)
            similar[older].append(SimilarText(younger, similarity, at))
            similar[younger].append(SimilarText(older, similarity, at))
    crowded = pl.concat(many).sort("key").group_by("text").agg("key").join(counts, on="text")
    return Neighbours(similar, {text: CrowdedRuns(keys, total) for text, keys, total in crowded.iter_rows()})


def _by_tools(at_home: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Parts of about `HOMES_AT_A_TIME`, all homes of a tool in one: texts meet under a tool."""
    parts = 1 + at_home.height // HOMES_AT_A_TIME
    return (at_home.filter(pl.col("tool") % parts == part) for part in range(parts))


def _runs_in_common(met: pl.DataFrame) -> pl.DataFrame:
    """Of each two texts under a tool, how many runs they share; a row of `met` for each run."""
    return met.group_by("older", "younger", "tool").agg(shared=pl.len())


def _enough(in_common: pl.DataFrame, counts: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """Numbers of an older and a younger text that share enough runs, and the list of tools under which they do."""
    pairs = in_common.group_by("older", "younger").agg(pl.col("shared").max(), "tool")
    return (
        pairs.join(counts.rename({"text": "older", "runs": "runs_older"}), on="older")
        .join(counts.rename({"text": "younger", "runs": "runs_younger"}), on="younger")
        .filter(pl.col("shared") >= thresholds.shared_runs * pl.min_horizontal("runs_older", "runs_younger"))
        .sort("older", "younger")
        .select("older", "younger", "tool")
    )


def _shared_runs(sightings: pl.DataFrame) -> pl.DataFrame:
    """Those that several texts of a tool have; `place` counts the texts of a tool and run, the oldest first."""
    shared = sightings.with_columns(key=_KEY).filter(pl.col("key").is_duplicated())
    by_age = shared.sort("key", "day", "text").with_row_index("row")
    begins = pl.when(pl.col("key") != pl.col("key").shift(fill_value=0)).then("row").otherwise(None).forward_fill()
    return by_age.select("key", "tool", "text", place=pl.col("row") - begins)


def _meetings(shared: pl.DataFrame, most: int) -> pl.DataFrame:
    """Two texts with a run in common under a tool, a row a run: the first `most` with all others that have it."""
    return (
        shared.filter(pl.col("place") < most)
        .join(shared, on="key", suffix="_other")
        .filter(pl.col("place") < pl.col("place_other"))
        .select("tool", older=pl.min_horizontal("text", "text_other"), younger=pl.max_horizontal("text", "text_other"))
    )


def components_of(near: Neighbours) -> Mapping[int, int]:
    """By the number of a text, the smallest number of those that it has to do with, however indirectly.

    Texts that have to do with none are left out.
    """
    leaders: dict[int, int] = {}
    similar = ((text, other.number) for text, others in near.similar.items() for other in others if other.number > text)
    crowded = ((leaders.setdefault(key, text), text) for text, runs in near.crowded.items() for key in runs.keys)
    return joined(chain(similar, crowded))
