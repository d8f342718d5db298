"""Comparison pages of 60 to 100 KB as real sites send them: the demo's, with scripts, styles and markup around them."""

import json
import random
from datetime import UTC, datetime

from verdicts.demo_site.facts import Dom, Pair, load_facts
from verdicts.demo_site.pages import comparison_page
from verdicts.demo_site.responses import SITE_URL
from verdicts.fetch.model.snapshot import Snapshot

DOMS: tuple[Dom, ...] = ("html_semantic", "html_flat", "html_jsonld")
SEED = 7


def pages(count: int, *, semantic_only: bool = False) -> list[tuple[Pair, str]]:
    """Pages with their pairs, by seed: two thirds of a page is script and style, as on the sites one knows."""
    facts, chance = load_facts(), random.Random(SEED)
    doms = DOMS[:1] if semantic_only else DOMS
    return [_padded(pair, chance, chance.choice(doms)) for pair in chance.choices(facts.pairs, k=count)]


def _padded(pair: Pair, chance: random.Random, dom: Dom) -> tuple[Pair, str]:
    html = comparison_page(load_facts(), pair, dom)
    target = chance.randrange(60_000, 100_000)
    rules = [f".c-{number:x}{{margin:{number % 9}px;color:#{number:06x}}}" for number in range(400)]
    style = f"<style>{''.join(rules)}</style>"
    menu = "".join(
        f'<li class="m-{number}"><a class="px-2" href="/tools/{number}"><span>Section {number}</span></a></li>'
        for number in range(120)
    )
    html = html.replace("</head>", f"{style}</head>", 1).replace("<body>", f"<body><nav><ul>{menu}</ul></nav>", 1)
    words = [f"w{chance.randrange(10**6):x}" for _ in range(500)]
    chunks = []
    size = len(html)
    while size < target:
        chunk = json.dumps({"id": len(chunks), "children": chance.choices(words, k=60)})
        chunks.append(f"<script>self.__next_f.push([1,{chunk}])</script>")
        size += len(chunks[-1])
    return pair, html.replace("</body>", f"{''.join(chunks)}</body>", 1)


def snapshot(pair: Pair, html: str) -> Snapshot:
    """The page as the raw store gives it."""
    url = SITE_URL.rstrip("/") + pair.path
    moment = datetime(2026, 11, 1, tzinfo=UTC)
    return Snapshot(url, url, moment, 200, (("content-type", "text/html; charset=utf-8"),), html.encode(), "benchmark")
