"""Pages read a second and core, beside a bare parse and parsel, on the same pages.

    uv run --group peers python -m benchmarks.extract_speed [--pages 200] [--rounds 5]

parsel has to give the same values, or the run ends.
"""

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from benchmarks.measuring import in_turns, make_options, markdown_table, ratio, select_installed
from verdicts.demo_site.responses import SITE_URL
from verdicts.demo_site.site_facts import Pair, load_facts
from verdicts.demo_site.site_pages import render_comparison
from verdicts.fetch.model.snapshot import Snapshot

SEED = 7


def pages(count: int) -> list[tuple[Pair, str]]:
    """Pages with their pairs, by seed: two thirds of a page is script and style, as on the sites one knows."""
    facts, chance = load_facts(), random.Random(SEED)
    return [_pad_page(pair, chance) for pair in chance.choices(facts.pairs, k=count)]


def _pad_page(pair: Pair, chance: random.Random) -> tuple[Pair, str]:
    html = render_comparison(load_facts(), pair, "html_semantic")
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


Fields = dict[str, Any]
"""`cards`: (name, tagline, category, percent, entry) of A and B. `decision`: label to values. `reviews`: (reviewer,
text)."""


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
        "reviews": [(take.reviewer, take.text) for take in comparison.takes],
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
        reviewer = row.xpath("string(./th)").get()
        takes += [(reviewer, cell.xpath("string(./p[2])").get()) for cell in row.xpath("./td[p]")]
    return {"cards": cards, "decision": decision, "reviews": takes}


CONTENDERS: dict[str, Callable[[Pair, str], Fields | None]] = {
    "ours": ours,
    "lexbor": lexbor,
    "parsel": parsel,
}
NEEDS = {"parsel": "parsel"}
"""The module that each imports."""


def seconds(name: str, given: list) -> float:
    """CPU seconds for all pages."""
    began = time.process_time()
    for pair, html in given:
        CONTENDERS[name](pair, html)
    return time.process_time() - began


def check(given: list) -> None:
    """parsel gives the same values."""
    for pair, html in given[:20]:
        key, fields = ours(pair, html), parsel(pair, html)
        fields["decision"] = {label: fields["decision"][label] for label in key["decision"]}
        if fields != key:
            sys.exit(f"parsel reads {pair.path} otherwise")


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--pages", type=int, default=200)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    contenders = select_installed(CONTENDERS, NEEDS)
    given = pages(chosen.pages)
    if "parsel" in contenders:
        check(given)
    for name in contenders:
        seconds(name, given[:5])
    spent = in_turns(chosen.rounds, contenders, lambda name: seconds(name, given))
    rows = []
    for name, times in spent.items():
        rate = chosen.pages / statistics.median(times)
        rows.append((name, f"{rate:,.0f}", f"{1000 / rate:.2f}", ratio(times, spent["ours"])))
    size = sum(len(html) for _, html in given) // len(given)
    print(f"{chosen.pages} pages of {size / 1000:.0f} KB on average:\n")
    print(markdown_table(("", "pages/s a core", "CPU ms a page", "CPU a page, ours = 1"), rows))


if __name__ == "__main__":
    main()
