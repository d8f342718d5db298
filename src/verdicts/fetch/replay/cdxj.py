"""An index of the raw store in CDXJ, for pywb and other web archive tools.

A CDXJ line is a record: `<SURT> <time> {"url": ..., "mime": ..., "status": ..., "digest": ..., "length": ..., "offset":
..., "filename": ...}`. Lines are sorted by bytes, as cdxj-indexer writes and pywb reads them.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from verdicts.fetch.model.addresses import split_address
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.store.store import Store

_AS_IT_IS = "".join(map(chr, range(0x21, 0x7F))).replace("#", "").replace("%", "")


@dataclass(frozen=True, slots=True)
class CdxRecord:
    """A record of a web address: a response, or a revisit of one. The fields are those of its line, in order."""

    url: str
    mime: str
    status: str
    digest: str
    length: str
    offset: str
    filename: str


def make_surt(url: str) -> str:
    """The key of an address: `https://www.b.example/Page?b=2&a=1` is `example,b)/page?a=1&b=2`.

    Host parts are reversed, `www.` and a default port removed, parameters sorted, all in lower case. Any other text is
    its own key.
    """
    address = split_address(url.lower())
    if address is None:
        return url
    labels = address.host.removeprefix("www.").split(".")
    port = f":{address.port}" if address.port else ""
    path = address.path.rstrip("/") or "/"
    query = "&".join(sorted(_escape(address.query or "").split("&")))
    return f"{','.join(reversed(labels))}{port}){_escape(path)}" + (f"?{query}" if query else "")


def _escape(text: str) -> str:
    """The text escaped once, as in keys of pywb: `a%2Fb` and `a%252Fb` are `a/b`, `ä` is `%c3%a4`."""
    content = text.encode()
    while (plain := unquote_to_bytes(content)) != content:
        content = plain
    return quote(content, safe=_AS_IT_IS).lower()


def read_cdx_records(store: Store) -> Iterator[tuple[datetime, CdxRecord]]:
    """The records about a web address, without lost ones, each with its moment."""
    query = Path(__file__).with_name("cdx_records.sql").read_text(encoding="utf-8")
    for moment, outcome, url, media_type, *rest in store.state.execute(query):
        if split_address(url) is not None:
            mime = "warc/revisit" if outcome == Outcome.UNCHANGED else media_type or "unk"
            yield datetime.fromisoformat(moment), CdxRecord(url, mime, *map(str, rest))


def make_index_lines(records: Iterable[tuple[datetime, CdxRecord]]) -> list[bytes]:
    """The lines of an index, sorted by bytes."""
    return sorted(
        f"{make_surt(record.url)} {moment:%Y%m%d%H%M%S} {json.dumps(asdict(record))}\n".encode()
        for moment, record in records
    )
