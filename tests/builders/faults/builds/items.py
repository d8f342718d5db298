"""schema.org items and tables of other sites: numbers, dates and texts as strangers write them."""

import json

from builders.faults.page_case import PageCase

KIND = "schema.org and tables"
READ = frozenset({"document"})
RATING = "SELECT rating FROM all_outside_tools WHERE url = $url"
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


def case(name: str, rule: str, body: bytes, kinds: frozenset[str] = READ, **more) -> PageCase:
    return PageCase(KIND, name, rule, body, kinds=kinds, **more)


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

CASES = (
    *(case(f"ratingValue {value[:16]} of {len(value)}", "A7", page(product(rating=value)), asks={POSITIVE: TRUE})
        for value in NUMBERS),
    *(case(f"reviewCount {value[:16]} of {len(value)}", "A7", page(product(count=value)), asks={COUNTED: TRUE})
        for value in NUMBERS),
    *(case(f"datePublished {value[:20]!r} of {len(value)}", "A7",
        page(reviewed(f'{{"@type": "Review", "reviewBody": "Fine words.", "datePublished": "{value}"}}')))
      for value in DATES),
    *(case(f"a page published {value[:20]!r} of {len(value)}", "A7",
        page("[]").replace(b"<title>", f'<meta property="article:published_time" content="{value}"><title>'.encode()))
      for value in DATES),
    *(case(f"a name of {what}", "A5, faults 59", page(product().replace('"Alpha"', value))) for what,
        value in STRINGS.items()),
    *(case(f"a review of {what}", "A5, faults 59",
        page(reviewed(f'{{"@type": "Review", "reviewBody": {value}, "author": {value}}}'))) for what,
        value in STRINGS.items()),
    *(case(f"a script of {what}", "faults 62", page(script)) for what, script in SCRIPTS.items()),
    *(case(f"microdata {prop} {value[:12]} of {len(value)}", "A7", microdata(prop, value),
        asks={POSITIVE: TRUE, COUNTED: TRUE})
      for prop in ("ratingValue", "reviewCount") for value in ("1e999", "NaN", "9" * 30, "7" * 5_000, "-5", "²", "")),
    case("an attribute of 1 MB", "A6", page("[]", table(f"<tr><td>{'a ' * 500_000}</td><td>1</td><td>2</td></tr>"))),
    case("cells of nothing", "docs/extraction", page("[]", table("<tr><td></td><td></td><td></td></tr>" * 50))),
    case("spans without end", "faults 62",
        page("[]", table("<tr><td colspan=99999999999999999999>x</td><td rowspan=99999999999999999999>y</td></tr>"))),
    case("50,000 rows", "faults 62", page("[]", table("<tr><td>a</td><td>1</td><td>2</td></tr>" * 50_000)),
        frozenset({"document", "reject"})),
    case("rows of other lengths", "docs/extraction", page("[]",
        table("<tr><td>a</td></tr><tr><td>b</td><td>1</td><td>2</td><td>3</td><td>4</td></tr>"))),
    case("entities that are no letters", "faults 59", page("[]",
        table("<tr><td>a&#xD800;</td><td>&#0;1</td><td>&#x81;2</td></tr>")), frozenset({"document", "reject"})),
)  # fmt: skip
