"""kill -9 anywhere in a night: the next run goes on as if nothing had happened.

A night killed in every stage; `python -m benchmarks.crash_matrix` kills hundreds, each anywhere and alone.
"""

import random

import pytest

from builders import crashes

pytestmark = pytest.mark.matrix

SEED = 20261101

EARLY = {"fetch": 8, "segment": 8, "commit": 8, "extract": 3}
"""A stage that goes on where it was is killed in this part of its ticks: enough must be left for the next."""


def test_a_night_killed_in_every_stage_ends_as_one_that_was_not(tmp_path):
    chance = random.Random(SEED)
    ticks, _ = crashes.undisturbed(tmp_path / "whole")
    assert set(crashes.STAGES) <= set(ticks)
    most = {stage: max(1, ticks[stage] // EARLY.get(stage, 1)) for stage in crashes.STAGES}
    points = [crashes.Point(stage, chance.randint(1, most[stage])) for stage in crashes.STAGES]
    crashes.killed_in_turn(tmp_path / "data", points)
    assert crashes.state_of(tmp_path / "data") == crashes.state_of(tmp_path / "whole"), points
    assert (crashes.strays(tmp_path / "data"), crashes.stored_twice(tmp_path / "data")) == ([], []), points
