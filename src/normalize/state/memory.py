"""State in memory: for a build of everything, which has no night before it, and for tests."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from normalize.state.relation import R, Relation


@dataclass(slots=True)
class _Held:
    """Records, None where one was replaced; `places` has their indexes by key and value, of the keys asked for."""

    records: list[Any] = field(default_factory=list)
    places: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    gone: int = 0

    def present(self) -> Iterator[Any]:
        return (record for record in self.records if record is not None)


class MemoryState:
    """See `State`."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = defaultdict(_Held)
        self._relations: dict[str, Relation[Any]] = {}

    def relations(self) -> Iterator[tuple[Relation[Any], Iterable[Any]]]:
        """Every relation that records were written of, with all of them."""
        for name, relation in self._relations.items():
            yield relation, self._held[name].present()

    def find(self, relation: Relation[R], key: str, values: Collection[str]) -> list[R]:
        """The records whose attribute `key` is one of `values`."""
        held = self._held[relation.name]
        if not held.records:
            return []
        places, records = _places(held, relation, key), held.records
        found = (records[place] for value in values for place in places.get(value, ()))
        return [record for record in found if record is not None]

    def replace(self, relation: Relation[R], key: str, values: Collection[str], records: Iterable[R]) -> None:
        """In place of the records whose attribute `key` is one of `values`, these."""
        held = self._held[relation.name]
        self._relations[relation.name] = relation
        if held.records:
            places = _places(held, relation, key)
            for value in values:
                for place in places.pop(value, ()):
                    held.gone += held.records[place] is not None
                    held.records[place] = None
        begin = len(held.records)
        held.records += records
        # In a build of everything nothing was asked for yet.
        for name, places in held.places.items():
            _add(places, name, held.records[begin:], begin)

    def is_empty(self, relation: Relation[R]) -> bool:
        """Whether there is no record of a relation."""
        held = self._held[relation.name]
        return len(held.records) == held.gone

    def all(self, relation: Relation[R]) -> Iterable[R]:
        """Every record."""
        return self._held[relation.name].present()


def _places(held: _Held, relation: Relation[R], key: str) -> dict[str, list[int]]:
    if key not in held.places:
        if key not in relation.keys:
            raise KeyError(f"{relation.name} is not found by {key}")
        held.places[key] = {}
        _add(held.places[key], key, held.records, 0)
    return held.places[key]


def _add(places: dict[str, list[int]], key: str, records: Iterable[Any], begin: int) -> None:
    for place, record in enumerate(records, begin):
        value = None if record is None else getattr(record, key)
        if value is not None:
            places.setdefault(value, []).append(place)
