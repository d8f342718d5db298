"""The words of a take, read from the raw store."""

from dataclasses import dataclass
from pathlib import Path

from verdicts.extract.model.records import Span


@dataclass(frozen=True, slots=True)
class Place:
    """Blocks of a record in the raw store."""

    segment: str
    segment_offset: int
    first_block: int
    last_block: int


def source_words(raw: Path, place: Place) -> str | None:
    """The text of the blocks, or None if the segment is missing. Raises `StoreDamaged`."""
    from verdicts.extract.page import source_words as words_of
    from verdicts.fetch.store.warc import read_segment

    segment = raw / place.segment
    if not segment.exists():
        return None
    snapshot = next(read_segment(segment, [place.segment_offset]))
    return " | ".join(words_of(snapshot, Span(place.first_block, place.last_block)))
