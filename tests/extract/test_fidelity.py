"""The floors of extraction, pinned with the digest of the pages they were measured on. They are only ever raised."""

import tomllib

import pytest

from builders import fidelity
from builders.paths import BUILDERS

FLOORS = tomllib.loads((BUILDERS / "fidelity_floors.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "cases"), [("renderings", fidelity.renderings), ("redesigns", fidelity.mutations)])
def test_no_field_falls_below_its_floor(name, cases):
    pages = list(cases())
    floors = FLOORS[name]
    assert len(pages) == floors["pages"]
    assert fidelity.digest(pages) == floors["digest"], "other pages: measure again with benchmarks.fidelity"
    score = fidelity.Score()
    for case in pages:
        fidelity.read(case, score)
    assert score.fields() == sorted(set(floors["fields"]))
    below = {
        field: (score.precision(field), score.recall(field))
        for field in score.fields()
        if score.precision(field) < floors["precision"] or score.recall(field) < floors["recall"]
    }
    assert below == {}
