"""Takes that have lost their reviewer: quotation marks hold them, one after the other."""

import re
from collections.abc import Iterator, Sequence

from verdicts.corpus.unicode_text import is_visible
from verdicts.extract.model.blocks import Block
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.model.records import Span, Take

_BULLET = re.compile(r"^(?:[-*•>–]|\d{1,3}[.)])\s")
"""What dumps put before the items of a list."""


def read_quoted(blocks: Sequence[Block], section: range, marks: Sequence[tuple[str, str]]) -> Iterator[Take]:
    """The takes in quotation marks, which may run over several lines. `marks` are pairs, opening and closing.

    Raises `PageRejected` where a mark is never closed (`truncated`) or nothing stands between two of them.
    """
    position = 0
    index = section.start
    while index < section.stop:
        start = _BULLET.sub("", blocks[index].text)
        pair = next((pair for pair in marks if start.startswith(pair[0])), None)
        if pair is None:
            index += 1
            continue
        last = index
        while not (blocks[last].text.endswith(pair[1]) and (last > index or len(blocks[last].text) > 1)):
            last += 1
            if last >= section.stop:
                raise PageRejected("truncated", f"the take that begins {blocks[index].text[:60]!r} is cut off")
        text = " ".join([start, *(block.text for block in blocks[index + 1 : last + 1])])[1:-1].strip()
        if not is_visible(text):
            raise PageRejected("incomplete_scorecard", "two quotation marks hold no words")
        yield Take(
            position=position,
            row=None,
            side=None,
            seat=None,
            score=None,
            verdict=None,
            text=text,
            span=Span(index, last),
        )
        position += 1
        index = last + 1


def without_quotation_marks(text: str, marks: Sequence[tuple[str, str]]) -> str:
    """A take without the marks around it. Marks that belong to its first and last words stay."""
    for opening, closing in marks:
        if text.startswith(opening) and text.endswith(closing) and text.count(opening) + text.count(closing) in {2, 4}:
            inner = text[1:-1]
            return inner if opening not in inner and closing not in inner else text
    return text
