"""The gates' two formulas against values of printed tables and of scipy 1.17."""

from math import comb, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdicts.pipeline.gates.host_night import at_least, upper_limit

pytestmark = pytest.mark.once

TAILS = [
    # 1 less the cumulative binomial probabilities of printed tables: n = 5, 10, 20.
    (3, 5, 0.5, 0.5),
    (4, 10, 0.1, 0.0127952),
    (1, 10, 0.05, 0.4012631),
    (8, 20, 0.2, 0.0321427),
    (15, 20, 0.5, 0.0206947),
    # scipy.stats.binom.sf(k - 1, n, p)
    (3, 20, 0.005, 0.00013370036),
    (7, 130, 0.005, 4.8241501e-06),
    (500, 100_000, 0.005, 0.5059919),
    (600, 100_000, 0.005, 7.3905838e-06),
]


@pytest.mark.parametrize(("k", "n", "rate", "expected"), TAILS)
def test_the_tail_is_that_of_the_tables(k, n, rate, expected):
    assert isclose(at_least(k, n, rate), expected, rel_tol=1e-5)


@given(st.integers(1, 60), st.floats(0.001, 0.999), st.data())
def test_the_tail_is_the_sum_of_its_terms(n, rate, data):
    k = data.draw(st.integers(0, n))
    exact = sum(comb(n, i) * rate**i * (1 - rate) ** (n - i) for i in range(k, n + 1))
    assert isclose(at_least(k, n, rate), exact, rel_tol=1e-9, abs_tol=1e-13)


LIMITS = [
    # scipy.stats.binomtest(lost, had).proportion_ci(0.9, "wilson").high
    (0, 130, 0.0203876),
    (1, 20, 0.1960072),
    (5, 100, 0.0991611),
    (50, 100, 0.5811522),
]


@pytest.mark.parametrize(("lost", "had", "expected"), LIMITS)
def test_the_limit_is_wilsons(lost, had, expected):
    assert isclose(upper_limit(lost, had), expected, rel_tol=1e-5)


def test_no_pages_say_nothing_of_a_rate():
    assert upper_limit(0, 0) == 1
    assert (at_least(0, 10, 0.1), at_least(11, 10, 0.1), at_least(1, 10, 0.0)) == (1, 0, 0)
