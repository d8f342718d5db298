"""All cases, and how a batch of them is tried: a crawl alone, pages together in one build, calls one by one."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol

from builders.faults import archive_case, call_case, crawl_case, page_case

TOGETHER: dict[type, int] = {page_case.PageCase: 16, archive_case.ArchiveCase: 25, call_case.CallCase: 6}
"""Cases of a kind that are tried in one process; pages also share a build."""

CRAWLS = ("transport", "heads", "encodings", "charsets", "redirects", "addresses", "robots", "sitemaps", "declared",
          "sizes", "identity", "nights", "answers")  # fmt: skip
PAGES = ("charsets", "markup", "panels", "items")
CALLS = ("asking", "tampered", "rot", "running")


class Case(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def rule(self) -> str: ...


PLACES = (
    *(f"crawls.{name}" for name in CRAWLS),
    *(f"builds.{name}" for name in (*PAGES, "archives")),
    *(f"calls.{name}" for name in CALLS),
)


def cases_of(place: str) -> list[Case]:
    """The cases of a module: `crawls.robots`."""
    return list(import_module(f"builders.faults.{place}").CASES)


def every_case() -> list[Case]:
    return [case for place in PLACES for case in cases_of(place)]


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
        size = TOGETHER.get(type(of_kind[0]), 1)
        yield from (of_kind[start : start + size] for start in range(0, len(of_kind), size))


@dataclass(frozen=True)
class Ready:
    """What many batches need and is made once: rows of undisturbed neighbours, and folders after a night by name."""

    neighbours: page_case.Rows | None = None
    homes: Mapping[str, Path] = field(default_factory=dict)


def prepare(cases: Sequence[Case]) -> Ready:
    kinds = {type(case) for case in cases}
    return Ready(
        page_case.untouched() if page_case.PageCase in kinds else None,
        call_case.homes() if call_case.CallCase in kinds else {},
    )


def tried(batch: Sequence[Case], folder: Path, ready: Ready) -> list[list[str]]:
    """For each case of a batch what was seen that its rule forbids; nothing where it survives."""
    if isinstance(batch[0], page_case.PageCase):
        return page_case.fell(batch, folder, ready.neighbours)
    return [_tried(case, folder / str(number), ready) for number, case in enumerate(batch)]


def _tried(case: Case, folder: Path, ready: Ready) -> list[str]:
    if isinstance(case, call_case.CallCase):
        return call_case.fell(case, folder, ready.homes.get(case.home))
    if isinstance(case, archive_case.ArchiveCase):
        return archive_case.fell(case, folder)
    return asyncio.run(crawl_case.fell(case, folder))
