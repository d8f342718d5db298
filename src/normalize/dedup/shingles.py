"""Word shingles: how much of one text is contained in another, whatever surrounds it."""

from zlib import crc32

from normalize.parse.text import words

SHINGLE_WORDS = 5
"""Words per shingle: long enough that unrelated takes share next to none."""


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
