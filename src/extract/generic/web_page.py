"""A page of any site, with each part parsed at most once: statements, titles, blocks, tables. Pure."""

from collections.abc import Sequence
from functools import cached_property
from itertools import islice

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.grids.grid import Grid
from verdicts.extract.grids.page_grids import page_grids
from verdicts.extract.grids.tables import declared_tracks
from verdicts.extract.html.elements import whole_body
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.model.blocks import clean
from verdicts.extract.statements.statements import statements
from verdicts.fetch.model.addresses import host_of

TITLES_MAX = 3
"""Comments and dialogs of a page may have headings of the first level, too."""

TABLES = "table, [role=table], [role=grid]"


class WebPage:
    """The page at `url`.

    `titles` are its title and its first headings of the first level. `blocks` are its visible text units.
    `has_table`: it shows a table by its markup.
    """

    def __init__(self, utf8: bytes, url: str) -> None:
        self.utf8, self.url, self.host = utf8, url, host_of(url)
        tree = LexborHTMLParser(utf8, scripting=True)
        # The order matters: each step cuts the parts of the tree that later steps do not need.
        self.statements = statements(tree, url)
        self._tracks = declared_tracks(tree)
        self._body = whole_body(tree)
        heads = (clean(node.text(deep=True)) for node in tree.css("head title, h1"))
        self.titles = [*islice(filter(None, heads), TITLES_MAX)]
        self.blocks = html_blocks(tree)
        self.has_table = tree.css_first(TABLES) is not None

    @cached_property
    def grids(self) -> Sequence[Grid]:
        return () if self._body is None else page_grids(self._body, self._tracks)
