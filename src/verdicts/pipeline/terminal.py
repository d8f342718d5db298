r"""Safe output on a terminal.

The name in a page may contain `\x1b]0;OWNED\x07`, which sets the window title, `\x9b2J`, which clears the window, or
U+202E, which reverses the rest of the line. Such characters are shown as escapes. Output to a pipe or file stays
unchanged.
"""

import io
import os
import sys
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, TextIO, cast

_SHOWN_BY_LAYOUT = "\n\t"

_JOINERS = "\u200c\u200d"
"""Persian words and emoji of several people need them. All other format characters are escaped."""

_HARMLESS = {"Zs", "Co", "Cn"}
"""Harmless categories that Python calls not printable: spaces, private use, unassigned."""


def escape_controls(text: str) -> str:
    """Escapes controls (except newline and tab), format characters and lone surrogates."""
    if text.isprintable():
        return text
    return "".join(char if _is_shown(char) else char.encode("unicode_escape").decode() for char in text)


def escape_line(text: str) -> str:
    """`shown` in one line: newlines and tabs are escaped too, so that a value cannot look like a line of ours."""
    return escape_controls(text).replace("\n", "\\n").replace("\t", "\\t")


def _is_shown(char: str) -> bool:
    return char.isprintable() or char in _SHOWN_BY_LAYOUT or char in _JOINERS or unicodedata.category(char) in _HARMLESS


class LossyStream:
    """A text stream that ignores a reader that has gone: the night continues."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        # A closed pipe answers EPIPE, a closed terminal EIO.
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  the attributes of any stream
        return getattr(self._stream, name)


class SafeStream(LossyStream):
    """Such a stream that writes `shown` text. Its `buffer` takes bytes unchanged."""

    def write(self, text: str) -> int:
        super().write(escape_controls(text))
        return len(text)

    @property
    def unguarded(self) -> TextIO:
        """The stream for text that is safe already."""
        return cast("TextIO", LossyStream(self._stream))


def guard_streams() -> None:
    """Wraps standard error, and standard output on a terminal, in a `SafeStream`.

    Output that is no terminal is UTF-8 in every locale, and keeps the bytes of file names.
    """
    # A stream that was closed (`>&-`) is replaced: otherwise the next opened file would get its number.
    nowhere = (open(os.devnull, "w", encoding="utf-8") for _ in range(2))  # noqa: PTH123, SIM115  open to the end
    sys.stdout, sys.stderr = (stream or next(nowhere) for stream in (sys.stdout, sys.stderr))
    is_terminal = sys.stdout.isatty()
    if isinstance(sys.stdout, io.TextIOWrapper):
        if is_terminal:
            sys.stdout.reconfigure(errors="backslashreplace")
        else:
            sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    if is_terminal:
        sys.stdout = cast("TextIO", SafeStream(sys.stdout))
    sys.stderr = cast("TextIO", SafeStream(sys.stderr))
