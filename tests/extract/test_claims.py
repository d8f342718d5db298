"""What compares and what describes are told apart, on 308 made pages of fourteen kinds; a menu is neither."""

import pytest

from builders.made_claims import KINDS, made_page
from builders.snapshots import html
from verdicts.extract.model.records import Document
from verdicts.extract.page import extract

PAGES = 22


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_page_claims_what_it_was_made_for(kind):
    for seed in range(PAGES):
        document = extract(html(made_page(kind, seed), f"https://shelf.example/{seed}"))
        assert isinstance(document, Document), document
        compared = document.side_by_side
        assert (None if compared is None else compared.claim) == KINDS[kind], (seed, compared)
        if KINDS[kind] == "compares":
            assert len(compared.tools) >= 2
