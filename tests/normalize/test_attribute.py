"""Which tool a review is about: every kind of evidence on a corpus made for it."""

from dataclasses import replace

from builders.normalize_pages import (
    SEATS,
    Tool,
    address,
    dump,
    labelled,
    names,
    normalized,
    observed,
    page,
    prose,
    review_of,
    rows,
    tool,
    with_take,
)
from verdicts.normalize.corpus import Corpus

ALPHA, BETA, GAMMA, DELTA = tool("alpha"), tool("beta"), tool("gamma"), tool("delta")


def _kinds(corpus: Corpus, of: Tool) -> set[tuple[str, str]]:
    slugs = names(corpus)
    reviews = [review_of(corpus, text) for text, _, _ in of.takes.values()]
    return {(row.attribution, slugs[row.tool_id]) for row in reviews}


def test_a_label_is_observed_and_the_reason_quotes_it() -> None:
    corpus = normalized(labelled(ALPHA, BETA))
    assert _kinds(corpus, ALPHA) == {("observed", "alpha")}
    review = review_of(corpus, ALPHA.takes["Builder"][0])
    assert (review.seat, review.score, review.verdict, review.confidence) == ("Builder", 80, "ship", 1.0)
    (reason,) = rows(corpus, "attribution_evidence", review_id=review.review_id)
    assert reason.detail == "stands labelled Builder 80/100 ship on this page"


def test_the_same_words_without_a_label_are_matched_and_carry_seat_and_score() -> None:
    corpus = normalized(labelled(ALPHA, BETA), dump(ALPHA, GAMMA))
    shown = rows(corpus, "appearances", attribution="matched")
    assert {row.text for row in shown} == {text for text, _, _ in ALPHA.takes.values()}
    assert {row.side for row in shown} == {"a"}
    assert review_of(corpus, shown[0].text).seat is not None


def test_a_take_on_two_pages_is_about_the_tool_they_share() -> None:
    corpus = normalized(dump(ALPHA, BETA), dump(ALPHA, GAMMA))
    assert _kinds(corpus, ALPHA) == {("intersected", "Alpha")}
    details = {row.detail for row in rows(corpus, "attribution_evidence", kind="intersected")}
    assert details == {"Alpha is the only tool on all pages that carry it"}


def test_a_take_absent_from_another_page_of_a_tool_is_the_other_tools() -> None:
    corpus = normalized(dump(ALPHA, BETA), dump(ALPHA, GAMMA))
    assert _kinds(corpus, BETA) == {("excluded", "Beta")}
    assert _kinds(corpus, GAMMA) == {("excluded", "Gamma")}
    (reason,) = rows(corpus, "attribution_evidence", review_id=review_of(corpus, BETA.takes["PM"][0]).review_id)
    assert reason.detail == "absent from 'Alpha vs Gamma', where Alpha also stands"


def test_a_take_absent_months_later_proves_nothing() -> None:
    later = dump(replace(ALPHA, takes=tool("alpha-reworded").takes), GAMMA, night=25)
    corpus = normalized(dump(ALPHA, BETA), later)
    assert _kinds(corpus, BETA) == {("ordered", "Beta")}


def test_a_take_that_may_be_an_edit_does_not_count_as_absent() -> None:
    words = ALPHA.takes["Builder"][0].split()
    edit = " ".join(word if index % 4 else "rather" for index, word in enumerate(words))
    corpus = normalized(dump(ALPHA, BETA), dump(with_take(ALPHA, "Builder", edit), GAMMA))
    assert names(corpus)[review_of(corpus, edit).tool_id] == "Alpha"
    assert names(corpus)[review_of(corpus, ALPHA.takes["Builder"][0]).tool_id] == "Alpha"


def test_a_full_panel_leaves_the_rest_to_the_other_tool() -> None:
    four = tool("alpha", skips=1)
    old = [labelled(four, GAMMA), observed(page(four, BETA, "quotes"), address(four, BETA), night=20)]
    corpus = normalized(*old)
    assert _kinds(corpus, BETA) == {("excluded", "beta")}
    details = {row.detail for row in rows(corpus, "attribution_evidence", kind="excluded")}
    assert details == {"all 4 takes of Alpha on this page are placed"}


def test_a_panel_of_three_is_placed_by_exclusion_where_parity_would_fail() -> None:
    three = tool("alpha", SEATS[:3])
    corpus = normalized(dump(three, BETA), dump(three, GAMMA))
    assert _kinds(corpus, three) == {("intersected", "Alpha")}
    assert _kinds(corpus, BETA) == {("excluded", "Beta")}


def test_exclusion_on_one_page_opens_the_next() -> None:
    first, second, third = tool("a", skips=1), tool("b", skips=1), tool("c", skips=1)
    corpus = normalized(
        labelled(first, tool("z")),
        observed(page(first, second, "quotes"), address(first, second), night=10),
        observed(page(second, third, "quotes"), address(second, third), night=20),
    )
    assert {kind for kind, _ in _kinds(corpus, third)} == {"excluded"}


def test_a_page_alone_is_ordered_row_by_row() -> None:
    corpus = normalized(dump(ALPHA, BETA))
    assert _kinds(corpus, ALPHA) == {("ordered", "Alpha")}
    assert _kinds(corpus, BETA) == {("ordered", "Beta")}
    assert {row.confidence for row in rows(corpus, "reviews")} == {0.94}


def test_a_missing_take_makes_the_order_less_sure() -> None:
    corpus = normalized(dump(tool("alpha", SEATS[:3]), BETA))
    assert min(row.confidence for row in rows(corpus, "reviews")) < 0.8
    assert all(row.tool_id for row in rows(corpus, "reviews"))


def test_takes_in_rows_of_their_own_are_placed_around_what_is_known() -> None:
    left = tool("alpha", ("Builder", "Skeptic", "PM"))
    right = tool("beta", ("Builder", "Founder"))
    corpus = normalized(labelled(left, GAMMA), observed(page(left, right, "quotes"), address(left, right), night=20))
    assert {slug for _, slug in _kinds(corpus, right)} == {"beta"}


def test_words_labelled_with_two_tools_are_one_review_and_a_conflict() -> None:
    shared = ALPHA.takes["Builder"][0]
    corpus = normalized(labelled(ALPHA, BETA), labelled(with_take(GAMMA, "Builder", shared), DELTA, night=2))
    assert names(corpus)[review_of(corpus, shared).tool_id] == "alpha"
    (conflict,) = rows(corpus, "discrepancies", rule="take_tool_conflict")
    assert "of Gamma" in conflict.found
    assert review_of(corpus, shared).confidence == 0.5


def test_a_take_that_the_site_puts_right_is_about_the_tool_that_it_stands_with_now() -> None:
    shared = ALPHA.takes["Builder"][0]
    wrong = [labelled(ALPHA, BETA), labelled(ALPHA, GAMMA)]
    right = tool("alpha", SEATS[1:4])
    taker = with_take(DELTA, "Builder", shared)
    put_right = [labelled(right, BETA, 2), labelled(taker, GAMMA, 2)]
    half = normalized(*wrong, *put_right)
    assert names(half)[review_of(half, shared).tool_id] == "alpha", "a page still says so"
    corpus = normalized(*wrong, *put_right, labelled(right, GAMMA, 3))
    review = review_of(corpus, shared)
    assert (names(corpus)[review.tool_id], review.confidence) == ("delta", 1.0)
    assert review.review_id == review_of(half, shared).review_id
    assert rows(corpus, "discrepancies", rule="take_tool_conflict") == []
    (conflict,) = rows(half, "discrepancies", rule="take_tool_conflict")
    assert "of Delta" in conflict.found
    gone = normalized(*wrong, *put_right, gone=[address(ALPHA, GAMMA)])
    assert names(gone)[review_of(gone, shared).tool_id] == "delta", "a page that is gone says nothing any more"


def test_a_take_on_pages_without_a_common_tool_is_a_conflict_and_only_ordered() -> None:
    shared = prose("everywhere")
    corpus = normalized(
        dump(with_take(ALPHA, "Builder", shared), BETA), dump(with_take(GAMMA, "Builder", shared), DELTA)
    )
    review = review_of(corpus, shared)
    assert review.attribution == "ordered"
    assert len(rows(corpus, "discrepancies", rule="attribution_conflict")) == 1


def test_a_labelled_take_on_a_page_without_its_tool_is_a_conflict() -> None:
    shared = ALPHA.takes["Builder"][0]
    corpus = normalized(labelled(ALPHA, BETA), dump(with_take(GAMMA, "Builder", shared), DELTA))
    assert names(corpus)[review_of(corpus, shared).tool_id] == "alpha"
    assert len(rows(corpus, "discrepancies", rule="attribution_conflict")) == 1
    assert {row.side for row in rows(corpus, "appearances", text=shared)} == {"a", None}


def test_a_review_has_its_newest_score_and_its_first_seat() -> None:
    takes = {"Skeptic": (ALPHA.takes["Builder"][0], 55, "skip")}
    moved = replace(ALPHA, takes={**{seat: take for seat, take in ALPHA.takes.items() if seat == "PM"}, **takes})
    corpus = normalized(labelled(ALPHA, BETA), labelled(moved, GAMMA, night=2))
    review = review_of(corpus, ALPHA.takes["Builder"][0])
    assert (review.seat, review.score, review.verdict) == ("Builder", 55, "skip")
    assert [row.found for row in rows(corpus, "discrepancies", rule="seat_conflict")] == ["Skeptic"]


def test_a_take_between_two_labelled_ones_has_the_seat_of_its_row() -> None:
    left, right = tool("alpha", ("Builder", "Skeptic", "PM")), tool("beta", ("Builder", "Futurist", "PM"))
    corpus = normalized(labelled(left, GAMMA), dump(left, right), dump(right, DELTA))
    seats = {seat: review_of(corpus, text).seat for seat, (text, _, _) in right.takes.items()}
    # Builder stands before a Skeptic, Futurist before a PM and on the other page after two rows; after PM there is also
    # room for the Founder.
    assert seats == {"Builder": "Builder", "Futurist": "Futurist", "PM": None}
    review = review_of(corpus, right.takes["Builder"][0])
    assert (review.seat_source, review.score) == ("row_order", None)


def test_no_seat_is_guessed_where_a_tool_is() -> None:
    corpus = normalized(dump(ALPHA, BETA))
    assert {row.seat for row in rows(corpus, "reviews")} == {None}


def test_a_page_that_lost_a_take_does_not_give_it_to_the_other_tool() -> None:
    taken = {seat: take for seat, take in ALPHA.takes.items() if seat != "Skeptic"}
    corpus = normalized(dump(ALPHA, BETA), dump(replace(ALPHA, takes=taken), GAMMA))
    review = review_of(corpus, ALPHA.takes["Skeptic"][0])
    assert (names(corpus)[review.tool_id], review.attribution) == ("Alpha", "ordered")
    (conflict,) = rows(corpus, "discrepancies", rule="attribution_conflict")
    assert conflict.expected.startswith("Alpha by row order")


def test_no_seat_rests_on_a_guess() -> None:
    left, right = tool("alpha", ("Builder", "Skeptic", "PM")), tool("beta", ("Builder", "Futurist"))
    corpus = normalized(labelled(left, GAMMA), observed(page(left, right, "quotes"), address(left, right), night=20))
    reviews = [review_of(corpus, text) for text, _, _ in right.takes.values()]
    assert {(row.attribution, row.seat) for row in reviews} == {("ordered", None)}
