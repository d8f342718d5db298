"""The words of a take as they stand in the raw store."""

from dataclasses import dataclass
from pathlib import Path

from verdicts.extract.model.records import Span
from verdicts.extract.page import source_words as words_of
from verdicts.fetch.store.warc import read_segment


@dataclass(frozen=True, slots=True)
class Place:
    """Blocks of one record of the raw store."""

    segment: str
    segment_offset: int
    first_block: int
    last_block: int


def source_words(raw: Path, place: Place) -> str | None:
    """The text of the blocks; None where the record is not here. Raises StoreDamaged where it is not as written."""
    found = _place_in(raw, place)
    if found is None:
        return None
    _, snapshot = next(read_segment(*found))
    return " | ".join(words_of(snapshot, Span(place.first_block, place.last_block)))


def _place_in(raw: Path, place: Place) -> tuple[Path, list[int]] | None:
    """The file that has the bytes of a record, and where; None where it is not here."""
    if (raw / place.segment).exists():
        return raw / place.segment, [place.segment_offset]
    from verdicts.fetch.model.errors import StoreMissing
    from verdicts.fetch.model.snapshot import Location
    from verdicts.fetch.store.store import open_store

    try:
        with open_store(raw.parent, command="show", read_only=True) as store:
            packed = store.place_of(Location(place.segment, place.segment_offset))
    except StoreMissing:
        return None
    return (raw / packed.segment, [packed.offset]) if (raw / packed.segment).exists() else None
