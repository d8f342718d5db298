"""Sections of a page: what stands below a heading, up to the next one of that rank. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.generic.list_words import ADVERTS, LABEL_MAX, LABELS, PRICE_ALONE, RATING_ALONE
from extract.model.blocks import Block, fold, shared_depth


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and the blocks below it."""

    heading: Block
    body: tuple[Block, ...]


def section_runs(blocks: Sequence[Block]) -> list[tuple[Section, ...]]:
    """Sections of one level below the same higher heading, runs of two or more, in the order of the page."""
    headings = [
        place
        for place, block in enumerate(blocks)
        if block.level is not None and block.text and (place == 0 or not _goes_on(blocks[place - 1], block))
    ]
    runs: dict[tuple[int, int | None], list[Section]] = defaultdict(list)
    around: list[tuple[int, int]] = []
    found: list[tuple[tuple[int, int | None], int, int]] = []
    for place in (*headings, len(blocks)):
        level = (blocks[place].level or 0) if place < len(blocks) else 0
        while around and around[-1][0] >= level:
            ended_level, began = around.pop()
            found.append(((ended_level, around[-1][1] if around else None), began, place))
        around.append((level, place))
    for key, began, end in sorted(found, key=lambda section: section[1]):
        runs[key].append(Section(blocks[began], tuple(blocks[began + 1 : end])))
    return [tuple(run) for run in runs.values() if len(run) > 1]


def _goes_on(before: Block, block: Block) -> bool:
    """Whether both are parts of one heading: `<h2><span>1.</span><span>Alpha</span></h2>`."""
    return before.level == block.level and before.path == block.path and block.is_inline and before.is_inline


def labelled(section: Section, known: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Labels as published and what each says, in the order of the section: `Price: $9`, each item of a list below one.

    Labels are those of `LABELS`, and before a colon those `known` besides, folded.
    """
    rest = iter(range(len(section.body)))
    for place in rest:
        block = section.body[place]
        label, colon, value = block.text.partition(":")
        key = fold(label)
        if colon and value.strip() and (key in LABELS or (key in known and key not in ADVERTS)):
            yield label.strip(), value.strip()
        elif key in LABELS and not value.strip():
            below = [*_below(section.body, place)]
            yield from ((label.strip(), item.text) for item in below if item.text)
            for _ in below:
                next(rest)


def bare_values(section: Section) -> tuple[list[str], list[str]]:
    """Prices and ratings that stand by themselves, each once: those of the section's tool where it is one."""
    texts = list(dict.fromkeys(_lines(section.body)))
    prices = [text for text in texts if PRICE_ALONE.fullmatch(text)]
    return prices, [rating[1] for text in texts if (rating := RATING_ALONE.fullmatch(text)) is not None]


def _lines(body: Sequence[Block]) -> Iterator[str]:
    """Texts with what goes on beside them: `<span>$9</span><span>/mo</span>` is one price."""
    line: list[Block] = []
    for block in body:
        if line and not _goes_on(line[-1], block):
            yield _joined(line)
            line = []
        if block.level is None:
            line.append(block)
    if line:
        yield _joined(line)


def _joined(line: Sequence[Block]) -> str:
    return " ".join(block.text for block in line).replace(" /", "/")


def colon_labels(section: Section) -> frozenset[str]:
    """What stands before a colon, folded."""
    heads = (block.text.partition(":") for block in section.body if block.level is None)
    return frozenset(
        fold(label) for label, colon, value in heads if colon and value.startswith(" ") and 0 < len(label) <= LABEL_MAX
    )


def _below(body: Sequence[Block], place: int) -> Iterator[Block]:
    """What a label is for: the list behind it, or below a heading all up to the next one, else one text."""
    label, first = body[place], body[place + 1] if place + 1 < len(body) else None
    if first is None or first.level is not None or fold(first.text.partition(":")[0]) in LABELS:
        return
    shared = shared_depth(label.path, first.path)
    items = first.path[: shared + 1] if len(first.path) > shared else None
    for item in body[place + 1 :]:
        if item.level is not None or fold(item.text.partition(":")[0]) in LABELS:
            return
        if items is not None and not item.is_within(items):
            return
        yield item
        if items is None and label.level is None:
            return
