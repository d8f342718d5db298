"""Labels of encodings: `gb2312` means GBK and `iso-8859-1` means windows-1252, as everywhere on the web."""

import webencodings

REPLACEMENT = "replacement"
"""What `iso-2022-kr`, `hz-gb-2312` and three more labels mean: browsers refuse these encodings, which can hide text."""


def encoding_named(label: str) -> str | None:
    """WHATWG's name of an encoding in lower case; None for a label that the standard does not know."""
    encoding = webencodings.lookup(label) if label.isascii() else None
    return None if encoding is None else encoding.name
