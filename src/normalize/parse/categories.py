"""Categories under one name: sites publish open text with synonyms (`Audio & Voice`, `Voice & Audio`)."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from verdicts.normalize.parse.text import fold_name

Parts: TypeAlias = tuple[str, ...]
"""A category as it is compared: what `&`, `/` or `and` join, in lower case, each once, in the order of the alphabet."""

_JOINTS = re.compile(r"\s?[&/,;|·]\s?|\s(?:and|\+)\s")
_HYPHENS = re.compile(r"[-\u2010-\u2013_\s]+")


class BrokenGroups(ValueError):
    """Two groups claim one category. Names both."""


def category_group(category: str | None) -> str | None:
    """The group of a published category: the declared one, else its own parts. None for no category.

    Depends on the category alone. `audio and voice` and `Audio & Speech` are Audio & Voice; `Robots/toys` is
    Robots & Toys. A category of signs alone is its own group.
    """
    return None if category is None else _group(category)


@lru_cache(maxsize=4096)
def _group(category: str) -> str:
    parts = _parts(category)
    if not parts:
        return category
    return GROUPS.get(parts) or " & ".join(" ".join(map(_spelled, part.split())) for part in parts)


def _parts(category: str) -> Parts:
    found = (_HYPHENS.sub(" ", part).strip() for part in _JOINTS.split(fold_name(category)))
    return tuple(sorted({part for part in found if part}))


def _spelled(word: str) -> str:
    return _SPELLINGS.get(word) or word[0].upper() + word[1:]


def groups_by_parts(declared: Mapping[str, list[str]]) -> Mapping[Parts, str]:
    """The group of every declared category, the groups' own names included. Raises `BrokenGroups`."""
    groups: dict[Parts, str] = {}
    for parts, name in _claims(declared):
        if groups.setdefault(parts, name) != name:
            raise BrokenGroups(f"{' & '.join(parts)} is claimed by {groups[parts]} and by {name}")
    return groups


def _claims(declared: Mapping[str, list[str]]) -> Iterator[tuple[Parts, str]]:
    for name, synonyms in declared.items():
        for category in (name, *synonyms):
            yield _parts(category), name


_DECLARED: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("category_groups.toml").read_text(encoding="utf-8")
)
_SPELLINGS = {word.casefold(): word for word in _DECLARED["spellings"]}
GROUPS = groups_by_parts(_DECLARED["groups"])
"""Declared categories to the group they are of."""
