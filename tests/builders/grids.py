"""A page's grids, read from HTML."""

from selectolax.lexbor import LexborHTMLParser

from extract.grids.grid import Grid
from extract.grids.page_grids import page_grids
from extract.html.seen import whole_body


def grids_of(html: str) -> tuple[Grid, ...]:
    body = whole_body(LexborHTMLParser(html, scripting=True))
    assert body is not None
    return page_grids(body)
