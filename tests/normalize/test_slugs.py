"""The two slugs of an address."""

from collections.abc import Collection

from verdicts.extract.panel.profile import SHIPPED
from verdicts.normalize.identity.addresses import SlugPair, best_cut, possible_cuts

BASE = "https://tools.example/compare/"


def split_address(url: str, known: Collection[str]) -> SlugPair | None:
    return best_cut(possible_cuts(url, SHIPPED["shiporskip"]), known)


def test_an_address_with_one_cut_has_two_slugs() -> None:
    assert split_address(BASE + "alpha-vs-beta", ()) == SlugPair("alpha", "beta", is_ambiguous=False)


def test_known_slugs_decide_where_an_address_could_be_cut_twice() -> None:
    slugs = split_address(BASE + "a-vs-b-vs-c", {"a-vs-b", "c", "a"})
    assert slugs == SlugPair("a-vs-b", "c", is_ambiguous=False)


def test_ascending_order_decides_where_slugs_are_unknown() -> None:
    slugs = split_address(BASE + "m-vs-a-vs-z", ())
    assert slugs == SlugPair("m-vs-a", "z", is_ambiguous=False)


def test_ascending_order_decides_between_two_cuts_of_known_slugs() -> None:
    slugs = split_address(BASE + "m-vs-a-vs-z", {"m", "a-vs-z", "m-vs-a", "z"})
    assert slugs == SlugPair("m-vs-a", "z", is_ambiguous=False)


def test_an_address_that_nothing_decides_is_ambiguous() -> None:
    slugs = split_address(BASE + "a-vs-b-vs-c", ())
    assert slugs is not None
    assert slugs.is_ambiguous


def test_other_addresses_hold_no_slugs() -> None:
    assert split_address("https://tools.example/tool/alpha", ()) is None
    assert split_address(BASE + "alpha", ()) is None
    assert split_address(BASE + "-vs-alpha", ()) is None
