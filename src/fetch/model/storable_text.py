"""Text that SQLite, DuckDB, a WARC header and a terminal take. Pure."""

import re

_BLANK = re.compile(r"[\t-\r\x85\u2028\u2029]")
_UNSTORABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def storable(text: str) -> str:
    """The text in one line: a blank for a tab or a line end, U+FFFD for another control and for each lone surrogate.

    A surrogate has no UTF-8; it stands for a byte that was none, as in a header in Latin-1. NUL ends a text for many
    readers, and ESC begins a command to a terminal.
    """
    return _UNSTORABLE.sub("\ufffd", _BLANK.sub(" ", text))
