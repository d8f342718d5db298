"""A batch without the garbage collector leaves it as it was found."""

import gc

import pytest

from builders.normalize_pages import labelled, tool
from normalize.corpus import normalize


def test_normalization_leaves_the_collector_at_work_even_where_it_fails() -> None:
    normalize([labelled(tool("alpha"), tool("beta"))])
    assert gc.isenabled()
    with pytest.raises(KeyError):
        normalize([labelled(tool("alpha"), tool("beta"))], profiles={})
    assert gc.isenabled()
