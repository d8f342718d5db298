"""Takes that have lost their reviewer: quotation marks hold them, one after the other."""

from collections.abc import Iterator, Sequence

from extract.model.blocks import Block
from extract.model.errors import PageRejected
from extract.model.records import Span, Take
from extract.panel.labels import QUOTED


def read_quoted(blocks: Sequence[Block], section: range) -> Iterator[Take]:
    """Quotation marks hold a take, over several lines where need be. They stand in pairs around the whole of it.

    Raises `PageRejected` (`truncated`) where one is never closed.
    """
    position = 0
    index = section.start
    while index < section.stop:
        marks = next((pair for pair in QUOTED if blocks[index].text.startswith(pair[0])), None)
        if marks is None:
            index += 1
            continue
        last = index
        while not (blocks[last].text.endswith(marks[1]) and (last > index or len(blocks[last].text) > 1)):
            last += 1
            if last >= section.stop:
                raise PageRejected("truncated", f"the take that begins {blocks[index].text[:60]!r} is cut off")
        text = " ".join(blocks[at].text for at in range(index, last + 1))
        yield Take(
            position=position,
            row=None,
            side=None,
            seat=None,
            score=None,
            verdict=None,
            text=text[1:-1].strip(),
            span=Span(index, last),
        )
        position += 1
        index = last + 1
