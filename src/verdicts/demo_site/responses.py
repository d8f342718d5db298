"""Every address of the demo site with its response: pages, redirects, robots.txt, sitemaps."""

import gzip
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from verdicts.demo_site.site_facts import Facts, load_facts
from verdicts.demo_site.site_pages import (
    HOST,
    URL,
    address,
    render_article,
    render_comparison,
    render_front_page,
    render_listing,
    render_notice,
    render_reviewer_pages,
    render_tool_page,
    text,
)

SITE_HOST = HOST
SITE_URL = URL

MODIFIED_ON = "2026-11-03"
LAST_MODIFIED = "Tue, 03 Nov 2026 08:00:00 GMT"
PAIRS_A_LISTING = 40

SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

REDIRECTS = {
    "/versus/amble-kernel": (301, "/compare/amble-kernel-vs-midmeadow"),
    "/compare/latest": (302, "/compare/amble-kernel-vs-loriel-4-scout-quantized-on-device-inference"),
    "/compare/miselle-3-small-open-weight-general-assistant-vs-miselle-3-small-22b-open-weight-edge-deployment": (
        308,
        "/compare/miselle-3-small-22b-open-weight-edge-deployment-vs-miselle-3-small-open-weight-general-assistant",
    ),
}
"""An old address, one that changes with every new page, and a pair in the wrong order."""

GONE = "/compare/amble-kernel-vs-retired-orchestrator"
MISSING = "/compare/amble-kernel-vs-unwritten-tool"


@dataclass(frozen=True, slots=True)
class Response:
    """A response, before validators and content coding."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@cache
def build_site() -> Mapping[str, Response]:
    """The response of every address (path with query). The bytes are the same on every machine."""
    return MappingProxyType(dict(_make_responses(load_facts())))


def _make_responses(facts: Facts) -> Iterator[tuple[str, Response]]:
    yield "/", _make_html(render_front_page(facts))
    yield from _make_listings(facts)
    for pair in facts.pairs:
        yield pair.path, _make_html(render_comparison(facts, pair))
    for tool in facts.tools.values():
        yield f"/tool/{tool.slug}", _make_html(render_tool_page(facts, tool))
    for path, page in render_reviewer_pages(facts).items():
        yield path, _make_html(page)
    for article in facts.articles:
        yield article.path, _make_html(render_article(article))
    yield "/bookmarks", _make_html(render_notice("Bookmarks", "/bookmarks", "Bookmark tools to save them for later"))
    for path, (status, target) in REDIRECTS.items():
        yield path, Response(status, (("Location", target),), b"")
    yield GONE, _make_html(render_notice("Gone", GONE, "This comparison was withdrawn."), status=410)
    yield MISSING, _make_html(render_notice("Not found", MISSING, "There is no such page."), status=404)
    yield from _make_indexes(facts)


def _make_listings(facts: Facts) -> Iterator[tuple[str, Response]]:
    pairs = [pair for pair in facts.pairs if pair.reach != "sitemap"]
    starts = range(0, len(pairs), PAIRS_A_LISTING)
    paths = ["/compare" if start == 0 else f"/compare?page={number}" for number, start in enumerate(starts, 1)]
    for start, path, next_path in zip(starts, paths, [*paths[1:], None], strict=True):
        yield path, _make_html(render_listing(facts, pairs[start : start + PAIRS_A_LISTING], path, next_path))


def _make_indexes(facts: Facts) -> Iterator[tuple[str, Response]]:
    robots = f"User-agent: *\nAllow: /\nDisallow: /bookmarks\nDisallow: /admin\n\nSitemap: {URL}sitemap.xml\n"
    compared = [pair.path for pair in facts.pairs if pair.reach != "links"]
    linked = [f"/tool/{slug}" for slug in facts.tools] + list(render_reviewer_pages(facts))
    articles = [article.path for article in facts.articles]
    yield "/robots.txt", _make_response("text/plain; charset=utf-8", robots.encode())
    yield (
        "/sitemap.xml",
        _make_xml(_make_sitemap("sitemapindex", "sitemap", ["/sitemap-compare.xml", "/sitemap-tools.xml.gz"])),
    )
    yield "/sitemap-compare.xml", _make_xml(_make_sitemap("urlset", "url", [*compared, GONE]))
    of_tools = _make_sitemap("urlset", "url", [*linked, *articles])
    yield "/sitemap-tools.xml.gz", _make_response("application/gzip", gzip.compress(of_tools.encode(), mtime=0))


def _make_sitemap(kind: str, entry: str, paths: Iterable[str]) -> str:
    modified = f"<lastmod>{MODIFIED_ON}</lastmod>" if entry == "url" else ""
    entries = "".join(f"<{entry}><loc>{text(address(path))}</loc>{modified}</{entry}>\n" for path in paths)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{kind} xmlns="{SITEMAP_NAMESPACE}">\n{entries}</{kind}>\n'


def _make_html(page: str, status: int = 200) -> Response:
    return _make_response("text/html; charset=utf-8", page.encode(), status)


def _make_xml(document: str) -> Response:
    return _make_response("application/xml", document.encode())


def _make_response(content_type: str, body: bytes, status: int = 200) -> Response:
    modified = (("Last-Modified", LAST_MODIFIED),) if status == 200 else ()
    return Response(status, (("Content-Type", content_type), *modified), body)
