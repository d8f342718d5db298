"""Stages of normalization on partitions, and the records that they send, each to the partition of its key.

A stage turns the records sent to its partition into rows of tables and records for later stages; it reads and changes
nothing else. This module does not decide where partitions are processed or how records travel.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from verdicts.normalize.corrections import Outcome
from verdicts.normalize.isolation import make_reject
from verdicts.normalize.work import Keep, Output, RunInputs

R = TypeVar("R", bound=msgspec.Struct)

PartitionKind: TypeAlias = Literal["segment", "page", "tool", "text", "review", "all"]
"""What a stage is partitioned by. Pages and addresses share partitions. `all` is one partition that all can read."""


@dataclass(frozen=True, slots=True)
class Partitions:
    """`most` is the number of partitions of each kind except `segment` and `all`.

    `segments` maps the beginning of a segment's name to its number; empty if all observations are in one place.
    """

    most: int
    segments: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def count(self, by: PartitionKind) -> int:
        """The number of partitions of a kind."""
        return {"segment": len(self.segments) or 1, "all": 1}.get(by, self.most)

    def find(self, by: PartitionKind, key: str) -> int:
        """The partition of a key, the same on every machine."""
        if by == "segment":
            return self.segments[key.partition(".")[0]] if self.segments else 0
        return 0 if self.most == 1 or by == "all" else _hash(key) % self.most


@lru_cache(maxsize=65_536)
def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())


@dataclass(frozen=True, slots=True)
class Wire(Generic[R]):
    """A compact form for many records: `pack` makes a `form`, and `unpack` reads it."""

    form: Any
    pack: Callable[[Sequence[R]], Any]
    unpack: Callable[[Any], list[R]]


@dataclass(frozen=True, slots=True)
class Relation(Generic[R]):
    """Records of one kind. `key` decides the partition of a record, among those of `by`.

    Without `key`, the sender names the partition, or it is the one of `all`.
    """

    name: str
    record: type[R]
    by: PartitionKind
    key: Callable[[R], str] | None = None
    wire: Wire[R] | None = None


OUTCOMES = Relation("outcomes", Outcome, "all")
"""What corrections did. Every stage sends them."""


class Address(NamedTuple):
    """Records of a relation for one partition."""

    relation: str
    partition: int


@dataclass(slots=True)
class Work:
    """One partition of a stage: its input and its results."""

    number: int
    inputs: RunInputs
    partitions: Partitions
    receive: Callable[[Relation[Any], int], Sequence[Any]]
    output: Output
    sent: dict[Address, list[Any]] = field(default_factory=lambda: defaultdict(list))

    def read(self, relation: Relation[R]) -> Sequence[R]:
        """The records of a relation that were sent to this partition, in no order."""
        return self.receive(relation, 0 if relation.by == "all" else self.number)

    def send(self, relation: Relation[R], records: Iterable[R]) -> None:
        """Records to the partitions of their keys."""
        key, by, partitions = relation.key, relation.by, self.partitions
        if key is None or partitions.count(by) == 1:
            self.sent[Address(relation.name, 0)] += records
            return
        for record in records:
            self.sent[Address(relation.name, partitions.find(by, key(record)))].append(record)

    def send_to(self, relation: Relation[R], number: int, records: Iterable[R]) -> None:
        """Records to a partition by its number."""
        self.sent[Address(relation.name, number)] += records


class Stage(NamedTuple):
    """A stage: its name, its partitioning, the relations that it sends beside `OUTCOMES`, and its function."""

    name: str
    by: PartitionKind
    sends: tuple[Relation[Any], ...]
    run: Callable[[Work], None]


def work_on(
    stage: Stage,
    number: int,
    inputs: RunInputs,
    partitions: Partitions,
    receive: Callable[[Relation[Any], int], Sequence[Any]],
    keep: Keep,
) -> Work:
    """Processes a partition of a stage. `receive` gives what was sent, `keep` takes rows; the rest is in the work."""
    work = Work(number, inputs, partitions, receive, Output(keep, inputs.corrections))
    stage.run(work)
    if work.output.outcomes:
        work.send(OUTCOMES, work.output.outcomes)
    keep("rejects", [*map(make_reject, work.output.left_out)])
    return work
