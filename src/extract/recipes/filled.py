"""Records with their fields, and what is told of fields that are empty or say two things. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import Doubt
from verdicts.extract.recipes.recipe import Records
from verdicts.extract.recipes.values import Part, values


@dataclass(frozen=True, slots=True)
class Filled:
    """The fields of a record, those that stand there, and all the values of its rows."""

    fields: Mapping[str, str]
    rows: Mapping[str, tuple[str, ...]]


def filled(parts: Sequence[Part], records: Records, kind: str, required: str) -> tuple[list[Filled], tuple[Doubt, ...]]:
    """What the records of a kind say. One without its `required` field is left out, and told.

    A section that has nothing but a heading of what is asked for is no record.
    """
    told: list[Doubt] = []
    labels = frozenset(map(fold, records.labels))
    made = [_filled(part, records, labels, kind, told) for part in parts]
    if kind == "tools":
        made = _without_copies(made, required)
    if records.heading is not None and len(records.fields) + len(records.rows) > 1:
        # `Conclusion` has a heading like those of tools, and nothing else of theirs.
        made = [one for one in made if one.fields.keys() - {required} or any(one.rows.values())]
    if made:
        told += _never_filled(made, records, kind)
    whole = [one for one in made if required in one.fields]
    if 0 < len(whole) < len(made):
        missing = f"{len(made) - len(whole)} of {len(made)} without one"
        told.append(Doubt("recipe_unfilled", None, f"{kind}.fields.{required} in every record", missing))
    return whole, (*count_doubts(len(made), records, kind), *dict.fromkeys(told))


def count_doubts(found: int, records: Records, kind: str) -> Iterator[Doubt]:
    """Whether there are records, and as many as are declared."""
    if not found:
        yield Doubt("recipe_no_record", None, f"records where [{kind}] says", "none")
    elif records.count is not None and found != records.count:
        yield Doubt("recipe_count", None, f"{records.count} records of [{kind}]", f"{found}")


def _filled(part: Part, records: Records, labels: frozenset[str], kind: str, told: list[Doubt]) -> Filled:
    fields: dict[str, str] = {}
    for name, anchor in records.fields.items():
        found = values(part, anchor, labels)
        said = [value for value in found if value is not None]
        if len(said) > 1:
            both = " and ".join(map(repr, said[:2]))
            told.append(Doubt("recipe_ambiguous", None, f"one {kind}.fields.{name} in a record", both))
        elif said:
            fields[name] = said[0]
        elif found:
            told.append(Doubt("recipe_unfilled", None, f"{kind}.fields.{name} behind its label", "no value"))
    rows = {
        name: tuple(value for value in values(part, anchor, labels) if value is not None)
        for name, anchor in records.rows.items()
    }
    return Filled(fields, rows)


def _without_copies(made: Sequence[Filled], required: str) -> list[Filled]:
    """Each tool once: a page has its cards again for another width of the window."""
    seen: set[object] = set()
    distinct = []
    for one in made:
        said = (*one.fields.items(), *one.rows.items())
        if required not in one.fields or said not in seen:
            distinct.append(one)
        seen.add(said)
    return distinct


def _never_filled(made: Sequence[Filled], records: Records, kind: str) -> Iterator[Doubt]:
    counts = Counter(name for one in made for name in one.fields)
    counts.update(name for one in made for name, found in one.rows.items() if found)
    for table, names in (("fields", records.fields), ("rows", records.rows)):
        for name in names:
            if not counts[name]:
                yield Doubt("recipe_unfilled", None, f"{kind}.{table}.{name} in some record", f"none of {len(made)}")
