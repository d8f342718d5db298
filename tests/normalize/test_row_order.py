"""What the order of rows says."""

from hypothesis import given
from hypothesis import strategies as st

from verdicts.normalize.attribution.row_order import align

A, B = 0, 1


def _sides(known: list[int | None], sizes: tuple[int | None, int | None] = (None, None)) -> list[int]:
    return [side for side, _ in align(known, sizes)]


def test_full_rows_alternate_for_sure() -> None:
    assert list(align([None] * 8, (None, None))) == [(A, 1.0), (B, 1.0)] * 4


def test_a_panel_of_three_beside_a_panel_of_four_leaves_one_take_alone() -> None:
    placed = align([None] * 7, (4, 3))
    assert [side for side, _ in placed].count(A) == 4
    assert placed[0] == (A, 1.0)
    assert min(share for _, share in placed) < 1


def test_known_takes_pull_their_neighbours_into_place() -> None:
    assert _sides([A, B, A, A, None, None, None], (4, 3)) == [A, B, A, A, B, A, B]


def test_sizes_that_cannot_be_met_are_ignored() -> None:
    assert _sides([A, A, A], (1, 2)) == [A, A, A]


def test_a_single_take_is_a_toss() -> None:
    assert align([None], (None, None))[0][1] == 0.5


@given(st.lists(st.sampled_from([None, A, B]), max_size=14), st.none() | st.integers(0, 14))
def test_what_is_known_is_kept_and_every_take_is_placed(known: list[int | None], size: int | None) -> None:
    placed = align(known, (size, None))
    assert len(placed) == len(known)
    assert all(fixed in {None, side} for fixed, (side, _) in zip(known, placed, strict=True))
    assert all(0 < share <= 1 for _, share in placed)


def test_hundreds_of_takes_are_placed_too() -> None:
    assert len(align([None] * 400, (200, 200))) == 400
