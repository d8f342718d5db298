"""Products: which tools seem to be one product. A suggestion for grouping with its score and reason, never an identity.

Precision first: names whose numbers differ stay apart whatever else they share, and an equal name alone is not enough
unless it is long.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from corpus.rows.tools import ProductRow
from normalize.parse.display_names import NameParts, name_parts
from normalize.parse.text import fold_name, words

SUGGESTED = 0.9
"""Two tools are suggested as one product from this score on."""

RELATIONS = {
    "same name": 0.80,
    "one name in singular and plural": 0.80,
    "one name, once with its maker": 0.75,
    "one name, once with a release and a subtitle": 0.70,
}

LEAST_SHARED = {
    "same name": 2,
    "one name in singular and plural": 2,
    "one name, once with its maker": 2,
    "one name, once with a release and a subtitle": 1,
}
"""So many words of both slugs are no chance. `codebase` is in the subtitle of a release and in the other's slug."""

WORDS_BONUS = (0.0, 0.0, 0.05, 0.10)
"""For names of none, one, two, three or more words: `Thunderbolt` is many things, `Vercel AI SDK 5.0` one."""

SUPPORT_BONUS = 0.10
"""For words of the slugs that the name does not have, two or the first: `hugging-face-smollm3-3b` is one maker's."""

OTHER_CATEGORY = -0.10

COMMON = frozenset({"ai", "agent", "app", "code", "model", "open", "source", "tool", "the", "and", "for", "with"})
"""Words of slugs that say nothing: half of all tools are open-source AI models."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is known of a tool that may be one of several entries of a product."""

    tool_id: str
    host: str | None
    slug: str | None
    name: str
    tagline: str | None
    category: str | None


class _Pair(NamedTuple):
    score: float
    one: str
    other: str
    reason: str


def product_rows(candidates: Sequence[Candidate]) -> Iterator[ProductRow]:
    """A row a tool that shares its product with others."""
    by_id = {candidate.tool_id: candidate for candidate in candidates}
    parts = {candidate.tool_id: name_parts(candidate.name) for candidate in candidates}
    pairs = sorted(_pairs(candidates, parts), key=lambda pair: (-pair.score, pair.one, pair.other))
    groups = _groups(pairs)
    best: dict[str, _Pair] = {}
    for pair in pairs:
        if groups[pair.one] is groups[pair.other]:
            best.setdefault(pair.one, pair)
            best.setdefault(pair.other, pair)
    for tool_id, pair in best.items():
        members = sorted(groups[tool_id], key=lambda member: (len(by_id[member].name), by_id[member].name, member))
        other = by_id[pair.other if pair.one == tool_id else pair.one]
        reason = f"{pair.reason} as {other.slug or other.name}"
        yield ProductRow(tool_id, min(members), by_id[members[0]].name, round(pair.score, 2), reason)


def _pairs(candidates: Sequence[Candidate], parts: Mapping[str, NameParts]) -> Iterator[_Pair]:
    """Pairs worth suggesting: of one host, with the same numbers and the same first word."""
    blocks: dict[tuple[str | None, frozenset[str], str], list[Candidate]] = defaultdict(list)
    for item in candidates:
        name = parts[item.tool_id]
        if name.core:
            blocks[item.host, name.numbers, name.core[0]].append(item)
    for block in blocks.values():
        for one, other in combinations(sorted(block, key=lambda item: item.tool_id), 2):
            found = _compare(one, other, parts[one.tool_id], parts[other.tool_id])
            if found is not None and found.score >= SUGGESTED:
                yield found


def _compare(one: Candidate, other: Candidate, mine: NameParts, theirs: NameParts) -> _Pair | None:
    relation = _relation(mine, theirs)
    if relation is None:
        return None
    shared = _shared(one, other, least=LEAST_SHARED[relation])
    score = RELATIONS[relation] + WORDS_BONUS[min(len(mine.words & theirs.words), 3)]
    reason = relation
    if shared:
        score += SUPPORT_BONUS
        reason = f"{relation}, and {', '.join(sorted(shared)[:3])} in both addresses or taglines,"
    if one.category and other.category and fold_name(one.category) != fold_name(other.category):
        score += OTHER_CATEGORY
    return _Pair(round(score, 4), one.tool_id, other.tool_id, reason)


def _relation(mine: NameParts, theirs: NameParts) -> str | None:
    if (mine.core, mine.subtitle) == (theirs.core, theirs.subtitle) and mine.is_release == theirs.is_release:
        if mine.has_vendor != theirs.has_vendor:
            return "one name, once with its maker"
        return "same name" if mine.is_plural == theirs.is_plural else "one name in singular and plural"
    for whole, release in ((mine, theirs), (theirs, mine)):
        is_release = release.is_release and not whole.is_release and len(whole.core) > 1
        if is_release and not whole.subtitle and set(whole.core) <= release.words and release.core[0] == whole.core[0]:
            return "one name, once with a release and a subtitle"
    return None


def _shared(one: Candidate, other: Candidate, *, least: int) -> set[str]:
    """Telling words of the slugs, or where there are none of the taglines, beyond those the names share.

    Fewer than `least` are chance unless both slugs begin with one, as with the maker's name.
    """
    named = (set(words(one.name)) & set(words(other.name))) | COMMON
    if one.slug and other.slug:
        mine, theirs = one.slug.split("-"), other.slug.split("-")
    else:
        mine, theirs = words(one.tagline or ""), words(other.tagline or "")
    shared = (set(mine) & set(theirs)) - named
    telling = {word for word in shared if len(word) > 2 and not any(map(str.isdigit, word)) and f"{word}s" not in named}
    return telling if len(telling) >= least or (mine[:1] == theirs[:1] and not telling.isdisjoint(mine[:1])) else set()


def _groups(pairs: Iterable[_Pair]) -> Mapping[str, set[str]]:
    """Tools joined by pairs. All members of a group have the same numbers in their names, as those of a pair have."""
    groups: dict[str, set[str]] = {}
    for pair in pairs:
        one = groups.setdefault(pair.one, {pair.one})
        other = groups.setdefault(pair.other, {pair.other})
        if one is not other:
            one |= other
            groups.update(dict.fromkeys(other, one))
    return groups
