"""Verdicts, seats and entries of a comparison in the corpus' own words, whatever words its site has for them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from verdicts.corpus.enumerations import Verdict
from verdicts.extract.model.records import Card, Comparison, MissingTake, Take
from verdicts.extract.panel.profile import SiteProfile


def in_corpus_words(comparison: Comparison, profile: SiteProfile) -> Comparison:
    """The comparison with `Nehmen` as `ship` and `Kostenlos` as `Free`. Lines of text, and unknown words, stay.

    A word that is the corpus' own but for its case stays as printed.
    """
    if _speaks_as_the_corpus(profile):
        return comparison
    first, second = (_card(card, profile) for card in comparison.cards)
    return replace(
        comparison,
        cards=(first, second),
        takes=tuple(_take(take, profile) for take in comparison.takes),
        missing_takes=tuple(_missing_take(cell, profile) for cell in comparison.missing_takes),
    )


@cache
def _speaks_as_the_corpus(profile: SiteProfile) -> bool:
    words = {**profile.values.verdicts, **profile.values.entries, **profile.seats}
    return all(word.casefold() == value.casefold() for word, value in words.items())


def _card(card: Card, profile: SiteProfile) -> Card:
    entry = None if card.entry is None else profile.values.entries.get(card.entry, card.entry)
    return replace(card, chip=_verdict(card.chip, profile), entry=entry)


def _take(take: Take, profile: SiteProfile) -> Take:
    seat = None if take.seat is None else _seat(take.seat, profile)
    return replace(take, seat=seat, verdict=_verdict(take.verdict, profile))


def _missing_take(cell: MissingTake, profile: SiteProfile) -> MissingTake:
    return replace(cell, seat=_seat(cell.seat, profile))


def _seat(word: str, profile: SiteProfile) -> str:
    return profile.seats.get(word, word)


def _verdict(word: str | None, profile: SiteProfile) -> str | None:
    return None if word is None else verdict_words(profile).get(word.casefold(), word)


@cache
def verdict_words(profile: SiteProfile) -> Mapping[str, Verdict]:
    """The site's verdict words, lower case, to the corpus' verdicts."""
    return {word.casefold(): verdict for word, verdict in profile.values.verdicts.items()}
