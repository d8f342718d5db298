"""Every address of the demo site and its response."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from verdicts.demo_site.facts import Dom, Facts, Pair, load_facts
from verdicts.demo_site.other_pages import article_page, front_page, listing, notice, reviewer_pages, tool_page
from verdicts.demo_site.renderings import html_flat, html_jsonld, html_lite, html_semantic
from verdicts.demo_site.renderings.words import HOST, URL
from verdicts.demo_site.sitemaps import robots_txt, sitemap, sitemap_index, stored_gzip

SITE_HOST = HOST
SITE_URL = URL

MODIFIED_ON = "2026-11-03"
LAST_MODIFIED = "Tue, 03 Nov 2026 08:00:00 GMT"
PAIRS_A_LISTING = 40

RENDERERS: Mapping[Dom, Callable[[Facts, Pair], str]] = {
    "html_semantic": html_semantic.render,
    "html_flat": html_flat.render,
    "html_jsonld": html_jsonld.render,
    "html_lite": html_lite.render,
}

REDIRECTS = {
    "/versus/agent-kernel": (301, "/compare/agent-kernel-vs-midjourney"),
    "/compare/latest": (302, "/compare/agent-kernel-vs-llama-4-scout-quantized-on-device-inference"),
    "/compare/mistral-3-small-open-weight-general-assistant-vs-mistral-3-small-22b-open-weight-edge-deployment": (
        308,
        "/compare/mistral-3-small-22b-open-weight-edge-deployment-vs-mistral-3-small-open-weight-general-assistant",
    ),
}
"""An address of an earlier site, one that leads elsewhere with every new page, and a pair in the wrong order."""

GONE = "/compare/agent-kernel-vs-retired-orchestrator"
MISSING = "/compare/agent-kernel-vs-unwritten-tool"


@dataclass(frozen=True, slots=True)
class Response:
    """The response of an address, before validators and content coding."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@cache
def build_site() -> Mapping[str, Response]:
    """All addresses (path with query) of the declared facts. The bytes are the same on every machine."""
    return MappingProxyType(dict(_addresses(load_facts())))


def render_page(facts: Facts, pair: Pair) -> str:
    """The comparison page as the site serves it, in the DOM declared for it."""
    return RENDERERS[pair.dom](facts, pair)


def _addresses(facts: Facts) -> Iterator[tuple[str, Response]]:
    yield "/", _html(front_page(facts))
    yield from _listings(facts)
    for pair in facts.pairs:
        yield pair.path, _html(render_page(facts, pair))
    for tool in facts.tools.values():
        yield f"/tool/{tool.slug}", _html(tool_page(facts, tool))
    for path, page in reviewer_pages(facts).items():
        yield path, _html(page)
    for article in facts.articles:
        yield article.path, _html(article_page(article))
    yield "/bookmarks", _html(notice("Bookmarks", "/bookmarks", "Bookmark tools to save them for later"))
    for path, (status, target) in REDIRECTS.items():
        yield path, Response(status, (("Location", target),), b"")
    yield GONE, _html(notice("Gone", GONE, "This comparison was withdrawn."), status=410)
    yield MISSING, _html(notice("Not found", MISSING, "There is no such page."), status=404)
    yield from _indexes(facts)


def _listings(facts: Facts) -> Iterator[tuple[str, Response]]:
    pairs = [pair for pair in facts.pairs if pair.reach != "sitemap"]
    starts = range(0, len(pairs), PAIRS_A_LISTING)
    paths = ["/compare" if start == 0 else f"/compare?page={number}" for number, start in enumerate(starts, 1)]
    for start, path, next_path in zip(starts, paths, [*paths[1:], None], strict=True):
        yield path, _html(listing(facts, pairs[start : start + PAIRS_A_LISTING], path, next_path))


def _indexes(facts: Facts) -> Iterator[tuple[str, Response]]:
    compared = [pair.path for pair in facts.pairs if pair.reach != "links"]
    others = [f"/tool/{slug}" for slug in facts.tools] + list(reviewer_pages(facts))
    articles = [article.path for article in facts.articles]
    of_tools = sitemap([*others, *articles], MODIFIED_ON).encode()
    yield "/robots.txt", _response("text/plain; charset=utf-8", robots_txt().encode())
    yield "/sitemap.xml", _xml(sitemap_index(["/sitemap-compare.xml", "/sitemap-tools.xml.gz"]))
    yield "/sitemap-compare.xml", _xml(sitemap([*compared, GONE], MODIFIED_ON))
    yield "/sitemap-tools.xml.gz", _response("application/gzip", stored_gzip(of_tools))


def _html(page: str, status: int = 200) -> Response:
    return _response("text/html; charset=utf-8", page.encode(), status)


def _xml(document: str) -> Response:
    return _response("application/xml", document.encode())


def _response(content_type: str, body: bytes, status: int = 200) -> Response:
    modified = (("Last-Modified", LAST_MODIFIED),) if status == 200 else ()
    return Response(status, (("Content-Type", content_type), *modified), body)
