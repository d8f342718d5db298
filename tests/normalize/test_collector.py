"""A batch without the garbage collector leaves it as it was found."""

import gc

import pytest

from builders.normalize_pages import labelled, tool
from verdicts.normalize.corpus import normalize
from verdicts.normalize.stages import reviews


def test_normalization_leaves_the_collector_at_work_even_where_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    normalize([labelled(tool("alpha"), tool("beta"))])
    assert gc.isenabled()
    monkeypatch.setattr(reviews, "fold_days", None)
    with pytest.raises(TypeError):
        normalize([labelled(tool("alpha"), tool("beta"))])
    assert gc.isenabled()
