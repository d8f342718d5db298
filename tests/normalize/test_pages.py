"""Pages over their renderings and nights, documents and rejects."""

from dataclasses import replace
from datetime import UTC, datetime

from builders.normalize_pages import address, corpus, labelled, page, rows, seen, tool
from extract.model.records import Comparison, Document, Reject, Span

ALPHA, BETA = tool("alpha", community="62%"), tool("beta")
URL = address(ALPHA, BETA)
REDESIGNED = Reject("incomplete_card", "the card of Alpha lacks a panel percentage")


def test_a_field_that_a_newer_rendering_lost_is_kept_from_the_older() -> None:
    found = corpus(labelled(ALPHA, BETA), seen(page(ALPHA, BETA, "quotes"), URL, night=2))
    (card,) = rows(found, "tool_cards", side="a")
    assert card.chip == "ship"
    assert len(rows(found, "verdicts")) == 2


def test_of_one_night_the_richer_rendering_is_believed() -> None:
    rich, poor = replace(ALPHA, category="Rich"), replace(ALPHA, category="Poor")
    found = corpus(labelled(rich, BETA), seen(page(poor, BETA, "quotes"), URL))
    assert rows(found, "tool_cards", side="a")[0].category == "Rich"


def test_a_newer_night_is_believed_over_a_richer_rendering() -> None:
    older, newer = replace(ALPHA, category="Older"), replace(ALPHA, category="Newer")
    found = corpus(labelled(older, BETA), seen(page(newer, BETA, "quotes"), URL, night=2))
    assert rows(found, "tool_cards", side="a")[0].category == "Newer"


def test_other_bytes_with_the_same_words_change_nothing() -> None:
    again = page(ALPHA, BETA)
    moved = replace(again, takes=tuple(replace(take, span=Span(90, 91)) for take in again.takes))
    assert corpus(labelled(ALPHA, BETA), seen(moved, URL, night=2)) == corpus(labelled(ALPHA, BETA))


def test_what_an_archive_brings_in_late_stands_at_its_own_time() -> None:
    older = replace(ALPHA, category="Older")
    archived = replace(seen(page(older, BETA), URL, night=2), fetched_at=datetime(2025, 5, 1, tzinfo=UTC))
    found = corpus(labelled(ALPHA, BETA), archived)
    assert rows(found, "tool_cards", side="a")[0].category == ALPHA.category
    assert [row.category for row in rows(found, "tool_history", name="Alpha")] == ["Older", ALPHA.category]


def test_a_gone_page_keeps_its_rows() -> None:
    found = corpus(labelled(ALPHA, BETA), gone=[URL])
    assert rows(found, "pages")[0].is_gone
    assert len(found["reviews"]) == 8


def test_votes_and_percentages_become_numbers_beside_their_strings() -> None:
    (verdict,) = rows(corpus(labelled(ALPHA, BETA)), "verdicts", side="a")
    assert (verdict.verdict, verdict.ship_votes, verdict.skip_votes) == ("ship", 4, 0)
    assert (verdict.community_pct, verdict.community_votes) == (62, 130)
    assert verdict.verdict_raw == "Ship · 4 ship / 0 skip"


def test_a_page_that_can_no_longer_be_read_keeps_its_rows_and_is_reported() -> None:
    found = corpus(labelled(ALPHA, BETA), seen(REDESIGNED, URL, night=2))
    assert len(found["pages"]) == 1
    assert [(row.url, row.stage, row.reason) for row in rows(found, "rejects")] == [(URL, "extract", "incomplete_card")]


def test_a_page_that_can_be_read_again_is_no_longer_reported() -> None:
    found = corpus(seen(REDESIGNED, URL), labelled(ALPHA, BETA, night=2))
    assert not found["rejects"]


def _with_pct(pct: str) -> Comparison:
    shown = page(ALPHA, BETA)
    return replace(shown, cards=(replace(shown.cards[0], panel_ship=pct), shown.cards[1]))


def test_a_broken_number_is_left_out_and_reported_with_its_string() -> None:
    found = corpus(seen(_with_pct("140%"), URL))
    assert rows(found, "tool_cards", side="a")[0].panel_ship_pct is None
    (broken,) = rows(found, "rejects")
    assert (broken.stage, broken.reason) == ("normalize", "broken_percent")
    assert "140%" in broken.detail


def test_a_document_is_kept_as_last_read() -> None:
    url = "https://tools.example/news/alpha"
    first = seen(Document("Title", None, "2026-11-01", "Words."), url)
    second = seen(Document("Title", None, "2026-11-01", "More words."), url, night=2)
    (row,) = rows(corpus(first, second), "documents")
    assert row.text == "More words."
    assert (row.first_seen_at, row.last_seen_at) == (first.fetched_at, second.fetched_at)
