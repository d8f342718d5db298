"""All cases, and how a batch of them is tried: a crawl alone, pages together in one build, calls one by one."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol

from builders.faults import archive_case, call_case, crawl_case, page_case

TOGETHER = 16
"""Pages in one build."""

CRAWLS = ("transport", "heads", "encodings", "charsets", "redirects", "addresses", "robots", "sitemaps", "declared",
          "sizes", "identity", "nights")  # fmt: skip
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


def batches(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Cases that are tried in one process; pages share a build with those of their kind."""
    pages = defaultdict(list)
    for case in cases:
        if isinstance(case, page_case.PageCase):
            pages[case.kind].append(case)
        else:
            yield [case]
    for of_kind in pages.values():
        yield from (of_kind[start : start + TOGETHER] for start in range(0, len(of_kind), TOGETHER))


def prepare(cases: Sequence[Case]) -> None:
    """What all batches need, made once before they are forked."""
    if any(isinstance(case, page_case.PageCase) for case in cases):
        page_case.untouched()
    if any(isinstance(case, call_case.CallCase) for case in cases):
        call_case.homes()


def tried(batch: Sequence[Case], folder: Path) -> list[list[str]]:
    """For each case of a batch what was seen that its rule forbids; nothing where it survives."""
    if isinstance(batch[0], page_case.PageCase):
        return page_case.fell(batch, folder)
    if isinstance(batch[0], archive_case.ArchiveCase):
        return [archive_case.fell(case, folder / str(number)) for number, case in enumerate(batch)]
    if isinstance(batch[0], call_case.CallCase):
        return [
            call_case.fell(case, folder / str(number), call_case.homes().get(case.home))
            for number, case in enumerate(batch)
        ]
    return [asyncio.run(crawl_case.fell(case, folder / str(number))) for number, case in enumerate(batch)]
