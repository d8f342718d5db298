"""How long a host is left alone."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetch.http.throttle import retry_after_s

NOW = datetime(2026, 11, 1, 12, 0, 0, tzinfo=UTC)


def test_both_forms_of_retry_after_are_read():
    assert retry_after_s("7", NOW) == 7
    assert retry_after_s(format_datetime(NOW.replace(second=9), usegmt=True), NOW) == 9


@pytest.mark.parametrize("value", [None, "", "-5", "soon", "\u00b2", "Sun, 01 Nov 2020 00:00:00 GMT", "1.5"])
def test_what_makes_no_sense_is_left_to_the_default(value):
    assert retry_after_s(value, NOW) is None


@given(st.text(max_size=40))
def test_no_header_makes_it_raise(value):
    retry_after_s(value, NOW)
