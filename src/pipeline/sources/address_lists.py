"""A list of addresses, `urls.csv`: which file is the page of which address. A broken line costs itself."""

import codecs
import csv
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from verdicts.corpus.unicode_text import escaped, is_text
from verdicts.fetch.given_files import read_file
from verdicts.fetch.model.canonical_url import BadUrl, canonicalize

COLUMNS = ("path", "url")
LINE = re.compile(r"\r\n|\n|\r")
SIZE_LIMIT = 200_000_000
"""Bytes of a list at most: that of a million pages has a tenth."""
_MARKS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF8, "utf-8"))


@dataclass(slots=True)
class AddressList:
    """The address of each file, and for each line that could not be used where it stands and why."""

    addresses: dict[Path, str] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)


class NoList(ValueError):
    """The file as a whole is no list of addresses; the message says why."""


def read_addresses(path: Path, named: Sequence[Path] = (), *, follows_links: bool = True) -> AddressList:
    """CSV with the columns `path` and `url`; a path is relative to the list's folder, and one without a url has none.

    A path that leads out of the list's folder is refused, unless it leads to one of the files and folders in `named`.
    UTF-8, or what a byte-order mark says. No field holds a line end, so a quote that is never closed ends with its
    line. Raises `NoList`.
    """
    lines = enumerate(LINE.split(_text(path, follows_links)), start=1)
    allowed = [Path(os.path.realpath(one)) for one in (path.parent, *named)]
    count, places = _columns(path, lines)
    found = AddressList()
    for number, line in lines:
        if not line.strip():
            continue
        try:
            file, url = _row(line, count, places, allowed)
        except (ValueError, OSError, csv.Error) as error:
            why = str(error)
        else:
            known = found.addresses.setdefault(file, url)
            why = "" if known == url else f"{file.name} has the address {known!r} already"
        if why:
            found.unreadable.append(escaped(f"{path}:{number}: {why}"))
    return found


def _text(path: Path, follows_links: bool) -> str:
    try:
        content = read_file(path, SIZE_LIMIT, follows_links=follows_links)
    except OSError as error:
        raise NoList(f"{escaped(str(path))}: {error.strerror or error}") from None
    mark, encoding = next(((mark, name) for mark, name in _MARKS if content.startswith(mark)), (b"", "utf-8"))
    # A line with bytes of another encoding is refused when it is read; a file's name may hold any.
    errors = "surrogateescape" if encoding == "utf-8" else "replace"
    return content.removeprefix(mark).decode(encoding, errors)


def _columns(path: Path, lines: Iterator[tuple[int, str]]) -> tuple[int, tuple[int, int]]:
    """How many columns there are, and where path and url stand among them."""
    _, line = next(lines)
    try:
        names = [name.strip().lower() for name in next(csv.reader([line], strict=True), [])]
    except csv.Error:
        names = []
    if not {*COLUMNS} <= {*names}:
        raise NoList(f"{escaped(str(path))} needs the columns 'path' and 'url' in its first line")
    return len(names), (names.index("path"), names.index("url"))


def _row(line: str, count: int, places: tuple[int, int], allowed: Sequence[Path]) -> tuple[Path, str]:
    """A file in one of the folders, the first of which is the list's, and its address, empty where it has none.

    Raises `ValueError`, `csv.Error`, `OSError`.
    """
    (row,) = csv.reader([line], strict=True)
    if len(row) != count:
        raise ValueError(f"{len(row)} columns instead of {count}")
    name, url = (row[place] for place in places)
    if not name:
        raise ValueError("no path")
    if not is_text(url):
        raise ValueError("the address is no text in UTF-8")
    if "\0" in name:
        raise ValueError("a NUL in the path")
    file = Path(os.path.realpath(allowed[0] / name))
    if not any(file.is_relative_to(one) for one in allowed):
        raise ValueError(f"the path leads to {file}, out of the folder of the list")
    try:
        return file, canonicalize(url) if url else ""
    except BadUrl as error:
        raise ValueError(str(error)) from None
