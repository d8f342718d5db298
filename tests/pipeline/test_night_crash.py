"""kill -9 anywhere in a night: the next run goes on as if nothing had happened.

A night killed in four of its stages; `python -m benchmarks.kills nights` kills hundreds, each anywhere and alone.
"""

import random

import pytest

from builders import kills

pytestmark = pytest.mark.matrix

SEED = 20261101

EARLY = {"fetch": 8, "segment": 8, "commit": 8, "extract": 3}
"""A stage that goes on where it was is killed in this part of its ticks: enough must be left for the next."""


KILLED = 4
"""Of seven stages, as each costs a night."""


def test_a_night_killed_in_several_stages_ends_as_one_that_was_not(tmp_path):
    chance = random.Random(SEED)
    (ticks,) = kills.nights(tmp_path / "whole")
    assert set(kills.STAGES) <= set(ticks)
    stages = sorted(chance.sample(kills.STAGES, KILLED), key=kills.STAGES.index)
    most = {stage: max(1, ticks[stage] // EARLY.get(stage, 1)) for stage in stages}
    points = [f"{stage}:{chance.randint(1, most[stage])}" for stage in stages]
    *killed, last = kills.nights(tmp_path / "data", *points, "none")
    assert killed == [None] * KILLED, points
    assert last
    assert kills.state_of(tmp_path / "data") == kills.state_of(tmp_path / "whole"), points
    assert (kills.strays(tmp_path / "data"), kills.stored_twice(tmp_path / "data")) == ([], []), points
