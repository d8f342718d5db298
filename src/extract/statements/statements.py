"""All statements of a page as one graph, and what of them could not be read."""

from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.model.records import Doubt
from verdicts.extract.statements.graph import graph
from verdicts.extract.statements.item import Item
from verdicts.extract.statements.json_ld import scripts
from verdicts.extract.statements.microdata import microdata
from verdicts.extract.statements.rdfa import rdfa
from verdicts.extract.statements.variants import group_variants
from verdicts.fetch.model.addresses.web_address import base_of


class Statements(NamedTuple):
    """Items, outer before inner, in the order of the page: scripts, microdata, RDFa. A broken script is a doubt."""

    items: list[Item]
    doubts: tuple[Doubt, ...]


def statements(tree: LexborHTMLParser, url: str) -> Statements:
    """What the page at `url` states."""
    read = scripts(tree)
    base = tree.css_first("base[href]")
    markups = (microdata(tree), rdfa(tree))
    joined = graph(
        [*(script.values for script in read), *(markup.items for markup in markups)],
        base_of(url, None if base is None else base.attributes.get("href")),
    )
    group_variants(joined.items)
    doubts = [
        Doubt("broken_statement", None, "JSON in a script of statements", script.broken)
        for script in read
        if script.broken is not None
    ]
    if joined.is_cut or any(markup.is_cut for markup in markups):
        doubts.append(Doubt("cut_statements", None, "statements within the bounds of reading", "more, or deeper, ones"))
    return Statements(joined.items, tuple(dict.fromkeys(doubts)))
