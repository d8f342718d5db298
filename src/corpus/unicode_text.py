r"""What text the corpus and the log hold: Unicode, without NUL. Half a surrogate pair is no text to any database.

Such halves come out of JSON that was cut (`"\ud83d"`), and out of file names and headers whose bytes are no UTF-8:
Python keeps these as the surrogates DC80 to DCFF.
"""

import re
import unicodedata

_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_BLANK = re.compile("[\t-\r\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def is_text(text: str) -> bool:
    """Whether any database takes it."""
    return _NO_TEXT.search(text) is None


def published(text: str) -> str:
    """A page's words without what is no text: nobody could read it."""
    return _NO_TEXT.sub("", text)


def is_visible(text: str) -> bool:
    """Whether anything of it shows: blanks, controls, marks without a letter, and what is unassigned do not."""
    return any(unicodedata.category(letter)[0] not in "CMZ" for letter in text)


def escaped(text: str) -> str:
    r"""Words about a file or an address, with what is no text spelled out: `caf\xe9.txt`."""
    return _NO_TEXT.sub(_escape, text)


def in_one_line(text: str) -> str:
    """A text of a host in one line: a blank for a tab or a line end, U+FFFD for other controls and what is no text.

    ESC begins a command to a terminal.
    """
    return _CONTROL.sub("\ufffd", _BLANK.sub(" ", text))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code & 0xFF:02x}" if code == 0 or 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
