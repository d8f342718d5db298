"""Comparisons as sites of the open web write them, each with its key; other goods and words than the first generator.

The markup is written out layout by layout, so that nothing of one layout helps to read another.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import TypeAlias

NAMES = (
    "Ketterick 40", "Brambell Ridge", "Oslund Firefly", "Tarnhope Mini", "Pellworm", "Vesper & Sons Dome", "Marrow Peak X2",
    "Juniper Low", "Hollin Trail Pro", "Cairnlight", "Dunmore Two", "Ashgill Ultra",
)  # fmt: skip
GOODS = ("camping lanterns", "head lamps", "trail stoves", "rain covers")
MAKERS = ("Norrbo", "Feldt", "Castle Works", "Ilva", "Greenhithe")
GOOD = (
    "Lights within a blink",
    "Survives a fall from the table",
    "Hangs on a twig",
    "Can be heard by nobody",
    "Dries fast",
)
BAD = ("The hook is sharp", "Needs three hands to fill", "Smells of paint at first", "The bag is too small")
AWARDS = ("Top choice", "Good for less", "The lightest one", "Easiest to pack", "Longest lasting", "For big tents")
SAID = (
    "On the fourth night the rain came in sideways, and the {name} hung from its branch as if it had been painted there.",
    "You will read elsewhere that the {name} is loud; we slept a yard away from it and heard the brook and nothing else.",
    "Two of five testers would spend their own money on the {name}, and one already did so before we had asked.",
    "Opening the {name} with cold hands takes a minute, after which it sits flat on any stone that is flatter than a loaf.",
)  # fmt: skip
BEFORE = (
    "Eleven weekends, two seasons and one flooded field went into this page. Here is what was left of our patience."
)


@dataclass(frozen=True)
class Good:
    """What the page says of one; a field that it does not say is None."""

    name: str
    rank: int | None = None
    price: str | None = None
    rating: str | None = None
    best_for: str | None = None
    facts: tuple[tuple[str, str], ...] = ()
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return "".join(f"<p>{said.format(name=self.name)}</p>" for said in SAID[len(self.name) % 3 :][:2])

    def cells(self) -> Iterator[tuple[str, str, str]]:
        told = (*self.facts, *(("Pros", one) for one in self.good), *(("Cons", one) for one in self.bad))
        return ((self.name, label, value) for label, value in told)


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
        menu = "".join(f'<a href="/{word}">{word}</a> ' for word in ("tents", "boots", "maps"))
        return (
            f"<!doctype html><html lang=en><title>{self.title} - Wet Boots</title><body><div class=top>{menu}</div>"
            f"<div id=content><h1>{self.title}</h1><p>{BEFORE}</p>{self.main}</div><div class=foot>Wet Boots</div>"
        )


Made: TypeAlias = tuple[str, str, Iterable[Good], bool]


def _goods(random: Random, count: int) -> list[Good]:
    return [
        Good(
            name,
            facts=(
                ("Weight", f"{random.randint(90, 900)} g"),
                ("Burn time", f"{random.randint(3, 80)} hours"),
                ("Maker", random.choice(MAKERS)),
            ),
        )
        for name in random.sample(NAMES, count)
    ]


def _priced(goods: Sequence[Good], random: Random, form: str = "${}") -> list[Good]:
    return [replace(one, price=form.format(random.randint(15, 260))) for one in goods]


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
    because = (("Why it is here", BEFORE),)
    return (
        f"The 5 best {GOODS[number]}, tested",
        main,
        (replace(one, facts=one.facts + because) for one in goods),
        False,
    )


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
    return f"Best {GOODS[number]} under $99", main, goods, False


def kinds_before(random: Random, number: int) -> Made:
    """A kind and a colon before most names, and a table of the names alone."""
    goods = [replace(one, rank=rank) for rank, one in enumerate(_goods(random, 7), 1)]
    kinds = ("Hand lamp: ", "Hand lamp: ", "Table lamp: ", "", "Tree lamp: ", "Small tent lamp: ", "Boat lamp: ")
    main = "".join(
        f"<h3><b>{one.rank}. {kind}{one.name}</b></h3>{one.words}" for kind, one in zip(kinds, goods, strict=True)
    )
    lines = "".join(f"<tr><td>{one.name}</td>{''.join(f'<td>{v}</td>' for _, v in one.facts)}</tr>" for one in goods)
    heads = "".join(f"<th>{label}</th>" for label, _ in goods[0].facts)
    return f"7 best {GOODS[number]}", f"<table><tr><th>Lamp</th>{heads}</tr>{lines}</table>{main}", goods, False


def labels_in_line(random: Random, number: int) -> Made:
    """`Weight: 90 g | Maker: Ilva` in one line, a price in its own, and the award as a lower heading before the name."""
    goods = _priced(_goods(random, 5), random)
    main = "".join(
        f"<h3>{award}</h3><h2>{one.name}</h2><div>{one.price}</div>{one.words}<p>"
        + " | ".join(f"<strong>{label}:</strong> <em>{value}</em>" for label, value in one.facts)
        + "</p>"
        for award, one in zip(AWARDS, goods, strict=False)
    )
    return f"The best {GOODS[number]} of 2026, tried by our editors", f"<h2>Our list</h2>{main}", goods, False


def adverts_between(random: Random, number: int) -> Made:
    """An offer of the site's own between sections, as a heading of their level; pros and cons below lower ones."""
    goods = [
        replace(one, facts=(), good=(GOOD[n % 5], GOOD[n % 3 + 1]), bad=(BAD[n % 4],))
        for n, one in enumerate(_goods(random, 6))
    ]
    told = [
        replace(one, good=tuple(dict.fromkeys(one.good)), best_for=f"Best for {AWARDS[n].lower()}")
        for n, one in enumerate(goods)
    ]
    advert = (
        f"<div class=cta><div><h2>Find out what suits your tent</h2><p>{BEFORE}</p><a href=/quiz>Go</a></div></div>"
    )
    main = "".join(
        f"<h2>{one.name}: {one.best_for}</h2>{one.words}"
        f"<h3>Pros</h3><ul>{''.join(f'<li>{said}</li>' for said in one.good)}</ul>"
        f"<h3>Cons</h3><ul>{''.join(f'<li>{said}</li>' for said in one.bad)}</ul>{advert if n == number else ''}"
        for n, one in enumerate(told)
    )
    return f"6 best {GOODS[number]} for wet days", main, told, False


def bold_lines(random: Random, number: int) -> Made:
    """Bold paragraphs for headings, with a picture before or behind and an address at the end."""
    goods = [replace(one, rank=rank, facts=()) for rank, one in enumerate(_goods(random, 9), 1)]
    form = ("<p><b>{}. {}</b></p><p><img src=a.jpg></p>", "<p><img src=a.jpg alt=''></p><p><b>{}) {}</b></p>",
            "<p><b><img src=a.jpg>#{} {}</b></p>", "<div><strong>{}. {}</strong></div>")[number]  # fmt: skip
    main = "".join(
        f"{form.format(one.rank, one.name)}{one.words}<p><a href='https://{one.rank}.example'>{one.rank}.example</a></p>"
        for one in goods
    )
    return f"The top 9 makers of {GOODS[number]}", main, goods, False


def one_column_again(random: Random, number: int) -> Made:
    """Tables one below the other; the first column of each is the same names, in another order."""
    goods = _goods(random, 5)
    orders = [random.sample(goods, 5) if number % 2 else goods for _ in goods[0].facts]
    tables = "".join(
        f"<h3>{label}</h3><table><tr><td><b>Lamp</b></td><td><b>{label}</b></td></tr>"
        + "".join(f"<tr><td>{one.name}</td><td>{one.facts[place][1]}</td></tr>" for one in orders[place])
        + "</table>"
        for place, (label, _) in enumerate(goods[0].facts)
    )
    return f"{GOODS[number].capitalize()} compared", tables, orders[0], False


def title_names_three(random: Random, number: int) -> Made:
    """A title of three names over sections of five, with prices at shops."""
    goods = _priced(_goods(random, 5), random, "${} at Hutter")
    main = "".join(f"<h3>{one.name}</h3><p>{one.price}</p>{one.words}<ul>{_specs(one)}</ul>" for one in goods)
    title = " vs ".join(one.name for one in goods[:3])
    return f"{title}: which of the {GOODS[number]}?", f"<h2>All of them</h2>{main}", goods, False


def advice(random: Random, number: int) -> Made:
    """Numbered advice, parts of a lamp, or months, under a title that counts them or promises no goods."""
    heads = random.sample(("Mind the wick", "Look at the handle", "Weigh it yourself", "Read the small print"), 4)
    title = (
        "4 best tips for dry feet",
        "Top 4 ideas for a wet day",
        "4 habits that ruin lamps",
        "4 ways to a best camp",
    )
    return title[number], "".join(f"<h2>{n}. {head}</h2><p>{BEFORE}</p>" for n, head in enumerate(heads, 1)), (), False


def parts_of_one(random: Random, number: int) -> Made:
    """The best goods are promised; the sections are of parts, months, and questions, or the table is of a match."""
    heads = (
        ("Handle", "Glass", "Wick", "Base"),
        ("March", "April", "May", "June"),
        ("What is a lumen?", "How long do they burn?", "Which fuel is the best?", "Can I take it on a train?"),
    )
    if number == 3:
        lines = (("", "Rovers", "Albion"), ("Possession", "61%", "39%"), ("Shots", "14", "6"), ("Corners", "3", "8"))
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)
        return "Rovers vs Albion", f"<table>{body}</table>", (), True
    main = "".join(f"<h3>{head}</h3><p>{BEFORE} A good one has been chosen with care.</p>" for head in heads[number])
    return f"The best {GOODS[number]}: what to look for", main, (), True


LAYOUTS: tuple[Callable[[Random, int], Made], ...] = (
    key_specs, ornaments, kinds_before, labels_in_line, adverts_between, bold_lines, one_column_again, title_names_three,
    advice, parts_of_one,
)  # fmt: skip


def web_pages(seed: int = 0) -> Iterator[WebPage]:
    """Four pages of each layout."""
    for layout in LAYOUTS:
        for number in range(len(GOODS)):
            title, main, goods, is_told = layout(Random(f"{layout.__name__} {number} {seed}"), number)
            yield WebPage(layout.__name__, number, title, main, tuple(goods), is_told)


def digest_of(pages: Iterable[WebPage]) -> str:
    """SHA-256 of pages and keys."""
    total = sha256()
    for page in pages:
        total.update(f"{page.html}{page.goods}{page.is_told}".encode())
    return total.hexdigest()
