"""A page as Lexbor writes it, piece by piece: a text, and the tag after it.

Walking Lexbor's own nodes takes three times as long as parsing its output. That is regular for every page: each
non-void element has an end tag, and `<` and `>` are escaped in texts and attribute values.
"""

import re
from collections.abc import Set
from typing import NamedTuple, TypeAlias

from verdicts.extract.html.elements import (
    MAY_BE_UNSEEN,
    PARTS_MAX,
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

Piece: TypeAlias = tuple[str, str, str, str | None]
"""A text; the tag of the element that begins after it, its attributes as written, and its content if that is one text
or nothing. The tag is END where an element ends, and empty behind a text alone."""

END = "/"

_ROLE_TAGS = frozenset(ROLES.values())

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
"""Lexbor ends each comment. Without `\\Z` each `<!--` of another text would be looked for its end up to the end."""


class Pieces(NamedTuple):
    """The pieces of an element, and by number of the piece where an inner one begins the piece where it ends."""

    pieces: list[Piece]
    ends: dict[int, int]

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
                number = self.ends.get(number, number)


_PICTURE = r"(svg)(?>(?: [^>]*+)?)>[^<]*+(?>(?:<(?:!--(?>.*?(?:-->|\Z))|(?!/?svg[ >]))[^<]*+)*)</svg>|"
"""Many pages have more elements in pictures than in all else: to walk them costs as much as all the rest."""
_PIECE = (
    r"([^<]*+)<(?:%s!--.*?(?:-->|\Z)|[!?][^>]*+>?+|/([^>]*+)>?+|([^ >]++) ?([^>]*+)>?+(?>(?:([^<]*+)(</)\4>)?))"
    r"|[^<]++"
)
"""The text before a tag, and the tag: a picture; an end tag with its name; or an element with name and attributes, also
with its text and `</` if it holds one text alone. `>` only ends a tag or a comment, but `<` may be in names:
`<div <b="">`. Lexbor ends each tag; `>?+` keeps the time linear for a text that does not, and `[^<]++`, which is no
piece, for a text without a tag after it."""
_WITH_PICTURES, _WITHOUT_PICTURES = (re.compile(_PIECE % one, re.DOTALL) for one in ("()", _PICTURE))


def pieces_of(written: str, unseen: Set[str] | None = None, *, opens: bool = False) -> Pieces:
    """The pieces of an element.

    With `unseen` they are those that a reader sees: without inner elements of these tags or hidden by their attributes,
    see `is_unseen`, and without footnote marks.
    """
    pieces: list[Piece] = []
    ends: dict[int, int] = {}
    begun: list[int] = []
    hides: dict[str, bool] = {}
    skipped = unseen or frozenset()
    cut = 0
    pattern = _WITHOUT_PICTURES if "svg" in skipped else _WITH_PICTURES
    for text, _, end, name, attributes, inner, has_end in pattern.findall(_without_comments(written)):
        # `<math><source>...</source></math>`: in mathematics these have content.
        if cut:
            cut += (not has_end and name not in VOID) if name else -(end not in VOID) if end else 0
            continue
        if "&" in text:
            text = unescaped(text)
        if name:
            tag, content = name, inner if has_end or name in VOID else None
            is_cut = name in skipped
            if attributes:
                if "role=" in attributes:
                    tag = ROLES.get((attribute(attributes, "role") or "").strip().lower(), name)
                if unseen is not None and attributes not in hides:
                    hides[attributes] = _hides(attributes, opens=opens)
                is_cut = is_cut or hides.get(attributes, False)
            if is_cut and begun:
                cut = content is None
                pieces.append((text, "", "", None))
                continue
            if content is None:
                begun.append(len(pieces))
            elif "&" in content:
                content = unescaped(content)
            pieces.append((text, tag, attributes, content))
        elif end and end not in VOID:
            ends[begun.pop()] = len(pieces)
            pieces.append((text, END, "", None))
        elif text:
            pieces.append((text, "", "", None))
    page = Pieces(pieces, ends)
    return _without_marks(page) if unseen is not None and "<sup" in written else page


def _hides(attributes: str, *, opens: bool) -> bool:
    return MAY_BE_UNSEEN.search(attributes) is not None and is_unseen(attributes_of(attributes), opens=opens)


def _without_marks(page: Pieces) -> Pieces:
    """The pieces with raised digits as such, and without superscripts that are footnote marks."""
    pieces: list[Piece] = []
    ends: dict[int, int] = {}
    begun: list[int] = []
    before = before_sup = ""
    for piece in page.pieces:
        text, tag, _, content = piece
        before, start, ended = text or before, len(pieces), tag
        if tag == END:
            start = begun.pop()
            ends[start], ended = len(pieces), pieces[start][1]
        elif tag:
            before, before_sup = before if tag in PHRASING else "", before if tag == "sup" else before_sup
            if content is None:
                begun.append(start)
        pieces.append(piece)
        if tag != END and content is None:
            continue
        before = content or before
        if ended != "sup" or len(pieces) - start > PARTS_MAX:
            before = before if ended in PHRASING else ""
            continue
        sup = element_of(Pieces([("", *pieces[start][1:]), *pieces[start + 1 :]], {}))
        raised = raised_text(sup, before_sup)
        if raised is not None:
            for number in range(start, len(pieces)):
                ends.pop(number, None)
            pieces[start:] = [(pieces[start][0] + raised, "", "", None)]
            before = raised or before_sup
    return Pieces(pieces, ends)


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
            # A link in the role of a row or a cell stays inside it.
            inside: list[Element | str] = [("a", attributes, within)] if is_linked(tag, attributes) else within
            children.append((tag, attributes, inside))
            if content is None:
                around.append(children)
                children = within
    (whole,) = outermost
    assert isinstance(whole, tuple)
    return whole


def is_linked(tag: str, attributes: str) -> bool:
    """Whether a part of a table is a link: `<a role="cell" href="/x">`."""
    return tag in _ROLE_TAGS and "role=" in attributes and attribute(attributes, "href") is not None
