"""From snapshots with their pages and tools to the rows of pages and addresses, and to what pages say and show."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import msgspec

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.extract.model.records import Comparison, Observation
from verdicts.extract.model.stored import StoredObservation
from verdicts.normalize.components import join_pairs
from verdicts.normalize.dedup.mentions import Mention, TextIds
from verdicts.normalize.external import ExternalTool, list_external_tools
from verdicts.normalize.identity.ids import Identity
from verdicts.normalize.identity.page_versions import PageVersion, make_versions
from verdicts.normalize.isolation import LeftOut, leave_out_failing
from verdicts.normalize.parse.match_keys import STRUCK
from verdicts.normalize.parse.typed_page import type_comparison
from verdicts.normalize.rows.consistency import make_discrepancy_rows
from verdicts.normalize.rows.documents import make_address_rows
from verdicts.normalize.rows.page_rows import (
    MergedPage,
    make_card_rows,
    make_page_rows,
    make_panel_mention_rows,
    make_verdict_history_rows,
    make_verdict_rows,
    merge_versions,
)
from verdicts.normalize.rows.tool_rows import Statement, list_statements
from verdicts.normalize.work import Output, RunInputs, return_freed_memory

AT_A_TIME = 2_000
"""Pages with observations in memory at once: those of 130,000 take two gigabytes."""


class IdentifiedSnapshot(msgspec.Struct, frozen=True, array_like=True):
    """A snapshot with its page and tools. `identity` is None for one without a comparison.

    Past one machine a page and its address may be worked on in two places. Then `identity` is also None in the place
    that has only the address, and `is_of_address` is False in the place that has only the page.
    """

    snapshot: StoredObservation
    identity: Identity | None
    is_of_address: bool = True


@dataclass(frozen=True, slots=True)
class Pages:
    """What pages say and show: `statements` about tools, `mentions` of takes, tools of other sites.

    `mentions` of one page come together. `discrepancies` are contradictions of a page with itself.
    """

    mentions: list[Mention] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    external_tools: list[ExternalTool] = field(default_factory=list)
    discrepancies: list[DiscrepancyRow] = field(default_factory=list)

    def add(self, part: "Pages") -> None:
        self.mentions.extend(part.mentions)
        self.statements.extend(part.statements)
        self.external_tools.extend(part.external_tools)
        self.discrepancies.extend(part.discrepancies)


def read_pages(
    snapshots: list[StoredObservation], identities: Iterable[Identity], inputs: RunInputs, output: Output
) -> Pages:
    """Keeps the rows of pages and addresses. Returns what pages say and show.

    Empties `snapshots`: for a million takes they need a gigabyte, and the result needs another one.
    """
    of_place = {identity.location: identity for identity in identities}
    identified = [IdentifiedSnapshot(snapshot, of_place.get(snapshot.location)) for snapshot in snapshots]
    snapshots.clear()
    pages = Pages()
    for part in read_identified(identified, inputs, output):
        pages.add(part)
    return pages


def read_identified(identified: list[IdentifiedSnapshot], inputs: RunInputs, output: Output) -> Iterator[Pages]:
    """Some pages after the other, each taken out of `identified`. A snapshot that fails is left out and reported."""
    reader = _PageReader(inputs)
    for part in _cut_parts(identified):
        (rows, pages), left_out = _read_sound(part, reader)
        output.left_out += left_out
        for table, of_table in rows.items():
            output.keep_corrected(table, of_table)
        yield pages


def _read_sound(part: Sequence[IdentifiedSnapshot], reader: "_PageReader") -> tuple["_Made", list[LeftOut]]:
    def read_some(sound: Sequence[Observation]) -> _Made:
        places = {item.location for item in sound}
        return reader.read([item for item in part if item.snapshot.location in places])

    def observations() -> list[Observation]:
        return [*{item.snapshot.location: item.snapshot.observation for item in part}.values()]

    return leave_out_failing(lambda: reader.read(part), observations, read_some)


def _cut_parts(identified: list[IdentifiedSnapshot]) -> Iterator[list[IdentifiedSnapshot]]:
    """Snapshots in parts: all of a page together, and all of an address together. Empties `identified`."""
    # A page may have several addresses, and an address may show several pages over time.
    first = join_pairs(
        (f"url {item.snapshot.url}", item.identity.page_id)
        for item in identified
        if item.identity is not None and item.is_of_address
    )
    groups: dict[str, list[IdentifiedSnapshot]] = defaultdict(list)
    for item in identified:
        key = f"url {item.snapshot.url}" if item.identity is None else item.identity.page_id
        groups[first.get(key, key)].append(item)
    identified.clear()
    while groups:
        together = [groups.popitem()[1] for _ in range(min(AT_A_TIME, len(groups)))]
        yield [item for group in together for item in group]
        return_freed_memory()


_Made = tuple[dict[str, list[Any]], Pages]
"""Rows by table, and what the pages say and show."""


class _PageReader:
    """Reads pages, with ids of texts cached: most takes are on many pages."""

    def __init__(self, inputs: RunInputs) -> None:
        self._inputs = inputs
        self._ids = TextIds()

    def read(self, identified: Sequence[IdentifiedSnapshot]) -> _Made:
        inputs = self._inputs
        observed = {item.snapshot.location: item.snapshot.observation for item in identified}
        identities = {item.snapshot.location: item.identity for item in identified if item.identity is not None}
        of_pages = [observed[location] for location in identities]
        comparisons = {
            location: type_comparison(item.extracted, inputs.profiles[item.extracted.profile])
            for location, item in observed.items()
            if isinstance(item.extracted, Comparison)
        }
        by_page = make_versions(identities.values(), of_pages, comparisons, inputs.gone, inputs.profiles)
        versions = [version for of_page in by_page.values() for version in of_page]
        at_address = [observed[item.snapshot.location] for item in identified if item.is_of_address]
        merged = [*map(merge_versions, by_page.values())]
        rows: dict[str, list[Any]] = defaultdict(list)
        of_addresses = make_address_rows(at_address, comparisons, inputs)
        mentioned = [*of_addresses.pop("mentions")]
        for made in (_make_page_rows(merged, inputs), of_addresses):
            for table, of_table in made.items():
                rows[table].extend(of_table)
        return rows, Pages(
            [*self._list_mentions(versions)],
            [*chain.from_iterable(list_statements(page.states, inputs.gone) for page in merged)],
            [*list_external_tools(mentioned, rows["pages"])],
            rows.pop("discrepancies"),
        )

    def _list_mentions(self, versions: Iterable[PageVersion]) -> Iterator[Mention]:
        for version in versions:
            tool_ids, takes = version.head.tool_ids, version.comparison.takes
            label = {None: None, "a": tool_ids[0], "b": tool_ids[1]}
            for take, text_id in zip(takes, self._ids.find(takes, version.identity.printed_ids), strict=True):
                if take.text != STRUCK:
                    yield Mention(text_id, version.head, take, label[take.side])


def _make_page_rows(merged: Sequence[MergedPage], inputs: RunInputs) -> dict[str, Iterable[Any]]:
    return {
        "pages": make_page_rows(merged, inputs.gone, inputs.rights),
        "mentions": make_panel_mention_rows(merged),
        "tool_cards": make_card_rows(merged),
        "verdicts": make_verdict_rows(merged),
        "verdict_history": make_verdict_history_rows(merged, inputs.gone),
        "discrepancies": make_discrepancy_rows(merged),
    }
