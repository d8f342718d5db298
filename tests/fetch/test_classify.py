"""Which responses are pages, and the outcomes of the others."""

import pytest

from verdicts.fetch.model.outcome import FAILURES, Outcome
from verdicts.fetch.model.snapshot import Response, charset_of, header_value, media_type_of
from verdicts.fetch.parse.content import classify


def page(body, content_type="text/html; charset=utf-8", status=200):
    return Response(status, (("content-type", content_type),), body, elapsed_ms=1, wire_bytes=len(body))


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (page(b"<title>Codestral vs Just a moment: which one?</title>"), "stored"),
        (page(b"<title>404 Media vs Wired</title>"), "stored"),
        (page(b"<title>Not found wanting: a review</title>"), "stored"),
        (page(b"<title>Not Found on example.com</title>"), "soft_404"),
        (page("words".encode("utf-16")), "stored"),
        (page(b"<title>Just a moment...</title>"), "blocked"),
        (page(b"<title>Attention Required! | Cloudflare</title>"), "blocked"),
        (page(b"<title>404 - Page not found</title>"), "soft_404"),
        (page(b"<title>Page Not Found | Example</title>"), "soft_404"),
        (page(b"  \n "), "empty"),
        (page(b"%PDF-1.7 ..."), "not_a_page"),
        (page(b"\x89PNG\r\n"), "not_a_page"),
        (page(b"{}", "application/json"), "not_a_page"),
        (page(b"gone", status=410), "gone"),
        (page(b"no", status=404), "not_found"),
        (page(b"no", status=401), "client_error"),
    ],
)
def test_a_response_gets_its_outcome(answer, outcome):
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
