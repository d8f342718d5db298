"""Slugs that the site renamed: it says so itself, by leading the pages of the old slug to those of the new one."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from extract.model.records import Card
from normalize.identity.unresolved_page import UnresolvedPage
from normalize.parse.slugs import SlugPair
from normalize.parse.text import fold_name

Slug: TypeAlias = tuple[str, str]
"""A slug on its host."""

_Sighting: TypeAlias = tuple[Slug, Card]


def renamed_slugs(
    pages: Sequence[UnresolvedPage], slug_pairs: Sequence[SlugPair | None], moved_urls: Mapping[str, str]
) -> Mapping[Slug, str]:
    """Host and slug to the slug that the tool had first, for every slug that a tool was renamed to.

    A page leads to another one of its host (`moved_urls`), each has one tool that the other has not, and these two
    share their name and, as far as both ever show one, their tagline, else their description. A successor that took the
    place of a tool has words of its own. The order of the pages does not matter.
    """
    if not moved_urls:
        return {}
    shown = _shown_at(pages, slug_pairs, {*moved_urls, *moved_urls.values()})
    links: dict[Slug, set[Slug]] = defaultdict(set)
    for source, target in moved_urls.items():
        before, after = shown.get(source, ()), shown.get(target, ())
        both = {slug for slug, _ in before} & {slug for slug, _ in after}
        for old, card in before:
            for new, later in after:
                if old[0] == new[0] and not {old, new} & both and _is_same(card, later):
                    links[old].add(new)
                    links[new].add(old)
    if not links:
        return {}
    first_days = _first_days(pages, slug_pairs)
    renamed: dict[Slug, str] = {}
    for slug in links:
        first = min(_connected(slug, links), key=lambda one: (first_days[one], one))
        if first != slug:
            renamed[slug] = first[1]
    return renamed


def _shown_at(
    pages: Iterable[UnresolvedPage], slug_pairs: Iterable[SlugPair | None], urls: set[str]
) -> Mapping[str, Sequence[_Sighting]]:
    """The cards of these addresses, each with its slug."""
    shown: dict[str, list[_Sighting]] = defaultdict(list)
    for page, slugs in zip(pages, slug_pairs, strict=True):
        if page.source in urls and slugs is not None and not slugs.is_ambiguous:
            for card, slug in zip(page.comparison.cards, (slugs.a, slugs.b), strict=True):
                shown[page.source].append(((page.host, slug), card))
    return shown


def _is_same(card: Card, later: Card) -> bool:
    if fold_name(card.name) != fold_name(later.name):
        return False
    if card.tagline and later.tagline:
        return fold_name(card.tagline) == fold_name(later.tagline)
    return card.description is not None and card.description == later.description


def _first_days(pages: Iterable[UnresolvedPage], slug_pairs: Iterable[SlugPair | None]) -> Mapping[Slug, str]:
    days: dict[Slug, str] = {}
    for page, slugs in zip(pages, slug_pairs, strict=True):
        for slug in () if slugs is None else (slugs.a, slugs.b):
            address = (page.host, slug)
            days[address] = min(days.get(address, page.ingest_day), page.ingest_day)
    return days


def _connected(slug: Slug, links: Mapping[Slug, set[Slug]]) -> set[Slug]:
    reached, ahead = {slug}, [slug]
    while ahead:
        new = links[ahead.pop()] - reached
        reached |= new
        ahead += new
    return reached
