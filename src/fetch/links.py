"""The links of an HTML page."""

from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from fetch.canonical import BadUrl, canonicalize


def find_links(body: bytes, url: str) -> tuple[str, ...]:
    """Canonical addresses a page links to, in order, each once. `nofollow` is honoured, on a link and for the page."""
    tree = LexborHTMLParser(body, encoding=True, scripting=True)
    metas = tree.css('meta[name="robots" i]')
    if any("nofollow" in (meta.attributes.get("content") or "").lower() for meta in metas):
        return ()
    base_tag = tree.css_first("base[href]")
    base = url if base_tag is None else urljoin(url, base_tag.attributes.get("href") or "")
    found: dict[str, None] = {}
    for link in tree.css("a[href]"):
        if "nofollow" in (link.attributes.get("rel") or "").lower().split():
            continue
        try:
            found[canonicalize(link.attributes.get("href") or "", base)] = None
        except BadUrl:
            continue
    return tuple(found)
