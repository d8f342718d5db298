"""Values out of range and of any size in comparison pages, statements and tables: a discrepancy, never a stop."""

import json
import tomllib
from pathlib import Path
from typing import Any

from builders import panel_html as panel
from builders.faults.crawl_case import repeat_marked
from builders.faults.page_case import DEMO, PageCase
from verdicts.corpus.tables import name_relation


def repeat_all(declared: Any) -> Any:
    """Every text with what it repeats."""
    if isinstance(declared, dict):
        return {name: repeat_all(value) for name, value in declared.items()}
    return [*map(repeat_all, declared)] if isinstance(declared, list) else repeat_marked(declared)


DECLARED = repeat_all(tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")))
OUT_OF_RANGE = DECLARED["range"]
READ = frozenset({"page", "reject"})
PAGE = " JOIN pages USING (page_id) WHERE url = $url"


def make_page(number: int, head: str = "88/100 · ship", text: str = "Alpha took one command", reviewer: str = "Builder",
         a: dict | None = None, b: dict | None = None) -> bytes:  # fmt: skip
    """A comparison of two tools of its own, with these fields, or the first take, changed."""
    alpha = {**panel.ALPHA, "name": f"Alpha{number}", "slug": f"alpha{number}", **(a or {})}
    bravo = {**panel.BRAVO, "name": f"Bravo{number}", "slug": f"bravo{number}", **(b or {})}
    first = (reviewer, (head, f"{text} in try {number}."), ("80/100 · ship", f"Bravo found it in try {number}."))
    others = [
        (name, *(take and (take[0], f"{take[1]} Try {number}.") for take in pair)) for name, *pair in panel.TAKES[1:]
    ]
    title = f"{alpha['name']} vs {bravo['name']}"
    return panel.page(
        head=f"<header><p>AI tool comparison</p><h1>{title}</h1><p>Which one should you ship with?</p></header>",
        cards=panel.cards(alpha, bravo), decision=panel.decision(a=alpha, b=bravo),
        scorecard=panel.scorecard((first, *others)),
    ).encode("utf-8", "surrogateescape")  # fmt: skip


def column(table: str, name: str, side: str = "a") -> str:
    return f"SELECT {table}.{name} FROM {name_relation(table)}{PAGE} AND {table}.side = '{side}'"


TIERS = (
    "SELECT {} FROM pricing_tiers WHERE tool_id IN (SELECT tool_id FROM evidence.tool_cards" + PAGE + " AND side = 'a')"
)
SCORES = "SELECT score FROM reviews WHERE review_id IN (SELECT review_id FROM appearances" + PAGE + ")"
NULL = frozenset({None})


small = frozenset(range(101)) | NULL
RANGE = (
    *(("score", head, {"head": head}, {SCORES: small}) for head in OUT_OF_RANGE["score"]),
    *(("verdict", verdict, {"a": {"verdict": verdict}}, {column("verdicts", "ship_votes"): frozenset({3, None}),
                                                         column("verdicts", "skip_votes"): frozenset({1, None})})
      for verdict in OUT_OF_RANGE["verdict"]),
    *(("votes", votes, {"a": {"votes": votes}}, {column("verdicts", "community_pct"): small,
                                                 column("verdicts", "community_votes"): frozenset({130, None})})
      for votes in OUT_OF_RANGE["votes"]),
    *(("card's share", share, {"a": {"panel_ship": share}}, {column("tool_cards", "panel_ship_pct"): small})
      for share in OUT_OF_RANGE["share"]),
    *(("card's community", share, {"a": {"community": share}}, {column("tool_cards", "community_pct"): small})
      for share in OUT_OF_RANGE["share"][:6]),
    *(("pricing", price, {"a": {"pricing": price}},
       {TIERS.format("amount < 0 OR isnan(amount) OR isinf(amount)"): frozenset({False, None})})
      for price in OUT_OF_RANGE["pricing"]),
)  # fmt: skip

SAME = {"name": "Same", "slug": "same"}
LONG = (
    *((f"a {field}", value, {field: value} if field in ("text", "reviewer") else {"a": {field: value}})
      for field, values in DECLARED["long"].items() for value in values),
    ("two tools of one name and slug", "Same", {"a": SAME, "b": SAME}),
)  # fmt: skip


def case(number: int, name: str, rule: str, changes: dict, **wanted) -> PageCase:
    path = f"/compare/alpha{number}-vs-bravo{number}"
    return PageCase(name, rule, make_page(number, **changes), site=DEMO, path=path, kinds=READ, **wanted)


SAID_SOBERLY = {"²/100 · ship", "75.5%", "٧٥%", "$٢٠/mo", "$1/mo / " * 3_000}
"""Readable, or at least no contradiction: no doubt is asked for."""

RANGE_CASES = tuple(
    case(number, f"{what} {value[:24]!r} of {len(value)}", "A7", changes, asks=asks,
        is_doubted=value not in SAID_SOBERLY)
      for number, (what, value, changes, asks) in enumerate(RANGE, start=100)
)  # fmt: skip
LONG_CASES = tuple(
    case(number, f"{what} {value[:24]!r} of {len(value)}", "A6, A18", changes)
    for number, (what, value, changes) in enumerate(LONG, start=500)
)


WORDS = (
    "<article><h1>Alpha vs Bravo</h1>"
    + "<p>Words that compare the two at some length, so that there is a main text.</p>" * 4
    + "</article>"
)


def page(script: str, body: str = WORDS) -> bytes:
    item = f'<script type="application/ld+json">{script}</script>'
    text = f"<html><head><title>Alpha vs Bravo</title>{item}</head><body>{body}</body></html>"
    return text.encode("utf-8", "surrogateescape")


def product(rating: str = "4.5", count: str = "10", **more: str) -> str:
    others = "".join(f', "{name}": {value}' for name, value in more.items())
    mean = f'{{"@type": "AggregateRating", "ratingValue": {rating}, "reviewCount": {count}}}'
    first = f'{{"@type": "Product", "name": "Alpha", "aggregateRating": {mean}{others}}}'
    return f'[{first}, {{"@type": "Product", "name": "Bravo"}}]'


def item(name: str, rule: str, body: bytes, kinds: frozenset[str] = frozenset({"document"}), **more) -> PageCase:
    return PageCase(name, rule, body, kinds=kinds, **more)


NUMBERS, DATES, STRINGS = (DECLARED["statements"][name] for name in ("numbers", "dates", "strings"))
SCRIPTS = DECLARED["statements"]["scripts"] | {
    "a cut": product()[:-30],
    "two values": product() + product(),
    "a trailing comma": product().replace("}]", "},]"),
    "a comment": f"<!-- {product()} -->",
    "10,000 items": json.dumps([{"@type": "Product", "name": f"P{n}"} for n in range(10_000)]),
}


def write_review(review: str) -> str:
    return f'[{{"@type": "Product", "name": "Alpha", "review": {review}}}, {{"@type": "Product", "name": "Bravo"}}]'


def table(*rows: str) -> str:
    return WORDS + "<table><tr><th></th><th>Alpha</th><th>Bravo</th></tr>" + "".join(rows) + "</table>"


def microdata(prop: str, value: str) -> bytes:
    mean = f'<div itemprop="aggregateRating" itemscope><meta itemprop="{prop}" content="{value}"></div>'
    item = f'<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Alpha</span>{mean}</div>'
    return page("[]", WORDS + item + item.replace("Alpha", "Bravo"))


POSITIVE = f"SELECT rating IS NULL OR (rating >= 0 AND isfinite(rating)) FROM mentions{PAGE}"
COUNTED = f"SELECT ratings IS NULL OR ratings >= 0 FROM mentions{PAGE}"
TRUE = frozenset({True})

ITEMS_CASES = (
    *(item(f"ratingValue {value[:16]} of {len(value)}", "A7", page(product(rating=value)), asks={POSITIVE: TRUE})
        for value in NUMBERS),
    *(item(f"reviewCount {value[:16]} of {len(value)}", "A7", page(product(count=value)), asks={COUNTED: TRUE})
        for value in NUMBERS),
    *(item(f"datePublished {value[:20]!r} of {len(value)}", "A7",
        page(write_review(f'{{"@type": "Review", "reviewBody": "Fine words.", "datePublished": "{value}"}}')))
      for value in DATES),
    *(item(f"a page published {value[:20]!r} of {len(value)}", "A7",
        page("[]").replace(b"<title>", f'<meta property="article:published_time" content="{value}"><title>'.encode()))
      for value in DATES),
    *(item(f"a name of {what}", "A5, faults 59", page(product().replace('"Alpha"', value))) for what,
        value in STRINGS.items()),
    *(item(f"a review of {what}", "A5, faults 59",
        page(write_review(f'{{"@type": "Review", "reviewBody": {value}, "author": {value}}}'))) for what,
        value in STRINGS.items()),
    *(item(f"a script of {what}", "faults 62", page(script)) for what, script in SCRIPTS.items()),
    *(item(f"microdata {prop} {value[:12]} of {len(value)}", "A7", microdata(prop, value),
        asks={POSITIVE: TRUE, COUNTED: TRUE})
      for prop in ("ratingValue", "reviewCount") for value in ("1e999", "NaN", "9" * 30, "7" * 5_000, "-5", "²", "")),
    item("an attribute of 1 MB", "A6", page("[]", table(f"<tr><td>{'a ' * 500_000}</td><td>1</td><td>2</td></tr>"))),
    item("cells of nothing", "docs/extraction", page("[]", table("<tr><td></td><td></td><td></td></tr>" * 50))),
    item("spans without end", "faults 62",
        page("[]", table("<tr><td colspan=99999999999999999999>x</td><td rowspan=99999999999999999999>y</td></tr>"))),
    item("50,000 rows", "faults 62", page("[]", table("<tr><td>a</td><td>1</td><td>2</td></tr>" * 50_000)),
        frozenset({"document", "reject"})),
    item("rows of other lengths", "docs/extraction", page("[]",
        table("<tr><td>a</td></tr><tr><td>b</td><td>1</td><td>2</td><td>3</td><td>4</td></tr>"))),
    item("entities that are no letters", "faults 59", page("[]",
        table("<tr><td>a&#xD800;</td><td>&#0;1</td><td>&#x81;2</td></tr>")), frozenset({"document", "reject"})),
)  # fmt: skip


CASES = {
    "values out of range": RANGE_CASES,
    "texts of any size": LONG_CASES,
    "schema.org and tables": ITEMS_CASES,
}
