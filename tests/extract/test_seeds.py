"""The real pages, read. What is expected was taken from the pages by eye."""

import pytest

from builders.paths import needs_seeds, seed_files
from builders.snapshots import snapshot
from verdicts.extract.model.records import Comparison
from verdicts.extract.page import extract

pytestmark = needs_seeds
REFACTORING = "Cursor v0.50 – Background Agent & Codebase Refactoring"


def read(number: int) -> Comparison:
    comparison = extract(snapshot(seed_files()[number].read_bytes()))
    assert isinstance(comparison, Comparison)
    return comparison


@pytest.mark.parametrize(
    ("number", "names", "panels", "entries"),
    [
        (0, (REFACTORING, "Code Llama 4"), ("100%", "75%"), ("Free", "Free")),
        (1, ("Cursor Background Agents", "Code Llama 4"), ("100%", "100%"), ("Free", "Free")),
        (2, ("Cursor Background Agent", "Llama 4 Compact (12B)"), ("100%", "100%"), ("Paid", "Free")),
        (3, (REFACTORING, "SmolLM3"), ("100%", "75%"), ("Free", "Free")),
        (4, ("Cursor Background Agent", "Codestral 2.0"), ("100%", "100%"), ("Paid", "Free")),
    ],
)
def test_a_real_page_gives_its_two_cards_and_eight_takes(number, names, panels, entries):
    comparison = read(number)
    assert tuple(card.name for card in comparison.cards) == names
    assert tuple(card.panel_ship for card in comparison.cards) == panels
    assert tuple(card.entry for card in comparison.cards) == entries
    assert {card.community for card in comparison.cards} == {None}
    assert {card.category for card in comparison.cards} == {"Developer Tools"}
    assert len(comparison.takes) == 8


def test_the_labelled_page_gives_reviewers_scores_and_missing_takes():
    comparison = read(3)
    labels = [(take.reviewer, take.side, take.score, take.verdict) for take in comparison.takes]
    assert labels == [
        ("Builder", "a", "88/100", "ship"),
        ("Builder", "b", "87/100", "ship"),
        ("Skeptic", "a", "82/100", "ship"),
        ("Skeptic", "b", "78/100", "ship"),
        ("Futurist", "a", "85/100", "ship"),
        ("Futurist", "b", "82/100", "ship"),
        ("PM", "a", "79/100", "ship"),
        ("Founder", "b", "52/100", "skip"),
    ]
    assert [(cell.reviewer, cell.side) for cell in comparison.missing_takes] == [("PM", "b"), ("Founder", "a")]
    assert [decision.pricing for decision in comparison.decisions] == [
        "Free tier / $20/mo Pro / $40/mo Business",
        "Free (Apache 2.0 open-source)",
    ]
    assert [decision.verdict for decision in comparison.decisions] == [
        "Ship · 4 ship / 0 skip",
        "Ship · 3 ship / 1 skip",
    ]
