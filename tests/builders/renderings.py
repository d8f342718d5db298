"""Every rendering of the demo site's facts, by name."""

from collections.abc import Callable

from builders import text_innertext, text_quotes
from builders.snapshots import html, snapshot
from verdicts.demo_site.facts import Facts, Pair, load_facts
from verdicts.demo_site.renderings import html_flat, html_jsonld, html_lite, html_semantic
from verdicts.demo_site.responses import SITE_URL
from verdicts.fetch.model.snapshot import Snapshot

RENDERERS: dict[str, Callable[[Facts, Pair], str]] = {
    "html_semantic": html_semantic.render,
    "html_flat": html_flat.render,
    "html_jsonld": html_jsonld.render,
    "html_lite": html_lite.render,
    "innertext": text_innertext.render,
    "quotes": text_quotes.render,
}


def page_url(pair: Pair) -> str:
    return SITE_URL.rstrip("/") + pair.path


def rendered(pair: Pair, rendering: str, *, url: str | None = None, night: int = 1) -> Snapshot:
    body = RENDERERS[rendering](load_facts(), pair)
    make = html if rendering.startswith("html") else snapshot
    return make(body, url or page_url(pair), night=night)
