"""The same fields read with other libraries, by selectors made for one DOM (`html_semantic`), as one writes them."""

from collections.abc import Callable
from typing import Any

from benchmarks.extract_pages import snapshot
from verdicts.demo_site.facts import Pair

Fields = dict[str, Any]
"""`cards`: (name, tagline, category, percent, entry) of A and B. `decision`: label to values. `takes`: (seat, text)."""


def ours(pair: Pair, html: str) -> Fields:
    """The whole extractor: any DOM, every field, discrepancies kept, nothing assumed of tags."""
    from verdicts.extract.model.records import Comparison
    from verdicts.extract.page import extract

    comparison = extract(snapshot(pair, html))
    assert isinstance(comparison, Comparison), comparison
    a, b = comparison.decisions
    return {
        "cards": [(card.name, card.tagline, card.category, card.panel_ship, card.entry) for card in comparison.cards],
        "decision": {"Panel verdict": [a.verdict, b.verdict], "Pricing": [a.pricing, b.pricing]},
        "takes": [(take.seat, take.text) for take in comparison.takes],
    }


def lexbor(pair: Pair, html: str) -> None:
    """Parsing alone: the limit."""
    from selectolax.lexbor import LexborHTMLParser

    LexborHTMLParser(html, scripting=True)


def parsel(pair: Pair, html: str) -> Fields:
    from parsel import Selector

    page = Selector(html)
    cards = []
    for card in page.xpath("//article"):
        texts = [" ".join(part.xpath(".//text()").getall()).strip() for part in card.xpath("./p | ./h2 | ./ul/li/p")]
        cards.append((texts[2], texts[3], texts[1], texts[5], texts[9]))
    decision = {}
    for row in page.xpath("//section[h2='Decision']//tr[th[@scope='row']]"):
        label, *values = [" ".join(cell.xpath(".//text()").getall()) for cell in row.xpath("./th | ./td")]
        decision[label] = values
    takes = []
    for row in page.xpath("//section[@id='scorecard']//tr"):
        seat = row.xpath("string(./th)").get()
        takes += [(seat, cell.xpath("string(./p[2])").get()) for cell in row.xpath("./td[p]")]
    return {"cards": cards, "decision": decision, "takes": takes}


def beautifulsoup(pair: Pair, html: str) -> Fields:
    from bs4 import BeautifulSoup

    page = BeautifulSoup(html, "lxml")
    cards = []
    for card in page.find_all("article"):
        texts = [part.get_text().strip() for part in card.find_all(["p", "h2"])]
        cards.append((texts[2], texts[3], texts[1], texts[5], texts[9]))
    decision = {}
    head = page.find("h2", string="Decision")
    for row in head.parent.find_all("tr"):
        if row.find("th", attrs={"scope": "row"}) is not None:
            label, *values = [cell.get_text() for cell in row.find_all(["th", "td"])]
            decision[label] = values
    takes = []
    for row in page.find(id="scorecard").find_all("tr"):
        seat = row.find("th").get_text()
        takes += [(seat, cell.find_all("p")[1].get_text()) for cell in row.find_all("td") if cell.find("p")]
    return {"cards": cards, "decision": decision, "takes": takes}


def trafilatura(pair: Pair, html: str) -> None:
    """Main text and metadata; it has no cells and no headings, so no fields can be compared."""
    from trafilatura import bare_extraction

    bare_extraction(html, with_metadata=True, fast=True, include_comments=False)


CONTENDERS: dict[str, Callable[[Pair, str], Fields | None]] = {
    "ours": ours,
    "lexbor": lexbor,
    "parsel": parsel,
    "beautifulsoup": beautifulsoup,
    "trafilatura": trafilatura,
}
NEEDS = {"parsel": "parsel", "beautifulsoup": "bs4"}
"""The module that each imports."""
