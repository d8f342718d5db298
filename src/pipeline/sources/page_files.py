"""The files and folders named to `verdicts ingest`, and their addresses."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from verdicts.fetch.archives.pages import ARCHIVES
from verdicts.fetch.given_files import no_file
from verdicts.fetch.intake.ingest import Source
from verdicts.fetch.model.addresses.patterns import AddressPattern, BadPattern, address_pattern
from verdicts.pipeline.errors import SourceMissing
from verdicts.pipeline.sources.address_lists import NoList, read_addresses

READABLE = (".txt", ".html", ".htm", *ARCHIVES)
URLS_FILE = "urls.csv"


def find_sources(paths: Sequence[Path], urls: Path | None) -> list[Source]:
    """The files to ingest, sorted, each with its address where one is known.

    Addresses come from `urls`, else from a `urls.csv` beside the files (`sources.address_lists`). What cannot be read,
    a line of a list included, is a source with its `problem`. Raises `SourceMissing` for a path that is not there, for
    `urls` that is no list, and where no file among the paths can be read.
    """
    sources = [source for path in paths for source in _expand(path)]
    if not sources:
        raise SourceMissing("no .txt, .html or WARC file among the paths")
    beside = sorted({source.path.parent / URLS_FILE for source in sources})
    addresses: dict[Path, str] = {}
    broken: list[Source] = []
    for path in [path for path in beside if os.path.lexists(path)] if urls is None else [urls]:
        try:
            found = read_addresses(path, named=paths, follows_links=urls is not None)
        except NoList as error:
            if urls is not None:
                raise SourceMissing(str(error)) from None
            broken.append(Source(path, None, problem=str(error)))
            continue
        addresses |= found.addresses
        broken += [Source(path, None, problem=line) for line in found.unreadable]
    return [*(_addressed(source, addresses) for source in sources), *broken]


def compiled(include: str | None) -> AddressPattern | None:
    """A pattern that is searched in addresses. Raises `SourceMissing` for one that is invalid."""
    try:
        return None if include is None else address_pattern(include)
    except BadPattern as error:
        raise SourceMissing(str(error)) from None


def _addressed(source: Source, addresses: dict[Path, str]) -> Source:
    if source.problem is not None:
        return source
    return replace(source, url=addresses.get(Path(os.path.realpath(source.path))) or None)


def _expand(path: Path) -> Iterator[Source]:
    """The files of a folder by their endings, or the file that was named.

    A link is followed where it was named itself. One that lies in a folder may lead anywhere, and is told.
    """
    if not os.path.lexists(path):
        raise SourceMissing(f"{path} does not exist")
    if not path.is_dir():
        yield _checked(path, is_named=True)
        return
    unread: list[OSError] = []
    found = []
    for folder, folders, files in os.walk(path, onerror=unread.append):
        folders.sort()
        found += [link for name in folders if (link := Path(folder, name)).is_symlink()]
        found += [Path(folder, name) for name in files if name.lower().endswith(READABLE)]
    yield from map(_checked, sorted(found))
    for error in unread:
        yield Source(Path(os.fsdecode(error.filename)), None, problem=f"{error.filename}: {error.strerror}")


def _checked(path: Path, *, is_named: bool = False) -> Source:
    """What is no file is told before any is read; whoever opens it looks again."""
    try:
        error = no_file(path.stat(follow_symlinks=is_named).st_mode, path)
    except OSError as unseen:
        error = unseen
    problem = None if error is None else f"{path}: {error.strerror}"
    return Source(path, None, problem, follows_links=is_named)
