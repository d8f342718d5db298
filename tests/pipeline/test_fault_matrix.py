"""A share of the cases that `python -m benchmarks.faults` tries in full: what pages say, and what is typed."""

import random

import pytest

from builders.faults import call_case, page_case
from builders.faults.cases import CALLS, PAGES, cases_of

SEED, READ, CALLED = 20261122, 12, 5
SLOW = ("hostile markup", "texts of any size")


@pytest.mark.once
def test_a_page_costs_itself(tmp_path):
    cases = [case for place in PAGES for case in cases_of(f"builds.{place}") if case.kind not in SLOW]
    chosen = random.Random(SEED).sample(cases, READ)
    seen = page_case.fell(chosen, tmp_path)
    assert {f"{case.kind}: {case.name}": lines for case, lines in zip(chosen, seen, strict=True) if lines} == {}


def share():
    places = [place for place in CALLS if place != "tampered"]
    cases = [case for place in places for case in cases_of(f"calls.{place}") if case.home == "night" and not case.then]
    return random.Random(SEED).sample(cases, CALLED)


@pytest.mark.night
@pytest.mark.parametrize("case", share(), ids=lambda case: f"{case.kind}: {case.name}")
@pytest.mark.share(2)
def test_a_call_ends_with_its_code_and_a_line(tmp_path, night, case):
    home, _ = night
    assert call_case.fell(case, tmp_path, home) == [], case.rule
