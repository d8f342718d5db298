"""A text dump becomes blocks: one a line, blank lines gone."""

from extract.blocks import Block, clean


def text_blocks(text: str) -> tuple[Block, ...]:
    """The non-empty lines of a dump, in order."""
    return tuple(Block(line) for line in map(clean, text.splitlines()) if line)
