"""Which side of a page is which half of its address: by the links of the cards, then by their names."""

import re
from collections.abc import Sequence
from dataclasses import replace

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.records import Comparison
from verdicts.extract.panel.profile import SiteProfile
from verdicts.normalize.parse.remembered import remembered
from verdicts.normalize.parse.slugs import Cut, possible_cuts

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
    names = [_words(card.name) for card in comparison.cards]
    halves = [(_words(a), _words(b)) for a, b in cuts]
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
def _words(text: str) -> frozenset[str]:
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
