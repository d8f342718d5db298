"""Content-encoding, undone piece by piece and bounded. A stream that ends early is never taken for a whole one."""

import zlib
from collections.abc import Iterable

from fetch.errors import Permanent, Transient

_GZIP = 16 + zlib.MAX_WBITS
PIECE = 65_536
"""Bytes inflated at a time, so that a bomb stops at the limit and not after it."""


def decode(pieces: Iterable[bytes], encoding: str | None, limit: int) -> bytes:
    """The decoded body.

    gzip with any number of members (junk after the last is dropped), deflate in both forms, identity. Raises
    `Transient` (`incomplete`) for a stream cut short, `Permanent` (`decode_error`, `too_large`).
    """
    name = (encoding or "identity").strip().lower()
    body = b"".join(pieces)
    if name in {"identity", ""}:
        if len(body) > limit:
            raise Permanent("too_large", f"more than {limit:,} bytes")
        return body
    if name in {"gzip", "x-gzip"}:
        return _gunzip(body, limit)
    if name == "deflate":
        is_zlib = len(body) >= 2 and body[0] & 0x0F == 8 and int.from_bytes(body[:2]) % 31 == 0
        return _inflate(body, zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS, limit)[0]
    raise Permanent("decode_error", f"the answer is encoded as {name!r}, which was not asked for and is not read")


def _gunzip(body: bytes, limit: int) -> bytes:
    decoded, rest = _inflate(body, _GZIP, limit)
    while rest.startswith(b"\x1f\x8b"):
        member, rest = _inflate(rest, _GZIP, limit - len(decoded))
        decoded += member
    return decoded


def _inflate(body: bytes, wbits: int, limit: int) -> tuple[bytes, bytes]:
    """One stream, and the bytes after it."""
    inflater = zlib.decompressobj(wbits)
    decoded = bytearray()
    waiting = body
    while not inflater.eof:
        try:
            piece = inflater.decompress(waiting, PIECE)
        except zlib.error as error:
            raise Permanent("decode_error", f"the compressed stream is corrupt: {error}") from None
        decoded += piece
        if len(decoded) > limit:
            raise Permanent("too_large", f"inflates to more than {limit:,} bytes")
        waiting = inflater.unconsumed_tail
        if not piece and not waiting and not inflater.eof:
            raise Transient("incomplete", "the compressed stream ends before its end")
    return bytes(decoded), inflater.unused_data
