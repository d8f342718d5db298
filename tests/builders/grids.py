"""A page's grids, read from HTML."""

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.grids.grid import Grid
from verdicts.extract.grids.page_grids import page_grids
from verdicts.extract.grids.tables import declared_tracks
from verdicts.extract.html.elements import whole_body


def grids_of(html: str) -> tuple[Grid, ...]:
    tree = LexborHTMLParser(html, scripting=True)
    tracks = declared_tracks(tree)
    body = whole_body(tree)
    assert body is not None
    return page_grids(body, tracks)
