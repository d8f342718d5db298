"""The raw store as a WACZ (1.1.1): one zip with segments, index and page list, for ReplayWeb.page and pywb."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile, ZipInfo

from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.replay.cdxj import make_index_lines, read_cdx_records
from verdicts.fetch.store.reader import list_segments
from verdicts.fetch.store.segments import SOFTWARE
from verdicts.fetch.store.store import Store

_PIECE_BYTES = 1 << 20
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file within: the same store gives the same bytes, but for the date of the package."""


class _Resource(NamedTuple):
    """A file of the package, as its description lists it; the field names are those of the format.

    Frictionless takes a `name` in lower case only.
    """

    name: str
    path: str
    hash: str
    bytes: int


def write_wacz(store: Store, path: Path, moment: datetime) -> tuple[int, int]:
    """Writes all committed records; returns the number of segments and of pages.

    Raises `OSError`, and `StoreDamaged` for a segment that is missing or too short. If the package could not be
    finished, an earlier file at `path` stays as it was.
    """
    segments = list_segments(store.state)
    records = [*read_cdx_records(store)]
    pages = [(date, record) for date, record in records if record.mime != "warc/revisit"]
    with _open_zip(path) as package:
        described = [
            _add(package, f"archive/{name}", _read_committed(store.raw / name, size), size) for name, size in segments
        ]
        head = {"format": "json-pages-1.0", "id": "pages", "title": "All pages"}
        # py-wacz takes a page without a title for an empty row.
        listed = [head, *({"url": page.url, "ts": f"{date:{_TIME}}", "title": page.url} for date, page in pages)]
        for name, content in (
            # pywb looks for `.cdx` and `.cdx.gz`, and for no other ending.
            ("indexes/index.cdx", b"".join(make_index_lines(records))),
            ("pages/pages.jsonl", "".join(f"{json.dumps(page)}\n" for page in listed).encode()),
        ):
            described.append(_add(package, name, iter([content]), len(content)))
        description = json.dumps(
            {
                "profile": "data-package",
                "wacz_version": "1.1.1",
                "software": SOFTWARE,
                "created": f"{moment:{_TIME}}",
                "resources": [resource._asdict() for resource in described],
            },
            indent=1,
        ).encode()
        whole = _add(package, "datapackage.json", iter([description]), len(description))
        digest = json.dumps({"path": whole.path, "hash": whole.hash}).encode()
        _add(package, "datapackage-digest.json", iter([digest]), len(digest))
    return len(segments), len(pages)


@contextmanager
def _open_zip(path: Path) -> Iterator[ZipFile]:
    draft = path.with_name(f".{path.name}.tmp")
    try:
        with ZipFile(draft, "w") as package:
            yield package
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _add(package: ZipFile, name: str, pieces: Iterator[bytes], size: int) -> _Resource:
    """Adds a file as it is, not packed: readers seek in it."""
    info = ZipInfo(name, _EPOCH)
    info.file_size = size
    digest = sha256()
    with package.open(info, "w") as file:
        for piece in pieces:
            digest.update(piece)
            file.write(piece)
    return _Resource(name.rpartition("/")[2].lower(), name, f"sha256:{digest.hexdigest()}", size)


def _read_committed(path: Path, size: int) -> Iterator[bytes]:
    """The committed bytes of a segment: a crawl may be writing behind them."""
    try:
        with path.open("rb") as file:
            left = size
            while left and (piece := file.read(min(left, _PIECE_BYTES))):
                left -= len(piece)
                yield piece
    except FileNotFoundError:
        raise StoreDamaged(path, None, "the segment is missing") from None
    if left:
        raise StoreDamaged(path, size - left, "the segment ends before its last record")
