"""Reads the sections of tools that a title or a table names: labels below a name, and labels beside it. Pure.

`<h3>Alpha</h3> ... <span>What We Like</span> <ul>`, `<h3>Alpha — Pros</h3> <ul>`, `<h2>Alpha strengths</h2> <ul>`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from verdicts.extract.generic.label_words import BEST_FOR, CONS, LABEL_MAX, LABELS, NAME_MAX, PROS
from verdicts.extract.generic.naming import name_headings
from verdicts.extract.generic.section_values import read_labelled_facts
from verdicts.extract.generic.sections import Heading, Section, cut_section, find_headings, read_labels, within_list
from verdicts.extract.generic.stated import key
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import Fact

OPINIONS = PROS | CONS | BEST_FOR

_AROUND_LABEL = re.compile(r"^(?:\s*(?:is|are|[’']s)\s)?[\W_]*|[\W_]+$|\sof\s*$", re.IGNORECASE)
"""Beside a label after its tool's name is cut: `Alpha is best for:`, `Alpha's strengths`, `Pros of Alpha`, `— Pros`."""


def read_known_sections(blocks: Sequence[Block], names: Sequence[str]) -> tuple[Fact, ...]:
    """The labelled facts of the sections of these tools; `tool` is an index into `names`."""
    headings = find_headings(blocks)
    sections = [*_sections_below(blocks, headings, names), *_cut_at_labels(blocks, names)]
    pairs = [
        [pair for owner, section in sections if owner == tool for pair in read_labels(section)]
        for tool in range(len(names))
    ]
    return tuple(read_labelled_facts(pairs))


def _sections_below(
    blocks: Sequence[Block], headings: Sequence[Heading], names: Sequence[str]
) -> Iterator[tuple[int, Section]]:
    """The sections of headings that are just a name, up to the next heading of their level or a higher one."""
    indices = {key(name): index for index, name in enumerate(names)}
    named_headings = zip(headings, name_headings([heading.text for heading in headings]), strict=True)
    owned = [(indices[at], heading) for heading, named in named_headings if (at := key(named.name)) in indices]
    if len({index for index, _ in owned}) < len(names):
        return
    sections = []
    for index, heading in owned:
        after = (later.place for later in headings if later.place > heading.place and later.level <= heading.level)
        sections.append(cut_section(blocks, heading, next(after, len(blocks)), names[index]))
    owners = [index for index, _ in owned]
    # Names right behind each other, `<b>Alpha</b> <b>Beta</b> Price $9 $8`, or in each other's sections head a grid.
    owned_sections = zip(owners, sections, strict=True)
    are_apart = not any(
        indices.get(key(block.text), owner) != owner for owner, section in owned_sections for block in section.body
    )
    if are_apart and all(section.body for section in sections):
        yield from zip(owners, within_list(sections), strict=True)


def _cut_at_labels(blocks: Sequence[Block], names: Sequence[str]) -> Iterator[tuple[int, Section]]:
    """What follows labels that hold one tool's name, up to the next heading or such label."""
    by_length = sorted(enumerate(names), key=lambda indexed: -len(indexed[1]))
    owners = [_owner(block, by_length) for block in blocks]
    for number, owner in enumerate(owners):
        if owner is not None:
            index, label = owner
            below = takewhile(
                lambda position: owners[position] is None and blocks[position].level is None,
                range(number + 1, len(blocks)),
            )
            yield index, Section(blocks[number], (label, *(blocks[position] for position in below)))


def _owner(block: Block, names: Sequence[tuple[int, str]]) -> tuple[int, Block] | None:
    """The tool in a label, and the label without it."""
    text, colon, value = block.text.partition(":")
    is_link = block.href is not None and block.level is None
    if block.cell is not None or is_link or len(text) > NAME_MAX + LABEL_MAX:
        return None
    for index, name in names:
        if (at := text.casefold().find(name.casefold())) >= 0:
            rest = f"{text[:at]} {text[at + len(name) :]}"
            label = _AROUND_LABEL.sub("", rest).strip()
            # The text below `Alpha pricing` is more often prose than a price.
            is_label = fold(label) in (LABELS if value.strip() else OPINIONS)
            return (index, block.with_text(f"{label}{colon}{value}")) if is_label else None
    return None
