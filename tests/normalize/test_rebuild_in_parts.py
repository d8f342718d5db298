"""A rebuild takes pages, addresses and tools in parts, so that memory holds few observations: the rows are the same."""

import pytest

from builders.made_corpora import make_pages
from builders.made_observations import observations
from normalize.corpus import normalize
from normalize.dedup import similar_texts
from normalize.rows import address_round, page_round


@pytest.mark.parametrize("labelled", [0.2, 1.0])
def test_parts_of_any_size_give_the_same_rows(monkeypatch, labelled):
    observed = [*observations(make_pages(600, seed=3, labelled=labelled, takes_a_tool=9))]
    at_once = normalize(observed)
    for size in (7, 40):
        monkeypatch.setattr(page_round, "PAGES_AT_A_TIME", size)
        monkeypatch.setattr(address_round, "ADDRESSES_AT_A_TIME", size)
        monkeypatch.setattr(similar_texts, "HOMES_AT_A_TIME", size)
        assert normalize(observed[::-1]) == at_once
    assert len(at_once["appearances"]) >= 600
