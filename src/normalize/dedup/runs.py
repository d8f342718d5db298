"""Runs: stretches of a text's letters chosen by their content, so that texts that share a stretch share a run.

Winnowing (Schleimer, Wilkerson, Aiken 2003): of every `WINDOW` stretches that follow each other the one with the
smallest hash is kept. Two texts that share `RUN_LETTERS + WINDOW - 1` letters in one piece share a run for certain.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

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
