"""What extruct finds in a page's statements is found here, too, and belongs to the product that it was made for."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import extruct
import pytest
from selectolax.lexbor import LexborHTMLParser

from builders.made_statements import Fact, as_json_ld, as_microdata, as_rdfa, made_fact
from verdicts.extract.model.blocks import clean
from verdicts.extract.statements.item import Item, term
from verdicts.extract.statements.statements import statements

URL = "https://shelf.example/t/one"
PAGES = 100
TERMS = frozenset({"name", "ratingvalue", "ratingcount", "price", "pricecurrency", "reviewbody"})

FORMS = {
    "json-ld": lambda fact, random: "".join(as_json_ld(fact, random)),
    "microdata": as_microdata,
    "rdfa": as_rdfa,
}


def of_facts(fact: Fact, path: str = "") -> Iterator[tuple[str, str]]:
    for name, text in fact.texts.items():
        yield f"{path}{term(name)}", clean(text)
    for name, part in fact.inner:
        yield from of_facts(part, f"{path}{term(name)}.")


def of_item(item: Item, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    for name, values in item.properties.items():
        for value in values:
            if isinstance(value, str):
                yield f"{path}{name}", value
            elif depth < 4:
                yield from of_item(value, f"{path}{name}.", depth + 1)


def of_peer(found: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Texts of the asked properties anywhere in what extruct gives."""
    if isinstance(found, list):
        for part in found:
            yield from of_peer(part, name)
    elif isinstance(found, dict):
        for key, part in found.items():
            yield from of_peer(part, name if key in {"@value", "properties", "value"} else term(key))
    elif name in TERMS and isinstance(found, str | int | float):
        yield name, clean(str(found))


@pytest.mark.parametrize("form", FORMS)
def test_every_statement_is_found_where_it_belongs(form):
    for seed in range(PAGES):
        random = Random(f"{form} {seed}")
        fact = made_fact(random)
        page = f"<!doctype html><html><head></head><body>{FORMS[form](fact, random)}</body></html>"
        found = statements(LexborHTMLParser(page), URL)
        assert found.doubts == (), seed
        (product,) = [item for item in found.items if "product" in item.types]
        assert Counter(of_item(product)) == Counter(of_facts(fact)), (seed, page)
        peer = extruct.extract(page, base_url=URL, syntaxes=[form], errors="strict")
        ours = {(name, text) for item in found.items for name, text in of_item(item) if name in TERMS}
        peers = {*of_peer(peer[form])}
        assert peers, seed
        assert peers <= ours, (seed, page)
