"""A page as Lexbor writes it, piece by piece: a text, and the tag after it.

Walking Lexbor's own nodes takes three times as long as parsing its output. That is regular for every page: each
non-void element has an end tag, and `<` and `>` are escaped in texts and attribute values.
"""

import re
from collections.abc import Set
from typing import NamedTuple, TypeAlias

from verdicts.extract.html.elements import (
    MAY_BE_UNSEEN,
    PHRASING,
    ROLES,
    VOID,
    Element,
    attribute,
    attributes_of,
    is_unseen,
    raised_text,
    unescaped,
)

MARK_MAX = 10
"""The most pieces of a footnote mark."""

Piece: TypeAlias = tuple[str, str, str, str | None]
"""A text; the tag of the element that begins after it, its attributes as written, and its content if that is one text
or nothing. The tag is END where an element ends, and empty behind a text alone."""

END = "/"

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Pieces(NamedTuple):
    """The pieces of an element, and for each one the piece where its element ends: itself, if it has the content."""

    pieces: list[Piece]
    ends: list[int]

    def children(self, start: int) -> list[str | int]:
        """The texts and the elements in an element that does not end where it begins; never two texts side by side."""
        children: list[str | int] = []
        number = start
        while True:
            number += 1
            text, tag, _, _ = self.pieces[number]
            if text:
                before = children.pop() if children and isinstance(children[-1], str) else ""
                children.append(f"{before}{text}")
            if number == self.ends[start]:
                return children
            if tag:
                children.append(number)
                number = self.ends[number]


_PICTURE = r"(svg)(?: [^>]*+)?+>[^<]*+(?:<(?:!--(?>.*?-->)|(?!/?svg[ >]))[^<]*+)*+</svg>|"
"""Many pages have more elements in pictures than in all else: to walk them costs as much as all the rest."""
_PIECE = r"([^<]*+)<(?:%s!--.*?-->|[!?][^>]*+>|/([^>]*+)>|([^ >]++) ?([^>]*+)>(?:([^<]*+)(</)\4>)?+)"
"""The text before a tag, and the tag: a picture; an end tag with its name; or an element with name and attributes, also
with its text and `</` if it holds one text alone. `>` only ends a tag or a comment, but `<` may be in names:
`<div <b="">`."""
_WITH_PICTURES, _WITHOUT_PICTURES = (re.compile(_PIECE % one, re.DOTALL) for one in ("()", _PICTURE))


def pieces_of(written: str, unseen: Set[str] | None = None, *, opens: bool = False) -> Pieces:  # noqa: PLR0912, PLR0915  a call a piece costs as much
    """The pieces of an element.

    With `unseen` they are those that a reader sees: without inner elements of these tags or hidden by their attributes,
    see `is_unseen`, and without footnote marks.
    """
    pieces: list[Piece] = []
    ends: list[int] = []
    begun: list[int] = []
    in_cells: set[int] = set()
    hides: dict[str, bool] = {"": False}
    has_marks = unseen is not None and "<sup" in written
    before = before_sup = ""
    cut = 0
    pattern = _WITH_PICTURES if unseen is None or "svg" not in unseen else _WITHOUT_PICTURES
    for text, _, end, name, attributes, inner, has_end in pattern.findall(_without_comments(written)):
        # `<math><source>...</source></math>`: in mathematics these have content.
        is_whole = has_end or name in VOID
        if cut:
            cut += (not is_whole) if name else -(end not in VOID) if end else 0
            continue
        if "&" in text:
            text = unescaped(text)
        number = len(pieces)
        tag = name
        if name and unseen is not None and begun:
            hidden = hides.get(attributes)
            if hidden is None:
                may_be = MAY_BE_UNSEEN.search(attributes) is not None
                hidden = hides[attributes] = may_be and is_unseen(attributes_of(attributes), opens=opens)
            if hidden or name in unseen:
                cut, tag = not is_whole, ""
        if tag:
            if "role=" in attributes:
                tag = ROLES.get((attribute(attributes, "role") or "").strip().lower(), name)
                if tag != name == "a":
                    # A link in this role stays inside the cell.
                    pieces.append((text, tag, attributes, None))
                    ends.append(number)
                    begun.append(number)
                    number, text, tag = number + 1, "", name
                    in_cells.add(number)
            if is_whole:
                pieces.append((text, tag, attributes, unescaped(inner) if "&" in inner else inner))
            else:
                pieces.append((text, tag, attributes, None))
                begun.append(number)
            ends.append(number)
        elif end and end not in VOID:
            number, tag = begun.pop(), end
            ends[number] = len(pieces)
            pieces.append((text, END, "", None))
            ends.append(len(ends))
        elif text:
            pieces.append((text, "", "", None))
            ends.append(number)
        if in_cells and number in in_cells and (end or is_whole):
            ends[begun.pop()] = len(pieces)
            pieces.append(("", END, "", None))
            ends.append(len(ends))
        if has_marks:
            before = text or before
            if name == "sup" and tag:
                before_sup = before
            if name:
                before = before if name in PHRASING else ""
            if name and is_whole:
                before = inner or before
            if tag == "sup" and (end or is_whole):
                raised = raised_text(*_said(pieces[number:]), before_sup)
                if raised is not None:
                    whole = pieces[number][0] + raised
                    del pieces[number:], ends[number:]
                    pieces.append((whole, "", "", None))
                    ends.append(number)
                    before = raised or before_sup
            elif (end or is_whole) and tag not in PHRASING:
                before = ""
    return Pieces(pieces, ends)


def _said(pieces: list[Piece]) -> tuple[str, bool]:
    """The text of a superscript of few pieces, and whether it has a link."""
    if len(pieces) > MARK_MAX:
        return "", False
    texts = [pieces[0][3] or "", *(f"{text}{content or ''}" for text, _, _, content in pieces[1:])]
    return "".join(texts).strip(), any(tag == "a" for _, tag, _, _ in pieces)


def _without_comments(written: str) -> str:
    """What stands on both sides of a comment is one text. A page with `<` in names is left as it is."""
    left = _COMMENT.sub("", written) if "<!--" in written else written
    return left if left is written or left.count("<") == left.count(">") else written


def element_of(pieces: Pieces) -> Element:
    """The element with all that is in it."""
    outermost: list[Element | str] = []
    children = outermost
    around: list[list[Element | str]] = []
    texts: list[str] = []
    for text, tag, attributes, content in pieces.pieces:
        if text:
            texts.append(text)
        if tag and texts:
            children.append(texts[0] if len(texts) == 1 else "".join(texts))
            texts = []
        if tag == END:
            children = around.pop()
        elif tag:
            within: list[Element | str] = [content] if content else []
            children.append((tag, attributes, within))
            if content is None:
                around.append(children)
                children = within
    (element,) = outermost
    assert isinstance(element, tuple)
    return element
