"""What values of other sites' tables say in numbers and known words; what cannot be read whole is told."""

import pytest

from verdicts.normalize.parse.facts import Fact, fact_kind, facts
from verdicts.normalize.parse.values import BrokenValue

READ = [
    ("Price", "$9/mo", [Fact("price", 9.0, None, None, False, "USD", "month")]),
    ("Starting price", "Free", [Fact("price", 0.0, None, "Free", True)]),
    ("Price: Monthly", "€12 per month", [Fact("price", 12.0, None, None, False, "EUR", "month")]),
    ("Price", "Contact sales", []),
    ("Free plan", "Yes", [Fact("free_plan", is_true=True)]),
    ("Free plan", "Yes, up to 3 users", [Fact("free_plan", is_true=True)]),
    ("Free plan", "✗", [Fact("free_plan", is_true=False)]),
    ("Kostenlose Version", "Nein", [Fact("free_plan", is_true=False)]),
    ("Free plan", "Limited", []),
    ("Our rating", "8.5/10", [Fact("rating", 8.5, 10.0)]),
    ("Bewertung", "4,5 von 5", [Fact("rating", 4.5, 5.0)]),
    ("Rating", "Excellent", []),
    ("Platforms", "Web, macOS and Linux", [Fact("platform", word=word) for word in ("web", "macos", "linux")]),
    ("Platforms", "iOS 15+ / Android", [Fact("platform", word=word) for word in ("ios", "android")]),
    ("Licence", "Apache 2.0", [Fact("license", word="Apache 2.0")]),
    ("License", "Open-source", [Fact("license", word="open source")]),
    ("Launched", "2021", [Fact("launched", 2021.0)]),
    ("Launched", "Nov 30, 2022", [Fact("launched", 2022.0)]),
    ("Founded", "2021-03-01", [Fact("launched", 2021.0)]),
    ("Seats", "10", []),
]


@pytest.mark.parametrize(("attribute", "value", "said"), READ)
def test_a_value_of_a_known_kind_says(attribute, value, said):
    assert list(facts(value, attribute)) == said


@pytest.mark.parametrize(
    ("attribute", "value", "kind"),
    [
        ("Rating", "4.5 on one site, 4.1 on another", "rating"),
        ("Platforms", "Web, Fridge", "platform"),
        ("Launched", "in its 3rd year", "launched"),
        ("Free plan", "14 days", "free_plan"),
        ("Licence", "Level 3", "license"),
        ("Price", "$9.99.9", "price"),
    ],
)
def test_a_value_of_which_a_number_or_a_part_is_left_says_nothing_and_is_told(attribute, value, kind):
    with pytest.raises(BrokenValue) as broken:
        facts(value, attribute)
    assert (broken.value.field, broken.value.raw) == (kind, value)


def test_labels_are_known_in_several_languages_and_others_are_none():
    kinds = {"PREIS": "price", "Prix": "price", "Best for": None, "Lizenz": "license"}
    assert {label: fact_kind(label) for label in kinds} == kinds
