"""Connections, framing, content encodings and sizes (RFC 9112, 6 to 8; RFC 9110, 8.4): what breaks below the page."""

import gzip
import socket
import struct
import zlib

from builders.fault_server import (
    PAGE,
    Play,
    Request,
    answer,
    bare,
    chunk,
    endless,
    first,
    head,
    says,
)
from builders.faults.answers import CLOSE, TYPE, load_cases
from builders.faults.crawl_case import FAILED, CrawlCase, Night, alone, every

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"
TIME_OUT = ("read_timeout", "deadline")
BROKEN = ("protocol_error", "incomplete")
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


async def answer_twice(_: Request, writer) -> None:
    """Keeps the connection and sends a second response that nobody asked for."""
    writer.write(answer(PAGE, connection="keep-alive") + answer(b"<p>unasked</p>", connection="keep-alive"))
    await writer.drain()


def find_closed_port() -> tuple[str, int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()


NOBODY = Night({}, {"/robots.txt": frozenset({"connect_error"}), "/page": frozenset()}, is_down=True,
               address=find_closed_port())  # fmt: skip
BYTE_BY_BYTE = b"".join(b"1\r\n%c\r\n" % byte for byte in PAGE) + b"0\r\n\r\n"

TRANSPORT = (
    *load_cases("transport"),
    alone("100 Continue without end", "9110 15.2", endless(b"", CONTINUE * 100), *TIME_OUT, "protocol_error"),
    alone("closed once, then there", "faults 8", first(says(b""), says(answer(PAGE))), "stored"),
    alone("a chunk a byte", "9112 7.1", says(CHUNKED + BYTE_BY_BYTE), "stored"),
    alone("trailers without end", "9112 7.1.2", endless(CHUNKED + b"0\r\n", b"x-trailer: y\r\n" * 1000), *BROKEN,
          *TIME_OUT, "too_large"),
    alone("gzip as a transfer coding", "9112 7.2", bare(TYPE, b"transfer-encoding: gzip, chunked", CLOSE,
          body=chunk(gzip.compress(PAGE)) + b"0\r\n\r\n"), "stored", *BROKEN, "decode_error", "not_a_page"),
    alone("random bytes", "faults 15", says(bytes(range(256)) * 40), *BROKEN),
    alone("a response that nobody asked for", "9112 9.2", answer_twice, "stored", *BROKEN),
    CrawlCase("connection refused", "faults 2", (NOBODY,)),
)  # fmt: skip


ZIPPED, TWICE = gzip.compress(PAGE), gzip.compress(gzip.compress(PAGE))
LONG = gzip.compress(bytes(range(256)) * 200)
EMPTY = gzip.compress(b"")


def encode(body: bytes, *names: bytes) -> Play:
    """A body, and a Content-Encoding line for each name."""
    return head(*(b"content-encoding: " + name for name in names), body=body)


def pack(body: bytes) -> Play:
    return encode(body, b"gzip")


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def with_all_fields(data: bytes) -> bytes:
    """A gzip member with an extra field, a name, a comment and a header checksum (RFC 1952)."""
    start = b"\x1f\x8b\x08\x1e" + struct.pack("<I", 0) + b"\0\x03" + struct.pack("<H", 4) + b"abcd" + b"name\0comment\0"
    start += struct.pack("<H", zlib.crc32(start) & 0xFFFF)
    return start + raw_deflate(data) + struct.pack("<II", zlib.crc32(data), len(data))


def in_flushes(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=31)
    parts = [
        packer.compress(data[start : start + 7]) + packer.flush(zlib.Z_SYNC_FLUSH) for start in range(0, len(data), 7)
    ]
    return b"".join(parts) + packer.flush()


def zeros(megabytes: int) -> bytes:
    """Raw deflate of so many megabytes of zeros, made by repeating one full flush."""
    packer = zlib.compressobj(9, wbits=-15)
    first = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + again * (megabytes - 1) + packer.flush()


def bomb(megabytes: int, layers: int = 1) -> bytes:
    packed = ZIPPED[:10] + zeros(megabytes) + bytes(8)
    for _ in range(layers - 1):
        packed = gzip.compress(packed)
    return packed


def flip(position: int, value: int = 0xFF) -> bytes:
    data = bytearray(LONG)
    data[position] ^= value
    return bytes(data)


LARGE = PAGE.replace(b"words", b"".join(b"word %d " % number for number in range(40_000)))
PARTS = [gzip.compress(LARGE[start : start + 150_000]) for start in range(0, len(LARGE), 150_000)]

WHOLE = (
    *every("faults 21, 22; RFC 1951, 1952", ("stored",), pack, {
        "several members": gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]),
        "empty members between": EMPTY + ZIPPED + EMPTY * 3,
        "a member a byte": b"".join(gzip.compress(bytes([byte])) for byte in PAGE),
        "junk behind": ZIPPED + b"junk behind",
        "zeros behind": ZIPPED + bytes(512),
        "a line end behind": ZIPPED + b"\r\n",
        "all optional fields": with_all_fields(PAGE),
        "stored blocks": gzip.compress(PAGE, compresslevel=0),
        "a flush every seven bytes": in_flushes(PAGE),
    }),
    *(alone(f"Content-Encoding {name.decode()!r}", "9110 5.6.1, 8.4; A16", encode(body, name), "stored")
      for body, *names in (
          (ZIPPED, b"gzip", b"x-gzip", b"GZIP", b"gzip, identity", b"identity, gzip", b", gzip ,,"),
          (PAGE, b"identity", b"identity, identity", b""),
          (TWICE, b"gzip, gzip"),
          (gzip.compress(TWICE), b"gzip,gzip ,\tgzip"),
          (gzip.compress(zlib.compress(PAGE)), b"deflate, gzip"),
          (zlib.compress(ZIPPED), b"gzip, deflate"),
      ) for name in names),
    alone("deflate as zlib", "faults 27", encode(zlib.compress(PAGE), b"deflate"), "stored"),
    alone("deflate as it is", "faults 27", encode(raw_deflate(PAGE), b"deflate"), "stored"),
    alone("three large members", "faults 21", pack(b"".join(PARTS)), "stored", body=LARGE),
    alone("a large member and a small one", "faults 21",
          pack(gzip.compress(LARGE[:-50]) + gzip.compress(LARGE[-50:])), "stored", body=LARGE),
    alone("two lines of gzip", "9110 5.3, A16", encode(TWICE, b"gzip", b"gzip"), "stored"),
    alone("two lines, deflate then gzip", "9110 5.3, A16",
          encode(gzip.compress(zlib.compress(PAGE)), b"deflate", b"gzip"), "stored"),
)  # fmt: skip

UNKNOWN = (b"utf-8", b"none", b"\xff\xe9", b"gzip\xe9", b"*", b"gzip;q=1.0", b"text/html")
UNASKED = (
    (b"br", PAGE), (b"br", b"\x0b\x02\x80\xff\xff"), (b"zstd", b"\x28\xb5\x2f\xfd\x04\0junk"),
    (b"compress", b"\x1f\x9d\x90junk"), (b"gzip, br", ZIPPED), (b"br, gzip", ZIPPED),
)  # fmt: skip

ENCODINGS_BROKEN = (
    *every("faults 20", ("incomplete",), pack, {
        "cut off": LONG[:-60],
        "its trailer cut off": LONG[:-8],
        "its last byte cut off": LONG[:-1],
        "the second member cut off": ZIPPED + LONG[:-20],
    }),
    *every("faults 19", ("decode_error",), pack, {
        "a wrong checksum": flip(-8),
        "a wrong length": flip(-1),
        "a wrong method": flip(2),
        "a corrupt second member": ZIPPED + ZIPPED[:10] + b"\xff" * 30,
        "not gzip at all": PAGE,
    }),
    *every("faults 19, 20; RFC 1952", ("decode_error", "incomplete"), pack, {
        "reserved flags": flip(3, 0xE0), "a flipped byte": flip(len(LONG) // 2), "its header cut off": LONG[:5]}),
    *(alone(f"the encoding {name!r}", "faults 25", encode(PAGE, name), "decode_error", "stored") for name in UNKNOWN),
    *(alone(f"{name.decode()} unasked, {len(body)} B", "faults 25", encode(body, name), "decode_error", "incomplete")
      for name, body in UNASKED),
    alone("the inner layer cut off", "faults 20, A16", encode(gzip.compress(LONG[:-20]), b"gzip, gzip"), "incomplete"),
    alone("deflate cut off", "faults 20", encode(zlib.compress(PAGE * 20)[:-20], b"deflate"), "incomplete"),
    alone("raw deflate cut off", "faults 20", encode(raw_deflate(PAGE * 20)[:-1], b"deflate"), "incomplete"),
    alone("deflate that is none", "faults 19", encode(PAGE, b"deflate"), "decode_error", "incomplete"),
    alone("gzip, gzip packed once", "A16", encode(ZIPPED, b"gzip, gzip"), "decode_error"),
    alone("gzip that nobody declares", "faults 60", encode(ZIPPED), "not_a_page", "stored"),
    alone("nothing, called gzip", "faults 37", pack(b""), "empty", "incomplete", "decode_error"),
)  # fmt: skip

BOMBS = (
    alone("300 MB in 292 KB", "faults 23", pack(bomb(300)), "too_large"),
    alone("300 MB, packed twice", "faults 23, A16", encode(bomb(300, 2), b"gzip, gzip"), "too_large", "decode_error"),
    alone("300 MB, packed four times", "faults 23, A16", encode(bomb(300, 4), b"gzip, gzip, gzip, gzip"), "too_large",
         "decode_error"),
    alone("300 MB as raw deflate", "faults 23", encode(zeros(300), b"deflate"), "too_large"),
    alone("100 members of 3 MB", "faults 23", pack(gzip.compress(bytes(3_000_000)) * 100), "too_large"),
    alone("200,000 empty members", "faults 21", pack(EMPTY * 200_000), FAILED),
    alone("a thousand layers by name", "A16", encode(ZIPPED, b", ".join([b"gzip"] * 1_000)), FAILED),
    alone("a thousand layers of identity", "A16", encode(PAGE, b", ".join([b"identity"] * 1_000)), FAILED | {"stored"}),
)  # fmt: skip

MEGABYTE = 1_000_000

SIZES = (
    *load_cases("size and time"),
    alone("60 MB", "faults 61", endless(HEAD + b"content-length: 60000000\r\n\r\n", b"x" * MEGABYTE, 60), "too_large"),
    alone("60 MB that claims 1 MB", "9112 6.3",
          endless(HEAD + b"content-length: 1000000\r\nconnection: close\r\n\r\n<html>", b"x" * MEGABYTE, 60),
          "stored", "protocol_error", "incomplete", "too_large"),
    alone("without end", "faults 61", endless(HEAD + b"\r\n", b"x" * 50_000), "too_large"),
    alone("chunks without end", "faults 61", endless(CHUNKED, chunk(b"x" * 50_000)), "too_large"),
)  # fmt: skip


CASES = {
    "transport": TRANSPORT,
    "content encodings": (*WHOLE, *ENCODINGS_BROKEN, *BOMBS),
    "size and time": SIZES,
}
