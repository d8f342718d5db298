"""Which responses are pages. Status codes and media types are in `test_fault_matrix`."""

import pytest

from verdicts.fetch.model.outcome import FAILURES, Outcome
from verdicts.fetch.model.snapshot import Response, charset_of, header_value, media_type_of
from verdicts.fetch.parse.content import classify


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (b"<title>Codestral vs Just a moment: which one?</title>", "stored"),
        (b"<title>404 Media vs Wired</title>", "stored"),
        (b"<title>Not found wanting: a review</title>", "stored"),
        (b"<title>Not Found on example.com</title>", "soft_404"),
        ("words".encode("utf-16"), "stored"),
        (b"<title>Page Not Found | Example</title>", "soft_404"),
    ],
)
def test_a_title_decides_only_where_it_says_nothing_else(body, outcome):
    answer = Response(200, (("content-type", "text/html; charset=utf-8"),), body, elapsed_ms=1, wire_bytes=len(body))
    assert classify(answer)[0] == outcome


TRANSIENT = {"dns_error", "connect_error", "connect_timeout", "read_timeout", "deadline", "incomplete", "server_error",
             "throttled"}  # fmt: skip
PERMANENT = {"blocked", "protocol_error", "decode_error", "too_large", "blocked_address", "tls_error", "redirect_limit",
             "unexpected_status", "empty", "unreadable", "internal_error"}  # fmt: skip


def test_what_may_succeed_the_next_time_is_a_failure():
    assert {outcome for outcome in Outcome if outcome.is_transient} == TRANSIENT
    assert set(FAILURES) == TRANSIENT | PERMANENT


@pytest.mark.parametrize(
    ("content_type", "media_type", "charset"),
    [
        ("text/html", "text/html", None),
        ("Text/HTML; Charset=UTF-8", "text/html", "utf-8"),
        (' text/html ; charset="utf-8" ; x=y', "text/html", "utf-8"),
        ("text/html; charset='latin-1'", "text/html", "latin-1"),
        ("text/html; charset=", "text/html", None),
        (None, "", None),
    ],
)
def test_media_type_and_charset_are_read(content_type, media_type, charset):
    assert (media_type_of(content_type), charset_of(content_type)) == (media_type, charset)


def test_the_first_of_two_headers_counts():
    assert header_value((("etag", '"one"'), ("etag", '"two"')), "etag") == '"one"'
