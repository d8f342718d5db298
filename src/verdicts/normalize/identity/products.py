"""Finds tools that seem to be entries of one product. A suggestion with score and reason, never an identity.

Precision comes first: tools with different numbers in their names stay apart, and an equal name alone is enough only if
it is long.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from verdicts.corpus.rows.tools import ProductRow
from verdicts.normalize.components import join_pairs
from verdicts.normalize.corrections import NO_CORRECTIONS, Corrections, Outcome
from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.parse.match_keys import fold_name, remembered, split_words

_WORD = re.compile(r"\w+(?:\.\w+)*")
_RELEASE = re.compile(r"v\d+(?:\.\d+)+")
"""`v0.50` is a release. `v0` is a product; `2.0` and `V4` are different models."""

_SUBTITLE = re.compile(r"\s[–—-]\s|:\s")
_BY = re.compile(r"\sby\s[^()]+$")


class NameParts(NamedTuple):
    """`core` are the singular words of the product name in order, `subtitle` the words after a dash or colon.

    `numbers` are all words with a digit, except releases: they separate `Codestral 2` from `Codestral 2.0` and `22B`.
    """

    core: tuple[str, ...]
    subtitle: tuple[str, ...]
    numbers: frozenset[str]
    is_release: bool
    is_plural: bool
    has_vendor: bool

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.core) | frozenset(self.subtitle)


@remembered
def parse_name_parts(name: str) -> NameParts:
    """`Cursor v0.50 – Background Agents` has the core cursor, a release, and the subtitle background agent."""
    folded = fold_name(name)
    without_vendor = _BY.sub("", folded)
    main, *rest = _SUBTITLE.split(without_vendor, maxsplit=1)
    core, subtitle = _WORD.findall(main), _WORD.findall(rest[0]) if rest else []
    every = (*core, *subtitle)
    kept = [word for word in core if not _RELEASE.fullmatch(word)]
    return NameParts(
        core=tuple(map(_cut_plural, kept)),
        subtitle=tuple(_cut_plural(word) for word in subtitle if not _RELEASE.fullmatch(word)),
        numbers=frozenset(word for word in every if any(map(str.isdigit, word)) and not _RELEASE.fullmatch(word)),
        is_release=any(map(_RELEASE.fullmatch, every)),
        is_plural=any(_cut_plural(word) != word for word in kept),
        has_vendor=without_vendor != folded,
    )


def _cut_plural(word: str) -> str:
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if is_plural else word


MIN_SCORE = 0.9
"""Least score (0 to 1) to suggest two tools as one product."""

RELATION_SCORES = {
    "same name": 0.80,
    "the same name in singular and plural": 0.80,
    "the same name, once with its maker": 0.75,
    "the same name, once with a release and a subtitle": 0.70,
}

MIN_SHARED_WORDS = {
    "same name": 2,
    "the same name in singular and plural": 2,
    "the same name, once with its maker": 2,
    "the same name, once with a release and a subtitle": 1,
}
"""Fewer shared words of the slugs are chance. One is enough for a release: `codebase` in its subtitle and the slug."""

NAME_LENGTH_BONUS = (0.0, 0.0, 0.05, 0.10)
"""For 0, 1, 2, and 3 or more shared words of the names: `Thunderbolt` is many things, `Vercel AI SDK 5.0` only one."""

SHARED_WORDS_BONUS = 0.10
"""For shared words of the slugs that are not in the names, like the maker in `hugging-face-smollm3-3b`."""

CATEGORY_PENALTY = -0.10
"""For two different categories."""

BLOCK_MAX = 300
"""Most tools of one block that are compared. A larger block begins with a common word or is a trap, and the cost is
quadratic."""

STOP_WORDS = frozenset({"ai", "agent", "app", "code", "model", "open", "source", "tool", "the", "and", "for", "with"})
"""Words of slugs that are too common: half of all tools are open-source AI models."""


class _Match(NamedTuple):
    score: float
    first_id: str
    second_id: str
    reason: str


def make_product_rows(
    listings: Sequence[KnownTool], corrections: Corrections = NO_CORRECTIONS
) -> tuple[list[ProductRow], list[Outcome]]:
    """One row for each tool that shares its product with others. `listings` has each tool once.

    Tools that people declare to be different are not matched.
    """
    by_id = {listing.tool_id: listing for listing in listings}
    parts = {listing.tool_id: parse_name_parts(listing.name) for listing in listings}
    scored = sorted(_find_matches(listings, parts), key=lambda match: (-match.score, match.first_id, match.second_id))
    refused = {
        frozenset((correction.target, correction.decision)): correction
        for correction in corrections.select("different", "tools")
    }
    matches = [match for match in scored if frozenset((match.first_id, match.second_id)) not in refused]
    return [*_make_rows(matches, by_id)], [
        Outcome(correction.id, "applied", f"{by_id[match.first_id].name} is not {by_id[match.second_id].name}")
        for match in scored
        if (correction := refused.get(frozenset((match.first_id, match.second_id)))) is not None
    ]


def _make_rows(matches: Sequence[_Match], by_id: Mapping[str, KnownTool]) -> Iterator[ProductRow]:
    # All members of a group have the same numbers in their names, as those of a match do.
    groups: dict[str, list[str]] = defaultdict(list)
    first_of = join_pairs((match.first_id, match.second_id) for match in matches)
    for tool_id, first in first_of.items():
        groups[first].append(tool_id)
    best: dict[str, _Match] = {}
    for match in matches:
        best.setdefault(match.first_id, match)
        best.setdefault(match.second_id, match)
    for tool_id, match in best.items():
        members = sorted(
            groups[first_of[tool_id]], key=lambda member: (len(by_id[member].name), by_id[member].name, member)
        )
        partner = by_id[match.second_id if match.first_id == tool_id else match.first_id]
        reason = f"{match.reason} as {partner.slug or partner.name}"
        yield ProductRow(tool_id, min(members), by_id[members[0]].name, round(match.score, 2), reason)


def make_block_key(host: str | None, name: str) -> str | None:
    """The block of a tool: its host, first word and numbers. Only tools of one block are compared. None: no block."""
    parts = parse_name_parts(name)
    return "\x1f".join((host or "", parts.core[0], *sorted(parts.numbers))) if parts.core else None


def _find_matches(listings: Sequence[KnownTool], parts: Mapping[str, NameParts]) -> Iterator[_Match]:
    blocks: dict[str, list[KnownTool]] = defaultdict(list)
    for listing in listings:
        key = make_block_key(listing.host, listing.name)
        if key is not None:
            blocks[key].append(listing)
    for block in blocks.values():
        compared = sorted(block, key=lambda listing: listing.tool_id)[:BLOCK_MAX]
        for first, second in combinations(compared, 2):
            match = _compare(first, second, parts[first.tool_id], parts[second.tool_id])
            if match is not None and match.score >= MIN_SCORE:
                yield match


def _compare(first: KnownTool, second: KnownTool, first_name: NameParts, second_name: NameParts) -> _Match | None:
    relation = _find_relation(first_name, second_name)
    if relation is None:
        return None
    shared = _find_shared_words(first, second, least=MIN_SHARED_WORDS[relation])
    score = RELATION_SCORES[relation] + NAME_LENGTH_BONUS[min(len(first_name.words & second_name.words), 3)]
    reason = relation
    if shared:
        score += SHARED_WORDS_BONUS
        reason = f"{relation}, and {', '.join(sorted(shared)[:3])} in both addresses or taglines,"
    if first.category and second.category and fold_name(first.category) != fold_name(second.category):
        score += CATEGORY_PENALTY
    return _Match(round(score, 4), first.tool_id, second.tool_id, reason)


def _find_relation(first: NameParts, second: NameParts) -> str | None:
    if (first.core, first.subtitle) == (second.core, second.subtitle) and first.is_release == second.is_release:
        if first.has_vendor != second.has_vendor:
            return "the same name, once with its maker"
        return "same name" if first.is_plural == second.is_plural else "the same name in singular and plural"
    for whole, release in ((first, second), (second, first)):
        is_release = release.is_release and not whole.is_release and len(whole.core) > 1
        if is_release and not whole.subtitle and set(whole.core) <= release.words and release.core[0] == whole.core[0]:
            return "the same name, once with a release and a subtitle"
    return None


def _find_shared_words(first: KnownTool, second: KnownTool, *, least: int) -> set[str]:
    """Distinctive words in both slugs (without slugs: in both taglines) that are not in both names.

    Fewer than `least` count only if both slugs begin with one of them, as with the maker's name.
    """
    ignored = (set(split_words(first.name)) & set(split_words(second.name))) | STOP_WORDS
    if first.slug and second.slug:
        first_words, second_words = first.slug.split("-"), second.slug.split("-")
    else:
        first_words, second_words = split_words(first.tagline or ""), split_words(second.tagline or "")
    shared = {word for word in (set(first_words) & set(second_words)) - ignored if _is_distinctive(word, ignored)}
    begins_both = first_words[:1] == second_words[:1] and not shared.isdisjoint(first_words[:1])
    return shared if len(shared) >= least or begins_both else set()


def _is_distinctive(word: str, ignored: set[str]) -> bool:
    return len(word) > 2 and not any(map(str.isdigit, word)) and f"{word}s" not in ignored
