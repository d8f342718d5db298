"""A site of comparison pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice

from builders.redesigns import Design, page
from verdicts.demo_site.responses import SITE_URL, Response
from verdicts.demo_site.site_facts import Facts, Pair, Tool, load_facts

PLAIN = (("Content-Type", "text/html; charset=utf-8"),)

CAPTCHA = (
    b"<html><head><title>One moment</title></head><body><h1>Before we go on</h1><p>Pick all boats.</p></body></html>"
)


@dataclass(frozen=True)
class MadeSite:
    """Pages by path. `listed` are those that its sitemap names."""

    facts: Facts
    pages: Mapping[str, bytes]
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
