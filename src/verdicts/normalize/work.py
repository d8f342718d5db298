"""Stages, and the records that they send: records of a relation, each to the partition of its key.

A stage turns the records sent to its partition into rows of tables and records for later stages; it reads and changes
nothing else. An executor decides where partitions are processed and how records travel: see `run_stages`.
"""

import ctypes
import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.parse.rights import Rights
from verdicts.normalize.corrections import NO_CORRECTIONS, Corrections, Outcome
from verdicts.normalize.isolation import LeftOut, reject_of


@contextmanager
def without_collector() -> Iterator[None]:
    """Switches off the cyclic garbage collector, which would walk millions of living objects again and again.

    That saves a fifth of normalization's CPU. Objects without cycles are freed all the same.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def return_freed_memory() -> None:
    """Returns freed memory to the system: glibc keeps half a gigabyte after the pages of a million takes are read."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


R = TypeVar("R", bound=msgspec.Struct)

PartitionKind: TypeAlias = Literal["segment", "page", "tool", "text", "review", "all"]
"""What a stage is partitioned by. Pages and addresses share partitions. `all` is one partition that all can read."""

Keep: TypeAlias = Callable[[str, Sequence[Any]], None]
"""Takes rows of a table."""


@dataclass(frozen=True, slots=True)
class Wire(Generic[R]):
    """How many records travel in fewer bytes: as `form`, made by `packed` and read by `unpacked`."""

    form: Any
    packed: Callable[[Sequence[R]], Any]
    unpacked: Callable[[Any], list[R]]


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
"""What corrections did."""


class Address(NamedTuple):
    """Records of a relation for one partition."""

    relation: str
    partition: int


@dataclass(frozen=True, slots=True)
class Known:
    """What a run knows before it begins.

    `gone` says when pages were gone, by address; `moved` are addresses whose page is held under another address,
    `rights` what is stated about addresses.
    `partitions` is the number of partitions of each kind except `segment` and `all`. `segments` maps the beginning of a
    segment's name to its number; empty if all observations are in one place.
    """

    gone: Mapping[str, Absences] = field(default_factory=lambda: MappingProxyType({}))
    moved: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    profiles: Profiles = field(default_factory=lambda: SHIPPED)
    partitions: int = 1
    segments: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    corrections: Corrections = NO_CORRECTIONS
    rights: Mapping[str, Rights] = field(default_factory=lambda: MappingProxyType({}))

    def count(self, by: PartitionKind) -> int:
        """The number of partitions of a kind."""
        return {"segment": len(self.segments) or 1, "all": 1}.get(by, self.partitions)

    def partition_of(self, by: PartitionKind, key: str) -> int:
        """The partition of a key, the same on every machine."""
        if by == "segment":
            return self.segments[key.partition(".")[0]] if self.segments else 0
        return 0 if self.partitions == 1 or by == "all" else _hash(key) % self.partitions


@lru_cache(maxsize=65_536)
def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())


@dataclass(slots=True)
class Work:
    """One partition of a stage: its input and its results. `left_out` are observations that make it fail."""

    number: int
    known: Known
    inbox: Mapping[str, Sequence[Any]]
    keep: Keep
    """Takes rows of a table as they are made."""
    sent: dict[Address, list[Any]] = field(default_factory=lambda: defaultdict(list))
    left_out: list[LeftOut] = field(default_factory=list)

    def read(self, relation: Relation[R]) -> Sequence[R]:
        """The records of a relation that were sent to this partition, in no order."""
        return self.inbox[relation.name]

    def keep_all(self, rows: Mapping[str, Iterable[Any]]) -> None:
        """Rows by table, with corrected values."""
        for table, of_table in rows.items():
            self.keep(table, self.corrected(table, of_table))

    def corrected(self, table: str, rows: Iterable[Any]) -> list[Any]:
        """Rows with corrected values."""
        corrected, outcomes = self.known.corrections.on_rows(table, rows)
        self.send(OUTCOMES, outcomes)
        return corrected

    def send(self, relation: Relation[R], records: Iterable[R]) -> None:
        """Records to the partitions of their keys."""
        key, by, known = relation.key, relation.by, self.known
        if key is None or known.count(by) == 1:
            self.sent[Address(relation.name, 0)] += records
            return
        for record in records:
            self.sent[Address(relation.name, known.partition_of(by, key(record)))].append(record)

    def send_to(self, relation: Relation[R], number: int, records: Iterable[R]) -> None:
        """Records to a partition by its number."""
        self.sent[Address(relation.name, number)] += records


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage: its name, its partitioning, the relations that it reads and writes, and its function.

    `only_parted`: it collects records that must be in one partition, and is not needed with a single partition.
    """

    name: str
    by: PartitionKind
    reads: tuple[Relation[Any], ...]
    writes: tuple[Relation[Any], ...]
    run: Callable[[Work], None]
    only_parted: bool = False


class Mail(Protocol):
    """Where records are between stages."""

    def read(self, relation: Relation[R], partition: int) -> Sequence[R]:
        """All that a partition was sent."""

    def keep(self, table: str, rows: Sequence[Any]) -> None:
        """Rows that the work on a partition made."""

    def leave(self, stage: Stage, work: Work) -> None:
        """The records that a finished partition sends."""


def work_on(stage: Stage, number: int, known: Known, mail: Mail) -> Sequence[LeftOut]:
    """Processes a partition of a stage. Returns the observations that were left out; `rejects` has them."""
    inbox = {relation.name: mail.read(relation, 0 if relation.by == "all" else number) for relation in stage.reads}
    work = Work(number, known, inbox, mail.keep)
    stage.run(work)
    work.keep("rejects", [*map(reject_of, work.left_out)])
    mail.leave(stage, work)
    return work.left_out


def due(stages: Sequence[Stage], known: Known) -> Iterator[tuple[Stage, range]]:
    """The stages of a run in order, each with the numbers of its partitions."""
    for stage in stages:
        if known.partitions > 1 or not stage.only_parted:
            yield stage, range(known.count(stage.by))


def run_stages(
    stages: Sequence[Stage],
    known: Known,
    execute: Callable[[Stage, range], None],
    forget: Callable[[Relation[Any]], None] = lambda _: None,
) -> None:
    """Runs the stages in order, each after the one before: the driver, wherever the work is done.

    `execute` calls `work_on` for each partition of a stage. `forget` is called with relations that no later stage
    reads.
    """
    remaining = [*due(stages, known)]
    while remaining:
        stage, numbers = remaining.pop(0)
        execute(stage, numbers)
        later = {relation.name for other, _ in remaining for relation in other.reads}
        for relation in stage.reads:
            if relation.name not in later:
                forget(relation)


class MemoryMail:
    """Mail within this process: records are passed on as lists, without serialization. See `Mail`.

    `keep` gets the rows of a table as they are made.
    """

    def __init__(self, keep: Keep) -> None:
        self.keep = keep
        self._lists: dict[Address, list[Any]] = {}

    def read(self, relation: Relation[R], partition: int) -> Sequence[R]:
        return self._lists.get(Address(relation.name, partition), [])

    def leave(self, _stage: Stage, work: Work) -> None:
        for address, records in work.sent.items():
            if address in self._lists:
                self._lists[address] += records
            else:
                self._lists[address] = records

    def post(self, relation: Relation[R], partition: int, records: Iterable[R]) -> None:
        """Gives records to a partition."""
        self._lists[Address(relation.name, partition)] = [*records]

    def forget(self, relation: Relation[Any]) -> None:
        """The relation is not needed any more."""
        for address in [address for address in self._lists if address.relation == relation.name]:
            del self._lists[address]
        return_freed_memory()
