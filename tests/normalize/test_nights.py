"""Rounds night by night give what they give of everything at once, and read little of a grown corpus."""

from typing import Any

import pytest

from builders.small_nights import SmallNights, small_nights
from corpus.ownership import OwnedBy
from corpus.tables import CORPUS_TABLES, TABLES
from extract.model.records import Observation
from fetch.model.snapshot import Location
from normalize.corpus import Night, bring, normalize
from normalize.dedup.mention_records import MENTIONS
from normalize.reviews import review_round
from normalize.scope import Scope
from normalize.state.memory import MemoryState

Rows = dict[str, dict[Any, Any]]


class _Nights:
    """A corpus that rounds bring from night to night: its rows, as a loader keeps them."""

    def __init__(self) -> None:
        self.state = MemoryState()
        self.observed: dict[Location, Observation] = {}
        self.rows: Rows = {table: {} for table in CORPUS_TABLES}
        self.gone: frozenset[str] = frozenset()
        self.moved: dict[str, str] = {}

    def add(self, new: list[Observation], gone: frozenset[str], moved: dict[str, str]) -> None:
        self.observed |= {item.location: item for item in new}
        night = Night(new, (), gone, self.gone, moved, self.moved)
        given, scope = bring(self.state, night, lambda places: [self.observed[place] for place in places])
        self.gone, self.moved = gone, moved
        for table, rows in self.rows.items():
            for key in [key for key, row in rows.items() if _is_decided(table, row, scope)]:
                del rows[key]
            for row in given[table]:
                assert _is_decided(table, row, scope), table
                rows[_key(table, row)] = row

    def of_everything(self) -> Rows:
        corpus = normalize(self.observed.values(), gone_urls=self.gone, moved_urls=self.moved)
        return {table: {_key(table, row): row for row in rows} for table, rows in corpus.items()}


def _key(table: str, row: object) -> tuple[Any, ...]:
    return tuple(getattr(row, column) for column in TABLES[table].key)


def _is_decided(table: str, row: object, scope: Scope) -> bool:
    owners = TABLES[table].owner
    assert isinstance(owners, tuple)
    return any(_names(owner, row, scope) for owner in owners)


def _names(owner: OwnedBy, row: object, scope: Scope) -> bool:
    return any(getattr(row, column) in getattr(scope, owner.part) for column in owner.columns)


@pytest.mark.parametrize(("seed", "labelled", "takes_a_tool"), [(1, 0.6, 27), (2, 0.0, 5), (3, 0.2, 27), (4, 1.0, 27)])
@pytest.mark.share(2)
def test_nights_one_by_one_give_the_rows_of_everything_at_once(seed: int, labelled: float, takes_a_tool: int) -> None:
    nights = _Nights()
    plan = SmallNights(
        seed=seed, appearances=700, nights=6, pages=(3, 12), labelled=labelled, takes_a_tool=takes_a_tool
    )
    for night in small_nights(plan):
        nights.add([*night.observations], night.gone, night.moved)
        assert nights.rows == nights.of_everything(), f"night {night.number}"


def test_what_a_night_confirms_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    nights = _Nights()
    confirmed: set[str] = set()
    read: set[str] = set()
    confirm, find = review_round.confirm, MemoryState.find

    def noted(*given: Any) -> Any:
        found = confirm(*given)
        confirmed.update(found)
        return found

    def reading(state: MemoryState, relation: Any, key: str, values: Any) -> Any:
        if relation is MENTIONS and key == "text_id":
            read.update(values)
        return find(state, relation, key, values)

    monkeypatch.setattr(review_round, "confirm", noted)
    monkeypatch.setattr(MemoryState, "find", reading)
    for night in small_nights(SmallNights(seed=5, appearances=3_000, nights=3, pages=(5, 8), ambiguous_from=99)):
        confirmed.clear()
        read.clear()
        nights.add([*night.observations], night.gone, night.moved)
    assert len(confirmed) > 10
    assert read.isdisjoint(confirmed)
