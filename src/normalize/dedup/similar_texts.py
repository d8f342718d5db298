"""Which texts are similar at all: those that share a run of letters under one tool, compared pair by pair.

Runs are stretches of letters that a text's content chooses (winnowing: Schleimer, Wilkerson, Aiken 2003): of every
`WINDOW` stretches in sequence the one with the smallest hash is kept. Two texts that share `RUN_LETTERS + WINDOW - 1`
letters in one piece share a run for certain.

Whether two texts are a pair depends on the two, and for runs that many texts have on their age: a run leads to the
first `texts_a_run` texts of the tool that have it. So a pair once found stays one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from verdicts.normalize.components import joined
from verdicts.normalize.dedup.similarity import ComparedText, Similarity, Thresholds, compare

RUN_LETTERS = 12
"""Long enough that a run says something: unrelated takes of a tool share next to none."""

WINDOW = 12
"""One stretch in six is kept, and 23 shared letters always suffice: an edit in every fourth word leaves them."""

RUNS_A_TEXT = 256
"""Of a long text the runs with the smallest hashes: what two articles share, they choose alike."""

RUN_SCHEMA = pl.Schema({"text": pl.UInt32(), "run": pl.UInt64()})

_CHUNK_LETTERS = 16_000
"""So few that the hashes of a chunk stay in the processor's cache: half the time of a million."""

_NONE = np.uint64(2**64 - 1)
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))

_Words = npt.NDArray[np.uint64]
_Numbers = npt.NDArray[np.uint32]


def runs_of(match_keys: Sequence[str], most_letters: int) -> pl.DataFrame:
    """The runs of each text, by its index in `match_keys`. Hashes are the same on every machine and in every run.

    Letters after the first `most_letters` of a text are left out. A text shorter than a run is one run.
    """
    chunks = [_runs_of_chunk(first, keys) for first, keys in _chunks(key[:most_letters] for key in match_keys)]
    if not chunks:
        return pl.DataFrame(schema=RUN_SCHEMA)
    texts, runs = (np.concatenate(column) for column in zip(*chunks, strict=True))
    return pl.DataFrame({"text": texts, "run": runs}, schema=RUN_SCHEMA)


def _chunks(match_keys: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Texts that are hashed at once, and the index of the first."""
    first, letters, chunk = 0, 0, list[str]()
    for key in match_keys:
        chunk.append(key)
        letters += len(key)
        if letters >= _CHUNK_LETTERS:
            yield first, chunk
            first, letters, chunk = first + len(chunk), 0, []
    if chunk:
        yield first, chunk


def _runs_of_chunk(first: int, match_keys: Sequence[str]) -> tuple[_Numbers, _Words]:
    """Two columns, the number of a text and a run of it."""
    padding = "\0" * (RUN_LETTERS + WINDOW)
    letters = np.frombuffer((padding.join(match_keys) + padding).encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter(map(len, match_keys), np.int64, len(match_keys)) + len(padding)
    stretches = np.maximum(lengths - len(padding) - RUN_LETTERS + 1, 1)
    hashes = _stretch_hashes(letters.astype(np.uint64))
    hashes[~_begins(stretches, lengths)] = _NONE
    windows = np.maximum(stretches - WINDOW + 1, 1)
    smallest = _smallest_in_window(hashes)[_begins(windows, lengths)]
    text = np.repeat(np.arange(first, first + len(match_keys), dtype=np.uint32), windows)
    # Windows that overlap mostly choose the same stretch.
    is_new = _is_other(text, smallest)
    text, smallest = text[is_new], smallest[is_new]
    order = np.lexsort((smallest, text))
    text, smallest = text[order], smallest[order]
    is_new = _is_other(text, smallest)
    return _fewest(text[is_new], smallest[is_new])


def _is_other(text: _Numbers, run: _Words) -> npt.NDArray[np.bool_]:
    """Whether each is another text or run than the one before it."""
    is_other = np.ones(len(text), np.bool_)
    is_other[1:] = (run[1:] != run[:-1]) | (text[1:] != text[:-1])
    return is_other


def _begins(counts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """For each letter of texts of some lengths, whether it is among the first of its text, as many as `counts` says."""
    parts = np.column_stack([counts, lengths - counts]).ravel()
    return np.repeat(np.arange(len(parts)) % 2 == 0, parts)


def _fewest(text: _Numbers, run: _Words) -> tuple[_Numbers, _Words]:
    """Of runs in order the first of each text."""
    place = np.arange(len(text)) - np.searchsorted(text, text)
    is_kept = place < RUNS_A_TEXT
    return text[is_kept], run[is_kept]


def _stretch_hashes(letters: _Words) -> _Words:
    """The hash of the stretch that begins at each letter: a polynomial, doubled from 2 to 4 to 8 to 12 letters."""
    base = _BASE
    twos = letters * base + _ahead(letters, 1)
    fours = twos * base ** np.uint64(2) + _ahead(twos, 2)
    eights = fours * base ** np.uint64(4) + _ahead(fours, 4)
    hashes = eights * base ** np.uint64(4) + _ahead(fours, 8)
    for shift, factor in zip((30, 27), _MIX, strict=True):
        hashes = (hashes ^ (hashes >> np.uint64(shift))) * factor
    mixed: _Words = hashes ^ (hashes >> np.uint64(31))
    return mixed


def _smallest_in_window(hashes: _Words) -> _Words:
    """The smallest of the `WINDOW` hashes from each place on."""
    twos = np.minimum(hashes, _ahead(hashes, 1))
    fours = np.minimum(twos, _ahead(twos, 2))
    eights = np.minimum(fours, _ahead(fours, 4))
    return np.minimum(eights, _ahead(fours, 8))


def _ahead(values: _Words, by: int) -> _Words:
    """The values `by` places further on, and at the end the largest there is."""
    return np.concatenate([values[by:], np.full(by, _NONE)])


class Block(NamedTuple):
    """A tool that a text may be about since an ingest day. Texts are numbered by age."""

    text: int
    tool_id: str
    since: str


class SimilarText(NamedTuple):
    """Another text that is similar, and the tools under which the two share a run."""

    number: int
    similarity: Similarity
    tools: frozenset[str]


BLOCKS_AT_A_TIME = 10_000
"""Texts by tool whose runs are joined at once: 300,000 take two gigabytes."""

_SPREAD = 0x9E3779B97F4A7C15
"""Multiplies numbers of tools so that they differ in all bits."""


Neighbours: TypeAlias = Mapping[int, Sequence[SimilarText]]
"""By the number of a text: the texts similar to it, where there are any."""


_KEY = pl.col("run") ^ (pl.col("tool").cast(pl.UInt64) * _SPREAD)
"""Of a tool and a run one number."""

BLOCK_SCHEMA = pl.Schema({"text": pl.UInt32(), "tool": pl.String(), "day": pl.String()})


def neighbours(texts: Sequence[ComparedText], blocks: Sequence[Block], thresholds: Thresholds) -> Neighbours:
    """Which texts each may have to do with. `texts` come oldest first."""
    tool_ids = sorted({block.tool_id for block in blocks})
    runs = runs_of([text.match_key for text in texts], thresholds.max_compared)
    counts = runs.group_by("text").agg(runs=pl.len())
    blocked = pl.DataFrame(blocks, schema=BLOCK_SCHEMA, orient="row")
    blocked = blocked.with_columns(pl.col("tool", "day").rank("dense").cast(pl.UInt32) - 1)
    met = []
    parts = 1 + blocked.height // BLOCKS_AT_A_TIME
    for part in range(parts):
        # All blocks of a tool are in one part: texts meet under a tool.
        shared = _shared_runs(blocked.filter(pl.col("tool") % parts == part).join(runs, on="text"))
        meetings = _meetings(shared, thresholds.texts_a_run)
        met.append(meetings.group_by("older", "younger", "tool").agg(shared=pl.len()))
    similar: dict[int, list[SimilarText]] = defaultdict(list)
    for older, younger, tools in _enough(pl.concat(met), counts, thresholds).iter_rows():
        similarity = compare(texts[younger], texts[older], thresholds)
        if similarity is not None:
            at = frozenset(tool_ids[tool] for tool in tools)
            similar[older].append(SimilarText(younger, similarity, at))
            similar[younger].append(SimilarText(older, similarity, at))
    return similar


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
    return joined((text, other.number) for text, others in near.items() for other in others if other.number > text)
