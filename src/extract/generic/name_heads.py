"""Which heads of a table are a tool's. Pure."""

import re
from collections.abc import Mapping, Sequence

from verdicts.extract.generic.axis_words import BESIDE_NAMES, PLAN_WORDS
from verdicts.extract.generic.list_words import NAME_PARTS, RANKED
from verdicts.extract.generic.stated import key

_VALUE = re.compile(r"[$€£¥₹★☆✓\d]")
"""How what is said of a tool below its name begins: a price, a rating, its version: `Alpha $9`, `Alpha 2`."""

HEAD_MAX = 100
"""Characters of a head: a card of a tool begins with its name, too."""


def unranked(text: str) -> str:
    """`1. Alpha` is Alpha."""
    ranked = RANKED.fullmatch(text)
    return text if ranked is None else ranked[2] or ranked[4]


def heads_of(heads: Sequence[str], names: Sequence[str]) -> Mapping[int, Mapping[str, int]]:
    """By the place of a name: its columns, by what their heads say besides. Names that no head is have none.

    A head that is the name is, and all others are not; else those of the name, and of no longer one, and a plan, a
    price, an aside. A tool with two columns that say the same has none: nothing tells which is its.
    """
    found: dict[int, Mapping[str, int]] = {}
    keys = {key(name): place for place, name in enumerate(names)}
    texts = [unranked(head) if len(head) <= HEAD_MAX else "" for head in heads]
    for place, name in enumerate(names):
        fitting = [(column, "") for column, text in enumerate(texts) if key(text) == key(name)]
        if not fitting:
            own = [(column, text) for column, text in enumerate(texts) if _longest(text, keys) == place]
            beside = [(column, _beside(text, name)) for column, text in own]
            fitting = [(column, said) for column, said in beside if said is not None]
        columns = {said: column for column, said in fitting}
        if columns and len(columns) == len(fitting):
            found[place] = columns
    return found


def _longest(head: str, keys: Mapping[str, int]) -> int | None:
    """The place of the longest name that a head begins with: `Claude Code (new)` is of `Claude Code`."""
    words = key(head).split()
    prefixes = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((keys[prefix] for prefix in prefixes if prefix in keys), None)


def _beside(head: str, name: str) -> str | None:
    """What a head says beside a name; None where it is no head of it: `Claude Code` is none of `Claude`."""
    parted = NAME_PARTS.search(head)
    if parted is not None and key(head[: parted.start()]) == key(name):
        return head[parted.end() :].strip().removesuffix(")").strip()
    if not key(head).startswith(f"{key(name)} "):
        return None
    rest = head[len(name) :].strip()
    first = key(rest.split(maxsplit=1)[0]) if rest else ""
    return rest if first in PLAN_WORDS | BESIDE_NAMES or _VALUE.match(rest) else None
