"""What `verdicts ingest` is given: files and folders, and the addresses that go with them."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from fetch.run.ingest import Source

READABLE = (".txt", ".html", ".htm", ".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz")
URLS_FILE = "urls.csv"


class SourceMissing(Exception):
    """A path that was named is not there, or an address list cannot be used."""


def find_sources(paths: Sequence[Path], urls: Path | None) -> list[Source]:
    """The files to ingest, sorted, each with its address where one is known.

    Addresses come from `urls` (CSV with the columns `path` and `url`), else from a `urls.csv` beside the files. A path
    in it is relative to the CSV's folder. Raises `SourceMissing`.
    """
    files = [file for path in paths for file in _expand(path)]
    lists = [urls] if urls is not None else sorted({file.parent / URLS_FILE for file in files})
    addresses: dict[Path, str] = {}
    for listed in lists:
        if urls is not None or listed.exists():
            addresses |= _read_urls(listed)
    return [Source(file, addresses.get(file.resolve())) for file in files]


def _expand(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.is_file() and file.name.endswith(READABLE))
    elif path.exists():
        yield path
    else:
        raise SourceMissing(f"{path} does not exist")


def _read_urls(listed: Path) -> dict[Path, str]:
    try:
        with listed.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SourceMissing(f"{listed} cannot be read: {error}") from None
    if rows and not {"path", "url"} <= rows[0].keys():
        raise SourceMissing(f"{listed} needs the columns 'path' and 'url' in its first line")
    return {(listed.parent / row["path"]).resolve(): row["url"] for row in rows if row["url"]}
