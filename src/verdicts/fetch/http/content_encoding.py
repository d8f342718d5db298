"""Decodes a Content-Encoding piece by piece, within limits. A stream that ends early is never accepted as whole."""

import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress

import brotli

from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PIECE = 65_536
"""Bytes inflated at a time, so that a bomb stops at the limit."""

MEMBERS = 10_000
"""The most gzip members; no honest file has more."""

CODINGS_MAX = 4
"""The most nested codings; a server that compresses twice has two."""

GZIP_MAGIC = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS

ZSTD_WINDOW = {int(zstd.DecompressionParameter.window_log_max): 23}
"""A window of 8 MB, the most that a response may ask for (RFC 9659)."""

UNREAD = frozenset({"aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip"})
"""Registered codings that are not read (IANA, HTTP Content Coding Registry)."""


def parse_codings(encoding: str | None) -> tuple[str, ...]:
    """The codings in the order applied, in lower case: `gzip` from `Identity, , X-GZIP`.

    Other names stand for nothing, as in browsers: servers send `none`, `utf-8` and `text/html` with a plain body.
    """
    names = (name.strip().lower().removeprefix("x-") for name in (encoding or "").split(","))
    return tuple(name for name in names if name in _PIECES or name in UNREAD)


def decode(body: bytes, encoding: str | None, limit: int) -> bytes:
    """The decoded body, at most `limit` bytes after each coding; the last coding applied is undone first.

    Reads gzip with any number of members (junk after the last is dropped), deflate with and without zlib's header,
    brotli, and zstd. Raises `AttemptFailed`: `incomplete` for a truncated stream, `decode_error`, `too_large`.
    """
    applied = parse_codings(encoding)
    unread = [name for name in applied if name in UNREAD]
    if unread:
        detail = f"the response is encoded as {unread[0]!r}, which was not asked for and is not read"
        raise AttemptFailed(Outcome.DECODE_ERROR, detail)
    if len(applied) > CODINGS_MAX:
        raise AttemptFailed(Outcome.DECODE_ERROR, f"the response is encoded {len(applied):,} times over")
    for name in reversed(applied):
        decoded = bytearray()
        for piece in _PIECES[name](body):
            decoded += piece
            if len(decoded) > limit:
                raise AttemptFailed(Outcome.TOO_LARGE, f"inflates to more than {limit:,} bytes")
        body = bytes(decoded)
    if len(body) > limit:
        raise AttemptFailed(Outcome.TOO_LARGE, f"more than {limit:,} bytes")
    return body


def decode_first(start: bytes, coding: str) -> bytes:
    """The decoded first bytes of a stream; empty if they are damaged. Never raises."""
    with suppress(AttemptFailed):
        return next(_PIECES[coding](start), b"")
    return b""


def decode_start(wire: bytes, encoding: str | None, limit: int, *, is_cut: bool) -> bytes:
    """The first `limit` bytes of the decoded body. `is_cut`: the wire was not read to its end.

    Raises `AttemptFailed` also for a long body in several codings, or in another coding than gzip.
    """
    try:
        return decode(wire, encoding, limit)
    except AttemptFailed as error:
        is_longer = error.outcome is Outcome.TOO_LARGE or (is_cut and error.outcome is Outcome.INCOMPLETE)
        if not is_longer or parse_codings(encoding) not in {(), ("gzip",)}:
            raise
    return b"".join(salvage(wire, limit)) if parse_codings(encoding) else wire[:limit]


def salvage(body: bytes, limit: int) -> Iterator[bytes]:
    """The part of a gzip stream that inflates before its damage or `limit` bytes, in pieces. Never raises."""
    size = 0
    with suppress(AttemptFailed):
        for piece in _inflate_members(body, _GZIP):
            if piece:
                yield piece[: limit - size]
            size += len(piece)
            if size >= limit:
                return


def _inflate_gzip(body: bytes) -> Iterator[bytes]:
    return _inflate_members(body, _GZIP)


def _inflate_deflate(body: bytes) -> Iterator[bytes]:
    """Deflate may have the header of zlib or none, which a negative number stands for."""
    is_zlib = len(body) >= 2 and body[0] & 0x0F == 8 and int.from_bytes(body[:2]) % 31 == 0
    return _inflate_members(body, zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)


def _inflate_brotli(body: bytes) -> Iterator[bytes]:
    decoder = brotli.Decompressor()
    position = 0
    try:
        while not decoder.is_finished():
            waiting = body[position : position + PIECE] if decoder.can_accept_more_data() else b""
            if decoder.can_accept_more_data() and not waiting:
                raise AttemptFailed(Outcome.INCOMPLETE, "the compressed stream ends before its end")
            yield decoder.process(waiting, output_buffer_limit=PIECE)
            position += len(waiting)
    except brotli.error as error:
        raise AttemptFailed(Outcome.DECODE_ERROR, f"the compressed stream is corrupt: {error}") from None


def _inflate_zstd(body: bytes) -> Iterator[bytes]:
    """All frames of a stream."""
    rest = body
    try:
        while rest:
            decoder = zstd.ZstdDecompressor(options=ZSTD_WINDOW)
            yield decoder.decompress(rest, PIECE)
            while not decoder.eof:
                if decoder.needs_input:
                    raise AttemptFailed(Outcome.INCOMPLETE, "the compressed stream ends before its end")
                yield decoder.decompress(b"", PIECE)
            rest = decoder.unused_data
    except zstd.ZstdError as error:
        raise AttemptFailed(Outcome.DECODE_ERROR, f"the compressed stream is corrupt: {error}") from None


def _inflate_members(body: bytes, wbits: int) -> Iterator[bytes]:
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


_PIECES: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _inflate_gzip,
    "deflate": _inflate_deflate,
    "br": _inflate_brotli,
    "zstd": _inflate_zstd,
}
