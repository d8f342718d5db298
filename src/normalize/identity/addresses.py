"""What a comparison's address says of its page: the two slugs, and which side of the page each is."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.records import Comparison
from verdicts.extract.panel.profile import SiteProfile
from verdicts.fetch.model.addresses import BadUrl, canonicalize, web_address
from verdicts.fetch.model.snapshot import has_address
from verdicts.normalize.parse.text import remembered

Cut: TypeAlias = tuple[str, str]
"""An address cut in two slugs, left and right of a separator."""


class SlugPair(NamedTuple):
    """A's slug, B's slug; `is_ambiguous` where the address could be cut in more than one place and nothing decides."""

    a: str
    b: str
    is_ambiguous: bool


def possible_cuts(url: str, profile: SiteProfile) -> Sequence[Cut]:
    """Every way to cut `/compare/<a>-vs-<b>` in two slugs, left to right; none where the address is no comparison's.

    The form of the address is the profile's.
    """
    prefix, separator = profile.addresses.comparison_path, profile.addresses.slug_separator
    address = web_address(url)
    if address is None or not address.path.startswith(prefix):
        return ()
    parts = address.path.removeprefix(prefix).rstrip("/").split(separator)
    cuts = [(separator.join(parts[:count]), separator.join(parts[count:])) for count in range(1, len(parts))]
    return tuple((a, b) for a, b in cuts if a and b)


def best_cut(cuts: Sequence[Cut], known: Collection[str]) -> SlugPair | None:
    """The slugs of an address that can be cut in these ways, None where it cannot be cut.

    `-vs-` may stand inside a slug: the cut whose halves are `known` slugs wins, then the one with a < b (every address
    seen is ascending), else it is ambiguous and the first cut stands.
    """
    if not cuts:
        return None
    if len(cuts) == 1:
        return SlugPair(*cuts[0], is_ambiguous=False)
    fitting = cuts
    for accept in (lambda a, b: a in known and b in known, lambda a, b: a.encode() < b.encode()):
        if len(fitting) > 1:
            fitting = [cut for cut in fitting if accept(*cut)] or fitting
    return SlugPair(*fitting[0], is_ambiguous=len(fitting) > 1)


_OTHER: dict[Side, Side] = {"a": "b", "b": "a"}
_NO_WORD = re.compile(r"[^a-z0-9]+")


def is_turned(comparison: Comparison, cuts: Sequence[Cut]) -> bool:
    """Whether the tool of the second half of the address, cut in these ways, is the one whose card stands first."""
    return _stands(comparison, cuts) == "turned"


def is_order_unknown(comparison: Comparison, url: str | None, profile: SiteProfile) -> bool:
    """Whether the title has the tools in another order than the cards, and neither links nor names fit the address."""
    first, second = (card.name for card in comparison.cards)
    if url is None or first == second or comparison.title != f"{second}{profile.page.title_separator}{first}":
        return False
    return _stands(comparison, possible_cuts(url, profile)) is None


def _stands(comparison: Comparison, cuts: Sequence[Cut]) -> str | None:
    """Whether the cards stand `straight` or `turned` against the address. None where nothing tells."""
    links = [card.slug for card in comparison.cards]
    if any(links):
        return _fit([_agrees(links, cut) for cut in cuts], [_agrees(links, cut[::-1]) for cut in cuts])
    names = [_latin_words(card.name) for card in comparison.cards]
    halves = [(_latin_words(a), _latin_words(b)) for a, b in cuts]
    return _fit([_holds(names, half) for half in halves], [_holds(names, half[::-1]) for half in halves])


def _fit(straight: Sequence[bool], across: Sequence[bool]) -> str | None:
    if any(straight) == any(across):
        return None
    return "straight" if any(straight) else "turned"


def _agrees(links: Sequence[str | None], slugs: Sequence[str]) -> bool:
    return all(link is None or link == slug for link, slug in zip(links, slugs, strict=True))


def _holds(names: Sequence[frozenset[str]], slugs: Sequence[frozenset[str]]) -> bool:
    return all(name and name <= slug for name, slug in zip(names, slugs, strict=True))


@remembered
def _latin_words(text: str) -> frozenset[str]:
    """`Vercel AI SDK 5.0` and its slug share `vercel`, `ai`, `sdk`, `5`, `0`."""
    return frozenset(_NO_WORD.split(text.casefold())) - {""}


def turned(comparison: Comparison) -> Comparison:
    """The comparison with its sides exchanged: versions of one page are merged side by side.

    Takes that name no side are told apart by their order alone, in which A stands first: where none names one they
    come in the opposite order. Beside others that do, they are left out.
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


def page_url(source: str, comparison: Comparison, profile: SiteProfile) -> str | None:
    """The page's address, None without one. `rel=canonical` is trusted only within the host that serves the page."""
    if not has_address(source):
        return None
    if comparison.canonical_url is None:
        return source
    try:
        canonical = canonicalize(comparison.canonical_url, source)
    except BadUrl:
        return source
    ours, theirs = web_address(source), web_address(canonical)
    if ours is None or theirs is None or (ours.scheme, ours.netloc) != (theirs.scheme, theirs.netloc):
        return source
    return canonical if theirs.path.startswith(profile.addresses.comparison_path) else source
