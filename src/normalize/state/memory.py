"""State in memory: for a build of everything, which has no night before it, and for tests."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from normalize.state.relation import R, Relation


@dataclass(slots=True)
class _Held:
    """Records by number; `places` has the numbers by key and value, of the keys that were asked for."""

    records: dict[int, Any] = field(default_factory=dict)
    places: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    made: int = 0


class MemoryState:
    """See `State`."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = defaultdict(_Held)
        self._relations: dict[str, Relation[Any]] = {}

    def relations(self) -> Iterator[tuple[Relation[Any], Iterable[Any]]]:
        """Every relation that records were written of, with all of them."""
        for name, relation in self._relations.items():
            yield relation, self._held[name].records.values()

    def find(self, relation: Relation[R], key: str, values: Collection[str]) -> list[R]:
        """The records whose attribute `key` is one of `values`."""
        held = self._held[relation.name]
        if not held.records:
            return []
        places = _places(held, relation, key)
        return [held.records[number] for value in values for number in places.get(value, ()) if number in held.records]

    def replace(self, relation: Relation[R], key: str, values: Collection[str], records: Iterable[R]) -> None:
        """In place of the records whose attribute `key` is one of `values`, these."""
        held = self._held[relation.name]
        self._relations[relation.name] = relation
        if held.records:
            places = _places(held, relation, key)
            for value in values:
                for number in places.pop(value, ()):
                    held.records.pop(number, None)
        if not held.places:
            # A build of everything: nothing was asked for yet.
            added = dict(enumerate(records, held.made))
            held.records |= added
            held.made += len(added)
            return
        indexed = [*held.places.items()]
        for record in records:
            held.records[held.made] = record
            for name, places in indexed:
                value = getattr(record, name)
                if value is not None:
                    places.setdefault(value, []).append(held.made)
            held.made += 1

    def is_empty(self, relation: Relation[R]) -> bool:
        """Whether there is no record of a relation."""
        return not self._held[relation.name].records

    def all(self, relation: Relation[R]) -> Iterable[R]:
        """Every record."""
        return self._held[relation.name].records.values()


def _places(held: _Held, relation: Relation[R], key: str) -> dict[str, list[int]]:
    if key not in held.places:
        if key not in relation.keys:
            raise KeyError(f"{relation.name} is not found by {key}")
        places: dict[str, list[int]] = {}
        for number, record in held.records.items():
            value = getattr(record, key)
            if value is not None:
                places.setdefault(value, []).append(number)
        held.places[key] = places
    return held.places[key]
