"""A load of what a night decides leaves the file as a load of everything would."""

from pathlib import Path

import pytest

from builders import warehouse_rows as make
from builders.made_nights import nights
from builders.warehouse_files import load_corpus, load_rows, tables
from warehouse.storage.errors import AuditFailed

pytestmark = pytest.mark.once


@pytest.mark.parametrize("seed", range(1))
def test_nights_loaded_in_part_leave_the_rows_of_whole_loads(tmp_path: Path, seed: int) -> None:
    part, whole = tmp_path / "part.duckdb", tmp_path / "whole.duckdb"
    for number, (rows, scope) in enumerate(nights(seed, 6)):
        night = {"load_id": f"load-{number}", "crawls": [make.Crawl(f"2026112{number}T013000Z-0001")], "fetches": []}
        in_part = load_rows(
            part, make.decided(rows, scope) if number else rows, scope=scope if number else None, **night
        )
        as_whole = load_rows(whole, rows, **night)
        assert in_part == as_whole
        assert tables(part) == tables(whole)


def test_the_same_night_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "corpus.duckdb"
    for number, (rows, scope) in enumerate(nights(5, 2)):
        load_corpus(path, make.decided(rows, scope), load_id=f"load-{number}", scope=scope)
    before = tables(path)
    report = load_corpus(path, make.decided(rows, scope), load_id="load-2", scope=scope)
    assert not report.is_changed
    assert tables(path) == before


def test_a_take_that_stays_with_a_removed_page_is_refused(tmp_path: Path) -> None:
    """Nobody decided the take, and what it stands on is gone."""
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    lost = make.corpus()["pages"][0].page_id
    scope = make.scope(pages=[lost])
    given = make.decided(make.corpus(), scope) | {"pages": []}
    with pytest.raises(AuditFailed) as caught:
        load_corpus(path, given, load_id="load-2", scope=scope)
    assert caught.value.audit == "appearances_page_id_is_in_pages"
    left = {table: [] for table in given}
    with pytest.raises(AuditFailed) as caught:
        load_corpus(path, left, load_id="load-2", scope=scope)
    assert caught.value.audit == "reviews_miscounted"
