"""The files and folders named to `verdicts ingest`, and their addresses."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from fetch.run.ingest import Source
from pipeline.errors import SourceMissing

READABLE = (".txt", ".html", ".htm", ".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz")
URLS_FILE = "urls.csv"


def find_sources(paths: Sequence[Path], urls: Path | None) -> list[Source]:
    """The files to ingest, sorted, each with its address where one is known.

    Addresses come from `urls` (CSV with the columns `path` and `url`), else from a `urls.csv` beside the files. A path
    in it is relative to the CSV's folder. Raises `SourceMissing`, also where no file among the paths can be read.
    """
    files = [file for path in paths for file in _expand(path)]
    if not files:
        raise SourceMissing("no .txt, .html or WARC file among the paths")
    beside = sorted({file.parent / URLS_FILE for file in files})
    lists = [path for path in beside if path.exists()] if urls is None else [urls]
    addresses = {file: url for path in lists for file, url in _read_urls(path).items()}
    return [Source(file, addresses.get(file.resolve())) for file in files]


def _expand(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.is_file() and file.name.endswith(READABLE))
    elif path.exists():
        yield path
    else:
        raise SourceMissing(f"{path} does not exist")


def _read_urls(csv_path: Path) -> dict[Path, str]:
    try:
        with csv_path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SourceMissing(f"{csv_path} cannot be read: {error}") from None
    if rows and not {"path", "url"} <= rows[0].keys():
        raise SourceMissing(f"{csv_path} needs the columns 'path' and 'url' in its first line")
    return {(csv_path.parent / row["path"]).resolve(): row["url"] for row in rows if row["url"]}
