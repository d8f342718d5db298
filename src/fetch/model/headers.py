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
    """`utf-8` of `text/html; charset="UTF-8"`: the first parameter of that name; None where there is none."""
    for parameter in (content_type or "").lower().split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip(" \t\"'") or None
    return None
