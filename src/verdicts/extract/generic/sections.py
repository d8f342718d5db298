"""Headings of a page, and what their sections say in labels and values. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, pairwise, takewhile

from verdicts.extract.generic.bare_values import bare_prices, bare_ratings, is_price
from verdicts.extract.generic.label_words import (
    ASIDES,
    AWARD,
    CALENDAR_WORDS,
    CONS,
    GRADE_WORDS,
    LABEL_MAX,
    LABELS,
    NAME_MAX,
    PRAISE,
    PROS,
    RANKED,
    is_award,
    is_beside_name,
    is_invitation,
    remove_rank,
)
from verdicts.extract.generic.stated import SIGN
from verdicts.extract.model.blocks import Block, count_shared_depth, fold

_INLINE_LABELS = re.compile(r"[^|:]{1,40}: [^|]+(?: \| [^|:]{1,40}: [^|]+)+")
"""`Display: 8 inches | Weight: 1 kg`."""

_OPINIONS = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(PROS | CONS)))}):\s", re.IGNORECASE)
"""`Pros: fast, calm. Cons: large`, in one paragraph."""

_BETWEEN = re.compile(r" (?=/)|(?<=[★☆⭐]) (?=[★☆⭐])")
"""Spaces that do not separate: between `$9` and `/mo`, between stars."""

_PARTED_AMOUNT = re.compile(rf"(?:{SIGN})\|\d{{1,4}}[.,]?\|\d\d(?:\||$)")
"""`$`, `12`, `50`, `/mo`: sign, whole units and cents in an element each, as Elementor draws a price."""

VALUE_MAX = 100
"""The most characters of a value below its label in an element of both."""

UNIT_MAX = 20
"""The most characters of a price's unit: `per month`, `/user/month`."""

_RANK = re.compile(r"(?:#|No\.?\s?)?(\d{1,3})(?:[.)]|位)?")
_BEGUN = re.compile(r"#?(\d{1,3})\s?([^\W\d].*)")
"""`1 Alpha`, `1Alpha`: a number in an element of its own."""

_BELOW_RANK = re.compile(r"\d{0,3}-?[^\W\d]")
"""A name below its rank: `Alpha`, `2Lock`, `7-Zip`, no `4.5`."""

_LED = re.compile(r"([A-Z][^\W\d]+(?: [^\W\d]+){0,2}) (\d(?:[^\s,]|,(?=\d))*(?: \S+){0,2})")
"""A label and a value without anything between: `Battery Capacity 358 Wh`."""

_FIGURE = re.compile(r"[$€£¥₹]?\s?\d[\d.,]*\s?[%\w/+]{0,6}")
_BELOW = re.compile(r"[A-Z][^\d:]{2,39}")
"""A label below its value: `$6,948` over `Tuition, In-State`; `per month` is not a label."""

_VALUE = re.compile(r"[\d$€£¥₹★☆]")
"""A text with one of these is a value, not a label: `$9` beside `/mo`, stars beside `4.6/5`."""


OWN = {"a", "button"}
"""Elements with a text of their own line: `$199 from Alder`, `See at Birch`."""

SUMMARY, BOLD, COUNTED, AWARDED = 6, 7, 8, 9
"""The levels of the summary of an accordion, of a bold paragraph, of a numbered line, and of a line below an award."""

COUNTED_MIN, COUNTED_MAX = 3, 120
"""The fewest numbered lines that are headings, and the most characters of one."""

AWARD_MAX = 80
"""The most characters of an award: `Best Combination Sewing and Embroidery Machine for Beginners`."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its position in the blocks, its level, and the position of the next higher heading before it.

    A paragraph of bold words, the summary of an accordion, and a line below an award are headings, too: `Best lamp`,
    `Alpha 800`.
    """

    place: int
    level: int
    parent: int | None
    text: str
    award: str | None = None
    """`Best for teams`, above it."""

    @property
    def is_line(self) -> bool:
        """Whether its markup is not that of a heading."""
        return self.level >= BOLD


@dataclass(frozen=True)
class Section:
    """A heading and the blocks below it; `<br>` separates blocks."""

    heading: Block
    body: tuple[Block, ...]

    @cached_property
    def bare_values(self) -> tuple[list[str], list[str]]:
        """Its prices and ratings without a label, each once: they are the tool's own."""
        return bare_values(self.body)


def find_headings(blocks: Sequence[Block]) -> list[Heading]:
    """The headings outside tables, in page order."""
    headings: list[Heading] = []
    around: list[Heading] = []
    counted = _find_numbered_lines(blocks)
    for index, block in enumerate(blocks):
        award = _award(blocks[index - 1], block) if index else None
        level = block.level or (COUNTED if index in counted else _level(block, award))
        if level is None or not block.text or block.cell is not None or (index and _goes_on(blocks[index - 1], block)):
            continue
        while around and around[-1].level >= level:
            around.pop()
        heading = Heading(index, level, around[-1].place if around else None, counted.get(index, block.text), award)
        around.append(heading)
        headings.append(heading)
    return [*_with_ranks(headings, blocks)]


def _find_numbered_lines(blocks: Sequence[Block]) -> Mapping[int, str]:
    """Lines without the markup of headings that count through, by position: `1. Alpha`, or `#1` over `Alpha`."""
    lines: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for place, block in enumerate(blocks):
        if block.level or block.cell or block.href or block.is_strong or len(block.text) > COUNTED_MAX:
            continue
        ranked, alone = RANKED.fullmatch(block.text), _RANK.fullmatch(block.text)
        # A picture may stand between a number and its name.
        below = (at for at in range(place + 1, min(place + 3, len(blocks))) if _BELOW_RANK.match(blocks[at].text))
        own = place if ranked else next(below, None) if alone else None
        if own is not None and not blocks[own].level:
            rank = int(ranked[1] or ranked[3]) if ranked else int(alone[1]) if alone else 0
            lines[tuple(tag for tag, _ in block.elements), alone is None].append((own, rank))
    counted = (of for of in lines.values() if [rank for _, rank in of] == [*range(1, max(COUNTED_MIN, len(of)) + 1)])
    return {place: f"{rank}. {remove_rank(blocks[place].text)}" for of in counted for place, rank in of}


def _level(block: Block, award: str | None) -> int | None:
    if block.is_control and any(tag == "summary" for tag, _ in block.elements[-2:]):
        return SUMMARY
    return AWARDED if award else BOLD if block.is_strong else None


def _with_ranks(headings: Sequence[Heading], blocks: Sequence[Block]) -> Iterator[Heading]:
    """Headings with the numbers that stand alone over them, or begin them, if these count a level through."""
    over = [_RANK.fullmatch(blocks[heading.place - 1].text) if heading.place else None for heading in headings]
    begun = [_BEGUN.fullmatch(heading.text) for heading in headings]
    whole = [remove_rank(heading.text) for heading in headings]
    for found, texts in ((over, whole), (begun, [one and one[2] for one in begun])):
        ranks: dict[int, list[int]] = defaultdict(list)
        for heading, rank in zip(headings, found, strict=True):
            if rank is not None:
                ranks[heading.level].append(int(rank[1]))
        counted = {level for level, of in ranks.items() if len(of) > 1 and of == [*range(1, len(of) + 1)]}
        headings = [
            replace(heading, text=f"{rank[1]}. {text}") if rank is not None and heading.level in counted else heading
            for heading, rank, text in zip(headings, found, texts, strict=True)
        ]
    yield from headings


def _award(before: Block, block: Block) -> str | None:
    """The award and the line below it, if these are one: both are short, and the line begins no sentence of its own.

    `Best for: travel` says whom a tool is best for, and names none.
    """
    if len(block.text) > NAME_MAX or len(before.text) > AWARD_MAX or ":" in block.text or ": " in before.text:
        return None
    says = AWARD.match(before.text) is not None if block.level is None else is_award(before.text)
    is_over = says and before.cell is None and not before.is_control
    if block.level is not None:
        # Links to other lists stand above headings, too.
        is_over = is_over and before.level is None and not before.is_strong and not before.href
    return before.text.rstrip(":") if is_over and not PRAISE.match(block.text) else None


def cut_section(blocks: Sequence[Block], heading: Heading, end: int, name: str) -> Section:
    """The section up to the block at `end`. In its labels the tool's name is left out: `Alpha pricing`."""
    body = (_without(name, block) for block in blocks[heading.place + 1 : end])
    return Section(blocks[heading.place], tuple(line for block in body for line in _split_lines(block)))


def _without(name: str, block: Block) -> Block:
    if (block.level is None and not block.is_strong) or name not in block.text:
        return block
    label = block.text.replace(name, "", 1).strip(" :")
    return block.with_text(label) if fold(label) in LABELS else block


def within_list(sections: Sequence[Section]) -> Iterator[Section]:
    """Cuts each section at the end of the element around all sections: boxes and footer of the site come later."""
    paths = [section.heading.path for section in sections]
    around = paths[0][: min(count_shared_depth(paths[0], path) for path in paths)]
    for section in sections:
        yield replace(section, body=tuple(takewhile(lambda block: block.is_within(around), section.body)))


def _split_lines(block: Block) -> Iterable[Block]:
    texts: Sequence[str] = block.lines
    starts = [opinion.start() for opinion in _OPINIONS.finditer(block.text)]
    if _INLINE_LABELS.fullmatch(block.text):
        texts = block.text.split(" | ")
    elif len(starts) > 1 and starts[0] == 0:
        texts = [block.text[start:end].strip() for start, end in pairwise((*starts, len(block.text)))]
    return map(block.with_text, texts) if texts and block.level is None else (block,)


def _goes_on(before: Block, block: Block) -> bool:
    """Whether both are parts of one heading: `<h2><span>1.</span><span>Alpha</span></h2>`."""
    return before.level == block.level and before.path == block.path and block.is_inline and before.is_inline


def read_labels(section: Section, known: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Labels and their values, in order. Labels are `LABELS` and `known`, folded."""
    return ((label, value) for label, value in _pairs(section.body, known) if fold(label) in LABELS | known)


def list_labels(section: Section) -> frozenset[str]:
    """Candidates for labels in a section, with its headings, folded. A label must be in other sections, too."""
    headings = (fold(block.text) for block in section.body if block.level is not None or block.is_strong)
    return frozenset(chain((fold(label) for label, _ in _pairs(section.body)), headings))


def _pairs(body: Sequence[Block], known: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """`Price: $9`, a list below `Pros`, rows of a two-column table, definitions, two inline elements alone."""
    index = 0
    while index < len(body):
        block = body[index]
        if block.cell is not None:
            cells = [*takewhile(partial(_is_in_table, block.cell.table), body[index:])]
            yield from _read_label_table(cells)
            index += len(cells)
            continue
        index += 1
        if block.is_key:
            defined = [*takewhile(partial(_is_defined, block), body[index:])]
            yield from ((block.text.strip(" :"), item.text) for item in defined if _is_label(block.text))
            index += len(defined)
            continue
        label, colon, value = block.text.partition(":")
        folded = fold(label)
        if colon and value.strip():
            if folded in LABELS or (value.startswith(" ") and block.level is None and _is_label(label)):
                yield label.strip(), value.strip()
        elif (folded in LABELS or (folded in known and block.level is not None)) and not _is_tab(body, index - 1):
            below = [*_below(body, index - 1)]
            titles = sum(item.is_key or item.cell is not None or _has_label(item) for item in below)
            if titles * 2 >= max(1, len(below)):
                # `Key specs` over `Weight: 2 kg`, or over terms and definitions: a title of its labels.
                continue
            yield from ((label.strip(), item.text) for item in below if item.text)
            index += len(below)
        elif block.is_inline and (led := _LED.fullmatch(block.text)) is not None and fold(led[1]) not in CALENDAR_WORDS:
            yield led[1], led[2]
        elif _is_pair(body, index - 1):
            second = body[index].text
            if _may_lead(block, body[index]):
                yield label.strip(), second
                index += 1
            elif (
                _FIGURE.fullmatch(block.text)
                and _BELOW.fullmatch(second)
                and _is_label(second)
                and not is_beside_name(second)
                and body[index].href is None
            ):
                yield second, block.text
                index += 1


def _is_tab(body: Sequence[Block], place: int) -> bool:
    """Whether it is one of several buttons side by side: `Overview`, `Pricing`."""
    beside = (*body[max(0, place - 1) : place], *body[place + 1 : place + 2])
    return body[place].is_control and any(one.is_control and one.path == body[place].path for one in beside)


def _may_lead(block: Block, value: Block) -> bool:
    """Whether a text is the label of the other one in their element: no button, no sentence, no value itself."""
    is_button = block.is_control or block.elements[-1][0] in OWN or is_invitation(value.text)
    is_short = block.is_inline or (len(value.text) <= VALUE_MAX and not block.text.endswith((".", "!", "?")))
    label = block.text.partition(":")[0]
    return _is_label(label) and is_short and not is_button and not _VALUE.search(label)


def _has_label(block: Block) -> bool:
    label, colon, value = block.text.partition(": ")
    return bool(colon and value.strip()) and _is_label(label)


def _is_in_table(table: int, block: Block) -> bool:
    return block.cell is not None and block.cell.table == table


def _is_defined(term: Block, block: Block) -> bool:
    return not block.is_key and block.cell is None and block.level is None and block.is_within(term.path)


def _is_label(text: str) -> bool:
    return 0 < len(text) <= LABEL_MAX and fold(text) not in {"", *ASIDES, *GRADE_WORDS}


def _is_pair(body: Sequence[Block], place: int) -> bool:
    """Whether two texts are the whole content of their element."""
    around = body[max(0, place - 1) : place + 3]
    beside = [block for block in around if block.path == body[place].path and block.level is None]
    return len(beside) == 2 and place + 1 < len(body) and beside[0] is body[place] and beside[1] is body[place + 1]


def bare_values(body: Sequence[Block]) -> tuple[list[str], list[str]]:
    """Prices and ratings without a label, each once: in a tool's section they are its own."""
    lines = [*_lines(body)]
    return [*dict.fromkeys(bare_prices(lines))], [*bare_ratings(lines)]


def _lines(body: Sequence[Block]) -> Iterator[tuple[str, Block]]:
    """Joins texts of one line, with its first block.

    `<span>$9</span><span>/mo</span>` is one price; `$9 at Alder`, `$8 at Birch` are two.
    """
    line: list[Block] = []
    for block in body:
        # `★★★★★ 9.2/10 Top Pick`
        if block.cell is not None or is_beside_name(block.text):
            continue
        if line and not _is_line(line[-1], block):
            yield from _join_line(line)
            line = []
        if block.level is None:
            line.append(block)
    if line:
        yield from _join_line(line)


def _is_line(before: Block, block: Block) -> bool:
    """Whether two texts are of one line: inline ones without a link of their own, or a price over its unit."""
    if before.path != block.path or before.href != block.href or {before.elements[-1][0], block.elements[-1][0]} & OWN:
        return False
    is_unit = len(block.text) <= UNIT_MAX and is_price(f"{before.text} {block.text}")
    return _goes_on(before, block) or (is_unit and not is_price(block.text))


def _join_line(line: Sequence[Block]) -> list[tuple[str, Block]]:
    is_several = sum(is_price(block.text) for block in line) > 1
    texts = [block.text for block in line]
    if _PARTED_AMOUNT.match("|".join(texts)):
        texts[:3] = [f"{texts[0]}{texts[1].rstrip('.,')}.{texts[2]}"]
    whole = _BETWEEN.sub("", " ".join(texts))
    # `12 kg · LiFePO4 · ab ~499 €`
    return [(block.text, block) for block in line] if is_several else [(part, line[0]) for part in whole.split(" · ")]


def _read_label_table(cells: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """A table of labels beside their values, or of at least two known labels above them (`Pros`, `Cons`)."""
    rows: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for block in cells:
        if block.cell is not None and block.text:
            rows[block.cell.row][block.cell.column].append(block.text)
    if len(rows) > 2 and {*next(iter(rows.values()))} == {1}:
        # A head over the values alone: `Ratings`.
        del rows[next(iter(rows))]
    first = next(iter(rows.values()), {})
    heads = {column: texts[0] for column, texts in first.items() if len(texts) == 1}
    if len(heads) > 1 and len(heads) == len(first) and all(fold(head) in LABELS for head in heads.values()):
        for column, head in heads.items():
            for row in [*rows.values()][1:]:
                yield from ((head, text) for text in row.get(column, ()))
    elif all({*row} <= {0, 1} and len(row.get(0, ())) == 1 for row in rows.values()):
        for row in rows.values():
            yield from ((row[0][0].strip(" :"), text) for text in row.get(1, ()) if _is_label(row[0][0]))


def _below(body: Sequence[Block], place: int) -> Iterator[Block]:
    """The value of a label: the list after it, or below a heading all up to the next one, else one text."""
    label, first = body[place], body[place + 1] if place + 1 < len(body) else None
    if first is None or first.level is not None or fold(first.text.partition(":")[0]) in LABELS:
        return
    shared = count_shared_depth(label.path, first.path)
    items = first.path[: shared + 1] if len(first.path) > shared else None
    for item in body[place + 1 :]:
        if item.level is not None or fold(item.text.partition(":")[0]) in LABELS:
            return
        if not item.is_within(label.path if items is None else items):
            return
        yield item
        if items is None and label.level is None:
            return
