"""The text of markup, as a browser shows it."""

import re
from html.parser import HTMLParser

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
