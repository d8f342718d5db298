"""The site of a night on real sockets, and what it was asked for."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime

from builders import redesigns
from builders.month.site import HOST, MIRROR, START, Site
from verdicts.demo_site.responses import SITEMAP_NAMESPACE, Response
from verdicts.demo_site.server import NOT_FOUND, serve
from verdicts.demo_site.site_facts import Pair
from verdicts.demo_site.site_pages import (
    URL,
    comparison_page,
    render_front_page,
    render_listing,
    render_notice,
    render_tool_page,
    text,
)

DESIGN = redesigns.Design(cards="carousel", stats="label first", decision="transposed", scorecard="named columns")
"""The new design: the same words in other places, and no taglines."""

MIRROR_URL = f"http://{MIRROR}/"
OVERLOADED = Response(503, (("Content-Type", "text/plain"),), b"too many requests for one machine\n")


def responses(site: Site) -> Mapping[str, Response]:
    """By path, of the site's own host."""
    facts = site.facts
    pages = {pair.path: html(render(site, pair), site.modified[pair.path]) for pair in facts.pairs}
    others = {f"/tool/{slug}": html(render_tool_page(facts, tool)) for slug, tool in facts.tools.items()}
    others |= {
        "/": html(render_front_page(facts)),
        "/compare": html(render_listing(facts, facts.pairs, "/compare", None)),
    }
    lost = {
        path: Response(status, HTML, render_notice("Not here", path, "This comparison was withdrawn.").encode())
        for path, status in site.removed.items()
    }
    moved = {path: Response(301, (("Location", target),), b"") for path, target in site.redirects.items()}
    return {**lost, **moved, **pages, **others, **indexes(URL, site.modified.items())}


def mirror_responses(site: Site) -> Mapping[str, Response]:
    """By path, of the mirror."""
    if site.mirror is None:
        return indexes(MIRROR_URL, ()) | {"/": html("<html><body><h1>Soon</h1></body></html>")}
    pairs = {pair.path: pair for pair in site.mirror.facts.pairs}
    pages = {path: html(render(site.mirror, pairs[path]).replace(URL, MIRROR_URL)) for path in site.mirrored}
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in pages)
    front = {"/": html(f"<html><body><h1>Compared elsewhere</h1><ul>{links}</ul></body></html>")}
    return pages | front | indexes(MIRROR_URL, ((path, START) for path in pages))


def render(site: Site, pair: Pair) -> str:
    facts = site.facts
    if not site.is_redesigned:
        return comparison_page(facts, pair)
    tools = {slug: replace(facts.tools[slug], tagline="") for slug in (pair.a, pair.b)}
    return redesigns.page(replace(facts, tools=tools), pair, DESIGN)


def indexes(url: str, modified: Iterable[tuple[str, datetime]]) -> dict[str, Response]:
    entries = "".join(
        f"<url><loc>{text(url.rstrip('/') + path)}</loc><lastmod>{at.isoformat()}</lastmod></url>\n"
        for path, at in modified
    )
    sitemap = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SITEMAP_NAMESPACE}">\n{entries}</urlset>\n'
    robots = f"User-agent: *\nAllow: /\nSitemap: {url}sitemap.xml\n"
    return {
        "/robots.txt": Response(200, (("Content-Type", "text/plain"),), robots.encode()),
        "/sitemap.xml": Response(200, (("Content-Type", "application/xml"),), sitemap.encode()),
    }


HTML = (("Content-Type", "text/html; charset=utf-8"),)


def html(page: str, modified: datetime | None = None) -> Response:
    dated = () if modified is None else (("Last-Modified", format_datetime(modified, usegmt=True)),)
    return Response(200, (*HTML, *dated), page.encode())


NOBODY = ("127.0.0.1", 9)
"""Nothing listens there."""

Addresses = Mapping[str, tuple[str, int]]


@dataclass
class Served:
    """The pages of a host, and how often each path was asked for. An overloaded host says nothing else."""

    pages: Mapping[str, Response]
    asked: Counter[str]
    is_overloaded: bool = False

    def get(self, path: str, default: Response | None = None) -> Response:
        self.asked[path] += 1
        return OVERLOADED if self.is_overloaded else self.pages.get(path, default or NOT_FOUND)


@dataclass(frozen=True)
class Serving:
    """Where the hosts of a night answer, and what they were asked for so far."""

    addresses: Addresses
    site: Served
    mirror: Served

    @property
    def requests(self) -> int:
        return self.site.asked.total() + self.mirror.asked.total()


@contextmanager
def serve_site(site: Site) -> Iterator[Serving]:
    own = Served(responses(site), Counter(), site.condition == "overloaded")
    mirror = Served(mirror_responses(site), Counter())
    with (
        serve(own) as address,
        serve(mirror) as mirror_address,
    ):
        is_there = site.condition != "refusing"
        yield Serving({HOST: address if is_there else NOBODY, MIRROR: mirror_address}, own, mirror)
