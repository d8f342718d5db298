"""Wordings folded into reviews."""

from dataclasses import replace
from datetime import timedelta

from builders.normalize_pages import (
    address,
    corpus,
    dump,
    labelled,
    names,
    page,
    prose,
    review_of,
    rows,
    seen,
    tool,
    with_take,
)

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")
TAKE = ALPHA.takes["Builder"][0]


def _edited(text: str) -> str:
    words = text.split()
    return " ".join([*words[:20], "altogether", *words[21:40], "nevertheless", *words[41:]])


def _excerpt(text: str) -> str:
    """So little of a text that it is the same take only where both are known to be of one tool."""
    return " ".join([*prose("frame", 4).split(), *text.split()[24:44], "and so on, as said elsewhere."])


def test_a_take_repeated_on_many_pages_is_one_review() -> None:
    found = corpus(labelled(ALPHA, BETA), labelled(ALPHA, GAMMA))
    assert review_of(found, TAKE).appearances == 2
    assert len(found["reviews"]) == 12


def test_other_quotes_dashes_and_spaces_are_the_same_wording() -> None:
    noisy = with_take(ALPHA, "Builder", TAKE.replace(" ", "  ", 3).replace(".", " —"))
    found = corpus(labelled(ALPHA, BETA), labelled(noisy, GAMMA))
    assert {row.match for row in found["appearances"]} == {"exact"}  # type: ignore[union-attr]  # appearances
    assert review_of(found, TAKE).appearances == 2


def test_an_edited_take_joins_its_review_and_keeps_its_words() -> None:
    edit = _edited(TAKE)
    found = corpus(labelled(ALPHA, BETA), labelled(with_take(ALPHA, "Builder", edit), GAMMA, night=2))
    (shown,) = rows(found, "appearances", text=edit)
    assert shown.match == "near"
    assert 0.82 <= shown.similarity < 1
    assert review_of(found, edit) == review_of(found, TAKE)


def test_a_take_cut_short_joins_its_review_and_never_becomes_its_text() -> None:
    cut = TAKE[: len(TAKE) // 2] + "…"
    found = corpus(labelled(with_take(ALPHA, "Builder", cut), BETA), labelled(ALPHA, GAMMA, night=2))
    assert review_of(found, cut).text == TAKE
    assert {row.match for row in rows(found, "appearances", review_id=review_of(found, cut).review_id)} == {
        "exact",
        "prefix",
    }


def test_an_edit_joins_where_nothing_is_labelled_if_most_of_its_words_are_the_same() -> None:
    edit = TAKE.replace(TAKE.split()[5], "altogether", 1)
    found = corpus(dump(ALPHA, BETA), dump(with_take(ALPHA, "Builder", edit), GAMMA))
    assert review_of(found, edit) == review_of(found, TAKE)
    assert review_of(found, TAKE).attribution == "intersected"


def test_two_takes_that_stand_side_by_side_are_never_one() -> None:
    twin = with_take(ALPHA, "Skeptic", _edited(TAKE))
    found = corpus(labelled(twin, BETA))
    assert len(found["reviews"]) == 8


def test_edits_do_not_chain_two_reviews_together() -> None:
    words = prose("chain", 80).split()
    other = prose("other", 80).split()
    steps = [" ".join([*other[: 8 * step], *words[8 * step :]]) for step in range(11)]
    observations = [
        labelled(with_take(ALPHA, "Builder", text), tool(f"pair-{step:02d}"), night=step + 1)
        for step, text in enumerate(steps)
    ]
    found = corpus(*observations)
    assert review_of(found, steps[0]).review_id != review_of(found, steps[-1]).review_id


def test_sibling_tools_that_say_nearly_the_same_keep_their_own_reviews() -> None:
    sibling = with_take(GAMMA, "Builder", _edited(TAKE))
    found = corpus(labelled(ALPHA, BETA), labelled(BETA, sibling))
    assert review_of(found, TAKE).tool_id != review_of(found, _edited(TAKE)).tool_id


def test_a_short_take_that_two_tools_share_is_two_reviews() -> None:
    short = "Ship it, with care."
    found = corpus(labelled(with_take(ALPHA, "Builder", short), with_take(BETA, "PM", short)))
    assert {row.seat for row in rows(found, "reviews", text=short)} == {"Builder", "PM"}


def test_a_short_take_without_a_label_is_matched_within_its_candidates_only() -> None:
    short = "Ship it, with care."
    mine = with_take(ALPHA, "Builder", short)
    found = corpus(labelled(mine, BETA), dump(mine, GAMMA), dump(BETA, with_take(tool("delta"), "Builder", short)))
    matched = rows(found, "appearances", attribution="matched", text=short)
    assert len(matched) == 1
    assert len(rows(found, "reviews", text=short)) == 2


def test_a_review_keeps_its_id_when_a_fuller_wording_comes_later() -> None:
    cut = TAKE[: len(TAKE) // 2]
    first = labelled(with_take(ALPHA, "Builder", cut), BETA)
    before = review_of(corpus(first), cut).review_id
    after = corpus(first, labelled(ALPHA, GAMMA, night=2))
    assert review_of(after, TAKE).review_id == before


def test_an_id_given_up_when_a_later_label_joins_two_wordings_is_an_alias() -> None:
    edit = _excerpt(TAKE)
    unlabelled = seen(page(with_take(ALPHA, "Builder", edit), GAMMA, "quotes"), address(ALPHA, GAMMA), night=2)
    earlier = [seen(page(ALPHA, BETA, "quotes"), address(ALPHA, BETA)), unlabelled]
    before = corpus(*earlier)
    given_up = review_of(before, edit).review_id
    assert given_up != review_of(before, TAKE).review_id
    after = corpus(
        *earlier, labelled(ALPHA, BETA, night=3), labelled(with_take(ALPHA, "Builder", edit), GAMMA, night=4)
    )
    assert [(row.old_id, row.review_id) for row in rows(after, "review_aliases")] == [
        (given_up, review_of(after, TAKE).review_id)
    ]


def test_a_tool_known_by_name_brings_its_reviews_when_a_slug_claims_it() -> None:
    by_name = [dump(ALPHA, BETA), dump(ALPHA, GAMMA)]
    before = review_of(corpus(*by_name), TAKE).review_id
    edit = _edited(TAKE)
    after = corpus(*by_name, labelled(with_take(ALPHA, "Builder", edit), tool("delta"), night=2))
    assert review_of(after, TAKE) == review_of(after, edit)
    assert review_of(after, TAKE).review_id == before


def test_wordings_joined_before_labels_told_them_apart_are_two_reviews_again() -> None:
    edit = _edited(TAKE)
    unlabelled = [dump(ALPHA, BETA), dump(with_take(ALPHA, "Builder", edit), GAMMA)]
    joined = corpus(*unlabelled)
    assert review_of(joined, TAKE) == review_of(joined, edit)
    theirs, mine = with_take(tool("beta"), "Builder", TAKE), with_take(tool("gamma"), "Builder", edit)
    told = corpus(*unlabelled, labelled(theirs, tool("delta"), night=2), labelled(mine, tool("zeta"), night=2))
    assert {names(told)[review_of(told, text).tool_id] for text in (TAKE, edit)} == {"beta", "gamma"}


def test_a_take_that_resembles_reviews_of_both_tools_joins_neither() -> None:
    words = TAKE.split()
    sibling = " ".join([*words[:-2], "altogether", "anew."])
    third = " ".join(["Whereas", *words[1:-2], "altogether", "again."])
    mine, theirs = ALPHA, with_take(BETA, "Builder", sibling)
    page_of_both = page(replace(ALPHA, takes={"Builder": (third, 80, "ship")}), replace(BETA, takes={}), "quotes")
    found = corpus(
        labelled(mine, GAMMA),
        labelled(theirs, GAMMA),
        seen(page_of_both, address(ALPHA, BETA), night=2),
    )
    others = {review_of(found, TAKE).review_id, review_of(found, sibling).review_id}
    assert len(others) == 2
    assert review_of(found, third).review_id not in others


def test_what_is_too_alike_to_pass_over_is_listed_and_not_joined() -> None:
    words = TAKE.split()
    alike = " ".join([*prose("other words", 14).split(), *words[14:36], *prose("more of them", 6).split(), *words[42:]])
    found = corpus(labelled(ALPHA, BETA), labelled(with_take(ALPHA, "Builder", alike), GAMMA, night=2))
    (pair,) = found["lookalikes"]
    assert {pair.review_id, pair.other_id} == {review_of(found, text).review_id for text in (TAKE, alike)}  # type: ignore[union-attr]  # lookalikes
    assert 0.70 <= pair.similarity < 0.82  # type: ignore[union-attr]  # lookalikes


def test_an_archive_brought_in_later_founds_nothing_anew() -> None:
    first = labelled(ALPHA, BETA)
    second = labelled(with_take(ALPHA, "Builder", _edited(TAKE)), GAMMA, night=2)
    before = corpus(first, second)
    archived = replace(
        first,
        crawl_id="20261103T013000Z-0001",
        fetched_at=first.fetched_at - timedelta(days=30),
        location=replace(first.location, segment="archive"),
    )
    after = corpus(first, second, archived)
    assert {row.review_id for row in rows(after, "reviews")} == {row.review_id for row in rows(before, "reviews")}
    assert after["review_aliases"] == ()
