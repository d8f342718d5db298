"""Which responses are pages, and the outcomes of the others."""

import pytest

from verdicts.fetch.model.snapshot import Response
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
