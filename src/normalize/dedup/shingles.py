"""Word grams: how much of one text stands in another, whatever stands around it."""

from zlib import crc32

from normalize.parse.text import words

GRAM_WORDS = 5
"""Words a gram: long enough that unrelated takes share next to none."""


def grams(text: str) -> frozenset[int]:
    """Hashes of all word grams. crc32 is the same on every machine and night, which Python's own `hash` is not."""
    parts = words(text)
    count = max(len(parts) - GRAM_WORDS + 1, 1)
    return frozenset(crc32(" ".join(parts[at : at + GRAM_WORDS]).encode()) for at in range(count))


def containment(one: frozenset[int], other: frozenset[int]) -> float:
    """The share of the smaller set that the larger one holds, 0 to 1."""
    return len(one & other) / min(len(one), len(other))
