"""HTML of pages: elements, and what stands around the main part on any site."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from builders.gallery.answers import Answer
from builders.gallery.facts import Shelf


@dataclass(frozen=True, slots=True)
class Page:
    """Title, HTML of the main part below its first heading, statements of the head, and the key."""

    title: str
    main: str
    answer: Answer
    head: str = ""


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


def row(cells: Sequence[str], name: str = "td") -> str:
    """A table row of cells whose content is HTML."""
    return tag("tr", *(tag(name, cell) for cell in cells))


def whole(page: Page, shelf: Shelf) -> tuple[str, Answer]:
    """The page as a site serves it, and its key with the site's furniture."""
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
