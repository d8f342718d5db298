"""The outcomes: each with a meaning, and failures and transient failures told apart."""

import pytest

from verdicts.fetch.model.errors import (
    AttemptFailed,
    ContactMissing,
    FetchError,
    StorageFailed,
    StoreLocked,
    StoreMissing,
)
from verdicts.fetch.model.outcome import FAILURES, Outcome

TRANSIENT = {
    "dns_error",
    "connect_error",
    "connect_timeout",
    "read_timeout",
    "deadline",
    "incomplete",
    "server_error",
    "throttled",
}

PERMANENT = {
    "blocked",
    "protocol_error",
    "decode_error",
    "too_large",
    "blocked_address",
    "tls_error",
    "redirect_limit",
    "unexpected_status",
    "empty",
    "unreadable",
    "internal_error",
}


def test_a_transient_outcome_is_a_failure():
    assert {outcome for outcome in Outcome if outcome.is_transient} == TRANSIENT
    assert set(FAILURES) == TRANSIENT | PERMANENT


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_is_found_by_its_stored_string_and_has_a_meaning(outcome):
    assert Outcome(str(outcome)) is outcome
    assert outcome.meaning


def test_a_string_that_is_no_outcome_is_refused():
    with pytest.raises(ValueError, match="vanished"):
        Outcome("vanished")


@pytest.mark.parametrize("error", [AttemptFailed, ContactMissing, StoreLocked, StoreMissing, StorageFailed])
def test_every_error_of_the_package_has_one_base(error):
    assert issubclass(error, FetchError)
