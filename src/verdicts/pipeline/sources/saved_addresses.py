"""The addresses of saved pages that no list names: by the mark of a program, the page's own links, or its folder.

An address is for ever, so a doubtful one is none: the page is named, and a person writes it into `urls.csv`.
"""

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from verdicts.fetch.archives.archive_pages import SIZE_LIMIT
from verdicts.fetch.archives.formats import FormatNotRead, find_format
from verdicts.fetch.archives.saved_pages import CANONICAL, OG_URL, Origin, SavedPage, read_saved_page, resolve_origin
from verdicts.fetch.model.addresses import canonicalize, split_address
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.run.ingest import Source, read_content
from verdicts.pipeline.sources.page_files import HOST, ROBOTS_FILE, URLS_FILE, is_readable, walk_pages

FOLDER = "the folder of a mirror"

_SUBDOMAIN = re.compile(r"(?:www|m|amp)\.")
_INDEX = re.compile(r"(?:^|(?<=/))index\.html?$")
"""wget keeps `https://a.example/b/` as `a.example/b/index.html`."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """The files to ingest with their addresses, how many have one by what and an example, and what is doubtful.

    `indexes` counts pages that a program made of its own, such as HTTrack's list of copied sites. They are no sources.
    """

    sources: tuple[Source, ...]
    kinds: tuple[tuple[str, int, str], ...]
    doubts: tuple[str, ...]
    indexes: int


class _Doubt(Exception):
    """Why no address can be told."""


def address_sources(sources: Sequence[Source], paths: Sequence[Path]) -> Addressed:
    """Gives each page without an address the one that it was saved from. `paths` are those that a person named."""
    kept: list[Source] = []
    origins: list[tuple[int, Origin, bytes]] = []
    doubts: dict[int, str] = {}
    indexes = 0
    mirrors = _find_mirrors(paths)
    for source in sources:
        content = _read_html(source)
        page = None if content is None else read_saved_page(content)
        if page is not None and page.is_index:
            indexes += 1
            continue
        kept.append(source)
        if content is None or page is None:
            continue
        try:
            if (origin := _decide_origin(page, _find_mirrored(source.path, mirrors))) is not None:
                origins.append((len(kept) - 1, origin, sha256(content).digest()))
        except _Doubt as doubt:
            doubts[len(kept) - 1] = str(doubt)
    doubts |= _find_shared(origins)
    examples: dict[str, list[str]] = defaultdict(list)
    for source in kept:
        if source.url is not None:
            examples[URLS_FILE].append(source.url)
    for number, origin, _ in origins:
        if number not in doubts:
            kept[number] = replace(kept[number], url=origin.url, saved_at=origin.saved_at)
            examples[origin.source].append(origin.url)
    return Addressed(
        tuple(kept),
        tuple((kind, len(urls), urls[0]) for kind, urls in examples.items()),
        tuple(f"{kept[number].path}: {why}" for number, why in sorted(doubts.items())),
        indexes,
    )


def _read_html(source: Source) -> bytes | None:
    """The content of an HTML file without an address; None for any other, and where the ingest will say what fails."""
    if source.url is not None or source.problem is not None:
        return None
    try:
        if find_format(source.path, follows_links=source.follows_links) != "html":
            return None
        return read_content(source, SIZE_LIMIT)
    except (OSError, FormatNotRead, AttemptFailed):
        return None


def _decide_origin(page: SavedPage, mirrored: Origin | None) -> Origin | None:
    """What the page was saved from; None if nothing says it. Raises `_Doubt` where two disagree.

    A certain mark stands alone. A site may show the mark of a browser or of HTTrack that its template came with, and
    name any page as canonical; so these must not name another host than the mirror's folder or each other.
    """
    if page.marks and page.marks[0].is_certain:
        return page.marks[0]
    folder = () if mirrored is None else (mirrored,)
    origins: tuple[Origin, ...] = (*page.marks, *page.declared, *folder)
    if not origins:
        return None
    first = origins[0]
    for further in origins[1:]:
        if _read_site(further.url) != _read_site(first.url):
            raise _Doubt(f"{_describe(first)}, but {_describe(further)}")
    if page.marks:
        # HTTrack leaves the scheme out, so the page's own link to itself has it.
        is_same = bool(page.declared) and _loosen(page.declared[0].url) == _loosen(first.url)
        return replace(first, url=page.declared[0].url) if is_same else first
    if page.declared:
        _check_declared(page.declared, has_folder=mirrored is not None)
    return first


def _check_declared(declared: Sequence[Origin], *, has_folder: bool) -> None:
    """Sites often name their first page in every page, or two pages: then it is none of them. Raises `_Doubt`."""
    first = declared[0]
    for further in declared[1:]:
        if _loosen(further.url) != _loosen(first.url):
            raise _Doubt(f"{_describe(first)}, but {_describe(further)}")
    address = split_address(first.url)
    if address is not None and address.target == "/" and not has_folder:
        raise _Doubt(f"{_describe(first)}, the first page of a site, which many sites name in every page")


def _find_shared(origins: Sequence[tuple[int, Origin, bytes]]) -> dict[int, str]:
    """Pages that differ and declare one address, as pages 1 and 2 of a list may: the doubt of each, by its number."""
    by_address: dict[str, list[tuple[int, bytes]]] = defaultdict(list)
    for number, origin, digest in origins:
        if origin.source in {CANONICAL, OG_URL}:
            by_address[canonicalize(origin.url)].append((number, digest))
    return {
        number: f"{len(pages):,} files that differ declare the address {url}"
        for url, pages in by_address.items()
        if len({digest for _, digest in pages}) > 1
        for number, _ in pages
    }


def _find_mirrors(paths: Sequence[Path]) -> frozenset[Path]:
    """The folders of wget and HTTrack in the named ones: called after a host, with more in it than saved pages.

    That is robots.txt, a first page, or scripts and pictures. A person who sorts pages into `a.example/` has none of
    these, and names the pages at will.
    """
    mirrors: set[Path] = set()
    for path in paths:
        for folder, _, names in walk_pages(path, []):
            within = [folder, *folder.parents][: len(folder.relative_to(path).parts) + 1]
            root = next((part for part in reversed(within) if HOST.fullmatch(_read_name(part))), None)
            if root is not None and (
                _read_name(root).startswith("www.")
                or (folder == root and (any(map(_INDEX.search, names)) or (root / ROBOTS_FILE).is_file()))
                or any(not is_readable(name) and not name.startswith(".") and name != URLS_FILE for name in names)
            ):
                mirrors.add(root)
    return frozenset(mirrors)


def _read_name(folder: Path) -> str:
    return folder.absolute().name


def _find_mirrored(file: Path, mirrors: frozenset[Path]) -> Origin | None:
    """The address that a mirror keeps in a file: `a.example/b/c.html` has that of `https://a.example/b/c.html`."""
    root = next((folder for folder in reversed(file.parents) if folder in mirrors), None)
    if root is None:
        return None
    name, mark, query = file.relative_to(root).as_posix().removesuffix(".gz").partition("?")
    if " " in name:
        return None
    path = quote(os.fsencode(_INDEX.sub("", name)), safe="/:@!$&'()*+,;=~%")
    # wget -E ends `b?id=3` in `.html`.
    return resolve_origin(Origin(FOLDER, f"https://{_read_name(root)}/{path}{mark}{query.removesuffix('.html')}"))


def _read_site(url: str) -> str:
    address = split_address(url)
    return "" if address is None else _SUBDOMAIN.sub("", address.netloc)


def _loosen(url: str) -> str:
    """Equal for addresses that a site may use for one page: with `www.`, with a slash at the end, with http."""
    address = split_address(url)
    return _read_site(url) + ("" if address is None else address.target.rstrip("/"))


def _describe(origin: Origin) -> str:
    program = origin.source not in {CANONICAL, OG_URL, FOLDER}
    return f"{'the mark of ' if program else ''}{origin.source} says {origin.url}"
