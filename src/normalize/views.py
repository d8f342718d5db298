"""Views: comparison pages with their address and tools worked out. The first step of normalization.

A view is one rendering of one page as one snapshot showed it. A snapshot that shows nothing new gives no view.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urljoin, urlsplit

from extract.records import Card, Comparison, Observation, Side
from fetch.snapshot import Location, has_address
from normalize.addresses import PATH, SlugPair, split_address
from normalize.ids import address_page_id, named_tool_id, pair_page_id, slug_tool_id
from normalize.text import fold_name

RICHNESS = {"html": 2, "innertext": 1, "quotes": 0}
"""Of two renderings of one crawl, the one that carries more speaks first."""

SIDES: tuple[Side, Side] = ("a", "b")


@dataclass(frozen=True, slots=True)
class View:
    """`url` and `host` are None for a page without an address; `tools` are the ids of A and B."""

    page_id: str
    url: str | None
    host: str | None
    tools: tuple[str, str]
    slugs: SlugPair | None
    comparison: Comparison
    crawl_id: str
    fetched_at: datetime
    location: Location

    @property
    def freshness(self) -> tuple[str, int, str, int]:
        """Sorts views from the oldest and poorest to the newest and richest, whatever order they came in."""
        return (self.crawl_id, RICHNESS[self.comparison.rendering], self.location.segment, self.location.offset)

    def tool(self, side: Side) -> str:
        """The tool on a side."""
        return self.tools[SIDES.index(side)]


@dataclass(frozen=True, slots=True)
class Alias:
    """A tool that a dump named, and the tool whose slug claimed it."""

    alias_id: str
    tool_id: str
    name: str
    tagline: str | None


@dataclass(frozen=True, slots=True)
class Views:
    """All views, oldest first, and the aliases found on the way."""

    views: tuple[View, ...]
    aliases: tuple[Alias, ...]


def read_views(observations: Iterable[Observation]) -> Views:
    """Gives every comparison its page and its tools. Does not depend on the order of the observations."""
    seen = [item for item in observations if isinstance(item.extracted, Comparison)]
    seen.sort(key=lambda item: (item.crawl_id, item.url, item.sha256, item.location.segment, item.location.offset))
    fresh = _without_repeats(seen)
    urls = [_page_url(item) for item in fresh]
    known = _known_slugs(fresh, urls)
    pairs = [None if url is None else _slugs(url, item, known) for url, item in zip(urls, fresh, strict=True)]
    claims = _claims(fresh, urls, pairs)
    aliases: dict[str, Alias] = {}
    drafts: list[tuple[Observation, str | None, SlugPair | None, tuple[str, str]]] = []
    for item, url, pair in zip(fresh, urls, pairs, strict=True):
        cards = _comparison(item).cards
        if url is not None and pair is not None:
            host = urlsplit(url).hostname or ""
            tools = (slug_tool_id(host, pair.a), slug_tool_id(host, pair.b))
        else:
            tools = (_named_tool(cards[0], claims, aliases), _named_tool(cards[1], claims, aliases))
        drafts.append((item, url, pair, tools))
    addressed: dict[tuple[str, str], set[str]] = defaultdict(set)
    for _, url, _, tools in drafts:
        if url is not None:
            addressed[tools].add(url)
    views = [_view(item, url, pair, tools, addressed) for item, url, pair, tools in drafts]
    return Views(tuple(sorted(views, key=lambda view: view.freshness)), tuple(aliases.values()))


def _comparison(item: Observation) -> Comparison:
    if not isinstance(item.extracted, Comparison):
        raise TypeError("only comparisons become views")
    return item.extracted


def _without_repeats(seen: Sequence[Observation]) -> list[Observation]:
    """Drops a snapshot whose page said the same the last time: other bytes, the same records."""
    last: dict[tuple[str, str], Comparison] = {}
    fresh = []
    for item in seen:
        comparison = _comparison(item)
        key = (item.url, comparison.rendering)
        if last.get(key) != comparison:
            last[key] = comparison
            fresh.append(item)
    return fresh


def _page_url(item: Observation) -> str | None:
    """The page's address. `rel=canonical` is believed only within the host that serves the page."""
    if not has_address(item.url):
        return None
    canonical = urljoin(item.url, _comparison(item).canonical_url or "").partition("#")[0]
    here, there = urlsplit(item.url), urlsplit(canonical)
    is_trusted = (here.scheme, here.netloc) == (there.scheme, there.netloc) and there.path.startswith(PATH)
    return canonical if is_trusted else item.url


def _known_slugs(items: Sequence[Observation], urls: Sequence[str | None]) -> frozenset[str]:
    """Slugs seen on links, and halves of addresses that can be cut in one place only."""
    linked = {card.slug for item in items for card in _comparison(item).cards if card.slug}
    cut = (split_address(url, ()) for url in urls if url is not None and url.count("-vs-") == 1)
    return frozenset(linked | {slug for pair in cut if pair is not None for slug in (pair.a, pair.b)})


def _slugs(url: str, item: Observation, known: frozenset[str]) -> SlugPair | None:
    a, b = (card.slug for card in _comparison(item).cards)
    return split_address(url, known) or (SlugPair(a, b, is_ambiguous=False) if a and b else None)


def _card_key(card: Card) -> tuple[str, str]:
    return fold_name(card.name), fold_name(card.tagline or "")


def _claims(
    items: Sequence[Observation], urls: Sequence[str | None], pairs: Sequence[SlugPair | None]
) -> dict[tuple[str, str], str]:
    """(name, tagline) to the one tool with a slug that shows both. Never by name alone, never where two would claim."""
    claimants: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item, url, pair in zip(items, urls, pairs, strict=True):
        if url is None or pair is None:
            continue
        for card, slug in zip(_comparison(item).cards, (pair.a, pair.b), strict=True):
            if card.tagline:
                claimants[_card_key(card)].add(slug_tool_id(urlsplit(url).hostname or "", slug))
    return {key: next(iter(tools)) for key, tools in claimants.items() if len(tools) == 1}


def _named_tool(card: Card, claims: dict[tuple[str, str], str], aliases: dict[str, Alias]) -> str:
    key = _card_key(card)
    own = named_tool_id(*key)
    claimed = claims.get(key)
    if claimed is None:
        return own
    aliases.setdefault(own, Alias(own, claimed, card.name, card.tagline))
    return claimed


def _view(
    item: Observation,
    url: str | None,
    pair: SlugPair | None,
    tools: tuple[str, str],
    addressed: dict[tuple[str, str], set[str]],
) -> View:
    """A dump without an address is a rendering of the one addressed page that compares the same two tools."""
    homes = addressed.get(tools, set())
    if url is None and len(homes) == 1:
        url = next(iter(homes))
    return View(
        page_id=pair_page_id(*tools) if url is None else address_page_id(url),
        url=url,
        host=None if url is None else urlsplit(url).hostname,
        tools=tools,
        slugs=pair,
        comparison=_comparison(item),
        crawl_id=item.crawl_id,
        fetched_at=item.fetched_at,
        location=item.location,
    )
