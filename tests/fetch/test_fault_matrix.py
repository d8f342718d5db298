"""Whatever a host sends: each address has an outcome, and the fault costs that host alone."""

import pytest

from builders.faults import crawl_case
from builders.faults.cases import every_case, select_cases

TOGETHER = ("transport", "status and headers", "content encodings", "answers", "redirects")
"""Of these kinds all cases are tried that are single addresses, on one host."""
CLOCK = {"read_timeout", "deadline"}
"""What is told apart by the clock is left out: a busy machine takes a slow host for a silent one."""
ALONE = [case for case in every_case() if not crawl_case.is_alone(case)]


def name_case(case):
    return f"{case.kind}: {case.name}"


async def test_whatever_a_host_sends_is_an_outcome_of_its_address(tmp_path):
    cases = [
        case
        for case in select_cases(*TOGETHER)
        if crawl_case.is_alone(case) and not CLOCK & case.nights[0].expect["/page"]
    ]
    assert len(cases) > 300
    assert await crawl_case.fell_together(cases, tmp_path) == []


@pytest.mark.parametrize("case", ALONE, ids=name_case)
@pytest.mark.share(30)
async def test_a_host_with_a_fault_costs_itself(tmp_path, case):
    assert await crawl_case.fell(case, tmp_path) == [], case.rule
