"""The texts of a page, their elements, and the labels that own them. Pure.

Other code refers to texts by number. A label owns what stands in its row, else in its column, else in the closest
element around both, else what follows it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence, Set
from functools import cached_property, lru_cache
from itertools import groupby

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, count_shared_depth, fold
from verdicts.extract.model.records import Doubt, Span
from verdicts.extract.panel.profile import PERCENT, PageWords

TOOLS = len(SIDES)

SHORT_MAX = 60
"""The most characters of a label, a head, a category or a remark; descriptions and takes are longer.

`12 people found this helpful`, `88/100 · ship Verified reviewer`, `The panel has not reviewed this one yet`.
"""

SHOWN_MAX = 200
"""Characters of an unread text in a doubt."""


class Texts(tuple[Block, ...]):
    """The texts of a page, or of a part of it, in order. Other code refers to them by number.

    `numbers` are those of the page's blocks that they come from; spans count these.
    """

    words: PageWords
    numbers: Sequence[int]
    _elements: dict[tuple[int, int], range]
    """The blocks of elements, by depth and number."""

    def __new__(cls, blocks: Iterable[Block], words: PageWords, numbers: Sequence[int] | None = None) -> "Texts":
        made = super().__new__(cls, blocks)
        made.words, made._elements = words, {}
        made.numbers = range(len(made)) if numbers is None else numbers
        return made

    def part(self, kept: Iterable[int]) -> "Texts":
        kept = [*kept]
        part = Texts((self[index] for index in kept), self.words, [self.numbers[index] for index in kept])
        part.folded = [self.folded[index] for index in kept]
        return part

    def span(self, indices: Sequence[int]) -> Span:
        numbers = indices if isinstance(self.numbers, range) else [*map(self.numbers.__getitem__, indices)]
        return Span(min(numbers), max(numbers))

    @cached_property
    def folded(self) -> Sequence[str]:
        return [fold(block.text) for block in self]

    @cached_property
    def paths(self) -> Sequence[tuple[int, ...]]:
        return [block.path for block in self]

    def element(self, index: int, depth: int) -> range:
        """From the first to the last block of the element at this depth around a block."""
        paths, number = self.paths, self.paths[index][depth - 1]
        element = self._elements.get((depth, number))
        if element is None:
            first, stop = index, index + 1
            while first and paths[first - 1][depth - 1 : depth] == (number,):
                first -= 1
            while stop < len(paths) and paths[stop][depth - 1 : depth] == (number,):
                stop += 1
            element = self._elements[depth, number] = range(first, stop)
        return element

    def widest_element(self, anchor: int, others: Sequence[int]) -> range | None:
        """The blocks of the widest element with `anchor` and none of the `others` (sorted), if there is one."""
        path, depth = self.paths[anchor], 0
        # Those next to it share the most: the texts are in the order of the page.
        before = bisect_left(others, anchor) - 1
        behind = bisect_right(others, anchor, before + 1)
        if before >= 0:
            depth = count_shared_depth(path, self.paths[others[before]])
        if behind < len(others):
            depth = max(depth, count_shared_depth(path, self.paths[others[behind]]))
        return self.element(anchor, depth + 1) if depth < len(path) else None

    def is_percent(self, index: int) -> bool:
        return PERCENT.fullmatch(self[index].text) is not None

    def is_boilerplate(self, index: int) -> bool:
        """Whether a text says nothing about the tools: an empty text, a button, `Visit site`, an advert's label."""
        block = self[index]
        if not block.text or block.is_control or block.text in self.words.no_value:
            return True
        return len(block.text) <= SHORT_MAX and _is_boilerplate(block.text, self.words)

    def hangs_on_take(self, index: int) -> bool:
        """A button, a badge, `Share · Report`, `12 found this helpful`, `Sponsored`."""
        block = self[index]
        if block.is_control or not block.text:
            return True
        is_long = len(block.text) > SHORT_MAX
        return self.is_advert(index) if is_long else _hangs(block.text, self.words)

    def is_more(self, index: int) -> bool:
        """`Read more`: it heads the rest of a text."""
        return self.folded[index] in self.words.links

    def is_advert(self, index: int) -> bool:
        """`Sponsored`, `Ad · Try this`."""
        return self.words.advert.match(self[index].text) is not None

    def without_adverts(self, left: Sequence[int]) -> list[int]:
        """Removes adverts, and all texts of elements that begin with an advert's label."""
        cut: set[int] = set()
        for index in left:
            if len(self[index].text) <= SHORT_MAX and self.is_advert(index):
                element = self.element(index, len(self[index].path)) if self[index].path else range(0)
                cut |= {index, *(element if element.start == index and set(element) <= set(left) else ())}
        return [index for index in left if index not in cut]

    def doubt_unread(self, left: Iterable[int], side: Side | None, known: Iterable[str], where: str) -> list[Doubt]:
        """A doubt for each run of texts in `left` that is neither boilerplate nor in `known`."""
        unread = self.without_adverts([*left])
        if not unread:
            return []
        repeated = {fold(text.strip()) for text in known} | self.words.closing_lines
        runs: list[list[int]] = []
        for index in unread:
            if self.folded[index] in repeated or self.is_boilerplate(index):
                continue
            if not runs or index > runs[-1][-1] + 1:
                runs.append([])
            runs[-1].append(index)
        joined = [" / ".join(self[index].text for index in run) for run in runs]
        cut = [text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 3]}..." for text in joined]
        return [Doubt("unread_text", side, where, text) for text in cut]


@lru_cache(maxsize=8192)
def _is_boilerplate(text: str, words: PageWords) -> bool:
    is_named = fold(text) in words.links or words.advert.fullmatch(text) is not None
    return is_named or words.boilerplate.fullmatch(text) is not None or is_decoration(text, words)


@lru_cache(maxsize=8192)
def _hangs(text: str, words: PageWords) -> bool:
    is_sign = not any(character.isalnum() for character in text)
    is_named = fold(text) in words.badges or words.boilerplate.fullmatch(text) is not None
    return is_sign or is_named or words.advert.match(text) is not None


def is_decoration(text: str, words: PageWords) -> bool:
    """`★`, `New`, `Sponsored`: attached to facts, but no fact."""
    if not text or len(text) > words.badge_max:
        return False
    is_symbol = len(text) <= 3 and text != "/" and not any(character.isalnum() for character in text)
    return fold(text) in words.badges or (is_symbol and text not in words.no_value)


def is_monogram(text: str, name: str) -> bool:
    """The card's picture: the first letter of its name."""
    return len(text) == 1 and text.casefold() == name[:1].casefold()


class Labels:
    """Labels of one kind among the texts of a page: rows, columns, reviewers, tools or heads of takes.

    `own_behind`: where no element decides, a label owns what stands before it. `are_rows`: a label with an element of
    its own owns nothing outside.
    """

    def __init__(
        self, texts: Texts, numbers: Iterable[int], *, own_behind: bool = False, are_rows: bool = False
    ) -> None:
        self.texts, self.numbers = texts, sorted({*numbers})
        self.own_behind, self.are_rows = own_behind, are_rows
        self.has_guessed = False
        """Whether only their order decided the owner of some text."""
        self._rows: dict[int, dict[int, list[tuple[int, int]]]] = {}
        """By table and row, the column and the number of each label."""
        for number in self.numbers:
            if (cell := texts[number].cell) is not None:
                self._rows.setdefault(cell.table, {}).setdefault(cell.row, []).append((cell.column, number))

    @cached_property
    def _rows_with_texts(self) -> Set[tuple[int, int]]:
        """Rows with other texts: their only label owns nothing below them."""
        labels = {*self.numbers}
        others = (block.cell for at, block in enumerate(self.texts) if block.text and at not in labels)
        return {cell[:2] for cell in others if cell is not None}

    def find_owner(self, index: int) -> int | None:
        """The number of the label that owns a text; None if no label does."""
        owner = self._owner_in_table(index)
        return self._owner_in_element(index) if owner is None else owner

    def _owner_in_table(self, index: int) -> int | None:
        """The label to the left, else in the nearest row of labels above, else to the right or below.

        A label over several columns counts in all of them. Labels in the text's own cell are no heads of it.
        """
        cell = self.texts[index].cell
        rows = self._rows.get(cell.table) if cell is not None else None
        if cell is None or rows is None:
            return None
        beside = rows.get(cell.row, [])
        left = [label for label in beside if label[0] <= cell.column] if beside else ()
        if left:
            column, number = max(left)
            return number if column < cell.column else None
        above = [row for row in rows if row < cell.row]
        nearest = max(above) if above else -1
        heads = rows[nearest] if above else []
        over = [head for head in heads if head[0] <= cell.column]
        if over and (len(heads) > 1 or (cell.table, nearest) not in self._rows_with_texts):
            return max(over)[1]
        if beside:
            return min(beside)[1]
        below = [(row, number) for row in rows for column, number in rows[row] if column == cell.column]
        is_alone = len(rows) == 1 and len(rows[min(rows)]) == 1
        return min(below)[1] if below and nearest < 0 and not is_alone else None

    def _owner_in_element(self, index: int) -> int | None:
        numbers = self.numbers
        for depth in range(len(self.texts[index].path), 0, -1):
            around = self.texts.element(index, depth)
            first, last = bisect_left(numbers, around.start), bisect_left(numbers, around.stop)
            if last - first == 1:
                return numbers[first]
            if first < last:
                return self._neighbour(index, first, last)
        return self._neighbour(index, 0, len(numbers))

    def _neighbour(self, index: int, first: int, last: int) -> int | None:
        """The label before a text, or behind it, among those from `first` to `last`."""
        self.has_guessed = True
        place = bisect_left(self.numbers, index) - (not self.own_behind)
        found = self.numbers[place] if first <= place < last else None
        if found is None or not self.are_rows:
            return found
        row = self.texts.widest_element(found, self.numbers)
        return None if row is not None and len(row) > 1 and index not in row else found


# Blocks as texts: a label and its value are two, and a value is one.

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
    joined = _join_inline(lines, words)
    most = words.badge_max
    texts = [
        part
        for block in joined
        for part in _parts(block, words)
        if len(part.text) > most or not is_decoration(part.text, words)
    ]
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


def _join_inline(blocks: Sequence[Block], words: PageWords) -> list[Block]:
    """Inline elements side by side that are one text, as their neighbours show.

    `<b>75</b><i>%</i>`, an odometer's digits, `<b>Panel</b> <i>ship</i>`, and the words of an animation.
    """
    joined: list[Block] = []
    for path, run in groupby(blocks, key=lambda block: block.path if block.is_inline else None):
        group = [*run]
        if path is not None and len(group) >= SPELLED_MIN:
            spelled = sum(" " not in block.text for block in group)
            if spelled > SPELLED_SHARE * len(group):
                group = [group[0].with_text(" ".join(block.text for block in group))]
        for block in group:
            may_join = joined and (path is not None or block.text == "%")
            whole = _whole(joined[-1], block, words) if may_join else None
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
    """`75% Panel ship` is a value and a label; `75% Panel ship · Free Entry` two of each."""
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
    if (match := words.label_and_value.fullmatch(text)) is not None and _is_stat(match[1], match[2], words):
        return (match[1], match[2])
    if (match := words.value_and_label.fullmatch(text)) is not None and _is_stat(match[2], match[1].strip(), words):
        return (match[1].strip(), match[2])
    return (text,)


def _is_stat(label: str, value: str, words: PageWords) -> bool:
    """`75% Panel ship`, `Community: —` and `Free Entry` are labels with their values; `Free-form Entry` is not."""
    if fold(label) == words.entry:
        return fold(value) in words.entries
    return PERCENT.fullmatch(value) is not None or (bool(value) and value in words.no_value)
