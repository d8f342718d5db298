"""When two texts are one take: measured thresholds, the rules, and which texts are compared.

`python -m benchmarks.quality --thresholds` measures the thresholds on the seeded corpus of 100,000 appearances;
`docs/benchmarks.md` has the results. Two texts of a tool are compared if they share a run of letters.

Runs are pieces of a text that its content chooses (winnowing: Schleimer, Wilkerson, Aiken 2003): of every `WINDOW`
pieces in sequence the one with the smallest hash is kept. Two texts that share `RUN_LETTERS + WINDOW - 1` letters in
sequence always share a run.

Whether two texts are a pair depends only on these two, and for frequent runs on their age: a run leads to the first
`texts_a_run` texts of the tool that have it. So a pair that was found once stays a pair.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt
import polars as pl
from rapidfuzz.fuzz import ratio

from verdicts.normalize.dedup.mentions import DistinctText
from verdicts.normalize.parse.text import words


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When two texts are one take. Ratios and shares are 0 to 1, lengths are in characters of the match key."""

    near_ratio: float = 0.82
    """From this Indel similarity of their match keys on, two texts are one take. Distinct takes reach 0.54 on real
    pages and 0.62 between sibling tools that share a sentence; three edited words leave 0.88."""

    lookalike_ratio: float = 0.70
    """From here to `near_ratio` a pair is reported in `lookalikes` and not joined. That table should stay nearly empty;
    if it fills up, something is wrong."""

    prefix_share: float = 0.93
    """A match key shorter than this share of another may be a truncated copy: then only the common length is
    compared."""

    prefix_min: int = 60
    """Minimum length of a truncated copy. Below it, sibling tools share openings: one sentence has 50 to 90."""

    excerpt_containment: float = 0.6
    """An excerpt shares at least this much of the shorter text's word shingles."""

    excerpt_shingles: int = 10
    """And at least this many shingles."""

    passage_shingles: int = 24
    """With at least so many shared shingles, 28 words in sequence, an excerpt is one take even if its tool is not
    known. Sibling tools share a sentence of 10 to 15 words."""

    texts_a_run: int = 16
    """The most texts of a tool that a run of letters leads to, the oldest ones. A run of more texts is a phrase of the
    site. A pair that shares only such runs is not found."""

    shared_runs: float = 1 / 4
    """Two texts are compared if they share at least this part of the runs of the shorter one. Three edited words leave
    0.7, an excerpt has 0.6; articles that share menu and footer have up to 0.2."""

    max_compared: int = 10_000
    """The most letters of a text that are compared with another one; takes have up to 2,000. The cost grows with the
    square: two texts of 400,000 letters took four seconds. The test of equality uses all letters."""


THRESHOLDS = Thresholds()


SHINGLE_WORDS = 5
"""Words per shingle: so many that unrelated takes share hardly any shingle."""


class Similarity(NamedTuple):
    """How similar two texts are; `score` is 0 to 1.

    `near`, `prefix` and `passage` (a long excerpt) are one take. `excerpt` is one take only if both are known to be
    about one tool. `lookalike` never is.
    """

    kind: Literal["near", "prefix", "passage", "excerpt", "lookalike"]
    score: float


def compare(first: DistinctText, second: DistinctText, thresholds: Thresholds) -> Similarity | None:
    """The similarity of two texts about one tool, None where they are clearly two takes."""
    short, long = first.match_key[: thresholds.max_compared], second.match_key[: thresholds.max_compared]
    if len(short) > len(long):
        short, long = long, short
    whole = ratio(short, long, score_cutoff=100 * thresholds.lookalike_ratio) / 100
    if whole >= thresholds.near_ratio:
        return Similarity("near", whole)
    if thresholds.prefix_min <= len(short) < thresholds.prefix_share * len(long):
        opening = ratio(short, long[: len(short)], score_cutoff=100 * thresholds.near_ratio) / 100
        if opening:
            return Similarity("prefix", opening)
    # As published there are spaces and marks between the letters.
    length = 2 * thresholds.max_compared
    first_shingles, second_shingles = _shingles(first.text[:length]), _shingles(second.text[:length])
    shared = len(first_shingles & second_shingles)
    if shared >= thresholds.excerpt_shingles:
        contained = containment(first_shingles, second_shingles)
        if contained >= thresholds.excerpt_containment:
            return Similarity("passage" if shared >= thresholds.passage_shingles else "excerpt", contained)
    return Similarity("lookalike", whole) if whole else None


def shingles(text: str) -> frozenset[int]:
    """Hashes of all runs of five words; of the whole text if it is shorter.

    crc32 gives the same hashes on every machine and in every run, which Python's own `hash` does not.
    """
    tokens = words(text)
    count = max(len(tokens) - SHINGLE_WORDS + 1, 1)
    return frozenset(crc32(" ".join(tokens[start : start + SHINGLE_WORDS]).encode()) for start in range(count))


def containment(first: frozenset[int], second: frozenset[int]) -> float:
    """The share of the smaller set that is in the larger one, 0 to 1."""
    return len(first & second) / min(len(first), len(second))


_shingles = lru_cache(maxsize=8_192)(shingles)


RUN_LETTERS = 12
"""So long that unrelated takes of a tool share hardly any run."""

WINDOW = 12
"""About one piece in six is kept, and 23 shared letters are always enough: an edit in every fourth word leaves them."""

RUNS_A_TEXT = 256
"""The most runs of a text: those with the smallest hashes, so that two articles keep the same ones of their shared
runs."""

RUN_SCHEMA = pl.Schema({"text": pl.UInt32(), "run": pl.UInt64()})

_CHUNK_LETTERS = 16_000
"""So few that the hashes of a chunk fit into the processor's cache: this takes half the time of a million letters."""

CHUNKS_AT_A_TIME = 500
"""Chunks whose runs are sorted at once: those of a million takes need half a gigabyte."""

_NONE = np.uint64(2**64 - 1)
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))

_Words = npt.NDArray[np.uint64]
_Numbers = npt.NDArray[np.uint32]


def runs_of(match_keys: Sequence[str], most_letters: int) -> pl.DataFrame:
    """The runs of each text, by its index in `match_keys`. Hashes are the same on every machine and in every run.

    Letters after the first `most_letters` of a text are left out. A text shorter than a run is one run.
    """
    found = [pl.DataFrame(schema=RUN_SCHEMA)]
    chunks = _chunks(key[:most_letters] for key in match_keys)
    while some := [_runs_of_chunk(first, keys) for first, keys in islice(chunks, CHUNKS_AT_A_TIME)]:
        texts, runs = (np.concatenate(column) for column in zip(*some, strict=True))
        distinct = pl.DataFrame({"text": texts, "run": runs}, schema=RUN_SCHEMA).unique().sort("text", "run")
        found.append(distinct.filter(pl.int_range(pl.len()).over("text") < RUNS_A_TEXT))
    return pl.concat(found)


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
    """Two columns, the number of a text and a run of it. A run that a text repeats may come again."""
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
    is_new = np.ones(len(text), np.bool_)
    is_new[1:] = (smallest[1:] != smallest[:-1]) | (text[1:] != text[:-1])
    return text[is_new], smallest[is_new]


def _begins(counts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """For each letter of texts of some lengths, whether it is among the first of its text, as many as `counts` says."""
    parts = np.column_stack([counts, lengths - counts]).ravel()
    return np.repeat(np.arange(len(parts)) % 2 == 0, parts)


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
"""By the number of a text: the texts similar to it, if there are any."""


_KEY = pl.col("run") ^ (pl.col("tool").cast(pl.UInt64) * _SPREAD)
"""Of a tool and a run one number."""

BLOCK_SCHEMA = pl.Schema({"text": pl.UInt32(), "tool": pl.UInt32()})
"""A row for each text and each tool that it may be about."""


def find_similar(texts: Sequence[DistinctText], thresholds: Thresholds = THRESHOLDS) -> Neighbours:
    """The texts that are similar to each text and may be about the same tool. `texts` come oldest first."""
    tool_ids = sorted({tool_id for text in texts for tool_id in text.tools})
    runs = runs_of([text.match_key for text in texts], thresholds.max_compared)
    counts = runs.group_by("text").agg(runs=pl.len())
    numbers = {tool_id: number for number, tool_id in enumerate(tool_ids)}
    blocks = [(number, numbers[tool_id]) for number, text in enumerate(texts) for tool_id in text.tools]
    blocked = pl.DataFrame(blocks, schema=BLOCK_SCHEMA, orient="row")
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
    by_age = shared.sort("key", "text").with_row_index("row")
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
