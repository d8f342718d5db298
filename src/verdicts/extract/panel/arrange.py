"""Arranges blocks for the grammar: a label and its value are two texts, and a value is one. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.texts import PERCENT, SHORT_MAX, TOOLS, PageWords, Texts, is_decoration

JOINTS = " ·•|,;:/"
"""Separators between stats in one text."""

BULLETED_SHARE = 0.6
"""From this share of lines on, bullets are everywhere in the dump and mean nothing."""

SPELLED_MIN, SPELLED_SHARE = 8, 0.9
"""From so many inline elements on, of which this share is single words, they are one text."""

_MARKED = re.compile(r"^#{1,6} |\*\*")
"""Headings and bold words of Markdown."""

_BULLET = re.compile(r"[-*•–>]\s+")


def arrange(blocks: Sequence[Block], words: PageWords, *, at_breaks: bool = False) -> Texts:
    """The blocks of an HTML page for the grammar. With `at_breaks` every forced line break ends a block."""
    lines: list[Block] = []
    for block in blocks:
        lines += _lines(block, words, at_breaks=at_breaks) if block.lines else (block,)
    joined = _joined(lines, words)
    texts = [part for block in joined for part in _parts(block, words) if not is_decoration(part.text, words)]
    return Texts(texts, words)


def dump_lines(lines: Sequence[Block], words: PageWords) -> Texts:
    """The texts of a dump in order, numbered by line.

    A line may hold several: the cells of a table row, a label with its value.
    """
    is_markdown = sum(line.text.startswith("## ") for line in lines) >= TOOLS
    is_bulleted = sum(_BULLET.match(line.text) is not None for line in lines) > BULLETED_SHARE * len(lines)
    texts: list[Block] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        plain = _BULLET.sub("", line.text, count=1) if is_bulleted else line.text
        if is_markdown:
            plain = _MARKED.sub("", plain).strip()
        for cell in _cells(plain, words):
            parts = _parts(Block(cell), words)
            texts += parts
            numbers += [number] * len(parts)
    return Texts(texts, words, numbers)


def _cells(line: str, words: PageWords) -> Sequence[str]:
    """`| Pricing | Free | $9/mo |` is a row of three cells."""
    cells = [cell.strip() for cell in line.strip("|").split("|")] if "|" in line else []
    if len(cells) > 1 and (fold(cells[0]) in words.decision_labels or line.startswith("|")):
        return [cell for cell in cells if cell and not {*cell} <= {*":- "}]
    return (line,)


def _lines(block: Block, words: PageWords, *, at_breaks: bool) -> Sequence[Block]:
    """`75%<br>Panel ship` is two texts; a description with a line break is one."""
    if not at_breaks and not any(PERCENT.fullmatch(text) or fold(text) in words.labels for text in block.lines):
        return (block,)
    return [*map(block.with_text, block.lines)]


def _joined(blocks: Sequence[Block], words: PageWords) -> list[Block]:
    """Inline elements side by side that are one text, as their neighbours show.

    `<b>75</b><i>%</i>`, an odometer's digits, `<b>Panel</b> <i>ship</i>`, and the words of an animation.
    """
    joined: list[Block] = []
    for _, run in groupby(blocks, key=lambda block: block.is_inline and block.path):
        group = [*run]
        if len(group) >= SPELLED_MIN and sum(" " not in block.text for block in group) > SPELLED_SHARE * len(group):
            joined.append(group[0].with_text(" ".join(block.text for block in group)))
            continue
        for block in group:
            whole = _whole(joined[-1], block, words) if joined else None
            if whole is None:
                joined.append(block)
            else:
                joined[-1] = joined[-1].with_text(whole)
    return joined


def _whole(before: Block, block: Block, words: PageWords) -> str | None:
    """Two texts as one; None if they are two."""
    is_beside = block.is_inline and before.is_inline and before.path == block.path
    if before.text.isdecimal() and (block.text == "%" or (is_beside and len(block.text) == 1 and block.text.isdigit())):
        return f"{before.text}{block.text}"
    spaced = f"{before.text} {block.text}"
    return spaced if is_beside and fold(spaced) in words.labels else None


def _parts(block: Block, words: PageWords) -> Sequence[Block]:
    """`Panel ship: 75%` is a label and a value; `75% Panel ship · Free Entry` two of each."""
    texts = _stats(block.text, words) if len(block.text) <= SHORT_MAX else ()
    return (block,) if len(texts) < 2 else [*map(block.with_text, texts)]


@lru_cache(maxsize=4096)
def _stats(text: str, words: PageWords) -> Sequence[str]:
    folded = text.casefold()
    if not any(label in folded for label in words.stats):
        return (text,)
    several = words.stats_in_a_row.split(text)
    if len(several) > 3 and words.panel_ship in map(fold, several):
        return tuple(stat for part in several if (stat := part.strip(JOINTS)))
    match = words.label_and_value.fullmatch(text)
    if match is not None and fold(text) not in words.stats and _is_stat(match[2], match[3], words):
        return (match[1], match[3].strip())
    match = words.value_and_label.fullmatch(text)
    if match is not None and _may_stand_before(match[1].strip(), match[2], words):
        return (match[1].strip(), match[2])
    return (text,)


def _may_stand_before(value: str, label: str, words: PageWords) -> bool:
    """`75% Panel ship`, `— Community` and `Free Entry` are values with their labels; `Free-form Entry` is not."""
    if fold(label) == words.entry:
        return fold(value) in words.entries
    return PERCENT.fullmatch(value) is not None or (bool(value) and value in words.no_value)


def _is_stat(joint: str, value: str, words: PageWords) -> bool:
    """`Entry: Free`, `EntryFree`, `Panel ship 75%` are; `Entry level`, `Entrypoint`, `Community vs Pricing` are not."""
    is_value = PERCENT.fullmatch(value.strip()) is not None or value.strip() in words.no_value
    return is_value or joint.strip() == ":" or (not joint and not value[:1].islower())
