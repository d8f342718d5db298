"""The floors of the corpus, pinned with the digest of the worlds they were measured on. They are only ever raised."""

import tomllib
from functools import cache
from typing import Any

import pytest

from builders import quality
from builders.made_corpora import make_pages
from builders.made_observations import observations
from builders.paths import BUILDERS
from normalize.corpus import normalize

FLOORS = tomllib.loads((BUILDERS / "quality_floors.toml").read_text(encoding="utf-8"))
NEAR = 0.05
"""How far the precision of a confidence may be from it, where a hundred reviews have it."""


@cache
def _measured(name: str) -> tuple[str, quality.Quality]:
    world: dict[str, Any] = FLOORS[name]["world"]
    pages = list(make_pages(**world))
    return quality.digest(pages), quality.measure(pages, normalize(observations(pages)))


@pytest.mark.parametrize("name", FLOORS)
def test_no_measure_falls_below_its_floor(name: str) -> None:
    digest, found = _measured(name)
    floors = FLOORS[name]
    assert digest == floors["digest"], "another world: measure again with benchmarks.quality"
    measured = {
        "dedupe_precision": found.dedupe.precision,
        "dedupe_recall": found.dedupe.recall,
        "evidenced": found.evidenced,
        "seat_precision": found.seat_precision,
        "seated": found.seated,
        "tools_precision": found.tools.precision,
        "tools_recall": found.tools.recall,
        "products_precision": found.products.precision,
        "products_recall": found.products.recall,
        **{f"{kind}_precision": held.precision for kind, held in found.kinds.items()},
    }
    assert found.lost == 0
    assert {key: value for key, value in measured.items() if value < floors["floors"][key]} == {}
    assert found.lookalikes <= floors["lookalikes"]


@pytest.mark.parametrize("name", FLOORS)
def test_a_confidence_is_the_share_that_is_right(name: str) -> None:
    _, found = _measured(name)
    far = [held for held in found.calibration if held.reviews >= 100 and abs(held.confidence - held.precision) > NEAR]
    assert far == []
