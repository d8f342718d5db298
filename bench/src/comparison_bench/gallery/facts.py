"""The facts before any page shows them: tools with prices, ratings, plans and prose of their own."""

import json
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from html import escape
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

from jinja2 import Environment

Claim: TypeAlias = Literal["compares", "describes"]


class Cell(NamedTuple):
    """What a page says of a tool under a label, as printed. Several values of a label are several cells."""

    tool: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class AnsweredTool:
    """A tool that a page compares with others, or describes.

    What the page does not say is None; texts are as printed. A stated price is amount and currency, `12.50 USD`, as in
    records.
    """

    name: str
    rank: int | None = None
    price: str | None = None
    rating: str | None = None
    best_for: str | None = None


@dataclass(frozen=True, slots=True)
class AnsweredReview:
    """A signed review of a tool on a page that describes one."""

    author: str
    rating: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The key of a page. With `claim` None it compares nothing, and `tools` is empty.

    `prose` are its paragraphs, `furniture` the texts that every page of a site has, and advertisements.
    """

    claim: Claim | None
    tools: tuple[AnsweredTool, ...] = ()
    cells: frozenset[Cell] = frozenset()
    reviews: tuple[AnsweredReview, ...] = ()
    prose: tuple[str, ...] = ()
    furniture: tuple[str, ...] = ()

    def as_json(self) -> str:
        """The key as JSON, cells in order."""
        fields: dict[str, Any] = asdict(self)
        fields["cells"] = sorted(self.cells)
        return json.dumps(fields, ensure_ascii=False, indent=1)


def make_cells(tool: str, said: Iterable[tuple[str, str]]) -> list[Cell]:
    """Cells of one tool."""
    return [Cell(tool, label, value) for label, value in said]


def nothing_compared(prose: Sequence[str]) -> Answer:
    """The key of a page that only looks like a comparison."""
    return Answer(None, prose=tuple(prose))


WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))

Language: TypeAlias = Literal["en", "de", "fr"]
Meaning: TypeAlias = Literal["price", "rating", "best_for", "other"]

FREE_SHARE = 0.15


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a tool: the label and the value as the page prints them."""

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

    def find_values(self, meaning: Meaning) -> str | None:
        """The values of its facts with this label, as printed."""
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
    """The tools of one page, in its language; and the random numbers that choose the page's form."""

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

    @property
    def prose(self) -> tuple[str, ...]:
        """The introduction, and the paragraph about each tool."""
        return (*self.intro, *(words for tool in self.tools for words in tool.prose))


def shelf(layout: str, form: int, edition: int, count: int, language: Language) -> Shelf:
    """The facts of one page: the same for the same layout, form and edition."""
    random = Random(f"{layout} {form} {edition}")
    words = WORDS[language]
    place = random.randrange(len(WORDS["names"]))
    names = random.sample(WORDS["names"][place], len(WORDS["names"][place]))
    tools = _tools(names[:count], words, random, has_comma=language != "en")
    style = Style(random.randrange(5), random.randrange(8), *(random.randrange(n) for n in (4, 6, 6, 4, 6)))
    return Shelf(language, words, words["subjects"][place], tools, tuple(names[count:]), random, form, style)


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


@dataclass(frozen=True, slots=True)
class Page:
    """Title, HTML of the main part below its first heading, statements of the head, and the key."""

    title: str
    main: str
    answer: Answer
    head: str = ""


Layouts: TypeAlias = dict[str, Callable[[int, int], tuple[Shelf, Page]]]
"""By name: the function that makes a page of a form and an edition, and the facts that it uses."""


Count: TypeAlias = int | Sequence[int] | Callable[[int], int]
"""How many tools the pages of a layout have, maybe by the form."""


def add_layout(
    layouts: Layouts, name: str, make: Callable[[Shelf], Page], count: Count, language: Language = "en"
) -> None:
    def make_page(form: int, edition: int) -> tuple[Shelf, Page]:
        tools = count if isinstance(count, int) else count(form) if callable(count) else count[form]
        at = shelf(name, form, edition, tools, language)
        return at, make(at)

    layouts[name] = make_page


def layout(
    layouts: Layouts, count: Count, language: Language = "en"
) -> Callable[[Callable[[Shelf], Page]], Callable[[Shelf], Page]]:
    """Adds a layout under the name of the function that makes its pages."""

    def add(make: Callable[[Shelf], Page]) -> Callable[[Shelf], Page]:
        add_layout(layouts, make.__name__, make, count, language)
        return make

    return add


def tag(name: str, *content: str, **attributes: str) -> str:
    """An element; its content is HTML. `class_` is class, `aria_label` aria-label."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(content)}</{name}>"


def text(words: str) -> str:
    """Text as HTML."""
    return escape(words, quote=False)


def paragraphs(texts: Iterable[str]) -> str:
    return "\n".join(tag("p", text(words)) for words in texts)


def items(texts: Iterable[str]) -> str:
    return tag("ul", *(tag("li", text(words)) for words in texts))


def row(cells: Iterable[str], name: str = "td") -> str:
    """A table row of cells whose content is HTML."""
    return tag("tr", *(tag(name, cell) for cell in cells))


LAYOUTS = tomllib.loads(Path(__file__).with_name("layouts.toml").read_text(encoding="utf-8"))
_JINJA = Environment(autoescape=False)
_JINJA.filters |= {"row": row, "text": text}
_TEMPLATES = cache(_JINJA.from_string)


def render_template(template: str, **slots: object) -> str:
    """A template of `layouts.toml`."""
    return _TEMPLATES(template).render(slots)


def part(name: str, number: int, **slots: object) -> str:
    """One of the ways in which a part of a page is written."""
    ways: list[str] = LAYOUTS["parts"][name]
    return render_template(ways[number % len(ways)], **slots)


def whole(page: Page, shelf: Shelf) -> tuple[str, Answer]:
    """The complete page of a site, and its key with the site's furniture."""
    words = shelf.words
    furniture = (*words["navigation"], words["cookies"], *words["related"], words["footer"])
    menu = tag(
        "nav",
        tag(
            "ul",
            *(tag("li", tag("a", text(entry), href=f"/{place}")) for place, entry in enumerate(words["navigation"])),
        ),
    )
    related = tag(
        "aside",
        tag("h3", "…"),
        *(tag("a", text(entry), href=f"/read/{place}") for place, entry in enumerate(words["related"])),
    )
    body = [
        tag("div", tag("p", text(words["cookies"])), tag("button", "OK"), class_="cookie-banner"),
        tag("header", tag("a", "Lectern", href="/", class_="logo"), menu),
        tag("main", tag("article", tag("h1", text(page.title)), page.main)),
        related,
        tag("footer", tag("p", text(words["footer"]))),
    ]
    head = f'<meta charset="utf-8"><title>{text(page.title)} | Lectern</title>{page.head}'
    html = f'<!DOCTYPE html>\n<html lang="{shelf.language}"><head>{head}</head>\n<body>{"".join(body)}</body></html>\n'
    return html, replace(page.answer, furniture=(*furniture, *page.answer.furniture))
