"""Nights of a panel whose tools change their names, beside pages of another site that name some of them."""

from dataclasses import replace
from random import Random

from builders.normalize_pages import address, observed, page, tool
from verdicts.corpus.enumerations import Claim
from verdicts.extract.model.records import ComparedTool, Document, Observation, SideBySide

NAMES = ("Claude Code", "Claude Code by Anthropic", "GPT-4", "GPT-4o", "Cursor", "Acme Kit", "Acme Kits", "?")
LINKS = (None, "https://claude.com/x", "https://cursor.com", "https://lists.example.org/go/1")


def outside_nights(seed: int, nights: int = 6) -> list[list[Observation]]:
    """Of each night two pages of the other site, some without a tool, and one of the panel."""
    chance = Random(seed)
    return [[*_documents(chance, night), _comparison(chance, night)] for night in range(1, nights + 1)]


def _documents(chance: Random, night: int) -> list[Observation]:
    return [
        observed(_document(chance), f"https://lists.example.org/{n}", night=night) for n in chance.sample("12345", 2)
    ]


def _document(chance: Random) -> Document:
    named = tuple(ComparedTool(chance.choice(NAMES), url=chance.choice(LINKS)) for _ in range(chance.randint(1, 4)))
    claim: Claim = "compares" if len(named) > 1 and chance.random() < 0.7 else "describes"
    tables = SideBySide("table", named, (), (), claim) if chance.random() < 0.9 else None
    return Document("A list", None, None, "Words.", tables)


def _comparison(chance: Random, night: int) -> Observation:
    first, second = (tool(slug) for slug in sorted(chance.sample(["four", "one", "three", "two"], 2)))
    shown = page(first, second)
    cards = tuple(replace(card, name=chance.choice(NAMES)) for card in shown.cards)
    return observed(replace(shown, cards=cards), address(first, second), night=night)
