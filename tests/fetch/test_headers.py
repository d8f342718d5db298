"""What a Content-Type says."""

import pytest

from verdicts.fetch.model.snapshot import charset_of, header_value, media_type_of


@pytest.mark.parametrize(
    ("content_type", "media_type", "charset"),
    [
        ("text/html", "text/html", None),
        ("Text/HTML; Charset=UTF-8", "text/html", "utf-8"),
        (' text/html ; charset="utf-8" ; x=y', "text/html", "utf-8"),
        ("text/html; charset='latin-1'", "text/html", "latin-1"),
        ("text/html; charset=", "text/html", None),
        ("", "", None),
        (None, "", None),
    ],
)
def test_media_type_and_charset_are_read(content_type, media_type, charset):
    assert (media_type_of(content_type), charset_of(content_type)) == (media_type, charset)


def test_the_first_of_two_headers_counts():
    headers = (("etag", '"one"'), ("etag", '"two"'))
    assert header_value(headers, "etag") == '"one"'
    assert header_value(headers, "content-type") is None
