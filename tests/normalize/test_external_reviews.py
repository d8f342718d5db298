"""A review that several pages of other sites state is one review with all its appearances, and no two are joined."""

from itertools import permutations

import pytest

from builders.normalize_pages import normalize_all, observe
from verdicts.extract.model.records import Document, OutsideReview, SideBySide

LONG = "It drafts our release notes in a minute, and then I spend five on taking out what it made up of the API. " * 2


def observe_reviews(
    url: str, *reviews: OutsideReview, tools: tuple[str, ...] = ("Acme Kit", "Other Kit"), night: int = 1
):
    tables = SideBySide("schema_org", tools, (), reviews)
    return observe(Document("A list", None, None, "Words.", tables), url, night=night)


def review(author: str | None, rating: str | None, text: str, *, tool: int | None = 0, best: str | None = "5"):
    return OutsideReview(tool, author, rating, best, None, text)


def ids(*pages) -> dict[tuple[str, int], str]:
    return {(row.page_id, row.review_number): row.review_id for row in normalize_all(*pages)["outside_reviews"]}


KNOWN = review("Ines", "4", "Holds up well.")


@pytest.mark.parametrize(
    "other",
    [
        review("Ines", "4", "Holds up well."),
        review("INES", "8", "holds  up well", best="10"),
        review("Ines", "4", "Holds up well.", best=None),
    ],
)
def test_one_author_rating_and_text_are_one_review_on_every_page(other: OutsideReview) -> None:
    assert (
        len(
            {*ids(observe_reviews("https://a.example/", KNOWN), observe_reviews("https://b.example/x", other)).values()}
        )
        == 1
    )


@pytest.mark.parametrize(
    "other",
    [
        review("Inez", "4", "Holds up well."),
        review("Ines", "5", "Holds up well."),
        review("Ines", None, "Holds up well."),
        review("Ines", "4", "Holds up."),
        review("Ines", "4", "Holds up well.", tool=1),
        review("Ines", "4", "Holds up well.", tool=None),
    ],
)
def test_what_differs_in_one_thing_is_another_review(other: OutsideReview) -> None:
    assert (
        len(
            {*ids(observe_reviews("https://a.example/", KNOWN), observe_reviews("https://b.example/x", other)).values()}
        )
        == 2
    )


@pytest.mark.parametrize(("text", "reviews"), [("Nice tool.", 3), (LONG, 1)])
def test_a_short_text_without_an_author_is_said_by_many(text: str, reviews: int) -> None:
    nameless = review(None, "5", text)
    found = ids(
        observe_reviews("https://a.example/", nameless, nameless), observe_reviews("https://b.example/", nameless)
    )
    assert len({*found.values()}) == reviews


def test_neither_order_nor_repetition_changes_a_review_and_no_appearance_is_lost() -> None:
    pages = (
        observe_reviews("https://a.example/", KNOWN, review("Bo", "1", "No.")),
        observe_reviews("https://b.example/", review("Bo", "1", "No."), KNOWN),
        observe_reviews("https://a.example/", KNOWN, review("Bo", "1", "No."), night=2),
    )
    expected = ids(*pages)
    assert len(expected) == 4
    assert len({*expected.values()}) == 2
    for order in permutations(pages):
        assert ids(*order, *order) == expected
