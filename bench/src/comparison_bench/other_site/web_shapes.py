"""Comparisons as sites of the open web write them, each with its key; other goods and words than the first generator.

The markup of each layout is written out, so that no layout helps to read another one.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TypeAlias

WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))["web"]
GOODS, AWARDS, BEFORE = WORDS["goods"], WORDS["awards"], WORDS["before"]


@dataclass(frozen=True)
class Good:
    """What the page says of one; a field that it does not say is None. `facts`: labels and values."""

    name: str
    rank: int | None = None
    price: str | None = None
    rating: str | None = None
    best_for: str | None = None
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        return "".join(f"<p>{said.format(name=self.name)}</p>" for said in WORDS["said"][len(self.name) % 3 :][:2])


@dataclass(frozen=True)
class WebPage:
    """`goods` in page order: none if it compares nothing. `is_told`: its title promises what it does not have."""

    layout: str
    number: int
    title: str
    main: str
    goods: tuple[Good, ...]
    is_told: bool = False

    @property
    def html(self) -> str:
        more = "".join(f"<h3><a href=/{n}>{head}</a></h3><p>May</p>" for n, head in enumerate(WORDS["teasers"]))
        menu = "".join(f'<a href="/{word}">{word}</a> ' for word in ("tents", "boots", "maps"))
        return (
            f"<!doctype html><html lang=en><title>{self.title} - Wet Boots</title><body><div class=top>{menu}</div>"
            f"<div id=content><h1>{self.title}</h1><p>{BEFORE}</p>{self.main}</div><div>{more}</div>"
        )


Made: TypeAlias = tuple[str, str, Iterable[Good]]
"""Title, HTML below the first heading, and the goods that are compared."""


def _goods(random: Random, count: int, price: str | None = None) -> list[Good]:
    return [
        Good(
            name,
            price=price and price.format(random.randint(15, 260)),
            facts=(
                ("Weight", f"{random.randint(90, 900)} g"),
                ("Burn time", f"{random.randint(3, 80)} hours"),
                ("Maker", random.choice(WORDS["makers"])),
            ),
        )
        for name in random.sample(WORDS["names"], count)
    ]


def _specs(one: Good) -> str:
    return "".join(f"<li>{label}: {value}</li>" for label, value in one.facts)


def key_specs(random: Random, number: int) -> Made:
    """The award over the name, and a heading of the name's level over its values."""
    goods = _goods(random, 5)
    main = "".join(
        f'<h2>{award}</h2><h3><a href="https://shop.example/{place}">{one.name}</a></h3>{one.words}'
        f"<h3>Key details</h3><ul>{_specs(one)}</ul><h3>Why it is here</h3><p>{BEFORE}</p>"
        for place, (award, one) in enumerate(zip(AWARDS, goods, strict=False))
    )
    told = (replace(one, facts=(*one.facts, ("Why it is here", BEFORE))) for one in goods)
    return f"The 5 best {GOODS[number]}, tested", main, told


def ornaments(random: Random, number: int) -> Made:
    """Numbers in words or between ornaments, and a small table of grades for each."""
    goods = [replace(one, rank=rank) for rank, one in enumerate(_goods(random, 6), 1)]
    form = ("Number {}: {}", "&#5130; {} &#5125; {}", "Rank {}: {}", "&#10148; {}. {}")[number]
    marks = ("Light", "Handling", "Weather")
    goods = [replace(one, facts=tuple((mark, f"{random.randint(40, 95) / 10}") for mark in marks)) for one in goods]
    main = "".join(
        f"<h2>{form.format(one.rank, one.name)}</h2>{one.words}<table><tr><th></th><th>Grades</th></tr>"
        + "".join(f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in one.facts)
        + "</table>"
        for one in goods
    )
    return f"Best {GOODS[number]} under $99", main, goods


def kinds_before(random: Random, number: int) -> Made:
    """A kind and a colon before most names, and a table of the names alone."""
    goods = [replace(one, rank=rank) for rank, one in enumerate(_goods(random, 7), 1)]
    kinds = ("Hand lamp: ", "Hand lamp: ", "Table lamp: ", "", "Tree lamp: ", "Small tent lamp: ", "Boat lamp: ")
    main = "".join(
        f"<h3><b>{one.rank}. {kind}{one.name}</b></h3>{one.words}" for kind, one in zip(kinds, goods, strict=True)
    )
    lines = "".join(f"<tr><td>{one.name}</td>{''.join(f'<td>{v}</td>' for _, v in one.facts)}</tr>" for one in goods)
    heads = "".join(f"<th>{label}</th>" for label, _ in goods[0].facts)
    return f"7 best {GOODS[number]}", f"<table><tr><th>Lamp</th>{heads}</tr>{lines}</table>{main}", goods


def labels_in_line(random: Random, number: int) -> Made:
    """`Weight: 90 g | Maker: Ilva` in one line, a price in its own, and the award as a lower heading before."""
    goods = _goods(random, 5, "${}")
    main = "".join(
        f"<h3>{award}</h3><h2>{one.name}</h2><div>{one.price}</div>{one.words}<p>"
        + " | ".join(f"<strong>{label}:</strong> <em>{value}</em>" for label, value in one.facts)
        + "</p>"
        for award, one in zip(AWARDS, goods, strict=False)
    )
    return f"The best {GOODS[number]} of 2026, tried by our editors", f"<h2>Our list</h2>{main}", goods


def adverts_between(random: Random, number: int) -> Made:
    """An offer of the site's own between sections, as a heading of their level; pros and cons below lower ones."""
    goods, parts = [], []
    for place, (award, one) in enumerate(zip(AWARDS, _goods(random, 6), strict=True)):
        said = {label: random.sample(WORDS[label.lower()], 2) for label in ("Pros", "Cons")}
        facts = tuple((label, value) for label, values in said.items() for value in values)
        goods.append(replace(one, best_for=f"Best for {award.lower()}", facts=facts))
        lists = (
            f"<h3>{label}</h3><ul>{''.join(f'<li>{value}</li>' for value in values)}</ul>"
            for label, values in said.items()
        )
        parts.append(f"<h2>{one.name}: {goods[-1].best_for}</h2>{one.words}{''.join(lists)}")
        if place == number:
            parts.append(f"<div><div><h2>Find out what suits you</h2><p>{BEFORE}</p><a href=/quiz>Go</a></div></div>")
    return f"6 best {GOODS[number]} for wet days", "".join(parts), goods


def bold_lines(random: Random, number: int) -> Made:
    """Bold paragraphs for headings, with a picture before or behind and an address at the end."""
    goods = [replace(one, rank=rank, facts=()) for rank, one in enumerate(_goods(random, 9), 1)]
    form = ("<p><b>{}. {}</b></p><p><img src=a.jpg></p>", "<p><img src=a.jpg alt=''></p><p><b>{}) {}</b></p>",
            "<p><b><img src=a.jpg>#{} {}</b></p>", "<div><strong>{}. {}</strong></div>")[number]  # fmt: skip
    main = "".join(
        f"{form.format(one.rank, one.name)}{one.words}<p><a href='https://{one.rank}.example'>{one.rank}.example</a></p>"
        for one in goods
    )
    return f"The top 9 makers of {GOODS[number]}", main, goods


def one_column_again(random: Random, number: int) -> Made:
    """Tables one below the other; the first column of each is the same names, also in another order.

    What it names is said in its corner, except on the last page.
    """
    corner = (GOODS[number].split()[-1].removesuffix("s").capitalize(), "")[number == 3]
    goods = _goods(random, 5)
    orders = [random.sample(goods, 5) if number % 2 else goods for _ in goods[0].facts]
    tables = "".join(
        f"<h3>{label}</h3><table><tr><td><b>{corner}</b></td><td><b>{label}</b></td></tr>"
        + "".join(f"<tr><td>{one.name}</td><td>{one.facts[place][1]}</td></tr>" for one in orders[place])
        + "</table>"
        for place, (label, _) in enumerate(goods[0].facts)
    )
    return f"{GOODS[number].capitalize()} compared", tables, orders[0]


def title_names_three(random: Random, number: int) -> Made:
    """A title of three names over sections of five, with prices at shops."""
    goods = _goods(random, 5, "${} at Hutter")
    main = "".join(f"<h3>{one.name}</h3><p>{one.price}</p>{one.words}<ul>{_specs(one)}</ul>" for one in goods)
    title = " vs ".join(one.name for one in goods[:3])
    return f"{title}: which of the {GOODS[number]}?", f"<h2>All of them</h2>{main}", goods


def priced_tiles(random: Random, number: int) -> Made:
    """Tiles without headings: a picture, a linked name, a price, the grade in brackets; offers of others below."""
    goods = [replace(one, rank=number % 2 * rank or None, rating=f"{random.randint(31, 49) / 10}/5", facts=())
             for rank, one in enumerate(_goods(random, 6, "${}.50"), 1)]  # fmt: skip
    tiles = (
        f"<article><a href=/i/{place}><img src=i.jpg alt=''></a>{f'<b>{one.rank}</b>' if one.rank else ''}"
        f"<p><a href='/i/{place}'>{one.name}</a></p><p>{one.price}</p>"
        f"<p>{one.rating} ({random.randint(12, 950)} votes)</p><p><a href=/put/{place}>Add to cart</a></p></article>"
        for place, one in enumerate(goods)
    )
    links = "".join(f"<article><p><a href=/r/{n}>{head}</a></p></article>" for n, head in enumerate(WORDS["teasers"]))
    return f"Best-loved {GOODS[number]}: the best of May", f"<div>{''.join(tiles)}</div><div>{links}</div>", goods


def values_first(random: Random, number: int) -> Made:
    """Each value stands large over the small name of what it says; buttons beside each other open more."""
    goods = [replace(one, facts=one.facts[:2]) for one in _goods(random, 5)]
    tabs = "<div><button>Price</button><button>Photos</button></div>" if number % 2 else ""
    form = ("<div><div>{1}</div><div>{0}</div></div>", "<section><b>{1}</b><small>{0}</small></section>")[number // 2]
    main = "".join(
        f"<h2>{one.name}</h2>{tabs}<div>{''.join(form.format(*fact) for fact in one.facts)}</div>{one.words}"
        for one in goods
    )
    return f"The 5 best {GOODS[number]} of this spring", main, goods


def _audience(award: str) -> str | None:
    """Whom a thing is best for, if its award says so: `Good for less`, not `Top choice`."""
    return award if " for " in award else None


def short_list(random: Random, number: int) -> Made:
    """`Best on a budget: Alpha` line by line, then what was done; or over a section of each."""
    awards = [f"The best {award.lower()}" for award in AWARDS]
    five = zip(awards, _goods(random, 5), strict=False)
    goods = [replace(one, facts=(), best_for=_audience(award)) for award, one in five]
    ways = ("<p>{1}: <a href=/g/{2}>{0}</a></p>", "<div><strong>{1}:</strong><a href=/g/{2}>{0}</a></div>")
    lines = zip(goods, awards, strict=False)
    main = "".join(ways[number % 2].format(one.name, award, place) for place, (one, award) in enumerate(lines))
    if number < 2:
        return f"Best {GOODS[number]} of the year", f"{main}<h2>How we chose</h2><p>{BEFORE}</p>", goods
    sections = "".join(f"<h2>{one.name}</h2>{one.words}" for one in goods)
    return f"The 5 best {GOODS[number]}", main + sections, goods


def closed_tabs(random: Random, number: int) -> Made:
    """One table in each tab, of which one is open."""
    more = (("Price", "${}"), ("Warranty", "{} months"), ("Packed size", "{} l"))
    goods = []
    for place, one in enumerate(_goods(random, 4), start=12):
        others = ((label, form.format(place)) for label, form in more)
        facts = tuple(fact for pair in zip(one.facts, others, strict=True) for fact in pair)
        goods.append(replace(one, price=f"${place}", facts=facts))
    heads = "".join(f"<th>{one.name}</th>" for one in goods)
    ways = ("class='tab-pane' style='display:none'", "role=tabpanel hidden", "class='et_tab' style='display: none'",
            "class='tab-pane' hidden")  # fmt: skip
    rows = [
        f"<tr><td>{label}</td>{''.join(f'<td>{one.facts[place][1]}</td>' for one in goods)}</tr>"
        for place, (label, _) in enumerate(goods[0].facts)
    ]
    panels = "".join(
        f"<div {ways[number] if place else 'class=tab-pane'}><table><thead><tr><th></th>{heads}</tr></thead>"
        f"<tbody>{rows[place]}{rows[place + 1]}</tbody></table></div>"
        for place in (0, 2, 4)
    )
    buttons = "<ul><li><a href=#>Body</a></li><li><a href=#>Flame</a></li><li><a href=#>Firm</a></li></ul>"
    return " vs ".join(one.name for one in goods), buttons + panels, goods


def cards_then_sections(random: Random, number: int) -> Made:
    """Cards in a row with what each costs and its mark; below, a section of each under its prize."""
    five = zip(AWARDS, _goods(random, 5, "${} per night"), strict=False)
    goods = [
        replace(one, facts=(), rating=f"{random.randint(61, 99) / 10}", best_for=_audience(award))
        for award, one in five
    ]
    card = "<li><div><h3>{}</h3><div><span class=rating>{}</span></div><div>{}</div></div></li>"
    cards = "".join(card.format(one.name, one.rating, one.price) for one in goods)
    main = "".join(f"<h2>{award}: {one.name}</h2>{one.words}" for award, one in zip(AWARDS, goods, strict=False))
    counts = ("5", "five", "Five", "fünf")
    title = (
        f"The {counts[number]} best {GOODS[number]}" if number < 3 else f"Die {counts[number]} besten {GOODS[number]}"
    )
    return title, f"<ul>{cards}</ul>{main}", goods


def tables_of_layout(random: Random, number: int) -> Made:
    """A page laid out in tables, with the table of the goods in a cell."""
    goods = []
    for one in _goods(random, 6):
        price = f"${random.randint(3, 40)}.95"
        goods.append(replace(one, price=price, facts=(("Price", price), *one.facts)))
    heads = "".join(f"<td><b>{label}</b></td>" for label in ("Product", *(label for label, _ in goods[0].facts)))
    rows = "".join(
        f"<tr><td><a href=/p{n}><b>{one.name}</b></a></td>{''.join(f'<td>{said}</td>' for _, said in one.facts)}</tr>"
        for n, one in enumerate(goods)
    )
    inner = f"<table border=1><tr>{heads}</tr>{rows}</table>"
    main = f"<table><tr><td>Home<br>Guestbook</td><td><p>{BEFORE}</p>{inner}</td></tr></table>"
    return f"{GOODS[number].capitalize()} compared: 6 for rain", main, goods


def advice(random: Random, number: int) -> Made:
    """Numbered advice under a title that counts it."""
    heads = enumerate(random.sample(WORDS["advice"], 4), 1)
    main = "".join(f"<h2>{n}. {head}</h2><p>{BEFORE}</p>" for n, head in heads)
    return WORDS["advice_titles"][number], main, ()


def nothing_kept(random: Random, number: int) -> Made:
    """The best goods are promised; sections are of parts, months or questions, or a table is of a match."""
    if number == 3:
        lines = (("", *random.sample(WORDS["teams"], 2)), ("Possession", "61%", "39%"), ("Shots", "14", "6"))
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)
        return f"{lines[0][1]} vs {lines[0][2]}", f"<table>{body}</table>", ()
    heads = random.sample(WORDS["unkept"][number], 4)
    main = "".join(f"<h3>{head}</h3><p>{BEFORE} A good one has been chosen with care.</p>" for head in heads)
    return f"The best {GOODS[number]}: what to look for", main, ()


LAYOUTS: tuple[Callable[[Random, int], Made], ...] = (
    *(key_specs, ornaments, kinds_before, labels_in_line, adverts_between, bold_lines, one_column_again),
    *(title_names_three, priced_tiles, values_first, short_list, closed_tabs, cards_then_sections),
    *(tables_of_layout, advice, nothing_kept),
)


def web_pages(seed: int = 0) -> Iterator[WebPage]:
    """Four pages of each layout."""
    for layout in LAYOUTS:
        for number in range(len(GOODS)):
            title, main, goods = layout(Random(f"{layout.__name__} {number} {seed}"), number)
            yield WebPage(layout.__name__, number, title, main, tuple(goods), layout is nothing_kept)


def digest_of(pages: Iterable[WebPage]) -> str:
    """SHA-256 of pages and keys."""
    total = sha256()
    for page in pages:
        total.update(f"{page.html}{page.goods}{page.is_told}".encode())
    return total.hexdigest()
