"""A page of any site, with each part parsed at most once: statements, titles, blocks, tables. Pure."""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import islice

from verdicts.extract.grids.grid import Grid
from verdicts.extract.grids.page_grids import page_grids
from verdicts.extract.grids.tables import declared_tracks
from verdicts.extract.html.page import Page
from verdicts.extract.model.blocks import clean
from verdicts.extract.statements.statements import statements
from verdicts.fetch.model.addresses import host_of

TITLES_MAX = 3
"""Comments and dialogs of a page may have headings of the first level, too."""

_OF_READERS = re.compile(
    r'(?<!\S)(?:id|class)="(?:[^"]*\s)?'
    r'(?:comments?(?:-?list)?|comments-area|disqus_thread|respond|testimonials?)(?:\s[^"]*)?"',
    re.IGNORECASE,
)
"""Elements with words of readers; those of others stand in quotes, too."""


@lru_cache(maxsize=4096)
def _is_of_readers(element: tuple[str, str]) -> bool:
    tag, attributes = element
    is_whole = tag in {"body", "main", "article"}
    return tag == "blockquote" or (not is_whole and _OF_READERS.search(attributes) is not None)


class WebPage:
    """What a page of any site shows.

    `titles` are its title and its first headings of the first level. `blocks` are its visible text units.
    `has_table`: it shows a table by its markup.
    """

    def __init__(self, page: Page) -> None:
        page.show_ratings()
        self.page, self.host = page, host_of(page.url)
        self.statements = statements(page)
        heads = (clean(node.text(deep=True)) for node in page.tree.css("head title, h1"))
        self.titles = [*islice(filter(None, heads), TITLES_MAX)]
        self.blocks = [block for block in page.blocks() if not any(map(_is_of_readers, block.elements))]
        self.has_table = any(block.cell is not None for block in self.blocks)

    @cached_property
    def grids(self) -> Sequence[Grid]:
        return page_grids(self.page.body, declared_tracks(self.page.styles))
