"""Which tool a card is: by the slugs of its page, else by name and tagline. Never by name alone."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from extract.records import Card, Comparison
from normalize.addresses import SlugPair, possible_cuts, split_address
from normalize.ids import named_tool_id, slug_tool_id
from normalize.text import fold_name

ToolPair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A comparison before its tools are known. `source` names it where nothing else does; `url` None: no address.

    `era` is when it was seen, sortable.
    """

    source: str
    era: str
    url: str | None
    comparison: Comparison

    @property
    def host(self) -> str:
        return urlsplit(self.url or "").hostname or ""


@dataclass(frozen=True, slots=True)
class Identity:
    """The tools of a sheet. `named` are the ids its names alone would give; `slugs` None: known by name only.

    `since` are the eras in which it could first be known that these are the tools.
    """

    tools: ToolPair
    named: ToolPair
    slugs: SlugPair | None
    since: tuple[str, str]

    @property
    def is_clear(self) -> bool:
        """Whether two slugs say which tools they are."""
        return self.slugs is not None and not self.slugs.is_ambiguous


@dataclass(frozen=True, slots=True)
class Alias:
    """A tool known by name, and the tool with a slug that claimed it."""

    alias_id: str
    tool_id: str
    name: str
    tagline: str | None


class Claim(NamedTuple):
    """The tool of a name and tagline, and the era that first showed both on a page with its slug."""

    tool_id: str
    since: str


def identify(sheets: Sequence[Sheet]) -> tuple[list[Identity], list[Alias]]:
    """The tools of every sheet, and the ids given up on the way. The order of the sheets does not matter.

    A name with its tagline is claimed by the one tool with a slug that ever showed both; of two claimants, neither.
    """
    known = _known_slugs(sheets)
    slugs = [_slugs(sheet, known.get(sheet.host, frozenset())) for sheet in sheets]
    claims = _claims(sheets, slugs)
    identities = []
    aliases: dict[str, Alias] = {}
    for sheet, pair in zip(sheets, slugs, strict=True):
        first, second = sheet.comparison.cards
        named = (_named_id(first, sheet.source), _named_id(second, sheet.source))
        if pair is not None and not pair.is_ambiguous:
            tools = (slug_tool_id(sheet.host, pair.a), slug_tool_id(sheet.host, pair.b))
            since = (sheet.era, sheet.era)
        else:
            claim_a, claim_b = (claims.get(own, Claim(own, "")) for own in named)
            tools, since = (claim_a.tool_id, claim_b.tool_id), (claim_a.since, claim_b.since)
            for card, own, tool in zip((first, second), named, tools, strict=True):
                if own != tool:
                    aliases[own] = min(
                        aliases.get(own, Alias(own, tool, card.name, card.tagline)),
                        Alias(own, tool, card.name, card.tagline),
                        key=lambda alias: (alias.name, alias.tagline or ""),
                    )
        identities.append(Identity(tools, named, pair, since))
    return identities, [aliases[own] for own in sorted(aliases)]


def _known_slugs(sheets: Sequence[Sheet]) -> Mapping[str, frozenset[str]]:
    """Slugs of each host: those on links, and the halves of addresses that can be cut in one place only."""
    known: dict[str, set[str]] = defaultdict(set)
    for sheet in sheets:
        if sheet.url is None:
            continue
        known[sheet.host] |= {card.slug for card in sheet.comparison.cards if card.slug}
        cuts = possible_cuts(sheet.url)
        if len(cuts) == 1:
            known[sheet.host] |= set(cuts[0])
    return {host: frozenset(slugs) for host, slugs in known.items()}


def _slugs(sheet: Sheet, known: frozenset[str]) -> SlugPair | None:
    """The address decides; the links on the names only where it has no two slugs or could be cut in several places."""
    if sheet.url is None:
        return None
    cut = split_address(sheet.url, known)
    if cut is not None and not cut.is_ambiguous:
        return cut
    a, b = (card.slug for card in sheet.comparison.cards)
    if a and b and (cut is None or (a, b) in possible_cuts(sheet.url)):
        return SlugPair(a, b, is_ambiguous=False)
    return cut


def _claims(sheets: Sequence[Sheet], slugs: Sequence[SlugPair | None]) -> Mapping[str, Claim]:
    """Id by name to the one tool with a slug that shows this name and tagline."""
    claimants: dict[str, dict[str, str]] = defaultdict(dict)
    for sheet, pair in zip(sheets, slugs, strict=True):
        if pair is None or pair.is_ambiguous:
            continue
        for card, slug in zip(sheet.comparison.cards, (pair.a, pair.b), strict=True):
            if card.tagline:
                eras = claimants[_named_id(card, sheet.source)]
                tool = slug_tool_id(sheet.host, slug)
                eras[tool] = min(eras.get(tool, sheet.era), sheet.era)
    return {own: Claim(*next(iter(eras.items()))) for own, eras in claimants.items() if len(eras) == 1}


def _named_id(card: Card, source: str) -> str:
    """Without a tagline a name is too little: the tool stays apart from all others of that name."""
    return named_tool_id(fold_name(card.name), fold_name(card.tagline) if card.tagline else f"\0{source}")
