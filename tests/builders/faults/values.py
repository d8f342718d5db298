"""Values out of range and of any size in comparison pages, statements and tables: a discrepancy, never a stop."""

import json

from builders import panel_html as panel
from builders.faults.page_case import DEMO, PageCase

NINES = "9" * 30
DIGITS = "7" * 5_000
READ = frozenset({"page", "reject"})
PAGE = " JOIN pages USING (page_id) WHERE url = $url"


def made(number: int, takes=None, a: dict | None = None, b: dict | None = None) -> bytes:
    """A comparison of two tools of its own, with these fields changed."""
    alpha = {**panel.ALPHA, "name": f"Alpha{number}", "slug": f"alpha{number}", **(a or {})}
    bravo = {**panel.BRAVO, "name": f"Bravo{number}", "slug": f"bravo{number}", **(b or {})}
    texts = takes or tuple((seat, *(None if take is None else (take[0], f"{take[1]} It was try {number}.")
        for take in pair))
                           for seat, *pair in panel.TAKES)  # fmt: skip
    title = f"{alpha['name']} vs {bravo['name']}"
    return panel.page(
        head=f"<header><p>AI tool comparison</p><h1>{title}</h1><p>Which one should you ship with?</p></header>",
        cards=panel.cards(alpha, bravo), decision=panel.decision(a=alpha, b=bravo), scorecard=panel.scorecard(texts),
    ).encode("utf-8", "surrogateescape")  # fmt: skip


def takes(number: int, head: str, text: str = "Alpha took one command") -> tuple:
    first = ("Builder", (head, f"{text} in try {number}."), ("80/100 · ship", f"Bravo found it in try {number}."))
    return (
        first,
        *(
            (seat, *(None if take is None else (take[0], f"{take[1]} Try {number}.") for take in pair))
            for seat, *pair in panel.TAKES[1:]
        ),
    )


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
    *(("score", head, {"takes": head}, {SCORES: small}) for head in HEADS),
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

LONG = (
    ("a name of 100 KB", {"a": {"name": "Alpha " + "n" * 100_000}}),
    ("a name of a million blanks", {"a": {"name": "Al" + " " * 1_000_000 + "pha"}}),
    ("a tagline of 1 MB", {"a": {"tagline": "word " * 200_000}}),
    ("a description of 1 MB", {"a": {"description": "word " * 200_000}}),
    ("a description of one word", {"a": {"description": "w" * 1_000_000}}),
    ("a category of 100 KB", {"a": {"category": "Tools, " * 14_000}}),
    ("a chip of 100 KB", {"a": {"chip": "Ship " * 20_000}}), ("an entry of 100 KB", {"a": {"entry": "Free " * 20_000}}),
    ("a verdict of 100 KB", {"a": {"verdict": "Ship · " + "3 ship / 1 skip " * 6_000}}),
    ("votes of 100 KB", {"a": {"votes": "62% · " * 16_000}}),
    ("pricing of digits", {"a": {"pricing": "1" * 100_000}}), ("pricing of blanks", {"a": {"pricing": "$ " * 50_000}}),
    ("pricing of words", {"a": {"pricing": "per seat per month " * 5_000}}),
    ("pricing of slashes", {"a": {"pricing": "/" * 100_000}}),
    ("pricing of brackets", {"a": {"pricing": "(" * 50_000}}),
    ("pricing of ranges", {"a": {"pricing": "$1-" * 30_000}}),
    ("pricing of commas", {"a": {"pricing": "1,000," * 15_000}}),
    ("pricing of plans", {"a": {"pricing": "Pro " * 25_000 + "$20"}}),
    ("pricing of dots", {"a": {"pricing": "$1." * 30_000}}), ("pricing of from", {"a": {"pricing": "from " * 20_000}}),
    ("a take of 1 MB", {"text": "It took one command and then some " * 30_000}),
    ("a take of one word", {"text": "w" * 500_000}),
    ("a take of one repeated word", {"text": "again " * 100_000}), ("a take of marks", {"text": "…" * 100_000}),
    ("a slug of 3,000 letters", {"a": {"slug": "s" * 3_000}}), ("a slug of escapes", {"a": {"slug": "%E0%A4%A" * 50}}),
    ("a slug of dots", {"a": {"slug": "../../.."}}), ("a name that is empty", {"a": {"name": ""}}),
    ("a name of blanks", {"a": {"name": "\u00a0\u2003"}}),
    ("a name of marks", {"a": {"name": "\u200b\u200d\ufeff"}}),
    ("a name of combining marks", {"a": {"name": "A" + "\u0301" * 20_000}}),
    ("a name that runs backwards", {"a": {"name": "\u202eahplA"}}),
    ("two tools of one name and slug", {"b": {"name": "Same", "slug": "same"}, "a": {"name": "Same",
     "slug": "same"}}), ("a name with SQL", {"a": {"name": "'; DROP TABLE reviews; --"}}),
     ("a name with a path", {"a": {"name": "../../etc/passwd"}}),
    ("a name with a template", {"a": {"name": "{{7*7}} ${x} %s {0}"}}),
    ("names of ligatures", {"a": {"name": "ﬁne ﬀ Ⅳ ㎏"}}),
    ("a seat of 100 KB", {"seat": "Builder " * 12_000}), ("a seat of marks", {"seat": "\u200b"}),
)  # fmt: skip


def case(
    number: int, name: str, rule: str, changes: dict, asks: dict | None = None, is_doubted: bool = False
) -> PageCase:
    given = dict(changes)
    shown = None
    if "takes" in given:
        shown = takes(number, given.pop("takes"))
    elif "text" in given:
        shown = takes(number, "88/100 · ship", given.pop("text"))
    elif "seat" in given:
        shown = ((given.pop("seat"), *takes(number, "88/100 · ship")[0][1:]), *takes(number, "88/100 · ship")[1:])
    body = made(number, shown, **given)
    return PageCase(name, rule, body, site=DEMO, path=f"/compare/alpha{number}-vs-bravo{number}", kinds=READ,
        asks=asks or {},
                    is_doubted=is_doubted)  # fmt: skip


SAID_SOBERLY = {"75.5%", "٧٥%", "$٢٠/mo", "$1/mo / " * 3_000}
"""Readable, or at least no contradiction: no doubt is asked for."""

RANGE_CASES = tuple(
    case(number, f"{what} {value[:24]!r} of {len(value)}", "A7", changes, asks,
        is_doubted=value not in SAID_SOBERLY)
      for number, (what, value, changes, asks) in enumerate(RANGE, start=100)
)  # fmt: skip
LONG_CASES = tuple(
    case(number, name, "A6, A18", changes) for number, (name, changes) in enumerate(LONG, start=500)
)  # fmt: skip


ITEMS_READ = frozenset({"document"})
COUNT = "SELECT ratings FROM all_outside_tools WHERE url = $url"
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


def item(name: str, rule: str, body: bytes, kinds: frozenset[str] = ITEMS_READ, **more) -> PageCase:
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
