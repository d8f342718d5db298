"""The observations of many record files for a build of everything, as they are stored until each is asked for."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from extract.model.records import Observation
from fetch.model.snapshot import Location
from pipeline.build.record_files import StoredRow, read_rows
from pipeline.workers.record_rows import RecordRow, observation_of

_RECORD = RecordRow._fields.index("record")


class StoredRecords:
    """Each iteration makes every observation again, `at` those of some places.

    Stored they take a quarter of the room: the observations of 130,000 pages are two gigabytes.
    """

    def __init__(self, files: Sequence[Path], held: Collection[Location]) -> None:
        """What lies at `held` places is left out."""
        self._rows: dict[Location, StoredRow] = {}
        # In one piece, since of many small ones the system gets nothing back when they are let go.
        self._records = bytearray()
        for row in read_rows(files):
            _, _, _, segment, offset, *_ = row
            if (place := Location(segment, offset)) not in held:
                begin = len(self._records)
                self._records += row[_RECORD]
                self._rows[place] = (*row[:_RECORD], slice(begin, len(self._records)), *row[_RECORD + 1 :])

    def __iter__(self) -> Iterator[Observation]:
        return self.at(self._rows)

    def at(self, places: Collection[Location]) -> Iterator[Observation]:
        """The observations at some places."""
        for place in places:
            row = self._rows[place]
            yield observation_of(*row[:_RECORD], bytes(self._records[row[_RECORD]]), *row[_RECORD + 1 :])

    def let_go(self) -> None:
        """Nothing is asked for any more."""
        self._rows.clear()
        self._records = bytearray()
