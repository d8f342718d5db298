"""What values of other sites' tables say in numbers and known words; what cannot be read whole is told."""

import pytest

from verdicts.normalize.parse.fact_values import ParsedFact, classify_fact, parse_fact
from verdicts.normalize.parse.values import BrokenValue

READ = [
    ("Price", "$9/mo", [ParsedFact("price", 9.0, None, None, False, "USD", "month")]),
    ("Starting price", "Free", [ParsedFact("price", 0.0, None, "Free", True)]),
    ("Price: Monthly", "€12 per month", [ParsedFact("price", 12.0, None, None, False, "EUR", "month")]),
    ("Price", "Contact sales", []),
    ("Price", "$35 at Amazon", [ParsedFact("price", 35.0, None, None, False, "USD")]),
    ("Price range", "$$–$$$", []),
    ("Pricing", "Hop on a 20-minute call, and get your team within 48 hours.", []),
    ("Free plan", "Yes", [ParsedFact("free_plan", is_true=True)]),
    ("Free plan", "Yes, up to 3 users", [ParsedFact("free_plan", is_true=True)]),
    ("Free plan", "✗", [ParsedFact("free_plan", is_true=False)]),
    ("Kostenlose Version", "Nein", [ParsedFact("free_plan", is_true=False)]),
    ("Free plan", "Limited", []),
    ("Our rating", "8.5/10", [ParsedFact("rating", 8.5, 10.0)]),
    ("Bewertung", "4,5 von 5", [ParsedFact("rating", 4.5, 5.0)]),
    ("Rating", "Excellent", []),
    ("Platforms", "Web, macOS and Linux", [ParsedFact("platform", word=word) for word in ("web", "macos", "linux")]),
    ("Platforms", "iOS 15+ / Android", [ParsedFact("platform", word=word) for word in ("ios", "android")]),
    ("Licence", "Apache 2.0", [ParsedFact("license", word="Apache 2.0")]),
    ("License", "Open-source", [ParsedFact("license", word="open source")]),
    ("Launched", "2021", [ParsedFact("launched", 2021.0)]),
    ("Launched", "Nov 30, 2022", [ParsedFact("launched", 2022.0)]),
    ("Founded", "2021-03-01", [ParsedFact("launched", 2021.0)]),
    ("Seats", "10", []),
]


@pytest.mark.parametrize(("attribute", "value", "said"), READ)
def test_a_value_of_a_known_kind_says(attribute, value, said):
    assert list(parse_fact(value, classify_fact(attribute))) == said


@pytest.mark.parametrize(
    ("attribute", "value", "kind"),
    [
        ("Rating", "4.5 on one site, 4.1 on another", "rating"),
        ("Platforms", "Web, Fridge", "platform"),
        ("Launched", "in its 3rd year", "launched"),
        ("Free plan", "14 days", "free_plan"),
        ("Licence", "Level 3", "license"),
        ("Price", "$9.99.9", "price"),
        ("Price", "49,95", "price"),
        ("Price", "XOF 5000", "price"),
    ],
)
def test_a_value_of_which_a_number_or_a_part_is_left_says_nothing_and_is_told(attribute, value, kind):
    with pytest.raises(BrokenValue) as broken:
        parse_fact(value, classify_fact(attribute))
    assert (broken.value.field, broken.value.raw) == (kind, value)


def test_labels_are_known_in_several_languages_and_with_words_around_and_others_are_none():
    kinds = {"PREIS": "price", "Prix": "price", "Lizenz": "license", "MSRP": "price", "Price per seat": "price"}
    kinds |= {"Capterra": "rating", "Price/mo": "price", "Best for": None, "Seats": None}
    assert {label: classify_fact(label) for label in kinds} == kinds
