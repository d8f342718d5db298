"""A share of the cases that `python -m benchmarks.faults` tries in full: what hosts send, and files taken in."""

import random

import pytest

from builders.faults import archive_case, crawl_case, one_host
from builders.faults.cases import CRAWLS, cases_of, every_case

pytestmark = pytest.mark.once

SEED, CRAWLED, FILES = 20261122, 25, 12
TOGETHER = ("heads", "encodings")
"""Kinds whose cases are single addresses: all of them are tried, on one host."""
TIMED = ("transport", "sizes", "answers")
"""Kinds whose cases are told apart by the clock: a busy machine takes a slow host for a silent one."""


def share(places, count):
    cases = [case for place in places for case in cases_of(place)]
    return random.Random(SEED).sample(cases, count)


def named(case):
    return f"{case.kind}: {case.name}"


async def test_whatever_a_host_sends_is_an_outcome_of_its_address(tmp_path):
    cases = [case for kind in TOGETHER for case in cases_of(f"crawls.{kind}") if one_host.is_alone(case)]
    assert len(cases) > 200
    assert await one_host.fell(cases, tmp_path) == []


@pytest.mark.parametrize(
    "case", share([f"crawls.{kind}" for kind in CRAWLS if kind not in {*TOGETHER, *TIMED}], CRAWLED), ids=named
)
async def test_a_host_with_a_fault_costs_itself(tmp_path, case):
    assert await crawl_case.fell(case, tmp_path) == [], case.rule


@pytest.mark.parametrize("case", share(["builds.archives"], FILES), ids=named)
def test_a_broken_file_costs_itself(tmp_path, case):
    assert archive_case.fell(case, tmp_path) == [], case.rule


def test_every_case_has_a_name_of_its_own():
    names = [(case.kind, case.name) for case in every_case()]
    assert len(names) == len(set(names))
