"""A page of any site, with each part parsed at most once: statements, titles, blocks, tables. Pure."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice, starmap

from verdicts.extract.grids.grid import Grid
from verdicts.extract.grids.page_grids import page_grids
from verdicts.extract.html.html_page import Page
from verdicts.extract.model.blocks import clean
from verdicts.extract.statements.statements import statements
from verdicts.fetch.model.addresses import find_host

TITLES_MAX = 3
"""Comments and dialogs of a page may have headings of the first level, too."""

_OF_READERS = re.compile(r"(?:comments?(?:-?list)?|comments-area|disqus_thread|respond|testimonials?)", re.IGNORECASE)
"""Ids and classes of elements with words of readers; those of others stand in quotes, too."""
_WHOLE = frozenset({"body", "main", "article"})


def _is_comment(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag == "blockquote":
        return True
    names = (attributes.get("id", ""), *attributes.get("class", "").split()) if attributes else ()
    return tag not in _WHOLE and any(map(_OF_READERS.fullmatch, names))


class WebPage:
    """What a page of any site shows.

    `titles` are its title and its first headings of the first level. `blocks` are its visible text units.
    `has_table`: it shows a table by its markup.
    """

    def __init__(self, page: Page) -> None:
        self.page, self.host = Page(page.utf8, page.url, is_drawn=True), find_host(page.url)
        self.statements = statements(self.page)
        heads = (clean(node.text(deep=True)) for node in self.page.tree.css("head title, h1"))
        self.titles = [*islice(filter(None, heads), TITLES_MAX)]
        self.blocks = [block for block in self.page.blocks() if not any(starmap(_is_comment, block.elements))]
        self.has_table = any(block.cell is not None for block in self.blocks)

    @cached_property
    def grids(self) -> Sequence[Grid]:
        return page_grids(self.page.body)
