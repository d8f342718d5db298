"""Lines of a text dump that hold several texts of the page, taken apart: rows of a table, a label with its value."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.arrange import parts
from verdicts.extract.panel.words.page_words import PageWords

_BULLET = re.compile(r"[-*•–>]\s+")
BULLETED_SHARE = 0.6
"""Share of lines with a bullet from which on the dump has them everywhere, and they say nothing."""


def dump_lines(lines: Sequence[Block], words: PageWords) -> tuple[list[Block], list[int]]:
    """The texts in order, and for each the number of the line it stands on."""
    is_bulleted = sum(_BULLET.match(line.text) is not None for line in lines) > BULLETED_SHARE * len(lines)
    texts: list[Block] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        plain = replace(line, text=_BULLET.sub("", line.text, count=1)) if is_bulleted else line
        for cell in _cells(plain, words):
            for part in parts(cell, words):
                texts.append(part)
                numbers.append(number)
    return texts, numbers


def _cells(line: Block, words: PageWords) -> Iterator[Block]:
    """`| Pricing | Free | $9/mo |` is a row of three cells."""
    cells = [cell.strip() for cell in line.text.strip("|").split("|")] if "|" in line.text else []
    if len(cells) > 1 and (fold(cells[0]) in words.decision_labels or line.text.startswith("|")):
        yield from (Block(cell) for cell in cells if cell and not set(cell) <= set(":- "))
    else:
        yield line
