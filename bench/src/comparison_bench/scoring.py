"""Compares the values of a key with those of a reader. Knows no generator and no reader."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeAlias

Mark: TypeAlias = Literal["right", "reported", "silent", "wrong"]
MARKS: tuple[Mark, ...] = ("right", "reported", "silent", "wrong")
"""`reported`: not right, but the reader reports it. Otherwise `silent` is missing, and `wrong` another value."""


class Value(NamedTuple):
    """`at` is the owner of the value: a side, a tool, a take. One place may have several values of a field."""

    field: str
    at: str
    value: Hashable


class Finding(NamedTuple):
    """What the key has at a place, and what the reader gave; None where one of them has nothing."""

    field: str
    at: str
    expected: Hashable
    given: Hashable
    mark: Mark


def judge_values(
    key: Iterable[Value], given: Iterable[Value], is_reported: Callable[[str, bool], bool]
) -> tuple[Finding, ...]:
    """Every value of the key, and every one that was read beside it.

    `is_reported` gets a field and whether its value is missing, and says whether the reader reports that.
    """
    expected, read = Counter(key), Counter(given)
    findings = [Finding(*value, value.value, "right") for value in (expected & read).elements()]
    missing, extra = _by_place(expected - read), _by_place(read - expected)
    for field, at in dict.fromkeys([*missing, *extra]):
        for wanted, got in zip_longest(missing[field, at], extra[field, at]):
            mark: Mark = "reported" if is_reported(field, got is None) else "silent" if got is None else "wrong"
            findings.append(Finding(field, at, wanted, got, mark))
    return tuple(findings)


def _by_place(values: Counter[Value]) -> defaultdict[tuple[str, str], list[Hashable]]:
    places: defaultdict[tuple[str, str], list[Hashable]] = defaultdict(list)
    for field, at, value in values.elements():
        places[field, at].append(value)
    return places
