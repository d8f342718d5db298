"""Tools on cards whose prices and ratings have no label."""

from builders.gallery.answers import Answer, AnsweredTool
from builders.gallery.facts import Shelf, Turn, shelf
from builders.gallery.listicles import closing
from builders.gallery.markup import Page, paragraphs, tag, text

_CHECK = '<svg class="h-5 w-5" aria-hidden="true"><path d="M5 13l4 4L19 7"/></svg>'


def pricing_columns(turn: Turn) -> tuple[Shelf, Page]:
    """`Alpha vs Beta vs Gamma`: three cards beside each other, the price in large figures."""
    at = shelf("pricing_columns", turn, 3)
    cards = []
    for tool in at.tools:
        price = tag(
            "p", tag("span", f"${tool.amount}", class_="text-4xl font-bold"), tag("span", "/mo", class_="text-sm")
        )
        kept = at.random.sample(at.words["features"], 3 + turn.form)
        listed = tag("ul", *(tag("li", _CHECK, tag("span", text(feature))) for feature in kept))
        button = tag("a", "Start", href=tool.address, class_="rounded-md")
        cards.append(tag("div", tag("h3", text(tool.name)), price, listed, button, class_="rounded-3xl p-8"))
    grid = tag("div", *cards, class_="grid grid-cols-3 gap-8")
    tools = tuple(AnsweredTool(tool.name, price=f"${tool.amount}/mo") for tool in at.tools)
    main = "\n".join((paragraphs(at.intro[:2]), grid, closing(at)))
    return at, Page(at.title("versus"), main, Answer("compares", tools, prose=tuple(at.intro[:3])))


def product_boxes(turn: Turn) -> tuple[Shelf, Page]:
    """A box a tool as page builders make them; names are numbered on the second and third page."""
    at = shelf("product_boxes", turn, 5)
    boxes = []
    for rank, tool in enumerate(at.tools, start=1):
        heading = f"{rank}. {tool.name}" if turn.form else tool.name
        stars = tag("div", tag("span", "★★★★☆", aria_hidden="true"), tag("span", f"{tool.rating}/5"), class_="stars")
        price = tag("div", tag("span", f"${tool.amount}/mo"), class_="elementor-price")
        visit = tag("a", tag("span", text(f"Visit {tool.name}")), href=tool.address, class_="elementor-button")
        parts = (tag("h3", text(heading)), stars, paragraphs(tool.prose), price, visit)
        boxes.append(tag("div", tag("div", *parts, class_="elementor-widget-container"), class_="elementor-element"))
    tools = tuple(
        AnsweredTool(tool.name, rank if turn.form else None, f"${tool.amount}/mo", f"{tool.rating}/5")
        for rank, tool in enumerate(at.tools, start=1)
    )
    prose = (*at.intro, *(words for tool in at.tools for words in tool.prose))
    main = "\n".join((paragraphs(at.intro), *boxes, closing(at)))
    return at, Page(at.title("listing"), main, Answer("compares", tools, prose=prose))


CARDS = (pricing_columns, product_boxes)
