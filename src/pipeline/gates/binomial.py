"""The two formulas of the gates. `math` has what they need: scipy would be 100 MB for them."""

from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95


def at_least(k: int, n: int, rate: float) -> float:
    """Probability that `k` or more of `n` pages lose something that each loses with probability `rate`.

    Exact: the terms of the binomial distribution are added up, of the shorter tail, until they no longer count.
    """
    if k <= 0 or rate >= 1:
        return 1.0
    if k > n or rate <= 0:
        return 0.0
    if k > n * rate:
        return min(1.0, _tail(k, n, rate))
    # The other tail is that of the pages which keep it.
    return max(0.0, 1.0 - _tail(n - k + 1, n, 1 - rate))


def _tail(k: int, n: int, rate: float) -> float:
    """The sum from `k` on, which lies above the mean: each term is smaller than the one before."""
    term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(rate) + (n - k) * log1p(-rate))
    total = 0.0
    odds = rate / (1 - rate)
    while k <= n and term > total * 1e-17:
        total += term
        term *= (n - k) / (k + 1) * odds
        k += 1
    return total


def upper_limit(lost: int, had: int, confidence: float = CONFIDENCE) -> float:
    """One-sided upper limit of a rate of which `lost` of `had` were seen (Wilson's score interval); 1 of no pages."""
    if had <= 0:
        return 1.0
    z = NormalDist().inv_cdf(confidence)
    share, z2 = lost / had, z * z
    centre = share + z2 / (2 * had)
    spread = z * sqrt(share * (1 - share) / had + z2 / (4 * had * had))
    return min(1.0, (centre + spread) / (1 + z2 / had))
