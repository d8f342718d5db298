"""What the order of rows says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdicts.normalize.attribution.row_order import align

A, B = 0, 1


@pytest.mark.parametrize(
    ("known", "size", "sides"),
    [
        # Full rows alternate, and known takes pull their neighbours into place. An impossible size is ignored.
        ([None] * 8, None, [A, B] * 4),
        ([A, B, A, A, None, None, None], 4, [A, B, A, A, B, A, B]),
        ([A, A, A], 1, [A, A, A]),
        ([None] * 400, 200, [A, B] * 200),
    ],
)
def test_takes_fill_the_rows(known: list[int | None], size: int | None, sides: list[int]) -> None:
    assert [side for side, _ in align(known, size)] == sides


def test_how_sure_a_side_is_depends_on_the_ways_to_fill_the_rows() -> None:
    assert {share for _, share in align([None] * 8, None)} == {1.0}
    assert align([None], None)[0][1] == 0.5
    placed = align([None] * 7, 4)
    assert [side for side, _ in placed].count(A) == 4
    assert placed[0] == (A, 1.0)
    assert min(share for _, share in placed) < 1


@given(st.lists(st.sampled_from([None, A, B]), max_size=14), st.none() | st.integers(0, 14))
def test_what_is_known_is_kept_and_every_take_is_placed(known: list[int | None], size: int | None) -> None:
    placed = align(known, size)
    assert len(placed) == len(known)
    assert all(fixed in {None, side} for fixed, (side, _) in zip(known, placed, strict=True))
    assert all(0 < share <= 1 for _, share in placed)
