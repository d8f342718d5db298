"""What the order of rows says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdicts.normalize.attribution.row_order import place_takes

A, B = 0, 1


@pytest.mark.parametrize(
    ("known", "size", "sides"),
    [
        # Full rows alternate, and known takes pull their neighbours into place. An impossible size is ignored.
        ([None] * 8, None, [A, B] * 4),
        ([A, B, A, A, None, None, None], 4, [A, B, A, A, B, A, B]),
        ([A, A, A], 1, [A, A, A]),
        ([None] * 400, 200, [A, B] * 200),
        # The panel of A is whole after three rows.
        ([None] * 7, 3, [A, B, A, B, A, B, B]),
    ],
)
def test_takes_fill_the_rows(known: list[int | None], size: int | None, sides: list[int]) -> None:
    assert [side for side, _ in place_takes(known, size)] == sides


def test_a_side_is_surer_where_counting_from_the_end_gives_the_same() -> None:
    full, one_missing = place_takes([None] * 8, 4), place_takes([None] * 7, 4)
    assert {weight for _, weight in full} == {max(weight for _, weight in full)}
    assert one_missing[-1].weight < full[0].weight, "behind the full rows"
    assert place_takes([None], None)[0].weight < 0.5


@given(st.lists(st.sampled_from([None, A, B]), max_size=14), st.none() | st.integers(0, 14))
def test_what_is_known_is_kept_and_every_take_is_placed(known: list[int | None], size: int | None) -> None:
    placed = place_takes(known, size)
    assert len(placed) == len(known)
    assert all(fixed in {None, side} for fixed, (side, _) in zip(known, placed, strict=True))
    assert all(0 < weight < 1 for _, weight in placed)
