r"""Standard output and standard error as a terminal may be given them.

A page's name can hold `\x1b]0;OWNED\x07`, which sets the title of the window, `\x9b2J`, which clears it, or U+202E,
which turns the rest of the line around. Such characters are shown as escapes. What a program reads from a pipe or a
file stays as it is.
"""

import atexit
import io
import os
import sys
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, TextIO, cast

_SHOWN_BY_LAYOUT = "\n\t"

_JOINERS = "\u200c\u200d"
"""Persian words and emoji of several people are written with them; every other format character is escaped."""

_HARMLESS = {"Zs", "Co", "Cn"}
"""Categories of Unicode that are not printable to Python and yet do nothing: spaces, private use, not assigned."""


def shown(text: str) -> str:
    """`text` without characters that act: controls but for newline and tab, format characters, lone surrogates."""
    if text.isprintable():
        return text
    return "".join(char if _is_shown(char) else _escape(char) for char in text)


def shown_line(text: str) -> str:
    """`shown` in one line: newlines and tabs are escapes too, so that a value cannot pass for a line of ours."""
    return shown(text).replace("\n", "\\n").replace("\t", "\\t")


def _is_shown(char: str) -> bool:
    return char.isprintable() or char in _SHOWN_BY_LAYOUT or char in _JOINERS or unicodedata.category(char) in _HARMLESS


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class SafeStream:
    """A text stream that writes `shown` text; all else is the stream's own. Its `buffer` takes bytes as they are."""

    def __init__(self, unguarded: TextIO) -> None:
        self.unguarded = unguarded

    def write(self, text: str) -> int:
        self.unguarded.write(shown(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  the attributes of any stream
        return getattr(self.unguarded, name)


class LossyStream:
    """A text stream that takes what is written to it even where nobody reads it any more: the night goes on unheard."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        # A closed pipe answers EPIPE, a terminal that was closed EIO.
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  the attributes of any stream
        return getattr(self._stream, name)


def guard_streams() -> None:
    """Puts a `SafeStream` before standard error, and before standard output where that is a terminal.

    A night does not end because its messages cannot be written: standard error is a `LossyStream` beneath.

    What is no terminal gets UTF-8, whatever the locale, and names of files as the bytes they are.
    """
    sys.stdout, sys.stderr = (stream or _nowhere() for stream in (sys.stdout, sys.stderr))
    is_terminal = sys.stdout.isatty()
    if isinstance(sys.stdout, io.TextIOWrapper):
        if is_terminal:
            sys.stdout.reconfigure(errors="backslashreplace")
        else:
            sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    if is_terminal:
        sys.stdout = cast("TextIO", SafeStream(sys.stdout))
    sys.stderr = cast("TextIO", SafeStream(cast("TextIO", LossyStream(sys.stderr))))


def _nowhere() -> TextIO:
    """For a stream that is closed, as by `>&-`: its number is taken, or the next file opened would be written to."""
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123  open as long as the process


def silent_at_the_end() -> None:
    """Nothing is written to standard error once this process ends: what there is to say has been said.

    Prefect's threads outlive the interpreter, and DuckDB's types with them: `nanobind: leaked 27 instances!`, and 40
    lines more.
    """
    atexit.register(_drop_errors)


def _drop_errors() -> None:
    with suppress(OSError, ValueError):
        sys.stderr.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def block_bar(share: float, width: int = 10) -> str:
    """A share as a bar of text, to an eighth of a character: `██████▎`. More than nothing shows a sliver."""
    eighths = min(width * 8, max(1 if share > 0 else 0, round(share * width * 8)))
    whole, rest = divmod(eighths, 8)
    return "█" * whole + ("▏▎▍▌▋▊▉█"[rest - 1] if rest else "")
