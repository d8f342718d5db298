"""Pages that state the same facts in many forms: JSON-LD split and nested at random, microdata, RDFa."""

import json
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Any

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
