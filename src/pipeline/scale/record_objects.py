"""Record files as objects: the observations of a segment."""

from collections.abc import Iterator
from io import BytesIO

import msgspec

from extract.model.records import Observation
from fetch.objects.objects import Objects
from pipeline.build.record_files import rows_of
from pipeline.scale.wire import DealtRecord
from pipeline.workers.record_rows import observation_of


def read_dealt(objects: Objects, name: str) -> Iterator[DealtRecord]:
    """The observations of a record object, as they are stored."""
    return (DealtRecord(*row) for row in rows_of(BytesIO(objects.read(name))))


def observation_of_dealt(dealt: DealtRecord) -> Observation:
    """The observation that was stored."""
    return observation_of(*msgspec.structs.astuple(dealt))
