"""The floors of the corpus, pinned with the digest of the worlds they were measured on. They are only ever raised."""

import tomllib
from functools import cache
from typing import Any

import pytest

from builders import quality
from builders.made_corpora import make_pages
from builders.made_observations import observations
from builders.paths import BUILDERS
from verdicts.normalize.corpus import normalize

FLOORS = tomllib.loads((BUILDERS / "quality_floors.toml").read_text(encoding="utf-8"))
NEAR = 0.05
"""How far the precision of a confidence may be from it, where a hundred reviews have it."""


@cache
def _measure(name: str) -> tuple[str, quality.Quality]:
    world: dict[str, Any] = FLOORS[name]["world"]
    pages = list(make_pages(**world))
    return quality.digest(pages), quality.measure(pages, normalize(observations(pages)))


@pytest.mark.parametrize("name", FLOORS)
@pytest.mark.share(3)
def test_no_measure_falls_below_its_floor(name: str) -> None:
    digest, measured = _measure(name)
    floors = FLOORS[name]
    assert digest == floors["digest"], "another world: measure again with benchmarks.quality"
    assert measured.counts["lost"] == 0
    assert sorted(measured.shares) == sorted(floors["floors"])
    assert {name: share for name, share in measured.shares.items() if share < floors["floors"][name]} == {}
    assert measured.counts["lookalikes"] <= floors["lookalikes"]


@pytest.mark.parametrize("name", FLOORS)
@pytest.mark.whole
def test_a_confidence_is_the_share_that_is_right(name: str) -> None:
    _, measured = _measure(name)
    far = [
        bin_ for bin_ in measured.calibration if bin_.reviews >= 100 and abs(bin_.confidence - bin_.precision) > NEAR
    ]
    assert far == []
