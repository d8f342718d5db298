"""Stages of normalization on partitions, and the records that they send, each to the partition of its key.

A stage turns the records sent to its partition into rows of tables and records for later stages; it reads and changes
nothing else. An executor decides where partitions are processed and how records travel: see `run_stages`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from verdicts.normalize.corrections import Outcome
from verdicts.normalize.isolation import LeftOut, reject_of
from verdicts.normalize.work import Known, Output

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
    """How many records travel in fewer bytes: as `form`, made by `pack` and read by `unpack`."""

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
    known: Known
    partitions: Partitions
    inbox: Mapping[str, Sequence[Any]]
    output: Output
    sent: dict[Address, list[Any]] = field(default_factory=lambda: defaultdict(list))

    def read(self, relation: Relation[R]) -> Sequence[R]:
        """The records of a relation that were sent to this partition, in no order."""
        return self.inbox[relation.name]

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


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage: its name, its partitioning, the relations that it reads and writes, and its function."""

    name: str
    by: PartitionKind
    reads: tuple[Relation[Any], ...]
    writes: tuple[Relation[Any], ...]
    run: Callable[[Work], None]

    @property
    def sends(self) -> tuple[Relation[Any], ...]:
        return self.writes if OUTCOMES in self.reads else (*self.writes, OUTCOMES)


class Mail(Protocol):
    """Where records are between stages."""

    def read(self, relation: Relation[R], partition: int) -> Sequence[R]:
        """All that a partition was sent."""

    def keep(self, table: str, rows: Sequence[Any]) -> None:
        """Rows that the work on a partition made."""

    def leave(self, stage: Stage, work: Work) -> None:
        """The records that a finished partition sends."""


def work_on(stage: Stage, number: int, known: Known, partitions: Partitions, mail: Mail) -> Sequence[LeftOut]:
    """Processes a partition of a stage. Returns the observations that were left out; `rejects` has them."""
    inbox = {relation.name: mail.read(relation, 0 if relation.by == "all" else number) for relation in stage.reads}
    work = Work(number, known, partitions, inbox, Output(mail.keep, known.corrections))
    stage.run(work)
    if work.output.outcomes:
        work.send(OUTCOMES, work.output.outcomes)
    mail.keep("rejects", [*map(reject_of, work.output.left_out)])
    mail.leave(stage, work)
    return work.output.left_out


def list_work(stages: Sequence[Stage], partitions: Partitions) -> Iterator[tuple[Stage, range]]:
    """The stages of a run in order, each with the numbers of its partitions."""
    for stage in stages:
        yield stage, range(partitions.count(stage.by))
