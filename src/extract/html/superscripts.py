"""Raised marks: a footnote's number is no part of the text before it, and no digit of a price."""

import re

from verdicts.extract.html.elements import Element
from verdicts.extract.html.tags import PHRASING

_MARK = re.compile(r"\[\w{1,3}\]|[*†‡§]{1,3}")
_NUMBERS = re.compile(r"\d{1,3}(?:\s?,\s?\d{1,3}){0,3}")
_NOTED = re.compile(r"(?:[^\W\d_][\w-]{0,38}[^\W\d_]|[%)])$")
"""What a footnote's number stands behind: a word, `99.9%`, `(beta)`. Behind a single letter it is a power: `x²`."""
_AMOUNT = re.compile(r"[$€£¥₹]\s?\d[\d.,]*?([.,]\d\d)?$")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

WORD_MAX = 40
"""Characters before a mark that are looked at."""
PARTS_MAX = 10
"""Elements and texts in a mark. What holds more is none."""


def resolve_superscripts(body: Element) -> None:
    """Takes the footnote marks out of a page's elements, and raises digits behind a digit: `$20¹` is not `$201`."""
    before = ""
    changed: dict[int, list[Element | str]] = {}
    stack: list[tuple[str, list[Element | str], int]] = [("body", body[2], 0)]
    while stack:
        tag, children, position = stack.pop()
        if tag not in PHRASING and position in {0, len(children)}:
            before = ""
        if position == len(children):
            continue
        stack.append((tag, children, position + 1))
        child = children[position]
        if isinstance(child, str):
            before = child
        elif child[0] == "sup" and (raised := raised_text(child, before)) is not None:
            children[position] = raised
            changed[id(children)] = children
            before = raised or before
        else:
            stack.append((child[0], child[2], 0))
    for children in changed.values():
        children[:] = _joined(children)


def raised_text(sup: Element, before: str) -> str | None:
    """What is read of a superscript behind a text instead of what it holds: nothing of a mark. None for any other."""
    text, has_link = superscript_text(sup)
    if has_link or _MARK.fullmatch(text):
        return ""
    if _NUMBERS.fullmatch(text) is None:
        return None
    if before[-1:].isdigit():
        return text.translate(_RAISED)
    return "" if _NOTED.search(before[-WORD_MAX:]) else None


def is_noted_amount(before: str, mark: str) -> bool:
    """Whether a number behind an amount is a footnote's: behind cents, or one digit. `$14<sup>99</sup>` is none."""
    amount = _AMOUNT.search(before[-WORD_MAX:])
    return amount is not None and (len(mark) == 1 or amount[1] is not None)


def superscript_text(sup: Element) -> tuple[str, bool]:
    """The text in a superscript, and whether a link is in it."""
    texts: list[str] = []
    has_link = False
    stack: list[Element | str] = [sup]
    for _ in range(PARTS_MAX):
        if not stack:
            return "".join(texts).strip(), has_link
        node = stack.pop()
        if isinstance(node, str):
            texts.append(node)
        else:
            has_link = has_link or node[0] == "a"
            stack += node[2][::-1]
    return "", False


def _joined(children: list[Element | str]) -> list[Element | str]:
    """With texts that stand side by side as one, and without empty ones."""
    joined: list[Element | str] = []
    texts: list[str] = []
    for child in (*children, None):
        if isinstance(child, str):
            texts.append(child)
            continue
        if text := "".join(texts):
            joined.append(text)
        texts.clear()
        if child is not None:
            joined.append(child)
    return joined
