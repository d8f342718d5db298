"""What the work on one bin sends to others."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias

import msgspec

from normalize.state.relation import R, Relation

EVERYBODY = 0
"""The bin of what the planner reads, and of what all bins read."""


class Address(NamedTuple):
    """Records of a relation for one bin of a stage."""

    stage: str
    bin: int
    relation: str


Inbox: TypeAlias = Mapping[str, list[Any]]
"""What a bin was sent, by the relation's name; an empty list where nothing was."""


@dataclass(slots=True)
class Outbox:
    """Records by where they go; `bins` is how many bins each stage has."""

    bins: int
    sent: dict[Address, list[msgspec.Struct]] = field(default_factory=lambda: defaultdict(list))

    def send(self, stage: str, key: str, relation: Relation[R], record: R) -> None:
        """A record to the bin of a key."""
        self.sent[Address(stage, bin_of(key, self.bins), relation.name)].append(record)

    def send_to(self, stage: str, number: int, relation: Relation[R], records: Iterable[R]) -> None:
        """Records to a bin by its number."""
        self.sent[Address(stage, number, relation.name)] += records


def bin_of(key: str, bins: int) -> int:
    """The bin of an id, the same on every machine."""
    return _hash(key) % bins


@lru_cache(maxsize=65_536)
def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())
