"""All cases by kind."""

from dataclasses import replace

from builders.faults import answers, hosts, nights, redirects, robots, transport
from builders.faults.crawl_case import CrawlCase

MODULES = (transport, answers, hosts, redirects, robots, nights)


def every_case() -> list[CrawlCase]:
    return [replace(case, kind=kind) for module in MODULES for kind, cases in module.CASES.items() for case in cases]


def select_cases(*kinds: str) -> list[CrawlCase]:
    """The cases of these kinds."""
    chosen = [case for case in every_case() if case.kind in kinds]
    assert {case.kind for case in chosen} == {*kinds}
    return chosen
