"""Which tool a card is: by the slugs of its page, else by name and tagline. Never by name alone."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from extract.model.records import Card, Comparison
from extract.panel.profile import SiteProfile
from normalize.identity.ids import named_tool_id, slug_tool_id
from normalize.parse.slugs import SlugPair, possible_cuts, split_address
from normalize.parse.text import fold_name

ToolPair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A comparison before its tools are known. `source` names it where nothing else does; `url` None: no address.

    `night` is when it came in, sortable.
    """

    source: str
    night: str
    url: str | None
    comparison: Comparison
    profile: SiteProfile

    @property
    def host(self) -> str:
        return urlsplit(self.url or "").hostname or ""


@dataclass(frozen=True, slots=True)
class Identity:
    """The tools of a sheet. `named` are the ids its names alone would give; `slugs` None: known by name only."""

    tools: ToolPair
    named: ToolPair
    slugs: SlugPair | None

    @property
    def is_clear(self) -> bool:
        """Whether two slugs say which tools they are."""
        return self.slugs is not None and not self.slugs.is_ambiguous


@dataclass(frozen=True, slots=True)
class Alias:
    """A tool known by name, and the tool with a slug that claimed it, in the night `since`."""

    alias_id: str
    tool_id: str
    name: str
    tagline: str | None
    since: str


class Claim(NamedTuple):
    """The tool of a name and tagline, and the night that first showed both on a page with its slug."""

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
        named = (named_key(first, sheet.source), named_key(second, sheet.source))
        if pair is not None and not pair.is_ambiguous:
            tools = (slug_tool_id(sheet.host, pair.a), slug_tool_id(sheet.host, pair.b))
        else:
            claim_a, claim_b = (claims.get(own, Claim(own, "")) for own in named)
            tools = (claim_a.tool_id, claim_b.tool_id)
            for card, own, claim in zip((first, second), named, (claim_a, claim_b), strict=True):
                if own != claim.tool_id:
                    alias = Alias(own, claim.tool_id, card.name, card.tagline, claim.since)
                    aliases[own] = min(
                        aliases.get(own, alias), alias, key=lambda alias: (alias.name, alias.tagline or "")
                    )
        identities.append(Identity(tools, named, pair))
    return identities, [aliases[own] for own in sorted(aliases)]


def _known_slugs(sheets: Sequence[Sheet]) -> Mapping[str, frozenset[str]]:
    """Slugs of each host: those on links, and the halves of addresses that can be cut in one place only."""
    known: dict[str, set[str]] = defaultdict(set)
    for sheet in sheets:
        if sheet.url is None:
            continue
        known[sheet.host] |= {card.slug for card in sheet.comparison.cards if card.slug}
        cuts = possible_cuts(sheet.url, sheet.profile)
        if len(cuts) == 1:
            known[sheet.host] |= set(cuts[0])
    return {host: frozenset(slugs) for host, slugs in known.items()}


def _slugs(sheet: Sheet, known: frozenset[str]) -> SlugPair | None:
    """The address decides; the links on the names only where it has no two slugs or could be cut in several places."""
    if sheet.url is None:
        return None
    cut = split_address(sheet.url, known, sheet.profile)
    if cut is not None and not cut.is_ambiguous:
        return cut
    a, b = (card.slug for card in sheet.comparison.cards)
    if a and b and (cut is None or (a, b) in possible_cuts(sheet.url, sheet.profile)):
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
                nights = claimants[named_key(card, sheet.source)]
                tool = slug_tool_id(sheet.host, slug)
                nights[tool] = min(nights.get(tool, sheet.night), sheet.night)
    return {own: Claim(*next(iter(nights.items()))) for own, nights in claimants.items() if len(nights) == 1}


def named_key(card: Card, source: str) -> str:
    """The id by name. Without a tagline that is too little: the tool stays apart from all others of that name."""
    return named_tool_id(fold_name(card.name), fold_name(card.tagline) if card.tagline else f"\0{source}")
