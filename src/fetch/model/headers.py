"""HTTP headers as pairs of lower-case name and value, in the order sent, and what a Content-Type says."""

from typing import TypeAlias

Headers: TypeAlias = tuple[tuple[str, str], ...]


def header_value(headers: Headers, name: str) -> str | None:
    """The first value of a header, `name` in lower case; None where it is absent."""
    return next((value for key, value in headers if key == name), None)


def media_type_of(content_type: str | None) -> str:
    """`text/html` of `Text/HTML; charset=utf-8`; empty where there is none."""
    return (content_type or "").partition(";")[0].strip().lower()


def charset_of(content_type: str | None) -> str | None:
    """`utf-8` of `text/html; charset="UTF-8"`; None where there is none."""
    _, _, parameters = (content_type or "").lower().partition("charset=")
    return parameters.partition(";")[0].strip(" \"'") or None
