"""Pages merged over their renderings and crawls, documents and rejects."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from builders.normalize_pages import address, normalize_all, observe, observe_page, page, rows, tool
from verdicts.corpus.enumerations import Claim
from verdicts.extract.model.records import Comparison, Document, Fact, OutsideReview, Reject, SideBySide, Span
from verdicts.fetch.parse.rights import Rights

ALPHA, BETA = tool("alpha", community="62%"), tool("beta")
URL = address(ALPHA, BETA)
REDESIGNED = Reject("incomplete_card", "the card of Alpha lacks a panel percentage")


def test_a_field_that_a_newer_rendering_lost_is_kept_from_the_older() -> None:
    corpus = normalize_all(observe_page(ALPHA, BETA), observe(page(ALPHA, BETA, "quotes"), URL, night=2))
    (card,) = rows(corpus, "tool_cards", side="a")
    assert card.chip == "ship"
    assert len(rows(corpus, "verdicts")) == 2


@pytest.mark.parametrize(("night", "believed"), [(1, "Rich"), (2, "Poor")])
def test_a_newer_night_is_believed_and_of_one_night_the_richer_rendering(night: int, believed: str) -> None:
    rich, poor = replace(ALPHA, category="Rich"), replace(ALPHA, category="Poor")
    corpus = normalize_all(observe_page(rich, BETA), observe(page(poor, BETA, "quotes"), URL, night=night))
    assert rows(corpus, "tool_cards", side="a")[0].category == believed


def test_other_bytes_with_the_same_words_change_nothing() -> None:
    again = page(ALPHA, BETA)
    moved = replace(again, takes=tuple(replace(take, span=Span(90, 91)) for take in again.takes))
    assert normalize_all(observe_page(ALPHA, BETA), observe(moved, URL, night=2)) == normalize_all(
        observe_page(ALPHA, BETA)
    )


def test_what_an_archive_brings_in_late_stands_at_its_own_time() -> None:
    older = replace(ALPHA, category="Older")
    archived = replace(observe(page(older, BETA), URL, night=2), fetched_at=datetime(2025, 5, 1, tzinfo=UTC))
    corpus = normalize_all(observe_page(ALPHA, BETA), archived)
    assert rows(corpus, "tool_cards", side="a")[0].category == ALPHA.category
    assert [row.category for row in rows(corpus, "tool_history", name="Alpha")] == ["Older", ALPHA.category]


def test_a_gone_page_of_any_site_keeps_its_rows() -> None:
    other = "https://other.example/best"
    listed = Document("Best", None, None, "Words.", SideBySide("table", ("Alpha", "Quillmate"), (), ()))
    corpus = normalize_all(observe_page(ALPHA, BETA), observe(listed, other), gone=[URL, other])
    assert {(row.url, row.is_gone) for row in corpus["pages"]} == {(URL, True), (other, True)}
    assert len(corpus["reviews"]) == 8
    assert len(corpus["mentions"]) == 4


def test_every_page_has_a_kind_and_every_tool_on_it_a_row() -> None:
    def observe_document(path: str, *tools: str, claim: Claim = "compares"):
        tables = SideBySide("table", tools, (), (), claim) if tools else None
        return observe(Document(path.title(), None, None, "Words.", tables), f"https://other.example/{path}")

    unread = observe(Reject("empty", "the body is empty"), "https://other.example/empty")
    pages = (
        observe_document("two", "Alpha", "Quillmate"),
        observe_document("three", "Alpha", "Beta", "Gamma"),
        observe_document("one", "Quill mate", claim="describes"),
        observe_document("news"),
    )
    corpus = normalize_all(observe_page(ALPHA, BETA), *pages, unread)
    assert {(row.url or "").rpartition("/")[2]: row.kind for row in corpus["pages"] if row.kind != "panel"} == {
        "two": "versus",
        "three": "list",
        "one": "product",
        "news": "article",
        "empty": "unread",
    }
    (panel,) = rows(corpus, "pages", kind="panel")
    of_panel = rows(corpus, "mentions", page_id=panel.page_id)
    assert [(row.name, row.known_by, row.rating, row.rating_best) for row in of_panel] == [
        ("Alpha", "panel", 100, 100),
        ("Beta", "panel", 100, 100),
    ]
    by_name = {row.name: row for row in corpus["mentions"] if row.known_by != "panel"}
    assert (by_name["Alpha"].tool_id, by_name["Alpha"].known_by) == (of_panel[0].tool_id, "same_name")
    assert by_name["Gamma"].tool_id is None
    assert by_name["Quill mate"].name_key == by_name["Quillmate"].name_key


def test_a_page_and_a_document_have_the_rights_that_are_stated_about_them() -> None:
    news = "https://tools.example/news/alpha"
    stated = {URL: Rights("noarchive (meta robots)", is_reserved=True), news: Rights("use=full (robots.txt)", False)}
    document = observe(Document("Title", None, "2026-11-01", "Words."), news)
    dump = observe(page(ALPHA, BETA, "innertext"), None, night=2)
    corpus = normalize_all(observe_page(ALPHA, BETA), dump, document, rights=stated)
    for kind, url in (("panel", URL), ("article", news)):
        (row,) = rows(corpus, "pages", kind=kind)
        assert (row.rights, row.is_reserved) == stated[url]


def test_votes_and_percentages_become_numbers_beside_their_strings() -> None:
    (verdict,) = rows(normalize_all(observe_page(ALPHA, BETA)), "verdicts", side="a")
    assert (verdict.panel_verdict, verdict.ship_votes, verdict.skip_votes) == ("ship", 4, 0)
    assert (verdict.community_pct, verdict.community_votes) == (62, 130)
    assert verdict.panel_verdict_raw == "Ship · 4 ship / 0 skip"


def test_a_page_that_can_no_longer_be_read_keeps_its_rows_and_is_reported_until_it_can() -> None:
    lost = normalize_all(observe_page(ALPHA, BETA), observe(REDESIGNED, URL, night=2))
    assert len(lost["pages"]) == 1
    assert [(row.url, row.stage, row.reason) for row in rows(lost, "rejects")] == [(URL, "extract", "incomplete_card")]
    assert not normalize_all(observe(REDESIGNED, URL), observe_page(ALPHA, BETA, night=2))["rejects"]


def test_a_broken_number_is_left_out_and_reported_with_its_string() -> None:
    shown = page(ALPHA, BETA)
    broken = replace(shown, cards=(replace(shown.cards[0], panel_ship="140%"), shown.cards[1]))
    corpus = normalize_all(observe(broken, URL))
    assert rows(corpus, "tool_cards", side="a")[0].panel_ship_pct is None
    (reject,) = rows(corpus, "rejects")
    assert (reject.stage, reject.reason) == ("normalize", "broken_percent")
    assert "140%" in reject.detail


def test_an_older_value_takes_the_place_of_none_that_is_lost_or_broken() -> None:
    whole = page(ALPHA, BETA)

    def make_page(panel_ship: str | None) -> Comparison:
        return replace(whole, cards=(replace(whole.cards[0], panel_ship=panel_ship), whole.cards[1]))

    for newest, pct in ((None, None), ("140%", None), ("75%", 75)):
        corpus = normalize_all(observe(whole, URL), observe(make_page(newest), URL, night=2))
        assert rows(corpus, "tool_cards", side="a")[0].panel_ship_pct == pct


def test_a_page_about_one_tool_is_a_page_of_a_product() -> None:
    review = OutsideReview(0, "Ann", "4", "5", None, "Words.")
    tables = SideBySide(
        "schema_org", ("Quillmate",), (Fact(0, "4.5", "statement", property="rating"),), (review,), "describes"
    )
    corpus = normalize_all(observe(Document("Title", None, None, "Words.", tables), "https://other.example/a"))
    assert [row.kind for row in rows(corpus, "pages")] == ["product"]
    assert [(row.name, row.rating) for row in rows(corpus, "mentions")] == [("Quillmate", 4.5)]
    assert [row.tool_number for row in rows(corpus, "outside_reviews")] == [0]


def test_ratings_of_another_site_are_read_with_their_scale_and_what_is_refused_is_told() -> None:
    facts = (
        Fact(0, "8.5/10", "statement", property="rating", ratings="(2,310)"),
        Fact(1, "4,976", "statement", property="rating", scale="5", ratings="1.2k"),
    )
    review = OutsideReview(0, "Ann", "6", "5", None, "Words.")
    tables = SideBySide("schema_org", ("Quillmate", "Draftwell"), facts, (review,))
    corpus = normalize_all(observe(Document("Title", None, None, "Words.", tables), "https://other.example/a"))
    assert [(row.rating, row.rating_best, row.ratings) for row in rows(corpus, "mentions")] == [
        (8.5, 10, 2310),
        (4.976, 5, None),
    ]
    (reviewed,) = rows(corpus, "outside_reviews")
    assert (reviewed.rating, reviewed.rating_best) == (None, 5)
    assert {(row.reason, row.detail) for row in rows(corpus, "rejects")} == {
        ("broken_ratings", "'1.2k' of Draftwell"),
        ("broken_rating", "'6' of review 0"),
    }


def test_a_document_is_kept_as_last_read() -> None:
    url = "https://tools.example/news/alpha"
    first = observe(Document("Title", None, "2026-11-01", "Words."), url)
    second = observe(Document("Title", None, "2026-11-01", "More words."), url, night=2)
    corpus = normalize_all(first, second)
    assert [row.text for row in rows(corpus, "documents")] == ["More words."]
    (row,) = rows(corpus, "pages")
    assert (row.first_seen_at, row.last_seen_at) == (first.fetched_at, second.fetched_at)


@pytest.mark.parametrize("extracted", [page(ALPHA, BETA), Document("Title", None, None, "Words.")])
def test_a_reader_is_sent_to_the_address_that_answered_last(extracted: Comparison | Document) -> None:
    first = observe(extracted, URL, answered=URL)
    moved = observe(extracted, URL, night=2, answered=f"{URL}/")
    for seen in ((first, moved), (moved,)):
        (row,) = rows(normalize_all(*seen), "pages")
        assert (row.url, row.address) == (URL, f"{URL}/")
    (row,) = rows(normalize_all(observe(extracted)), "pages")
    assert row.address is None
