"""A page of any site, parsed once and each of its parts looked at once: statements, titles, blocks, tables. Pure."""

from collections.abc import Sequence
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.grids.grid import Grid
from verdicts.extract.grids.page_grids import page_grids
from verdicts.extract.grids.tables import declared_tracks
from verdicts.extract.html.elements import whole_body
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.model.blocks import clean
from verdicts.extract.statements.statements import statements

TABLES = "table, [role=table], [role=grid]"


class WebPage:
    """The page at `url`.

    `headings` are the texts of its title and of headings of the first and second level, each with its tag. `blocks` are
    its visible text units. `has_table`: a table by its markup is seen on it.
    """

    def __init__(self, utf8: bytes, url: str) -> None:
        self.utf8, self.url = utf8, url
        tree = LexborHTMLParser(utf8, scripting=True)
        # In this order: whatever is not part of what is read next is cut out of the tree.
        self.statements = statements(tree, url)
        self._tracks = declared_tracks(tree)
        self._body = whole_body(tree)
        self.headings = [(node.tag, clean(node.text(deep=True))) for node in tree.css("h1, title, h2")]
        self.blocks = html_blocks(tree)
        self.has_table = tree.css_first(TABLES) is not None

    @cached_property
    def grids(self) -> Sequence[Grid]:
        """All tables of the page, and what is laid out like one."""
        return () if self._body is None else page_grids(self._body, self._tracks)
