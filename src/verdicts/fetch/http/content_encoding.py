"""Decodes a Content-Encoding piece by piece, within limits. A stream that ends early is never accepted as whole."""

import zlib
from collections.abc import Iterator
from contextlib import suppress

from verdicts.fetch.model.errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome

PIECE = 65_536
"""Bytes inflated at a time, so that a bomb stops at the limit."""

MEMBERS = 10_000
"""The most gzip members; no honest file has more."""

CODINGS_MAX = 4
"""The most nested codings; a server that compresses twice has two."""

GZIP_MAGIC = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS


def codings(encoding: str | None) -> tuple[str, ...]:
    """The codings in the order applied, in lower case: `gzip` from `Identity, , X-GZIP`."""
    names = (name.strip().lower() for name in (encoding or "").split(","))
    return tuple(
        name.removeprefix("x-") if name == "x-gzip" else name for name in names if name not in {"", "identity"}
    )


def decode(body: bytes, encoding: str | None, limit: int) -> bytes:
    """The decoded body, at most `limit` bytes after each coding; the last coding applied is undone first.

    Reads gzip with any number of members (junk after the last is dropped), deflate with and without zlib's header, and
    identity. Raises `AttemptFailed`: `incomplete` for a truncated stream, `decode_error`, `too_large`.
    """
    applied = codings(encoding)
    unknown = [name for name in applied if name not in {"gzip", "deflate"}]
    if unknown:
        detail = f"the response is encoded as {unknown[0][:40]!r}, which was not asked for and is not read"
        raise AttemptFailed(Outcome.DECODE_ERROR, detail)
    if len(applied) > CODINGS_MAX:
        raise AttemptFailed(Outcome.DECODE_ERROR, f"the response is encoded {len(applied):,} times over")
    for name in reversed(applied):
        decoded = bytearray()
        for piece in _inflated(body, _GZIP if name == "gzip" else _deflate_bits(body)):
            decoded += piece
            if len(decoded) > limit:
                raise AttemptFailed(Outcome.TOO_LARGE, f"inflates to more than {limit:,} bytes")
        body = bytes(decoded)
    if len(body) > limit:
        raise AttemptFailed(Outcome.TOO_LARGE, f"more than {limit:,} bytes")
    return body


def decode_start(wire: bytes, encoding: str | None, limit: int, *, is_cut: bool) -> bytes:
    """The first `limit` bytes of the decoded body. `is_cut`: the wire was not read to its end.

    Raises `AttemptFailed` also for a long body in several codings, or in another coding than gzip.
    """
    try:
        return decode(wire, encoding, limit)
    except AttemptFailed as error:
        is_longer = error.outcome is Outcome.TOO_LARGE or (is_cut and error.outcome is Outcome.INCOMPLETE)
        if not is_longer or codings(encoding) not in {(), ("gzip",)}:
            raise
    return b"".join(salvage(wire, limit)) if codings(encoding) else wire[:limit]


def salvage(body: bytes, limit: int) -> Iterator[bytes]:
    """The part of a gzip stream that inflates before its damage or `limit` bytes, in pieces. Never raises."""
    size = 0
    with suppress(AttemptFailed):
        for piece in _inflated(body, _GZIP):
            if piece:
                yield piece[: limit - size]
            size += len(piece)
            if size >= limit:
                return


def _deflate_bits(body: bytes) -> int:
    """Deflate may have the header of zlib or none, which a negative number stands for."""
    is_zlib = len(body) >= 2 and body[0] & 0x0F == 8 and int.from_bytes(body[:2]) % 31 == 0
    return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS


def _inflated(body: bytes, wbits: int) -> Iterator[bytes]:
    """A stream, or all members of a gzip file, piece by piece. Raises `AttemptFailed` at the first damage."""
    position = 0
    for _ in range(MEMBERS):
        inflater = zlib.decompressobj(wbits)
        while not inflater.eof:
            waiting = body[position : position + PIECE]
            try:
                piece = inflater.decompress(waiting, PIECE)
            except zlib.error as error:
                raise AttemptFailed(Outcome.DECODE_ERROR, f"the compressed stream is corrupt: {error}") from None
            if not piece and not waiting and not inflater.eof:
                raise AttemptFailed(Outcome.INCOMPLETE, "the compressed stream ends before its end")
            # At its end zlib may hold the unread bytes twice.
            position += len(waiting) - len(inflater.unused_data if inflater.eof else inflater.unconsumed_tail)
            yield piece
        if wbits != _GZIP or body[position : position + 2] != GZIP_MAGIC:
            return
    raise AttemptFailed(Outcome.DECODE_ERROR, f"more than {MEMBERS:,} gzip members")
