"""From observations to pages and tools.

`sightings`, `identities`, `scan`, `pages`, then `tools`, `products`, `candidates`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from verdicts.corpus.rows.tools import ToolAliasRow
from verdicts.extract.model.records import Comparison, Observation
from verdicts.normalize.components import joined
from verdicts.normalize.dedup.mentions import Mention, TextIds
from verdicts.normalize.external import candidate_rows, external_tools
from verdicts.normalize.identity.ids import ToolAlias, address_page_id
from verdicts.normalize.identity.merging import merged
from verdicts.normalize.identity.page_versions import PageVersion, ToolDay, tool_day, versions_by_page
from verdicts.normalize.identity.products import product_rows
from verdicts.normalize.identity.resolving import resolve
from verdicts.normalize.identity.sightings import sighting_of
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE, LeftOut, without_failing
from verdicts.normalize.parse.typed_page import TypedTake, type_comparison
from verdicts.normalize.rows.consistency import discrepancy_rows
from verdicts.normalize.rows.documents import address_rows
from verdicts.normalize.rows.pages import card_rows, merged_page, page_rows, verdict_history_rows, verdict_rows
from verdicts.normalize.rows.tools import (
    Statement,
    in_corrected_groups,
    known_tool,
    page_statements,
    price_history_rows,
    pricing_tier_rows,
    tool_history_rows,
    tool_row,
    tool_states,
)
from verdicts.normalize.stages import relations as rel
from verdicts.normalize.work import OUTCOMES, Known, Work

T = TypeVar("T")

AT_A_TIME = 2_000
"""Pages with observations in memory at once: those of 130,000 take two gigabytes."""


def sightings(work: Work) -> None:
    """Sends the sighting of each snapshot of a comparison."""
    for stored in work.read(rel.OBSERVED):
        observation = stored.observation
        try:
            seen = sighting_of(observation, work.known.profiles)
        except NO_FAULT_OF_A_PAGE:
            raise
        except Exception as error:
            work.left_out.append(LeftOut(observation, error))
            continue
        if seen is not None:
            work.send(rel.SIGHTINGS, (seen,))


def identities(work: Work) -> None:
    """Sends the page and the tools of every snapshot, and former ids of tools."""
    corrections, sightings = work.known.corrections, work.read(rel.SIGHTINGS)
    resolved = resolve(sightings, work.known.moved, corrections.apart("tools"))
    found, aliases, outcomes = merged(resolved, sightings, corrections)
    work.send(OUTCOMES, outcomes)
    work.send(rel.IDENTITIES, found)
    work.send(rel.ALIASES, aliases)
    rows = (ToolAliasRow(one.alias_id, one.tool_id, one.name, one.tagline, one.reason) for one in aliases)
    work.keep("tool_aliases", [*rows])


def scan(work: Work) -> None:
    """Sends each observation to the partition of its page and to that of its address. Most often they are the same."""
    known = work.known
    of_place = {identity.location: identity for identity in work.read(rel.IDENTITIES)}
    for stored in work.read(rel.OBSERVED):
        identity = of_place.get(stored.location)
        address = known.partition_of("page", address_page_id(stored.url)) if known.partitions > 1 else 0
        page = address if identity is None else known.partition_of("page", identity.page_id)
        work.send_to(rel.SCANNED, page, (rel.ScannedObservation(stored, identity, page == address),))
        if page != address:
            work.send_to(rel.SCANNED, address, (rel.ScannedObservation(stored, None, is_of_address=True),))


def pages(work: Work) -> None:
    """Makes rows of pages and addresses. Sends what pages say about tools, and their takes.

    An observation that fails is left out and reported.
    """
    aliases = {alias.alias_id: alias for alias in work.read(rel.ALIASES)}
    texts = _Texts()
    for part in _parts(work.read(rel.SCANNED)):
        made = _sound(part, aliases, work, texts)
        work.send(rel.DISCREPANCIES, made.rows.pop("discrepancies"))
        work.keep_all(made.rows)
        work.send_to(rel.EXTERNAL_TOOLS, work.number, external_tools(made.rows))
        work.send(rel.MENTIONS, made.mentions)
        work.send_to(rel.MENTIONS_ON_PAGES, work.number, made.mentions)
        work.send(rel.TOOL_DAYS, made.tool_days)
        work.send(rel.STATEMENTS, made.statements)


def _parts(scanned: Sequence[rel.ScannedObservation]) -> Iterator[list[rel.ScannedObservation]]:
    """Observations in parts: all of a page together, and all of an address together."""
    # A page may have several addresses, and an address may show several pages over time.
    first = joined(
        (f"url {item.observed.url}", item.identity.page_id)
        for item in scanned
        if item.identity is not None and item.is_of_address
    )
    groups: dict[str, list[rel.ScannedObservation]] = defaultdict(list)
    for item in scanned:
        key = f"url {item.observed.url}" if item.identity is None else item.identity.page_id
        groups[first.get(key, key)].append(item)
    together = [*groups.values()]
    for begin in range(0, len(together), AT_A_TIME):
        yield [item for group in together[begin : begin + AT_A_TIME] for item in group]


@dataclass(slots=True)
class _Texts:
    """Caches for all pages of a partition: ids of texts, and each value of a take once."""

    ids: TextIds = field(default_factory=TextIds)
    values: dict[Any, Any] = field(default_factory=dict)


class _Made(NamedTuple):
    """The rows by table of some pages and addresses, and what later stages need."""

    rows: dict[str, list[Any]]
    mentions: list[Mention]
    tool_days: list[ToolDay]
    statements: list[Statement]


def _sound(
    scanned: Sequence[rel.ScannedObservation], aliases: Mapping[str, ToolAlias], work: Work, texts: _Texts
) -> _Made:
    def attempt(some: Sequence[Observation]) -> _Made:
        places = {item.location for item in some}
        return _made([item for item in scanned if item.observed.location in places], aliases, work.known, texts)

    made, left_out = without_failing(
        lambda: _made(scanned, aliases, work.known, texts),
        lambda: [*{item.observed.location: item.observed.observation for item in scanned}.values()],
        attempt,
    )
    work.left_out += left_out
    return made


def _made(
    scanned: Sequence[rel.ScannedObservation], aliases: Mapping[str, ToolAlias], known: Known, texts: _Texts
) -> _Made:
    observed = {item.observed.location: item.observed.observation for item in scanned}
    found = {item.observed.location: item.identity for item in scanned if item.identity is not None}
    at_address = [observed[item.observed.location] for item in scanned if item.is_of_address]
    comparisons = {
        place: type_comparison(item.extracted, known.profiles[item.extracted.profile])
        for place, item in observed.items()
        if isinstance(item.extracted, Comparison)
    }
    by_page = versions_by_page(
        found.values(), [observed[place] for place in found], comparisons, aliases, known.gone, known.profiles
    )
    versions = [version for of_page in by_page.values() for version in of_page]
    rows = _page_rows(by_page.values(), known) | address_rows(at_address, comparisons, known.rights)
    return _Made(
        {table: [*of_table] for table, of_table in rows.items()},
        [*_mentions(versions, texts)],
        [*_tool_days(versions)],
        [*chain.from_iterable(map(page_statements, by_page.values()))],
    )


def _page_rows(versions: Collection[Sequence[PageVersion]], known: Known) -> dict[str, Iterable[Any]]:
    found = [merged_page(of_page[::-1]) for of_page in versions]
    return {
        "pages": page_rows(found, known.gone, known.rights),
        "tool_cards": card_rows(found),
        "verdicts": verdict_rows(found),
        "verdict_history": verdict_history_rows(found),
        "discrepancies": discrepancy_rows(found),
    }


def _mentions(versions: Iterable[PageVersion], texts: _Texts) -> Iterator[Mention]:
    for version in versions:
        head = version.head
        tool_ids, early_ids = head.tool_ids, head.early_ids
        # A page may show one tool on both sides. Then the label is the early id of the first.
        early = {None: None, "a": early_ids[0], "b": early_ids[tool_ids.index(tool_ids[1])]}
        label = {None: None, "a": tool_ids[0], "b": tool_ids[1]}
        for take in version.comparison.takes:
            shared = _shared(take, texts.values)
            text_id = texts.ids.of(shared.text, early_ids, early[take.side])
            yield Mention(text_id, head, shared, label[take.side])


def _shared(take: TypedTake, values: dict[Any, Any]) -> TypedTake:
    """The take with shared objects for equal values, because most takes are on many pages."""

    def same(value: T) -> T:
        shared: T = values.setdefault(value, value)
        return shared

    words = (same(take.text), same(take.span))
    return TypedTake(take.position, take.row, take.side, same(take.seat), take.score, take.verdict, *words)


def _tool_days(versions: Iterable[PageVersion]) -> Iterator[ToolDay]:
    for version in versions:
        head = version.head
        freshness = head.freshness
        for tool_id in {*head.tool_ids} if version.comparison.takes else ():
            yield ToolDay(tool_day(tool_id, freshness[0]), head.page_id, head.location, freshness, head.fetched_at)


def tools(work: Work) -> None:
    """Makes rows of tools, their history and prices. Sends every tool with its current name."""
    by_tool: dict[str, list[Statement]] = defaultdict(list)
    for statement in work.read(rel.STATEMENTS):
        by_tool[statement.tool_id].append(statement)
    found = [*map(tool_states, by_tool.values())]
    rows = work.corrected("tools", map(tool_row, found))
    rows, outcomes = in_corrected_groups(rows, work.known.corrections)
    work.send(OUTCOMES, outcomes)
    work.keep("tools", rows)
    work.send(rel.TOOLS, (known_tool(row, tool.first_page) for row, tool in zip(rows, found, strict=True)))
    work.keep_all(
        {
            "tool_history": chain.from_iterable(map(tool_history_rows, found)),
            "price_history": chain.from_iterable(map(price_history_rows, found)),
            "pricing_tiers": chain.from_iterable(map(pricing_tier_rows, found)),
        }
    )


def products(work: Work) -> None:
    """Makes rows of tools that seem to be entries of one product."""
    rows, outcomes = product_rows(work.read(rel.TOOLS), work.known.corrections)
    work.keep("products", rows)
    work.send(OUTCOMES, outcomes)


def candidates(work: Work) -> None:
    """Makes rows of tools of the panel that pages of other sites may name."""
    aliases = {alias.alias_id: alias.tool_id for alias in work.read(rel.ALIASES)}
    rows, outcomes = candidate_rows(
        work.read(rel.EXTERNAL_TOOLS), work.read(rel.TOOLS), aliases, work.known.corrections
    )
    work.keep("product_candidates", rows)
    work.send(OUTCOMES, outcomes)
