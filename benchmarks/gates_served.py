"""Whole nights over real sockets, then a fault: what the gates make of it, from the crawl to the readers.

`uv run python -m benchmarks.gates_served [--pages 20 130] [FAULT...]`
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, islice
from pathlib import Path
from time import perf_counter

import duckdb

from builders.redesigns import Design, page
from demo_site.facts import Facts, Pair, Tool, load_facts
from demo_site.responses import SITE_HOST, SITE_URL, Response
from demo_site.server import serve
from fetch.model.revisit import Revisit
from fetch.model.site import Site
from fetch.run.crawl import crawl
from fetch.store.store import Store, open_store
from pipeline import event_loop, steps
from pipeline.build.build import build
from pipeline.data_folder import DataFolder
from pipeline.gates.words import held_lines

START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
DAY = timedelta(days=1)
PLAIN = (("Content-Type", "text/html; charset=utf-8"),)

CAPTCHA = (
    b"<html><head><title>One moment</title></head><body><h1>Before we go on</h1><p>Pick all boats.</p></body></html>"
)


@dataclass(frozen=True)
class MadeSite:
    """Pages by path. `is_up`: the server answers at all; `listed` are the pages that its sitemap names."""

    facts: Facts
    pages: Mapping[str, bytes]
    is_up: bool = True
    listed: tuple[str, ...] = ()

    def responses(self) -> dict[str, Response]:
        urls = "".join(f"<url><loc>{SITE_URL.rstrip('/')}{path}</loc></url>" for path in self.listed)
        sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        robots = f"User-agent: *\nAllow: /\nSitemap: {SITE_URL}sitemap.xml\n"
        return {path: Response(200, PLAIN, body) for path, body in self.pages.items()} | {
            "/robots.txt": Response(200, (("Content-Type", "text/plain"),), robots.encode()),
            "/sitemap.xml": Response(200, (("Content-Type", "application/xml"),), sitemap.encode()),
            "/": Response(200, PLAIN, b"<html><body><h1>Ship or Skip</h1><p>Tools, compared.</p></body></html>"),
        }


def site(count: int, change: Callable[[Tool], Tool] = lambda tool: tool, share: float = 1.0) -> MadeSite:
    """So many comparison pages of the demo's facts, the first `share` of them after a change of their tools."""
    facts = load_facts()
    later = replace(facts, tools={slug: change(tool) for slug, tool in facts.tools.items()})
    slugs = sorted(facts.tools)
    pairs = sorted(combinations(range(len(slugs)), 2), key=lambda pair: (pair[1] - pair[0], pair))
    pages = {}
    for number, (a, b) in enumerate(islice(pairs, count)):
        pair = Pair(slugs[a], slugs[b], "html_semantic", "sitemap")
        pages[pair.path] = page(later if number < round(share * count) else facts, pair, Design()).encode()
    return MadeSite(facts, pages, listed=tuple(pages))


def rewritten(made: MadeSite, change: Callable[[str], str]) -> MadeSite:
    return replace(made, pages={path: change(body.decode()).encode() for path, body in made.pages.items()})


def renamed(made: MadeSite) -> MadeSite:
    return rewritten(made, lambda body: body.replace('href="/tool/', 'href="/directory/'))


def without_chapter(made: MadeSite) -> MadeSite:
    """The scorecard is loaded by a script now."""
    return rewritten(
        made, lambda body: body.partition("<section><h2>Reviewer scorecard")[0] + body[body.rindex("</main>") :]
    )


FAULTS: dict[str, Callable[[int], Iterator[MadeSite]]] = {
    "the site is down": lambda count: iter([replace(site(count), is_up=False)]),
    "captchas with 200": lambda count: iter([replace(site(count), pages=dict.fromkeys(site(count).pages, CAPTCHA))]),
    "an empty sitemap": lambda count: iter([replace(site(count), listed=())]),
    "an empty sitemap, the pages gone": lambda count: iter([replace(site(count), listed=(), pages={})]),
    "a redesign that loses taglines": lambda count: iter([site(count, lambda tool: replace(tool, tagline=""))]),
    "a redesign that loses all takes": lambda count: iter([without_chapter(site(count))]),
    "prices all zero": lambda count: iter([site(count, lambda tool: replace(tool, pricing="$0"))]),
    "tool pages renamed": lambda count: iter([renamed(site(count))]),
    "2 % of prices a night": lambda count: (
        site(count, lambda tool: replace(tool, pricing="—"), share=0.02 * night) for night in range(1, 21)
    ),
}


@contextmanager
def served(made: MadeSite) -> Iterator[tuple[str, int]]:
    with serve(made.responses()) as address:
        # Nothing listens at port 9.
        yield address if made.is_up else ("127.0.0.1", 9)


def night(store: Store, folder: DataFolder, made: MadeSite, at: datetime):
    with served(made) as address:
        asked = Site(
            hosts=(SITE_HOST,),
            start_urls=(SITE_URL,),
            resolve={SITE_HOST: address},
            allow_private=True,
            delay_s=0,
            connections=8,
            revisit=Revisit(least=timedelta(), most=timedelta()),
        )
        crawled = crawl(store, [asked], user_agent="verdicts-test (test@example.org)", clock=lambda: at)
        event_loop.run(crawled)
    report = build(store, folder, now=at)
    steps.publish_corpus(folder)
    return report


def corpus(folder: DataFolder) -> str:
    with duckdb.connect(str(folder.warehouse), read_only=True) as connection:
        tables = ("pages", "tools", "verdicts", "tool_cards", "reviews", "appearances", "price_history")
        rows = {name: sorted(map(repr, connection.sql(f"SELECT * FROM {name}").fetchall())) for name in tables}
    return json.dumps(rows)


def tried(name: str, count: int, quiet: int) -> tuple[str, list[str]]:
    """What a fault came to: the night on which it was held and by what, and the lines that the operator reads."""
    with tempfile.TemporaryDirectory() as root:
        folder, at = DataFolder(Path(root) / "data"), START
        with open_store(folder.root, command="benchmark") as store:
            for _ in range(quiet):
                report = night(store, folder, site(count), at)
                at += DAY
                assert not held_lines(report.gates)
            for number, made in enumerate(FAULTS[name](count), start=1):
                before = corpus(folder)
                report = night(store, folder, made, at)
                at += DAY
                if lines := held_lines(report.gates):
                    measures = {row.measure: row.test for row in report.gates if row.state == "held"}
                    words = ", ".join(f"{measure} ({test})" for measure, test in measures.items())
                    kept = "rows as they were" if corpus(folder) == before else "ROWS CHANGED"
                    recovered = night(store, folder, site(count), at)
                    opened = "opens by itself" if not held_lines(recovered.gates) else "STAYS SHUT"
                    return f"night {number}: {words}; {kept}; {opened}", lines
    return "not held", []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("faults", nargs="*", default=[*FAULTS])
    parser.add_argument("--pages", nargs="*", type=int, default=[20, 130])
    arguments = parser.parse_args()
    for name in arguments.faults:
        for count in arguments.pages:
            began = perf_counter()
            found, lines = tried(name, count, quiet=8 if "night" in name else 2)
            print(f"{name:34} {count:4} pages  {found}  ({perf_counter() - began:.0f} s)", flush=True)
            if count == arguments.pages[0]:
                print("".join(f"    {line}\n" for line in lines), flush=True)


if __name__ == "__main__":
    main()
