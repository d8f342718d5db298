"""All cases by kind, and how a batch of them is tried: a crawl alone, pages together in one build."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from builders.faults import (
    answers,
    crawl_case,
    hosts,
    nights,
    page_case,
    pages,
    redirects,
    robots,
    transport,
    values,
)

Case: TypeAlias = crawl_case.CrawlCase | page_case.PageCase

TOGETHER = 16
"""Pages that are tried in one process and share a build."""

MODULES = (transport, answers, hosts, redirects, robots, nights, pages, values)


def every_case() -> list[Case]:
    return [replace(case, kind=kind) for module in MODULES for kind, cases in module.CASES.items() for case in cases]


def cases_of(*kinds: str) -> list[Case]:
    """The cases of these kinds."""
    found = [case for case in every_case() if case.kind in kinds]
    assert {case.kind for case in found} == {*kinds}
    return found


def named(names: Sequence[tuple[str, str]]) -> list[Case]:
    """The cases of these kinds and names: one with a function in it cannot be sent to another process."""
    by_name = {(case.kind, case.name): case for case in every_case()}
    return [by_name[name] for name in names]


def batches(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Cases that are tried in one process: a crawl alone, others with those of their kind."""
    kinds = defaultdict(list)
    for case in cases:
        kinds[case.kind].append(case)
    for of_kind in kinds.values():
        size = TOGETHER if isinstance(of_kind[0], page_case.PageCase) else 1
        yield from (of_kind[start : start + size] for start in range(0, len(of_kind), size))


def tried(batch: Sequence[Case], folder: Path, neighbours: page_case.Rows | None) -> list[list[str]]:
    """For each case of a batch what was seen that its rule forbids; nothing where it survives."""
    if isinstance(batch[0], page_case.PageCase):
        return page_case.fell(batch, folder, neighbours)
    return [asyncio.run(crawl_case.fell(case, folder / str(number))) for number, case in enumerate(batch)]
