"""Every rendering of the demo site's facts, by name."""

from collections.abc import Callable
from functools import partial

from builders import text_innertext, text_quotes
from builders.snapshots import html, snapshot
from verdicts.demo_site.facts import DOMS, Facts, Pair, load_facts
from verdicts.demo_site.pages import comparison_page
from verdicts.demo_site.responses import SITE_URL
from verdicts.fetch.model.snapshot import Snapshot

RENDERERS: dict[str, Callable[[Facts, Pair], str]] = {
    **{dom: partial(comparison_page, dom=dom) for dom in DOMS},
    "innertext": text_innertext.render,
    "quotes": text_quotes.render,
}


def page_url(pair: Pair) -> str:
    return SITE_URL.rstrip("/") + pair.path


def rendered(pair: Pair, rendering: str, *, url: str | None = None, night: int = 1) -> Snapshot:
    body = RENDERERS[rendering](load_facts(), pair)
    make = html if rendering.startswith("html") else snapshot
    return make(body, url or page_url(pair), night=night)
