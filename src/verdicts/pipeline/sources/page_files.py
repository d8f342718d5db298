"""The files and folders given to `verdicts ingest`, and their addresses.

A list of addresses, `urls.csv`, gives the address of each file. An unusable line is reported and skipped.
"""

import csv
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from verdicts.corpus.text import escape_unstorable, is_text
from verdicts.fetch.archives.formats import ARCHIVES, READABLE, FormatNotRead, find_format
from verdicts.fetch.input_files import explain_no_file, read_file
from verdicts.fetch.model.addresses import canonicalize
from verdicts.fetch.model.fetch_errors import AttemptFailed, FilesUnusable
from verdicts.fetch.run.ingest import Source

URLS_FILE = "urls.csv"
LIST_BYTES = 200_000_000
"""Largest list in bytes: ten times that of a million pages."""

_LINE = re.compile(r"\r\n|\n|\r")

_PARTS = re.compile(
    r"(.+)(?:[_.]files|-Dateien|_fichiers|_archivos|_arquivos|_ficheiros|_file|_bestanden|-filer|_tiedostot|_pliki"
    r"|_soubory|_elemei|_dosyalar|_datoteke|_fitxers|_failid|_fails|_bylos|_fajlovi|_fitxategiak)",
    re.IGNORECASE,
)
"""Folders of the parts of a saved page, beside it: `Best tools_files`. Windows names them in its own language."""

HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d+)?")
"""The name of a folder in which wget or HTTrack keep a host."""

_PAGE_ENDING = re.compile(r"\.x?html?$", re.IGNORECASE)
_HTTRACK = frozenset({"hts-cache", "hts-log.txt", "cookies.txt"})
ROBOTS_FILE = "robots.txt"
"""wget and HTTrack keep it in the folder of its host."""


def find_sources(paths: Sequence[Path], urls: Path | None) -> list[Source]:
    """The files to ingest, sorted, with their known addresses.

    Addresses come from `urls`, or from a `urls.csv` beside the files. An unreadable file or line becomes a source with
    a `problem`. Raises `FilesUnusable` for a missing path, an unusable `urls`, and paths without a readable file.
    """
    sources = [source for path in paths for source in _expand(path)]
    if not sources:
        raise FilesUnusable("no .txt, .html, .har, .mhtml, WARC or WACZ file among the paths")
    beside = sorted({source.path.parent / URLS_FILE for source in sources})
    addresses: dict[Path, str] = {}
    broken: list[Source] = []
    for path in [path for path in beside if os.path.lexists(path)] if urls is None else [urls]:
        try:
            problems = _read_addresses(path, addresses, follows_links=urls is not None)
        except FilesUnusable as error:
            if urls is not None:
                raise
            problems = [str(error)]
        broken += [Source(path, None, problem=problem) for problem in problems]
    return [*(_add_address(source, addresses) for source in sources), *broken]


def _add_address(source: Source, addresses: dict[Path, str]) -> Source:
    if source.problem is not None:
        return source
    return replace(source, url=addresses.get(Path(os.path.realpath(source.path))) or None)


def _expand(path: Path) -> Iterator[Source]:
    """The named file, or the files of a folder by their endings.

    A named link is followed. A link in a folder may lead anywhere, so it is reported.
    """
    if not os.path.lexists(path):
        raise FilesUnusable(f"{path} does not exist")
    if not path.is_dir():
        yield _check_file(path, is_named=True)
        return
    unread: list[OSError] = []
    files = []
    for folder, folders, names in walk_pages(path, unread):
        files += [link for name in folders if (link := folder / name).is_symlink()]
        files += [folder / name for name in names if is_page(folder, name)]
    yield from map(_check_file, sorted(files))
    for error in unread:
        yield Source(Path(os.fsdecode(error.filename)), None, problem=f"{error.filename}: {error.strerror}")


def walk_pages(path: Path, unread: list[OSError]) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Folders with their folders and files, without parts of pages and files of the saving programs."""
    for folder, folders, names in os.walk(path, onerror=unread.append):
        stems = {_PAGE_ENDING.sub("", name).casefold() for name in names if _PAGE_ENDING.search(name)}
        by_tool = {ROBOTS_FILE} if _HTTRACK.isdisjoint([*folders, *names]) else {ROBOTS_FILE, *_HTTRACK}
        folders[:] = sorted(
            name
            for name in folders
            if name not in by_tool and not ((parts := _PARTS.fullmatch(name)) and parts[1].casefold() in stems)
        )
        yield Path(folder), folders, [name for name in names if name not in by_tool]


def is_readable(name: str) -> bool:
    """`index.html?page=2` is what wget makes of an address."""
    return name.lower().partition("?")[0].endswith((*ARCHIVES, *READABLE)) or name.lower().endswith(READABLE)


def is_page(folder: Path, name: str) -> bool:
    """Whether a file in a folder is read: by its ending, or in the mirror of a host by its first bytes.

    wget keeps `https://a.example/about` as `a.example/about`; with -K `about.orig` is the same without its changes.
    """
    if is_readable(name):
        return True
    if name.endswith(".orig") or not any(map(HOST.fullmatch, folder.parts)):
        return False
    try:
        return find_format(folder / name, follows_links=False) == "html"
    except (OSError, FormatNotRead, AttemptFailed):
        return False


def count_unread(paths: Sequence[Path]) -> tuple[Counter[str], int]:
    """The files in the folders among `paths` that are not read, by ending; and those that are parts of saved pages.

    Hidden files and lists do not count.
    """
    files = [(folder, name) for path in paths for folder, _, names in walk_pages(path, []) for name in names]
    unread = Counter(
        Path(name).suffix.lower() or "without an ending"
        for folder, name in files
        if not is_page(folder, name) and not name.startswith(".") and name != URLS_FILE
    )
    return unread, sum(len(files) for path in paths for _, _, files in os.walk(path)) - len(files)


def _check_file(path: Path, *, is_named: bool = False) -> Source:
    """Reports what is no file before anything is read. The reader checks again."""
    try:
        error = explain_no_file(path.stat(follow_symlinks=is_named).st_mode, path)
    except OSError as unseen:
        error = unseen
    problem = None if error is None else f"{path}: {error.strerror}"
    return Source(path, None, problem, follows_links=is_named)


def _read_addresses(path: Path, addresses: dict[Path, str], *, follows_links: bool) -> list[str]:
    """Adds the addresses of files to `addresses`. Returns the problems of unusable lines.

    CSV with the columns `path` and `url` in UTF-8. Paths are relative to the folder of the list. An empty url means no
    address. Fields hold no line ends, so an unclosed quote ends with its line. Raises `FilesUnusable`.
    """
    try:
        content = read_file(path, LIST_BYTES, follows_links=follows_links)
    except OSError as error:
        raise FilesUnusable(f"{escape_unstorable(str(path))}: {error.strerror or error}") from None
    # Lines in another encoding are refused later. File names may hold any bytes.
    lines = enumerate(_LINE.split(content.decode("utf-8-sig", "surrogateescape")), start=1)
    try:
        columns = [name.strip().lower() for name in next(csv.reader([next(lines)[1]], strict=True), [])]
    except csv.Error:
        columns = []
    if not {"path", "url"} <= {*columns}:
        raise FilesUnusable(f"{escape_unstorable(str(path))} needs the columns 'path' and 'url' in its first line")
    in_list: dict[Path, str] = {}
    problems = []
    for number, line in lines:
        if not line.strip():
            continue
        try:
            file, url = _read_row(line, columns, path.parent)
        except (ValueError, OSError, csv.Error) as error:
            why = str(error)
        else:
            first = in_list.setdefault(file, url)
            why = "" if first == url else f"{file.name} has the address {first!r} already"
        if why:
            problems.append(escape_unstorable(f"{path}:{number}: {why}"))
    addresses |= in_list
    return problems


def _read_row(line: str, columns: Sequence[str], folder: Path) -> tuple[Path, str]:
    """The file and the address of a line."""
    (row,) = csv.reader([line], strict=True)
    if len(row) != len(columns):
        raise ValueError(f"{len(row)} columns instead of {len(columns)}")
    name, url = row[columns.index("path")], row[columns.index("url")]
    if not is_text(url):
        raise ValueError("the address is not UTF-8 text")
    if "\0" in name:
        raise ValueError("a NUL in the path")
    return Path(os.path.realpath(folder / name)), canonicalize(url) if url else ""
