"""The raw store for other tools: an index in CDXJ, and WARC in gzip, as pywb and warcio read no zstd.

A CDXJ line is a record: `<SURT> <time> {"url": ..., "mime": ..., "status": ..., "digest": ..., "length": ..., "offset":
..., "filename": ...}`. Lines are sorted by bytes, as cdxj-indexer writes and pywb reads them.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from verdicts.fetch.given_files import open_output
from verdicts.fetch.model.addresses import web_address
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.store.frames import read_frame
from verdicts.fetch.store.store import Store

_REVISIT = "warc/revisit"


@dataclass(frozen=True, slots=True)
class CdxRecord:
    """A record of a web address: a response, or a revisit of one."""

    url: str
    moment: datetime
    mime: str
    status: str
    sha256: str
    filename: str
    offset: int
    length: int

    @property
    def line(self) -> str:
        fields = {
            "url": self.url,
            "mime": self.mime,
            "status": self.status,
            "digest": f"sha256:{self.sha256}",
            "length": str(self.length),
            "offset": str(self.offset),
            "filename": self.filename,
        }
        return f"{surt(self.url)} {self.moment:%Y%m%d%H%M%S} {json.dumps(fields)}"


def surt(url: str) -> str:
    """The key of an address: `https://www.b.example/Page?b=2&a=1` is `example,b)/page?a=1&b=2`.

    Host parts are reversed, `www.` and a default port removed, parameters sorted, all in lower case. Any other text is
    its own key.
    """
    address = web_address(url.lower())
    if address is None:
        return url
    labels = address.host.removeprefix("www.").split(".")
    port = f":{address.port}" if address.port else ""
    path = address.path.rstrip("/") or "/"
    query = "&".join(sorted(address.query.split("&")))
    return f"{','.join(reversed(labels))}{port}){path}" + (f"?{query}" if query else "")


def cdx_records(store: Store, prefix: str = "") -> Iterator[CdxRecord]:
    """The records whose web address begins with `prefix`, without lost ones."""
    rows = store.state.execute(
        "SELECT fetches.url, coalesce(snapshots.fetched_at, started_at), outcome, coalesce(status_code, 200),"
        " coalesce(body_sha256, ''), coalesce(media_type, ''), segment, segment_offset, records.size"
        " FROM fetches JOIN records USING (segment, segment_offset)"
        " LEFT JOIN snapshots USING (segment, segment_offset) WHERE is_lost = 0 ORDER BY fetch_id"
    )
    for url, moment, outcome, status, sha256, media_type, file, offset, size in rows:
        if web_address(url) is not None and url.startswith(prefix):
            mime = _REVISIT if outcome == Outcome.UNCHANGED else media_type or "unk"
            yield CdxRecord(url, datetime.fromisoformat(moment), mime, str(status), sha256, file, offset, size)


def write_index(path: Path, records: Iterable[CdxRecord]) -> int:
    """Writes an index, sorted by bytes, and returns its number of lines."""
    lines = sorted(record.line.encode() for record in records)
    with open_output(path) as file:
        file.buffer.writelines(line + b"\n" for line in lines)
    return len(lines)


def write_warc(path: Path, store: Store, records: Iterable[CdxRecord]) -> Iterator[CdxRecord]:
    """Writes records to a gzip WARC file, one member each, and yields them at their new place.

    Raises `StoreDamaged`, `OSError`.
    """
    with open_output(path) as file:
        target = file.buffer
        for record in records:
            segment = store.raw / record.filename
            with segment.open("rb") as stored:
                frame = read_frame(stored, segment, record.offset)
            begins = target.tell()
            target.write(gzip.compress(frame.content, mtime=0))
            yield replace(record, filename=path.name, offset=begins, length=target.tell() - begins)
