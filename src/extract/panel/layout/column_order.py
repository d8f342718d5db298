"""Columns that name no tool stand in the order of the cards: in doubt where the rest of the page has another order."""

from collections.abc import Iterator, Sequence

from verdicts.extract.model.blocks import Block
from verdicts.extract.model.records import Doubt
from verdicts.extract.panel.layout.sections import Sections

LABEL_MAX = 80
"""Characters of a text that may say whose a take is: `Builder on Alpha`."""


def order_doubts(blocks: Sequence[Block], sections: Sections) -> Iterator[Doubt]:
    """A doubt where the takes name no tool, and neither title nor table has the order of the cards."""
    names = sections.title.names
    texts = [blocks[index].text for index in sections.takes]
    labels = [text for text in texts if len(text) <= LABEL_MAX and not text.endswith((".", "!", "?"))]
    if names[0] == names[1] or all(any(name in label for label in labels) for name in names):
        return
    orders = {_title_order(sections), _order(blocks, sections.decision or (), names) or names[::-1]}
    if names not in orders:
        yield Doubt("copies_differ", None, f"title {sections.title.text}", f"cards {' / '.join(names)}")


def _order(blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str]) -> tuple[str, ...] | None:
    """The names in the order in which a section has them; None where it lacks one."""
    named = tuple(dict.fromkeys(blocks[index].text for index in section if blocks[index].text in names))
    return named if len(named) == len(names) else None


def _title_order(sections: Sections) -> tuple[str, ...]:
    """The names in the title's order."""
    names = sections.title.names
    return names if sections.title.text.startswith(names[0]) else names[::-1]
