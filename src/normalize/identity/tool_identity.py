"""Which tool a card is about: by the slugs of its page, else by name and tagline. Never by name alone."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from normalize.identity.ids import slug_tool_id
from normalize.identity.renamed_slugs import Slug, renamed_slugs
from normalize.identity.sides import is_turned
from normalize.identity.unresolved_page import ToolPair, UnresolvedPage
from normalize.parse.slugs import SlugPair, best_cut


@dataclass(frozen=True, slots=True)
class ResolvedTools:
    """The tools of a page. `name_ids` are the ids that names and taglines alone would give.

    `slugs` is None where the tools are known by name only.
    """

    tool_ids: ToolPair
    name_ids: ToolPair
    slugs: SlugPair | None

    @property
    def has_clear_slugs(self) -> bool:
        """Whether two slugs say which tools they are."""
        return self.slugs is not None and not self.slugs.is_ambiguous


@dataclass(frozen=True, slots=True)
class ToolAlias:
    """An id that is a tool's no more, and the tool that has claimed it since the ingest day `since`.

    It was made of name and tagline, or of a slug that the tool was renamed to.
    """

    alias_id: str
    tool_id: str
    name: str
    tagline: str | None
    since: str
    reason: str = "one tool with a slug shows this name and tagline"


RENAMED = "the site leads the pages of the tool's first slug to those of this one"


class Claim(NamedTuple):
    """The tool that owns a name and tagline, and the first ingest day that showed both on a page with its slug."""

    tool_id: str
    since: str


def resolve_tools(
    pages: Sequence[UnresolvedPage], moved_urls: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[ResolvedTools], list[ToolAlias]]:
    """The tools of every page, and the aliases of claimed names. The order of the pages does not matter.

    A name with its tagline belongs to the tool with a slug that showed both. If two slugs did, to neither; if one slug
    did on several hosts, to the tool of the host that did first. A tool whose slug was renamed keeps its id
    (`renamed_slugs`); `moved_urls` are addresses whose page is held under another one.
    """
    slugs_of_host = _slugs_by_host(pages)
    slug_pairs = [_slug_pair(page, slugs_of_host.get(page.host, frozenset())) for page in pages]
    renamed = renamed_slugs(pages, slug_pairs, moved_urls)
    claims = _claims(pages, slug_pairs, renamed)
    resolved = []
    aliases: dict[str, ToolAlias] = {}
    for page, slugs in zip(pages, slug_pairs, strict=True):
        first, second = page.comparison.cards
        if slugs is not None and not slugs.is_ambiguous:
            firsts = [renamed.get((page.host, slug), slug) for slug in (slugs.a, slugs.b)]
            tool_ids = (slug_tool_id(page.host, firsts[0]), slug_tool_id(page.host, firsts[1]))
            for card, slug, first_slug in zip((first, second), (slugs.a, slugs.b), firsts, strict=True):
                if slug != first_slug:
                    own_id, tool_id = slug_tool_id(page.host, slug), slug_tool_id(page.host, first_slug)
                    alias = ToolAlias(own_id, tool_id, card.name, card.tagline, page.ingest_day, RENAMED)
                    _add_alias(aliases, alias)
        else:
            claim_a, claim_b = (claims.get(name_id, Claim(name_id, "")) for name_id in page.name_ids)
            tool_ids = (claim_a.tool_id, claim_b.tool_id)
            for card, name_id, claim in zip((first, second), page.name_ids, (claim_a, claim_b), strict=True):
                if name_id != claim.tool_id:
                    _add_alias(aliases, ToolAlias(name_id, claim.tool_id, card.name, card.tagline, claim.since))
        resolved.append(ResolvedTools(tool_ids, page.name_ids, slugs))
    return resolved, [aliases[name_id] for name_id in sorted(aliases)]


def _add_alias(aliases: dict[str, ToolAlias], alias: ToolAlias) -> None:
    """Spellings of a name that fold to the same id give one alias: the smallest, whatever order they come in."""
    known = aliases.get(alias.alias_id, alias)
    aliases[alias.alias_id] = min(known, alias, key=lambda item: (item.name, item.tagline or "", item.since))


def _slugs_by_host(pages: Sequence[UnresolvedPage]) -> Mapping[str, frozenset[str]]:
    """Known slugs of each host: those on links, and the halves of addresses that can be cut in one place only."""
    slugs: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        if page.url is None:
            continue
        slugs[page.host].update(card.slug for card in page.comparison.cards if card.slug)
        if len(page.cuts) == 1:
            slugs[page.host].update(page.cuts[0])
    return {host: frozenset(known) for host, known in slugs.items()}


def _slug_pair(page: UnresolvedPage, known: frozenset[str]) -> SlugPair | None:
    """The slugs of A and B: those of the address, or of the links where the address gives none or is ambiguous.

    A's is the second of the address where links or names say so. None for a page without an address.
    """
    if page.url is None:
        return None
    cut = best_cut(page.cuts, known)
    if cut is not None and not cut.is_ambiguous:
        return SlugPair(cut.b, cut.a, is_ambiguous=False) if is_turned(page.comparison, page.cuts) else cut
    a, b = (card.slug for card in page.comparison.cards)
    if a and b and (cut is None or (a, b) in page.cuts or (b, a) in page.cuts):
        return SlugPair(a, b, is_ambiguous=False)
    return cut


def _claims(
    pages: Sequence[UnresolvedPage], slug_pairs: Sequence[SlugPair | None], renamed: Mapping[Slug, str]
) -> Mapping[str, Claim]:
    """Name id to the one tool with a slug that shows this name and tagline. Of mirrors, the first host's."""
    claimants: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    for page, slugs in zip(pages, slug_pairs, strict=True):
        if slugs is None or slugs.is_ambiguous:
            continue
        for card, name_id, slug in zip(page.comparison.cards, page.name_ids, (slugs.a, slugs.b), strict=True):
            if card.tagline:
                first_days = claimants[name_id]
                address = (renamed.get((page.host, slug), slug), page.host)
                first_days[address] = min(first_days.get(address, page.ingest_day), page.ingest_day)
    return {
        name_id: _first_claim(first_days)
        for name_id, first_days in claimants.items()
        if len({slug for slug, _ in first_days}) == 1
    }


def _first_claim(first_days: Mapping[tuple[str, str], str]) -> Claim:
    """`first_days` are by slug and host."""
    since, host, slug = min((day, host, slug) for (slug, host), day in first_days.items())
    return Claim(slug_tool_id(host, slug), since)
