"""A site of comparison pages on loopback, its faults, and whole nights that crawl, build and publish it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, islice

from builders.redesigns import Design, page
from verdicts.demo_site.facts import Facts, Pair, Tool, load_facts
from verdicts.demo_site.responses import SITE_HOST, SITE_URL, Response
from verdicts.demo_site.server import serve
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.url_state import Revisit
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store.store import Store
from verdicts.pipeline import event_loop, steps
from verdicts.pipeline.build.build import build
from verdicts.pipeline.data_folder import DataFolder

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
