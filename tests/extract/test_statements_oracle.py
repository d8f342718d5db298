"""What extruct finds in a page's statements is found here, too, and belongs to the product that it was made for."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Any

import extruct
import pytest
from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.model.blocks import clean
from verdicts.extract.statements.item import Item, term
from verdicts.extract.statements.statements import statements

NAMES = ("Heronmark", "Bittern & Sons", "Reed “Pro” 2", "Åkerfågel", "Kittiwake's")
WORDS = (
    "Quick to learn.",
    "It lost my notes <twice>.",
    "Fair & square.",
    "Tolle Sache, gern wieder.",
    "No more, no less.",
)


@dataclass(frozen=True)
class Fact:
    """An item: its type, its texts and its inner items, each by property."""

    kind: str
    texts: dict[str, str]
    inner: tuple[tuple[str, "Fact"], ...] = ()


def made_fact(random: Random) -> Fact:
    """A product with any of rating, offers and reviews."""
    inner: list[tuple[str, Fact]] = []
    if random.random() < 0.8:
        mean = {
            "ratingValue": f"{random.uniform(1, 5):.{random.randint(0, 13)}f}",
            "ratingCount": str(random.randint(1, 9999)),
        }
        inner.append(("aggregateRating", Fact("AggregateRating", mean)))
    for _ in range(random.choice([0, 1, 1, 3])):
        price = {"price": f"{random.uniform(1, 3000):.2f}", "priceCurrency": random.choice(["EUR", "USD"])}
        parts = (("priceSpecification", Fact("UnitPriceSpecification", price)),)
        inner.append(("offers", Fact("Offer", {}, parts) if random.random() < 0.3 else Fact("Offer", price)))
    for _ in range(random.choice([0, 0, 1, 2])):
        rated = (("reviewRating", Fact("Rating", {"ratingValue": str(random.randint(1, 5))})),)
        inner.append(("review", Fact("Review", {"reviewBody": random.choice(WORDS)}, rated)))
    return Fact("Product", {"name": random.choice(NAMES)}, tuple(inner))


def as_json_ld(fact: Fact, random: Random) -> list[str]:
    """Scripts: some inner items stand apart and are named by `@id`, here or in another script."""
    apart: list[dict[str, Any]] = []

    def item(one: Fact) -> dict[str, Any]:
        made: dict[str, Any] = {"@type": random.choice([one.kind, [one.kind], f"https://schema.org/{one.kind}"])}
        for name, text in one.texts.items():
            made[name] = random.choice([text, [text]])
        for name, part in one.inner:
            value = item(part)
            if random.random() < 0.3:
                value["@id"] = f"#{len(apart)}"
                apart.append(value)
                value = {"@id": value["@id"]}
            made.setdefault(name, []).append(value)
        return made

    values = [item(fact), *apart]
    random.shuffle(values)
    context = {
        "@context": random.choice(["https://schema.org", "http://schema.org/", {"@vocab": "https://schema.org/"}])
    }
    form = random.choice(["graph", "array", "scripts"])
    if form == "graph":
        scripts = [json.dumps({**context, "@graph": values}, ensure_ascii=random.random() < 0.5)]
    elif form == "array":
        scripts = [json.dumps([{**context, **value} for value in values], indent=random.choice([None, 2]))]
    else:
        scripts = [json.dumps({**context, **value}) for value in values]
    return [f'<script type="application/ld+json">{script}</script>' for script in scripts]


def as_microdata(fact: Fact, random: Random) -> str:
    """Elements: values as text, as `content`, or in a part of the page that `itemref` names."""
    apart: list[str] = []

    def item(one: Fact, head: str = "") -> str:
        inside, references = [], []
        for name, text in one.texts.items():
            form = random.choice(["text", "content", "data", "apart"])
            if form == "content":
                inside.append(f'<meta itemprop="{name}" content="{escape(text)}">')
            elif form == "data":
                inside.append(f'<data itemprop="{name}" value="{escape(text)}">about that</data>')
            elif form == "apart":
                references.append(f"part-{len(apart)}")
                apart.append(f'<div id="{references[-1]}"><b itemprop="{name}">{escape(text)}</b></div>')
            else:
                inside.append(f'<p>So: <span itemprop="{name}">\n {escape(text)}</span></p>')
        inside += [item(part, f' itemprop="{name}"') for name, part in one.inner]
        random.shuffle(inside)
        kind = f'itemscope itemtype="https://schema.org/{one.kind}"'
        return f'<div {kind}{head} itemref="{" ".join(references)}">{"".join(inside)}</div>'

    return item(fact) + "".join(apart)


def as_rdfa(fact: Fact, random: Random, property_: str = "") -> str:
    """RDFa Lite: `vocab` on the outermost element."""
    inside = []
    for name, text in fact.texts.items():
        if random.random() < 0.5:
            inside.append(f'<meta property="{name}" content="{escape(text)}">')
        else:
            inside.append(f'<p>So: <span property="{name}">{escape(text)}</span></p>')
    inside += [as_rdfa(part, random, name) for name, part in fact.inner]
    random.shuffle(inside)
    where = f'property="{property_}"' if property_ else 'vocab="https://schema.org/"'
    return f'<div {where} typeof="{fact.kind}">{"".join(inside)}</div>'


URL = "https://shelf.example/t/one"
PAGES = 100
TERMS = frozenset({"name", "ratingvalue", "ratingcount", "price", "pricecurrency", "reviewbody"})

FORMS = {"json-ld": lambda fact, random: "".join(as_json_ld(fact, random)), "microdata": as_microdata, "rdfa": as_rdfa}


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
