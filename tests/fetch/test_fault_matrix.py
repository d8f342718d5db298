"""A share of the cases that `python -m benchmarks.faults` tries in full: what hosts send, and files taken in."""

import random

import pytest

from builders.faults import crawl_case
from builders.faults.cases import cases_of

SEED, CRAWLED = 20261122, 25
TOGETHER = ("transport", "status and headers", "content encodings", "answers", "redirects")
"""Of these kinds all cases are tried that are single addresses, on one host."""
ALONE = ("answers", "redirects", "robots", "sitemaps", "over nights")
CLOCK = {"read_timeout", "deadline"}
"""What is told apart by the clock is left out: a busy machine takes a slow host for a silent one."""


def share(count, *kinds):
    return random.Random(SEED).sample(cases_of(*kinds), count)


def named(case):
    return f"{case.kind}: {case.name}"


async def test_whatever_a_host_sends_is_an_outcome_of_its_address(tmp_path):
    cases = [
        case for case in cases_of(*TOGETHER) if crawl_case.is_alone(case) and not CLOCK & case.nights[0].expect["/page"]
    ]
    assert len(cases) > 300
    assert await crawl_case.fell_together(cases, tmp_path) == []


@pytest.mark.parametrize("case", share(CRAWLED, *ALONE), ids=named)
@pytest.mark.share(5)
async def test_a_host_with_a_fault_costs_itself(tmp_path, case):
    assert await crawl_case.fell(case, tmp_path) == [], case.rule
