"""Relations: records of one kind, and the attributes they are found by."""

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import msgspec

R = TypeVar("R", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Relation(Generic[R]):
    """`keys` are attributes of `record`, each a string or None; a record is not found by one that is None.

    What lies `apart` is written before the record that needs it.
    """

    name: str
    record: type[R]
    keys: tuple[str, ...]
    apart: "Apart[R] | None" = None


@dataclass(frozen=True, slots=True)
class Apart(Generic[R]):
    """A part that many records share, which a relation of its own keeps once.

    `shared` finds it by the attribute `by`, which both have; of several, `place` tells which one it is. `stored` is the
    record without the part, as `split` makes it; `joined` puts both together again.
    """

    shared: "Relation[Any]"
    by: str
    stored: type[msgspec.Struct]
    split: Callable[[R], msgspec.Struct]
    place: Callable[[Any], Hashable]
    joined: Callable[[Any, Any], R]


class State(Protocol):
    """Records of every relation."""

    def find(self, relation: Relation[R], key: str, values: Collection[str]) -> list[R]:
        """The records whose attribute `key` is one of `values`, in no order."""

    def replace(self, relation: Relation[R], key: str, values: Collection[str], records: Iterable[R]) -> None:
        """In place of the records whose attribute `key` is one of `values`, these: theirs is one of them too."""

    def is_empty(self, relation: Relation[R]) -> bool:
        """Whether there is no record of a relation."""

    def all(self, relation: Relation[R]) -> Iterable[R]:
        """Every record, in no order."""
