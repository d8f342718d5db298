"""Values out of range and of any size in comparison pages, statements and tables: a discrepancy, never a stop."""

import json

from builders import panel_html as panel
from builders.faults.page_case import DEMO, PageCase

NINES = "9" * 30
DIGITS = "7" * 5_000
READ = frozenset({"page", "reject"})
PAGE = " JOIN pages USING (page_id) WHERE url = $url"


def made(number: int, head: str = "88/100 · ship", text: str = "Alpha took one command", seat: str = "Builder",
         a: dict | None = None, b: dict | None = None) -> bytes:  # fmt: skip
    """A comparison of two tools of its own, with these fields, or the first take, changed."""
    alpha = {**panel.ALPHA, "name": f"Alpha{number}", "slug": f"alpha{number}", **(a or {})}
    bravo = {**panel.BRAVO, "name": f"Bravo{number}", "slug": f"bravo{number}", **(b or {})}
    first = (seat, (head, f"{text} in try {number}."), ("80/100 · ship", f"Bravo found it in try {number}."))
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
    return f"SELECT {table}.{name} FROM {table}{PAGE} AND {table}.side = '{side}'"


TIERS = "SELECT {} FROM pricing_tiers WHERE tool_id IN (SELECT tool_id FROM tool_cards" + PAGE + " AND side = 'a')"
SCORES = "SELECT score FROM reviews WHERE review_id IN (SELECT review_id FROM appearances" + PAGE + ")"
NULL = frozenset({None})

HEADS = (f"{NINES}/100 · ship", f"{DIGITS}/100 · ship", "101/100 · ship", "-1/100 · ship", "88/0 · ship",
    "88/-100 · ship", "1e5/100 · ship",
         "NaN/100 · ship", "∞/100 · ship", "88.5.5/100 · ship", f"88/{NINES} · ship", f"88/{DIGITS} · ship",
         "0x58/100 · ship", "²/100 · ship")  # fmt: skip
VERDICTS = (f"Ship · {NINES} ship / 1 skip", f"Ship · {DIGITS} ship / 1 skip", f"Ship · 3 ship / {NINES} skip",
    "Ship · 9223372036854775808 ship / 1 skip",
            "Ship · -3 ship / 1 skip", "Ship · 3.5 ship / 1 skip", "Ship · 1e9 ship / 1 skip",
            "Ship · ³ ship / 1 skip")  # fmt: skip
VOTES = (f"62% · {NINES} votes", f"62% · {DIGITS} votes", f"{NINES}% · 130 votes", "101% · 130 votes",
    "-5% · 130 votes", "62% · -130 votes",
         "62% · 18446744073709551616 votes", "62% · 1e30 votes", f"{DIGITS}% · {DIGITS} votes",
         "6²% · 1³0 votes")  # fmt: skip
SHARES = (f"{NINES}%", f"{DIGITS}%", "101%", "-5%", "1e3%", "NaN%", "75.5%", "٧٥%", "7⁵%")
PRICES = (f"${'9' * 400}/mo", f"${DIGITS}/mo", "$1e400/mo", "$-5/mo", f"$0.{'0' * 400}1/mo", f"${NINES}.{NINES}/mo",
    "$" + "1," * 2_000 + "000/mo",
          "$NaN/mo", "$∞/mo", "$٢٠/mo", "$1/mo / " * 3_000, "$" * 5_000, f"${NINES} to ${NINES}/mo", "$1.2.3.4/mo",
          "€²⁰/mo")  # fmt: skip

small = frozenset(range(101)) | NULL
RANGE = (
    *(("score", head, {"head": head}, {SCORES: small}) for head in HEADS),
    *(("verdict", verdict, {"a": {"verdict": verdict}}, {column("verdicts", "ship_votes"): frozenset({3, None}),
                                                         column("verdicts", "skip_votes"): frozenset({1, None})})
                                                         for verdict in VERDICTS),
    *(("votes", votes, {"a": {"votes": votes}}, {column("verdicts", "community_pct"): small,
        column("verdicts", "community_votes"):
                                                 frozenset({130, None})}) for votes in VOTES),
    *(("card's share", share, {"a": {"panel_ship": share}}, {column("tool_cards", "panel_ship_pct"): small})
        for share in SHARES),
    *(("card's community", share, {"a": {"community": share}}, {column("tool_cards", "community_pct"): small})
        for share in SHARES[:6]),
    *(("pricing", price, {"a": {"pricing": price}},
        {TIERS.format("amount < 0 OR isnan(amount) OR isinf(amount)"): frozenset({False, None})})
      for price in PRICES),
)  # fmt: skip

OF_TOOLS = {
    "name": ("Alpha " + "n" * 100_000, "Al" + " " * 1_000_000 + "pha", "", "\u00a0\u2003", "\u200b\u200d\ufeff",
             "A" + "\u0301" * 20_000, "\u202eahplA", "'; DROP TABLE reviews; --", "../../etc/passwd",
             "{{7*7}} ${x} %s {0}", "ﬁne ﬀ Ⅳ ㎏"),
    "slug": ("s" * 3_000, "%E0%A4%A" * 50, "../../.."),
    "tagline": ("word " * 200_000,),
    "description": ("word " * 200_000, "w" * 1_000_000),
    "category": ("Tools, " * 14_000,),
    "chip": ("Ship " * 20_000,),
    "entry": ("Free " * 20_000,),
    "verdict": ("Ship · " + "3 ship / 1 skip " * 6_000,),
    "votes": ("62% · " * 16_000,),
    "pricing": ("1" * 100_000, "$ " * 50_000, "per seat per month " * 5_000, "/" * 100_000, "(" * 50_000,
                "$1-" * 30_000, "1,000," * 15_000, "Pro " * 25_000 + "$20", "$1." * 30_000, "from " * 20_000),
}  # fmt: skip
OF_TAKES = {
    "text": ("It took one command and then some " * 30_000, "w" * 500_000, "again " * 100_000, "…" * 100_000),
    "seat": ("Builder " * 12_000, "\u200b"),
}
SAME = {"name": "Same", "slug": "same"}
LONG = (
    *((f"a {field}", value, {"a": {field: value}}) for field, values in OF_TOOLS.items() for value in values),
    *((f"a {field}", value, {field: value}) for field, values in OF_TAKES.items() for value in values),
    ("two tools of one name and slug", "Same", {"a": SAME, "b": SAME}),
)


def case(number: int, name: str, rule: str, changes: dict, **wanted) -> PageCase:
    path = f"/compare/alpha{number}-vs-bravo{number}"
    return PageCase(name, rule, made(number, **changes), site=DEMO, path=path, kinds=READ, **wanted)


SAID_SOBERLY = {"75.5%", "٧٥%", "$٢٠/mo", "$1/mo / " * 3_000}
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


NUMBERS = ("1e999", "-1e999", "NaN", "Infinity", "-Infinity", "9" * 30, "7" * 5_000, "-5", "true", "null", "[]", "{}",
    '"4,5"', '"4.5/5"', '"1e999"', '"NaN"',
           '"' + "9" * 400 + '"', '"' + "9" * 5_000 + '"', '""', '"²"', '"٤"', "[4, 5]", '{"@type": "x"}', "0.1e-999",
           "9223372036854775808", '"1.797e309"')  # fmt: skip
DATES = (
    "0000-00-00",
    "99999-01-01",
    "9999-12-31T23:59:59-14:00",
    "yesterday",
    "",
    "2026-13-45",
    "1" * 5_000,
    "\\ud800",
    "-1",
    "2026-W45",
    "01/02/03",
    "0001-01-01",
)
STRINGS = {
    "a lone surrogate": '"A\\ud800B"', "two wrong surrogates": '"\\udc00\\ud800"',
    "an emoji by surrogates": '"\\ud83d\\ude00"', "a NUL": '"A\\u0000B"',
    "C1 controls": '"A\\u0085\\u009fB"', "an escape sequence": '"\\u001b]0;OWNED\\u0007"',
    "1 MB": '"' + "x " * 500_000 + '"', "nothing": '""', "a number": "7", "true": "true",
    "null": "null", "a list": '["A", "B"]', "a dict": '{"@value": "A"}', "entities": '"&#xD800;&#0;&amp;lt;"',
    "markup": '"<b>A</b><script>x</script>"', "backwards": '"\\u202eA"',
}  # fmt: skip
SCRIPTS = {
    "nesting": "[" * 100_000 + "]" * 100_000, "nesting without end": '{"@graph":' * 50_000, "nothing": "",
    "garbage": "}{][", "a cut": product()[:-30], "two values": product() + product(),
    "a trailing comma": product().replace("}]", "},]"), "a comment": "<!-- " + product() + " -->",
    "10,000 items": json.dumps([{"@type": "Product", "name": f"P{n}"} for n in range(10_000)]),
    "a key of surrogates": '{"@type": "Product", "name": "A", "\\ud800": "x"}',
    "a type of surrogates": '{"@type": "\\udfff", "name": "A"}', "a type that is a number": '{"@type": 7, "name": "A"}',
    "items in items": '{"@type": "Product", "name": "A", "review": ' * 200 + "1" + "}" * 200,
    "one key a thousand times": "{" + '"name": "A", ' * 5_000 + '"@type": "Product"}', "commas": "[" + "," * 200_000,
    "blanks": " " * 1_000_000, "quotes": '"' * 200_000, "braces": "{" * 200_000,
    "trailing commas": "[" + "1, " * 100_000 + " }",
    "a million digits": '{"@type": "Product", "name": ' + "1" * 1_000_000 + "}",
}  # fmt: skip


def reviewed(review: str) -> str:
    return f'[{{"@type": "Product", "name": "Alpha", "review": {review}}}, {{"@type": "Product", "name": "Bravo"}}]'


def table(*rows: str) -> str:
    return WORDS + "<table><tr><th></th><th>Alpha</th><th>Bravo</th></tr>" + "".join(rows) + "</table>"


def microdata(prop: str, value: str) -> bytes:
    mean = f'<div itemprop="aggregateRating" itemscope><meta itemprop="{prop}" content="{value}"></div>'
    item = f'<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Alpha</span>{mean}</div>'
    return page("[]", WORDS + item + item.replace("Alpha", "Bravo"))


POSITIVE = "SELECT rating IS NULL OR (rating >= 0 AND isfinite(rating)) FROM all_outside_tools WHERE url = $url"
COUNTED = "SELECT ratings IS NULL OR ratings >= 0 FROM all_outside_tools WHERE url = $url"
TRUE = frozenset({True})

ITEMS_CASES = (
    *(item(f"ratingValue {value[:16]} of {len(value)}", "A7", page(product(rating=value)), asks={POSITIVE: TRUE})
        for value in NUMBERS),
    *(item(f"reviewCount {value[:16]} of {len(value)}", "A7", page(product(count=value)), asks={COUNTED: TRUE})
        for value in NUMBERS),
    *(item(f"datePublished {value[:20]!r} of {len(value)}", "A7",
        page(reviewed(f'{{"@type": "Review", "reviewBody": "Fine words.", "datePublished": "{value}"}}')))
      for value in DATES),
    *(item(f"a page published {value[:20]!r} of {len(value)}", "A7",
        page("[]").replace(b"<title>", f'<meta property="article:published_time" content="{value}"><title>'.encode()))
      for value in DATES),
    *(item(f"a name of {what}", "A5, faults 59", page(product().replace('"Alpha"', value))) for what,
        value in STRINGS.items()),
    *(item(f"a review of {what}", "A5, faults 59",
        page(reviewed(f'{{"@type": "Review", "reviewBody": {value}, "author": {value}}}'))) for what,
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
