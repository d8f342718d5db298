"""HTTP headers as pairs of lower-case name and value, in the order sent, and what a Content-Type says."""

from typing import TypeAlias

from verdicts.corpus.unicode_text import in_one_line

Headers: TypeAlias = tuple[tuple[str, str], ...]
"""UTF-8, with a lone surrogate for each byte that is not (`surrogateescape`): the raw store writes the same bytes
again. Everything else reads values through `header_value`."""

VALIDATOR_LENGTH = 1_000
"""Characters of an ETag that is sent back at most; hosts refuse requests with much longer ones."""


def header_text(raw: bytes) -> str:
    """A name or value of a header as it stands in `Headers`."""
    return raw.decode("utf-8", errors="surrogateescape")


def header_value(headers: Headers, name: str) -> str | None:
    """The first value of a header as text in one line, `name` in lower case; None where it is absent."""
    return next((in_one_line(value) for key, value in headers if key == name), None)


def is_sendable(validator: str) -> bool:
    """Whether an ETag or a date can be sent back as it came: visible ASCII. Others would come back as other bytes."""
    return validator.isascii() and validator.isprintable() and 0 < len(validator) <= VALIDATOR_LENGTH


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
