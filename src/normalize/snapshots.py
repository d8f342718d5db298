"""Which snapshots a state knows, by address and by segment, and how what was made of them is read again."""

from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias

import msgspec

from extract.model.records import Observation
from fetch.model.snapshot import Location
from normalize.identity.identity import place_of
from normalize.state.relation import Relation


class KnownSnapshot(msgspec.Struct, frozen=True, array_like=True):
    """Where an address was read, whatever it gave."""

    url: str
    location: Location

    @property
    def place(self) -> str:
        return place_of(self.location)

    @property
    def segment(self) -> str:
        """The name of its segment without what stands behind the first dot, as record files begin."""
        return self.location.segment.partition(".")[0]


SNAPSHOTS = Relation("snapshots", KnownSnapshot, ("url", "place", "segment"))

Read: TypeAlias = Callable[[Collection[Location]], Iterable[Observation]]
"""Gives the observations that were made of the snapshots at some places."""
