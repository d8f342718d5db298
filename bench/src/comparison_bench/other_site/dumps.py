"""Pages as the two text dumps that are known of the site: `quotes` and `innertext`."""

import re
from html.parser import HTMLParser

from comparison_bench.other_site.page import CardView, Cell, Grid, Notice, Page, Part, Row, html_of

BLOCKS = frozenset(
    (
        "aside",
        "blockquote",
        "br",
        "details",
        "div",
        "form",
        "h2",
        "h3",
        "h4",
        "li",
        "nav",
        "p",
        "section",
        "summary",
        "ul",
    )
)
"""Elements that begin a line."""

VOID = frozenset({"br", "hr", "img", "input", "path"})


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_hidden = "hidden" in given or tag in ("svg", "style", "script") or given.get("role") == "tooltip"
        if tag not in VOID and (self.hidden or is_hidden):
            self.hidden += 1
        if tag in BLOCKS:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= 1 if self.hidden and tag not in VOID else 0
        if tag in BLOCKS:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.words.append(data)


def lines_of(html: str) -> list[str]:
    """The lines that a browser shows of some markup."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (re.sub(r"[ \t\r]+", " ", line).strip(" ") for line in "".join(reader.words).split("\n"))
    return [line for line in lines if line]


def line_of(html: str) -> str:
    return " ".join(lines_of(html))


RELATED = "Related tools"
READERS = "Reader reviews"
INTRO = "Which one should you ship with? Both panels, side by side."


def quotes_dump(page: Page) -> str:
    """One line a text, none blank. No chip, no Decision table, no heads; a missing take leaves no trace."""
    lines = ["AI tool comparison", page.title, INTRO, *_blocks(page, "before cards")]
    lines += [line for card in page.cards for line in _quoted_card(card)]
    lines += [*_blocks(page, "after cards"), *_blocks(page, "after decision"), "Reviewer scorecard"]
    for row in (row for grid in page.scorecard for row in grid.rows if isinstance(row, Row)):
        lines += [f"“{line_of(html_of(cell, 'text'))}”" for cell in row.cells if cell.take is not None]
    lines += _blocks(page, "after scorecard")
    lines += [RELATED, *(line for card in page.related for line in _quoted_card(card))] if page.related else []
    return "\n".join([*lines, *(line for line in page.closing if "ookmarks" not in line)]) + "\n"


def innertext_dump(page: Page) -> str:
    """Paragraphs with blank lines between, the Decision table in groups of three lines."""
    paragraphs = [f"Compare/{page.title}", "AI tool comparison", page.title, INTRO, *_blocks(page, "before cards")]
    sections = {
        "cards": [line for card in page.cards for line in _shown_card(card)],
        "decision": [_decision(grid) for grid in page.decision],
        "scorecard": ["Reviewer scorecard", *(_scorecard(grid) for grid in page.scorecard)],
    }
    for name in page.sections:
        paragraphs += [*sections[name], *_blocks(page, f"after {name}")]
    if page.readers is not None:
        paragraphs += [READERS, _scorecard(page.readers)]
    paragraphs += [RELATED, *(line for card in page.related for line in _shown_card(card))] if page.related else []
    return "\n\n".join([*paragraphs, *page.closing, f"{page.title}: Which AI Tool Should You Ship? — Ship or Skip"])


def _blocks(page: Page, place: str) -> list[str]:
    return [line for where, html in page.blocks if where == place for line in lines_of(html)]


def _quoted_card(card: CardView) -> list[str]:
    stats = [line_of(text) for stat in card.stats for text in (stat.value, stat.label)]
    return [*map(line_of, (card.category, card.name, card.tagline)), *stats, line_of(card.description)]


def _shown_card(card: CardView) -> list[str]:
    """The community's label has no line before it while there are no votes."""
    stats = [line_of(text) for stat in card.stats for text in (stat.value, stat.label) if text != "—"]
    before = [*map(line_of, (card.monogram, card.category, card.name, card.tagline)), *lines_of(card.before_chip)]
    return [*before, line_of(card.chip), *stats, line_of(card.description), *lines_of(card.inside)]


def _decision(grid: Grid) -> str:
    lines = ["Decision", *map(line_of, grid.heads or ())]
    for row in grid.rows:
        if isinstance(row, Notice):
            lines += lines_of(row.html)
            continue
        lines.append(" ".join(line_of(part.html) for part in row.label))
        lines += [" ".join(line_of(part.html) for part in cell.parts) for cell in row.cells]
    return "\n".join(lines)


def _scorecard(grid: Grid) -> str:
    text = ""
    for row in grid.rows:
        if isinstance(row, Notice):
            text += "".join(f"{line}\n\n" for line in lines_of(row.html))
            continue
        text += "".join(f"{line}\n" for part in row.label for line in lines_of(part.html))
        text += "".join(_cell(cell) for cell in row.cells if not cell.is_absent)
    return text.rstrip("\n")


def _cell(cell: Cell) -> str:
    return "".join(_part(part) for part in cell.parts)


def _part(part: Part) -> str:
    """A missing take and a reviewer have no blank line after them."""
    end = "\n" if part.role == "missing" else "\n\n"
    return "".join(line + end for line in lines_of(part.html))
