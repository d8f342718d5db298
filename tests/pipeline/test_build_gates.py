"""How sure a page's takes are, before and after a build."""

import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus
from verdicts.pipeline.build.build_gates import judged_pages

pytestmark = pytest.mark.once


def test_the_takes_of_a_page_are_counted_as_they_were_loaded_and_as_they_are_now(tmp_path):
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    rows = make.corpus()
    shown = [row for row in rows["appearances"] if row.page_id == rows["pages"][0].page_id]
    weaker = {id(shown[0])}
    rows["appearances"] = [
        replace(row, attribution="ordered") if id(row) in weaker else row for row in rows["appearances"]
    ]
    page = judged_pages(path, rows)[shown[0].page_id]
    assert page.url == rows["pages"][0].url
    assert page.tools == {card.tool_id for card in rows["tool_cards"] if card.page_id == shown[0].page_id}
    assert page.before.kinds.total() == page.after.kinds.total() == len(shown)
    assert page.before.kinds["ordered"] == 0
    assert page.after.kinds["ordered"] == 1
