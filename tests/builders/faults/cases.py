"""All cases by kind."""

from dataclasses import replace
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

MODULES = (transport, answers, hosts, redirects, robots, nights, pages, values)


def every_case() -> list[Case]:
    return [replace(case, kind=kind) for module in MODULES for kind, cases in module.CASES.items() for case in cases]


def select_cases(*kinds: str) -> list[Case]:
    """The cases of these kinds."""
    found = [case for case in every_case() if case.kind in kinds]
    assert {case.kind for case in found} == {*kinds}
    return found
