"""Pages that were seen before their names were sure to be a tool's: what these were known as then hangs on aliases."""

from collections.abc import Collection, Iterator, Mapping

import msgspec

from normalize.identity.resolving.pages import Judged
from normalize.identity.resolving.works import Works, is_clear
from normalize.identity.tool_identity import ToolAlias
from normalize.state.relation import Relation


class EarlyName(msgspec.Struct, frozen=True, array_like=True):
    """A name and tool that a page has, and the first ingest day of the page.

    Whose page has slugs since its first day has none: a claim of its names is no younger.
    """

    page_id: str
    name_id: str
    tool_id: str
    since: str


EARLY_NAMES = Relation("early_names", EarlyName, ("page_id", "name_id"))


def keep_early_names(works: Works, judged: Judged) -> None:
    """Gives the state the early names of all pages of the round."""
    pages = {found.page_id for found in (*judged.before.values(), *judged.now.values())}
    records = [name for page_id in pages if not _is_sure(judged, page_id) for name in _early_names(judged, page_id)]
    works.state.replace(EARLY_NAMES, "page_id", pages, records)


def _is_sure(judged: Judged, page_id: str) -> bool:
    """Whether the page was seen once, with slugs."""
    head = judged.heads.get(page_id)
    return head is not None and is_clear(head.slugs) and len(judged.groups[page_id]) == 1


def _early_names(judged: Judged, page_id: str) -> Iterator[EarlyName]:
    group, head = judged.groups.get(page_id, []), judged.heads.get(page_id)
    since = min((work.sighting.ingest_day for work in group), default="")
    is_sure = head is not None and is_clear(head.slugs) and head.sighting.ingest_day == since
    sure = head.sighting.name_ids if head is not None and is_sure else ()
    identities = (judged.now[work.place] for work in group)
    named = {pair for found in identities for pair in zip(found.name_ids, found.tool_ids, strict=True)}
    for name_id, tool_id in named:
        if name_id not in sure:
            yield EarlyName(page_id, name_id, tool_id, since)


def renamed_early(works: Works, aliases: Mapping[str, tuple[ToolAlias | None, ToolAlias | None]]) -> Collection[str]:
    """Pages of which a tool was known by another id on an ingest day, as these aliases are others now."""
    until = {alias_id: [(alias.tool_id, alias.since) for alias in both if alias] for alias_id, both in aliases.items()}
    claimed = {
        alias_id for alias_id, both in until.items() if (len({*both}) < 2 and len(both) < 2) or both[0] != both[1]
    }
    found = works.state.find(EARLY_NAMES, "name_id", claimed) if claimed else ()
    return {
        name.page_id
        for name in found
        if any(tool_id == name.tool_id and name.since < since for tool_id, since in until[name.name_id])
    }
