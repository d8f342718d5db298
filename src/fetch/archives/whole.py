"""Whether a record is as it was written, and holds all of what the host sent: only what is whole is kept. Pure."""

import hashlib
from base64 import b32encode
from collections.abc import Sequence

from fastwarc.warc import WarcRecord

from verdicts.fetch.archives.records import ArchiveRecord

ALGORITHMS = {
    "md5": "md5",
    "sha1": "sha1",
    "sha-1": "sha1",
    "sha256": "sha256",
    "sha-256": "sha256",
    "sha512": "sha512",
}
"""Labels of digests (WARC 1.1, 5.8) and their names here. A digest by another algorithm is passed over."""


def check_record(record: ArchiveRecord) -> None:
    """Raises `ValueError` for a record that says it is a part, and for one with other bytes than its digest is of."""
    cut = record.header("WARC-Truncated")
    if cut is not None:
        raise ValueError(f"it was cut short when it was written (WARC-Truncated: {cut[:40]})")
    if record.header("WARC-Segment-Number") is not None:
        raise ValueError("it is one part of several (WARC-Segment-Number)")
    _check("WARC-Block-Digest", record, [record.content])


def check_payload(record: ArchiveRecord, parsed: WarcRecord, body: bytes, decoded: bytes) -> None:
    """`body` is the record's without its transfer encoding, `decoded` without any.

    Writers differ on which of them a digest is of. Raises `ValueError` where it is of none, and where the response has
    fewer bytes than it announces.
    """
    if record.header("WARC-Block-Digest") is None:
        sent = record.content.partition(b"\r\n\r\n")[2] if record.is_http else record.content
        _check("WARC-Payload-Digest", record, [body, decoded, sent])
    if not record.is_http or parsed.http_headers is None:
        return
    headers = {name.lower(): value for name, value in parsed.http_headers.items()}
    announced = headers.get("content-length", "").strip()
    if headers.keys() & {"content-encoding", "transfer-encoding"} or not (announced.isascii() and announced.isdigit()):
        return
    # A writer that decoded the body may have left the length of what was sent, which is the smaller one.
    if int(announced[:20]) > len(body):
        raise ValueError(f"its page has {len(body):,} of {int(announced[:20]):,} bytes")


def _check(name: str, record: ArchiveRecord, forms: Sequence[bytes]) -> None:
    label, _, stated = (record.header(name) or "").strip().partition(":")
    algorithm = label.lower().replace("-", "")
    if algorithm not in ALGORITHMS:
        return
    for form in forms:
        digest = hashlib.new(algorithm, form, usedforsecurity=False).digest()
        if stated.lower() in {digest.hex(), b32encode(digest).decode().rstrip("=").lower()}:
            return
    raise ValueError(f"its bytes are not those of its {name}")
