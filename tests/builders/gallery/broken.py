"""Pages that contradict themselves: what cannot be known must be told."""

from dataclasses import replace

from builders.gallery.answers import Answer
from builders.gallery.facts import Shelf, Turn, shelf
from builders.gallery.listicles import closing, list_answer, section
from builders.gallery.markup import Page, paragraphs, tag, text
from builders.gallery.stated import as_stated, product, script, shown


def broken_list(turn: Turn) -> tuple[Shelf, Page]:
    """A title that promises one section more, two less, or a list in which a number is missing."""
    at = shelf("broken_list", turn, 6)
    ranks = [1, 2, 3, 5, 6, 7] if turn.form == 2 else [*range(1, 7)]
    title = at.title("uncounted") if turn.form == 2 else f"The {(7, 4)[turn.form]} best {at.subject} in 2026"
    parts = [section(tool, at, f"{rank}. {tool.name}") for tool, rank in zip(at.tools, ranks, strict=True)]
    answer = replace(list_answer(at, ranks), breaks=("ranks_with_gap" if turn.form == 2 else "another_count",))
    return at, Page(title, "\n".join((paragraphs(at.intro), *parts, closing(at))), answer)


def statements_differ(turn: Turn) -> tuple[Shelf, Page]:
    """A price that two scripts differ in, a rating or a price that the text has otherwise."""
    at = shelf("statements_differ", turn, 2)
    first, second = at.tools
    stated, texts = [product(first), product(second)], [shown(first), shown(second)]
    if turn.form == 0:
        stated.append({"@type": "Product", "name": first.name, "offers": {"price": "77", "priceCurrency": "USD"}})
    elif turn.form == 1:
        texts[0] = texts[0].replace(f"{first.rating}/5", "1.4/5")
    else:
        texts[0] = texts[0].replace(f"${first.amount}", "$77")
        if first.amount == second.amount:
            texts[1] = texts[1].replace(f"${second.amount}", "nothing that we could find")
    parts = [
        tag("h2", text(tool.name)) + paragraphs([*tool.prose, words])
        for tool, words in zip(at.tools, texts, strict=True)
    ]
    tools = list(as_stated(at.tools))
    tools[0] = replace(tools[0], rating=None) if turn.form == 1 else replace(tools[0], price=None)
    head = "".join(script({"@context": "https://schema.org", **one}) for one in stated)
    prose = (*at.intro, *(words for tool in at.tools for words in tool.prose), *texts)
    answer = Answer("compares", tuple(tools), breaks=("statements_differ",), prose=prose)
    return at, Page(at.title("versus"), "\n".join((paragraphs(at.intro), *parts, closing(at))), answer, head)


BROKEN = (broken_list, statements_differ)
