"""What there is to say before any page says it: tools with prices, ratings, plans and prose of their own."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))

Language: TypeAlias = Literal["en", "de", "fr"]
Meaning: TypeAlias = Literal["price", "rating", "best_for", "other"]

FREE_SHARE = 0.15


@dataclass(frozen=True, slots=True)
class Fact:
    """What is said of a tool: the label and the value as the page prints them."""

    meaning: Meaning
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `amount` is its price as statements have it, `12.50`; `rating` of 5, `4.6`."""

    name: str
    address: str
    amount: str
    rating: str
    ratings: int
    facts: tuple[Fact, ...]
    pros: tuple[str, ...]
    cons: tuple[str, ...]
    prose: tuple[str, ...]

    def said(self, meaning: Meaning) -> str | None:
        """What its facts say of this, as printed."""
        return next((fact.value for fact in self.facts if fact.meaning == meaning), None)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Labels and values of its facts."""
        return [(fact.label, fact.value) for fact in self.facts]


class Style(NamedTuple):
    """Numbers by which `styles` choose how a page writes its parts."""

    heading: int
    facts: int
    lists: int
    names: int
    values: int
    columns: int
    ranks: int


@dataclass(frozen=True, slots=True)
class Shelf:
    """The tools of one page, in its language; and the chance that the page's form is drawn with."""

    language: Language
    words: dict[str, Any]
    subject: str
    tools: tuple[Tool, ...]
    others: tuple[str, ...]
    """Names of tools that the page is not about."""
    random: Random
    form: int
    """Which form of its layout the page has, from 0."""
    style: Style

    def title(self, form: str, **words: object) -> str:
        """A title of this form."""
        names = f" {self.words['versus_word']} ".join(tool.name for tool in self.tools)
        template: str = self.random.choice(self.words[form])
        return template.format(**{"count": len(self.tools), "subject": self.subject, "names": names, **words})

    @property
    def intro(self) -> list[str]:
        return [text.format(subject=self.subject) for text in self.words["intro"]]


class Turn(NamedTuple):
    """A page of a layout: which of the layout's forms, from 0, and the edition, by which the facts are drawn."""

    form: int
    edition: int


def shelf(layout: str, turn: Turn, count: int, language: Language = "en") -> Shelf:
    """The facts of one page: the same for the same layout and turn."""
    random = Random(f"{layout} {turn.form} {turn.edition}")
    words = WORDS[language]
    place = random.randrange(len(WORDS["names"]))
    names = random.sample(WORDS["names"][place], len(WORDS["names"][place]))
    tools = _tools(names[:count], words, random, has_comma=language != "en")
    style = Style(random.randrange(5), random.randrange(8), *(random.randrange(n) for n in (4, 6, 6, 4, 6)))
    return Shelf(language, words, words["subjects"][place], tools, tuple(names[count:]), random, turn.form, style)


def _tools(names: Sequence[str], words: dict[str, Any], random: Random, *, has_comma: bool) -> tuple[Tool, ...]:
    price_label, price_form = random.choice(words["price"])
    rating_label, rating_form = random.choice(words["rating"])
    best_label, best = random.choice(words["best_for"])
    plan_label, yes, no = random.choice(words["plan"])
    more = random.sample([random.choice(words[field]) for field in ("license", "platforms", "storage")], 2)
    bests = random.sample(best, len(names))
    tools = []
    for name, best_for in zip(names, bests, strict=True):
        cents = random.choice([500, 800, 990, 1250, 1499, 2000, 4900, 129900])
        amount = f"{cents / 100:.2f}" if cents % 100 else str(cents // 100)
        rating = f"{random.randint(31, 49) / 10}"
        printed = (amount.replace(".", ","), rating.replace(".", ",")) if has_comma else (amount, rating)
        is_free = random.random() < FREE_SHARE
        facts = [
            Fact("price", price_label, words["free"] if is_free else price_form.format(printed[0])),
            Fact("rating", rating_label, rating_form.format(printed[1])),
            Fact("best_for", best_label, best_for),
            Fact("other", plan_label, yes if is_free or random.random() < 0.5 else no),
            *(Fact("other", label, random.choice(values)) for label, values in more),
        ]
        tools.append(
            Tool(
                name,
                f"https://{''.join(filter(str.isalnum, name.lower()))}.example/",
                amount,
                rating,
                random.randint(12, 4000),
                tuple(facts),
                tuple(random.sample(words["pros"][1:], 2)),
                tuple(random.sample(words["cons"][1:], 2)),
                tuple(text.format(name=name) for text in random.sample(words["prose"], 2)),
            )
        )
    return tuple(tools)
