"""Made articles, listicles, product pages and threads, with the text that is theirs and furniture around it."""

import random
from collections.abc import Callable
from typing import NamedTuple

SUBJECTS = "the kettle|a second battery|our old lathe|this editor|the small lamp|every gasket|the indexer|a night build"
VERBS = "held out for|was slower than|outlived|needed|went without|surprised us beside|cost less than|was returned with"
OBJECTS = "three winters|the one before|a new cable|any manual|two careful tests|the loud neighbour|a week of rain"
ENDS = "and nobody complained|so we kept it|which the label does not say|while the meter stood still|to our relief"
NAMES = "Aldern|Brisk|Corvane|Dunmore|Elwick|Fennel|Garrow|Hestia"
MENU = "Home|Shop|Guides|Contact|Sign in|Careers|Press|Terms of use|Privacy|Newsletter"
TEASERS = "Six hats for a windy pier|What a hinge can teach|Soup for twelve|The last tram home|A garden on a roof"


class MadePage(NamedTuple):
    """`text`: what a reader should give of `html`, and nothing else."""

    kind: str
    html: str
    text: str


def made_pages(count: int, seed: int) -> list[MadePage]:
    """So many pages of each of KINDS, the same for the same seed."""
    dice = random.Random(seed)
    return [_page(kind, make, dice) for kind, make in KINDS.items() for _ in range(count)]


def _page(kind: str, make: Callable[[random.Random], tuple[str, list[str]]], dice: random.Random) -> MadePage:
    main, texts = make(dice)
    menu = "".join(f'<li><a href="/{n}">{_one(dice, MENU)}</a></li>' for n in range(dice.randint(5, 12)))
    card = dice.choice(['<div class="card">{}</div>', '<article class="teaser">{}</article>'])
    teasers = "".join(
        card.format(f'<a href="/t/{n}"><h4>{_one(dice, TEASERS)}</h4></a><p>{_sentence(dice)} {_sentence(dice)}</p>')
        for n in range(dice.randint(2, 6))
    )
    holder = dice.choice(["<main>{}</main>", '<div id="content">{}</div>', '<div class="wrap"><div>{}</div></div>'])
    html = (
        f"<!doctype html><html lang=en><head><title>{texts[0]}</title></head><body><header><nav><ul>{menu}</ul></nav>"
        f'</header>{holder.format(main)}<aside class="related"><h3>More to read</h3>{teasers}</aside>'
        f"<footer><p>All rights reserved. {_one(dice, MENU)} | {_one(dice, MENU)}</p></footer></body></html>"
    )
    return MadePage(kind, html, "\n".join(texts))


def _article(dice: random.Random) -> tuple[str, list[str]]:
    parts = [("h1", _title(dice))]
    for _ in range(dice.randint(2, 5)):
        parts += [("p", _paragraph(dice)) for _ in range(dice.randint(1, 4))]
        parts.append(("h2", _title(dice)))
    parts.append(("p", _paragraph(dice)))
    return _marked(parts, dice.choice(["<article>{}</article>", "<div>{}</div>"]))


def _listicle(dice: random.Random) -> tuple[str, list[str]]:
    names = dice.sample(NAMES.split("|"), dice.randint(4, 8))
    parts = [("h1", f"{len(names)} best {_title(dice).lower()}"), ("p", _paragraph(dice))]
    heading = dice.choice(["h2", "h3"])
    for number, name in enumerate(names, start=1):
        parts += [(heading, f"{number}. {name}"), ("p", _sentence(dice))]
        parts += [("li", f"{dice.choice(['Pro', 'Con'])}: {_sentence(dice)}") for _ in range(dice.randint(0, 3))]
    return _marked(parts, "<div>{}</div>")


def _product(dice: random.Random) -> tuple[str, list[str]]:
    parts = [("h1", f"{_one(dice, NAMES)} {dice.randint(100, 900)}"), ("div", f"${dice.randint(9, 400)}.00")]
    parts += [("div", _sentence(dice)) for _ in range(dice.randint(1, 3))]
    parts += [("li", _sentence(dice)) for _ in range(dice.randint(3, 7))]
    parts += [("td", f"{_one(dice, NAMES)} {dice.randint(1, 90)} mm") for _ in range(dice.randint(0, 6))]
    return _marked(parts, '<div class="product">{}</div>')


def _thread(dice: random.Random) -> tuple[str, list[str]]:
    parts = [("h1", f"Does {_one(dice, SUBJECTS)} last?")]
    parts += [("div", _paragraph(dice)) for _ in range(dice.randint(3, 9))]
    return _marked(
        parts, '<div class="topic">{}</div>', around='<div class="post"><b>{name}</b>{part}<i>Reply</i></div>'
    )


KINDS: dict[str, Callable[[random.Random], tuple[str, list[str]]]] = {
    "article": _article,
    "listicle": _listicle,
    "product": _product,
    "thread": _thread,
}
"""The kinds of pages, each with what makes its main part and the texts in it."""


def _marked(parts: list[tuple[str, str]], holder: str, around: str = "{part}") -> tuple[str, list[str]]:
    """The parts in their tags; the writer and the button of a post are furniture."""
    wrap = {"li": "<ul><li>{}</li></ul>", "td": "<table><tr><td>{}</td></tr></table>"}
    html = ""
    for number, (tag, text) in enumerate(parts):
        part = wrap.get(tag, f"<{tag}>{{}}</{tag}>").format(text)
        html += part if number == 0 else around.format(part=part, name=NAMES.split("|")[number % 8])
    return holder.format(html), [text for _, text in parts]


def _one(dice: random.Random, words: str) -> str:
    return dice.choice(words.split("|"))


def _title(dice: random.Random) -> str:
    return f"{_one(dice, SUBJECTS)} beside {_one(dice, OBJECTS)}".capitalize()


def _sentence(dice: random.Random) -> str:
    words = f"{_one(dice, SUBJECTS)} {_one(dice, VERBS)} {_one(dice, OBJECTS)} {_one(dice, ENDS)}"
    return f"{words.capitalize()}, on day {dice.randint(1, 900)}."


def _paragraph(dice: random.Random) -> str:
    return " ".join(_sentence(dice) for _ in range(dice.randint(2, 5)))
