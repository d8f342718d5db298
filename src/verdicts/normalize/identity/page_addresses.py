"""Reads the two slugs in the address of a comparison, and the side of each on the page."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.records import Comparison
from verdicts.extract.panel.profile import SiteProfile
from verdicts.fetch.model.addresses import BadUrl, canonicalize, split_address
from verdicts.fetch.model.snapshot import has_address
from verdicts.normalize.parse.match_keys import remembered

Cut: TypeAlias = tuple[str, str]
"""The two halves of an address, left and right of a separator."""


class SlugPair(NamedTuple):
    """The slugs of A and B. `is_ambiguous`: the address can be cut in several places, and no evidence decides."""

    a: str
    b: str
    is_ambiguous: bool


def possible_cuts(url: str, profile: SiteProfile) -> Sequence[Cut]:
    """Every way to cut `/compare/<a>-vs-<b>` into two slugs, left to right; empty for other addresses."""
    separator = profile.addresses.slug_separator
    address = split_address(url)
    compared = None if address is None else profile.addresses.read_slugs(address.path)
    parts = (compared or "").rstrip("/").split(separator)
    cuts = [(separator.join(parts[:count]), separator.join(parts[count:])) for count in range(1, len(parts))]
    return tuple((a, b) for a, b in cuts if a and b)


def choose_cut(cuts: Sequence[Cut], slugs: Collection[str]) -> SlugPair | None:
    """The slugs of an address with these cuts, None without cuts.

    A slug may contain `-vs-`. The cut into `slugs` slugs wins, then the cut with a < b (every address seen is
    ascending). Otherwise it is ambiguous, and the first cut counts.
    """
    if not cuts:
        return None
    if len(cuts) == 1:
        return SlugPair(*cuts[0], is_ambiguous=False)
    fitting = cuts
    for accept in (lambda a, b: a in slugs and b in slugs, lambda a, b: a.encode() < b.encode()):
        if len(fitting) > 1:
            fitting = [cut for cut in fitting if accept(*cut)] or fitting
    return SlugPair(*fitting[0], is_ambiguous=len(fitting) > 1)


_OTHER: dict[Side, Side] = {"a": "b", "b": "a"}
_NO_WORD = re.compile(r"[^a-z0-9]+")


def is_turned(comparison: Comparison, cuts: Sequence[Cut]) -> bool:
    """Whether the first card is the tool of the second half of the address."""
    return _find_order(comparison, cuts) == "turned"


def is_order_unknown(comparison: Comparison, url: str | None, profile: SiteProfile) -> bool:
    """Whether title and cards have different orders, and neither links nor names fit the address."""
    first, second = (card.name for card in comparison.cards)
    if url is None or first == second or comparison.title != f"{second}{profile.page.title_separator}{first}":
        return False
    return _find_order(comparison, possible_cuts(url, profile)) is None


def _find_order(comparison: Comparison, cuts: Sequence[Cut]) -> str | None:
    """Whether the order of the cards is `straight` or `turned` against the address. None: unknown."""
    links = [card.slug for card in comparison.cards]
    if any(links):
        return _fit([_is_linked(links, cut) for cut in cuts], [_is_linked(links, cut[::-1]) for cut in cuts])
    names = [_split_latin(card.name) for card in comparison.cards]
    halves = [(_split_latin(a), _split_latin(b)) for a, b in cuts]
    return _fit([_has_words(names, half) for half in halves], [_has_words(names, half[::-1]) for half in halves])


def _fit(straight: Sequence[bool], across: Sequence[bool]) -> str | None:
    if any(straight) == any(across):
        return None
    return "straight" if any(straight) else "turned"


def _is_linked(links: Sequence[str | None], slugs: Sequence[str]) -> bool:
    return all(link is None or link == slug for link, slug in zip(links, slugs, strict=True))


def _has_words(names: Sequence[frozenset[str]], slugs: Sequence[frozenset[str]]) -> bool:
    return all(name and name <= slug for name, slug in zip(names, slugs, strict=True))


@remembered
def _split_latin(text: str) -> frozenset[str]:
    """`Vercel AI SDK 5.0` and its slug share `vercel`, `ai`, `sdk`, `5`, `0`."""
    return frozenset(_NO_WORD.split(text.casefold())) - {""}


def exchange_sides(comparison: Comparison) -> Comparison:
    """The comparison with its sides exchanged, so that all versions of a page have the same sides.

    Only their order, A first, shows the side of takes without a side. If no take has a side, the order is reversed.
    Otherwise takes without a side are left out.
    """
    second, first = (replace(card, side=_OTHER[card.side]) for card in comparison.cards)
    rows = sorted(
        (replace(take, side=_OTHER[take.side]) for take in comparison.takes if take.side is not None),
        key=lambda take: (take.row or 0, SIDES.index(take.side or "a")),
    )
    rows = rows or [*comparison.takes[::-1]]
    return replace(
        comparison,
        cards=(first, second),
        decisions=tuple(replace(column, side=_OTHER[column.side]) for column in comparison.decisions[::-1]),
        takes=tuple(replace(take, position=position) for position, take in enumerate(rows)),
        missing_takes=tuple(replace(cell, side=_OTHER[cell.side]) for cell in comparison.missing_takes),
        doubts=tuple(
            replace(doubt, side=None if doubt.side is None else _OTHER[doubt.side]) for doubt in comparison.doubts
        ),
    )


def find_page_url(source: str, comparison: Comparison, profile: SiteProfile) -> str | None:
    """The page's address, None without one. `rel=canonical` counts only on the host that serves the page."""
    if not has_address(source):
        return None
    if comparison.canonical_url is None:
        return source
    try:
        canonical = canonicalize(comparison.canonical_url, source)
    except BadUrl:
        return source
    ours, theirs = split_address(source), split_address(canonical)
    if ours is None or theirs is None or (ours.scheme, ours.netloc) != (theirs.scheme, theirs.netloc):
        return source
    return source if profile.addresses.read_slugs(theirs.path) is None else canonical
