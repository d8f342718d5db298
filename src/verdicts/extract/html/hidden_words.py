"""Marks the words within a line that a page's style sheets hide or strike: `$13<span class="was">$31</span>`.

Larger parts stay: a click, or a narrower window, shows them.
"""

import re
from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.html.elements import HIDDEN_STYLES, PHRASING, STRUCK_STYLE, squeeze_style

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SELECTOR = re.compile(
    r"(?:[a-z]\w{0,9} |[.#][a-z_][\w-]{0,99} ){0,3}(?:[a-z]\w{0,9})?[.#][a-z_][\w-]{0,99}", re.IGNORECASE
)
"""`td .gone`: an element with a class or an id, maybe in others."""
SELECTORS_MAX = 100
"""The most selectors of a page: each one searches the page."""


def hide_words(tree: LexborHTMLParser, styles: Sequence[str]) -> None:
    rules = [rule for style in styles for rule in _rules(_COMMENT.sub("", style))]
    shown = {name.split()[-1] for name, says, _ in rules if "display:" in says and not _hides(says)}
    hidden = [name for name, says, is_always in rules if is_always and _hides(says) and name.split()[-1] not in shown]
    nodes = tree.css(", ".join(hidden[:SELECTORS_MAX])) if hidden else []
    for node in nodes:
        if node.tag in PHRASING:
            node.attrs["hidden"] = ""


def _hides(says: str) -> bool:
    return any(word in says for word in (*HIDDEN_STYLES, STRUCK_STYLE))


def _rules(style: str) -> Iterator[tuple[str, str, bool]]:
    """Selectors that speak of display or strike, what they say, and whether always: not `@media print { ... }`."""
    depth = 0
    for chunk in style.split("}"):
        opened = chunk.count("{")
        names, _, rule = chunk.rpartition("{")
        says = squeeze_style(rule)
        if opened and ("display:" in says or _hides(says)):
            selectors = (" ".join(name.split()) for name in names.rpartition("{")[2].split(","))
            yield from ((name, says, depth + opened == 1) for name in selectors if _SELECTOR.fullmatch(name))
        depth = max(0, depth + opened - 1)
