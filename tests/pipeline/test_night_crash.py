"""kill -9 anywhere in a night: the next run goes on as if nothing had happened.

A share of the matrix; `python -m benchmarks.crash_matrix` runs hundreds of points.
"""

import pytest

from builders import crashes

pytestmark = pytest.mark.matrix

SEED, POINTS = 20261101, 3


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A night that nobody disturbed: its rows, and what it did when."""
    data = tmp_path_factory.mktemp("whole") / "data"
    ticks, lasted = crashes.undisturbed(data)
    assert {"fetch", "segment", "commit", "load", "publish", "export"} <= set(ticks)
    return crashes.state_of(data), ticks, lasted


@pytest.mark.parametrize("number", range(POINTS))
def test_a_night_killed_anywhere_ends_as_one_that_was_not(tmp_path, whole, number):
    rows, ticks, lasted = whole
    data = tmp_path / "data"
    point = crashes.spread(ticks, lasted, POINTS, SEED)[number]
    crashes.kill(data, point)
    crashes.resume(data)
    assert crashes.state_of(data) == rows, point
    assert (crashes.strays(data), crashes.stored_twice(data)) == ([], []), point


def test_a_night_killed_again_and_again_ends_as_one_that_was_not(tmp_path, whole):
    rows, ticks, lasted = whole
    data = tmp_path / "data"
    for point in crashes.spread(ticks, lasted, 2, SEED + 1):
        crashes.kill(data, point)
    crashes.resume(data)
    assert crashes.state_of(data) == rows
    assert (crashes.strays(data), crashes.stored_twice(data)) == ([], [])
