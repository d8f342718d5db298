"""How sure a page's takes are, before and after a night that judges some of them anew."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus
from pipeline.build.weaker_attribution import judged_pages

pytestmark = pytest.mark.once


def test_takes_that_a_night_did_not_judge_count_as_they_were_loaded(tmp_path: Path) -> None:
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    rows = make.corpus()
    shown = [row for row in rows["appearances"] if row.page_id == rows["pages"][0].page_id]
    scope = make.scope(rejudged=[shown[0].review_id])
    given = make.decided(rows, scope)
    given["appearances"] = [replace(row, attribution="ordered") for row in given["appearances"]]
    page = judged_pages(path, given, scope)[shown[0].page_id]
    assert page.url == rows["pages"][0].url
    assert page.tools == {card.tool_id for card in rows["tool_cards"] if card.page_id == shown[0].page_id}
    assert page.before.kinds.total() == page.after.kinds.total() == len(shown)
    assert page.before.kinds["ordered"] == 0
    assert page.after.kinds["ordered"] == sum(row.review_id == shown[0].review_id for row in shown)


def test_a_page_that_a_night_brings_again_counts_as_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    rows = make.corpus()
    page = rows["pages"][0].page_id
    for scope in (make.scope(pages=[page]), None):
        given = rows if scope is None else make.decided(rows, scope)
        given["appearances"] = [row for row in given["appearances"] if row.page_id == page][:1]
        found = judged_pages(path, given, scope)
        assert found[page].after.kinds.total() == 1
        assert found[page].before.kinds.total() > 1
