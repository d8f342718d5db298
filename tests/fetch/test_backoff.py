"""How long to wait before another attempt."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdicts.fetch.http.pace import backoff_s, retry_after_s

NOW = datetime(2026, 11, 1, 12, 0, 0, tzinfo=UTC)


@given(st.integers(1, 12), st.floats(0, 60), st.integers())
def test_a_back_off_lies_between_half_and_all_of_its_doubling_bound(attempt, base_s, seed):
    longest = base_s * 2 ** (attempt - 1)
    assert longest / 2 <= backoff_s(attempt, base_s, Random(seed)) <= longest


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        (" 7 ", 7),
        (format_datetime(NOW + timedelta(seconds=7), usegmt=True), 7),
        ("Sun, 01 Nov 2026 12:00:07 -0000", 7),
        ("Sunday, 01-Nov-26 12:00:07 GMT", 7),
        (format_datetime(NOW - timedelta(seconds=7), usegmt=True), None),
        ("Sun, 01 Nov 2020 00:00:00 GMT", None),
        ("-7", None),
        ("1.5", None),
        ("1e3", None),
        ("\u00b2", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_both_forms_of_retry_after_are_read(value, seconds):
    assert retry_after_s(value, NOW) == seconds


@given(st.text(max_size=40))
def test_no_text_in_retry_after_makes_it_raise_or_negative(value):
    wait = retry_after_s(value, NOW)
    assert wait is None or wait >= 0
