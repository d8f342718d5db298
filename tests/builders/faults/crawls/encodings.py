"""Content-Encoding (RFC 9110, 8.4): whole, broken, in layers, and bombs."""

import gzip
import struct
import zlib

from builders.fault_server import Play
from builders.faults.crawl_case import FAILED, CrawlCase, alone
from builders.faults.plays import PAGE, head

KIND = "content encodings"
ZIPPED = gzip.compress(PAGE)
LONG = gzip.compress(bytes(range(256)) * 200)


def case(name: str, rule: str, play: Play, *outcomes: str | frozenset[str], **more) -> CrawlCase:
    return alone(KIND, name, rule, play, *outcomes, **more)


def coded(body: bytes, *names: bytes) -> Play:
    """A body, and a Content-Encoding line for each name."""
    return head(*(b"content-encoding: " + name for name in names), body=body)


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


def broken(position: int, value: int = 0xFF) -> bytes:
    data = bytearray(LONG)
    data[position] ^= value
    return bytes(data)


LARGE = PAGE.replace(b"words", b"".join(b"word %d " % number for number in range(40_000)))

WHOLE = (
    case("gzip", "9110 8.4.1.3", coded(ZIPPED, b"gzip"), "stored"),
    case("x-gzip", "9110 8.4.1.3", coded(ZIPPED, b"x-gzip"), "stored"),
    case("GZIP", "9110 8.4.1", coded(ZIPPED, b"GZIP"), "stored"),
    case("identity", "9110 8.4", coded(PAGE, b"identity"), "stored"),
    case("deflate as zlib", "faults 27", coded(zlib.compress(PAGE), b"deflate"), "stored"),
    case("deflate as it is", "faults 27", coded(raw_deflate(PAGE), b"deflate"), "stored"),
    case("several members", "faults 21", coded(gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]), b"gzip"), "stored"),
    case("three large members", "faults 21", coded(b"".join(gzip.compress(LARGE[start : start + 150_000])
         for start in range(0, len(LARGE), 150_000)), b"gzip"), "stored", body=LARGE),
    case("a large member and a small one", "faults 21",
         coded(gzip.compress(LARGE[:-50]) + gzip.compress(LARGE[-50:]), b"gzip"), "stored", body=LARGE),
    case("empty members between", "faults 21",
         coded(gzip.compress(b"") + ZIPPED + gzip.compress(b"") * 3, b"gzip"), "stored"),
    case("a member a byte", "faults 21", coded(b"".join(gzip.compress(bytes([byte])) for byte in PAGE), b"gzip"),
         "stored"),
    case("junk behind", "faults 22", coded(ZIPPED + b"junk behind", b"gzip"), "stored"),
    case("zeros behind", "faults 22", coded(ZIPPED + bytes(512), b"gzip"), "stored"),
    case("a line end behind", "faults 22", coded(ZIPPED + b"\r\n", b"gzip"), "stored"),
    case("all optional fields", "RFC 1952", coded(with_all_fields(PAGE), b"gzip"), "stored"),
    case("stored blocks", "RFC 1951", coded(gzip.compress(PAGE, compresslevel=0), b"gzip"), "stored"),
    case("a flush every seven bytes", "RFC 1951", coded(in_flushes(PAGE), b"gzip"), "stored"),
    case("gzip, gzip", "9110 8.4, A16", coded(gzip.compress(ZIPPED), b"gzip, gzip"), "stored"),
    case("gzip, identity", "9110 8.4, A16", coded(ZIPPED, b"gzip, identity"), "stored"),
    case("identity, gzip", "9110 8.4, A16", coded(ZIPPED, b"identity, gzip"), "stored"),
    case("identity twice", "9110 8.4, A16", coded(PAGE, b"identity, identity"), "stored"),
    case("two lines of gzip", "9110 5.3, A16", coded(gzip.compress(ZIPPED), b"gzip", b"gzip"), "stored"),
    case("two lines, deflate then gzip", "9110 5.3, A16", coded(gzip.compress(zlib.compress(PAGE)), b"deflate",
         b"gzip"), "stored"),
    case("deflate, gzip", "9110 8.4, A16", coded(gzip.compress(zlib.compress(PAGE)), b"deflate, gzip"), "stored"),
    case("gzip, deflate", "9110 8.4, A16", coded(zlib.compress(ZIPPED), b"gzip, deflate"), "stored"),
    case("gzip three times", "9110 8.4, A16", coded(gzip.compress(gzip.compress(ZIPPED)), b"gzip,gzip ,\tgzip"),
         "stored"),
    case("empty parts of the list", "9110 5.6.1", coded(ZIPPED, b", gzip ,,"), "stored"),
    case("an empty encoding", "9110 5.6.1", coded(PAGE, b""), "stored"),
)  # fmt: skip

BROKEN = (
    case("cut off", "faults 20", coded(LONG[:-60], b"gzip"), "incomplete"),
    case("its trailer cut off", "faults 20", coded(LONG[:-8], b"gzip"), "incomplete"),
    case("its last byte cut off", "faults 20", coded(LONG[:-1], b"gzip"), "incomplete"),
    case("its header cut off", "faults 20", coded(LONG[:5], b"gzip"), "incomplete", "decode_error"),
    case("the second member cut off", "faults 20", coded(ZIPPED + LONG[:-20], b"gzip"), "incomplete"),
    case("the inner layer cut off", "faults 20, A16", coded(gzip.compress(LONG[:-20]), b"gzip, gzip"), "incomplete"),
    case("deflate cut off", "faults 20", coded(zlib.compress(PAGE * 20)[:-20], b"deflate"), "incomplete"),
    case("a wrong checksum", "faults 19", coded(broken(-8), b"gzip"), "decode_error"),
    case("a wrong length", "faults 19", coded(broken(-1), b"gzip"), "decode_error"),
    case("a wrong method", "faults 19", coded(broken(2), b"gzip"), "decode_error"),
    case("reserved flags", "RFC 1952", coded(broken(3, 0xE0), b"gzip"), "decode_error", "incomplete"),
    case("a flipped byte", "faults 19", coded(broken(len(LONG) // 2), b"gzip"), "decode_error", "incomplete"),
    case("a corrupt second member", "faults 19", coded(ZIPPED + ZIPPED[:10] + b"\xff" * 30, b"gzip"), "decode_error"),
    case("not gzip at all", "faults 19", coded(PAGE, b"gzip"), "decode_error"),
    case("deflate that is none", "faults 19", coded(PAGE, b"deflate"), "decode_error", "incomplete"),
    case("gzip, gzip packed once", "A16", coded(ZIPPED, b"gzip, gzip"), "decode_error"),
    case("gzip that nobody declares", "faults 60", coded(ZIPPED), "not_a_page", "stored"),
    case("nothing, called gzip", "faults 37", coded(b"", b"gzip"), "empty", "incomplete", "decode_error"),
    *(
        case(f"{name.decode()} unasked, {len(body)} bytes", "faults 25", coded(body, name), "decode_error")
        for name, body in ((b"br", PAGE), (b"br", b"\x0b\x02\x80\xff\xff"), (b"zstd", b"\x28\xb5\x2f\xfd\x04\0junk"),
                           (b"compress", b"\x1f\x9d\x90junk"), (b"gzip, br", ZIPPED), (b"br, gzip", ZIPPED))
    ),
    *(
        case(f"the encoding {name!r}", "faults 25", coded(PAGE, name), "decode_error", "stored")
        for name in (b"utf-8", b"none", b"\xff\xe9", b"gzip\xe9", b"*", b"gzip;q=1.0", b"text/html")
    ),
)  # fmt: skip

BOMBS = (
    case("300 MB in 292 KB", "faults 23", coded(bomb(300), b"gzip"), "too_large"),
    case("300 MB, packed twice", "faults 23, A16", coded(bomb(300, 2), b"gzip, gzip"), "too_large", "decode_error"),
    case("300 MB, packed four times", "faults 23, A16", coded(bomb(300, 4), b"gzip, gzip, gzip, gzip"), "too_large",
         "decode_error"),
    case("300 MB as raw deflate", "faults 23", coded(zeros(300), b"deflate"), "too_large"),
    case("100 members of 3 MB", "faults 23", coded(gzip.compress(bytes(3_000_000)) * 100, b"gzip"), "too_large"),
    case("200,000 empty members", "faults 21", coded(gzip.compress(b"") * 200_000, b"gzip"), FAILED),
    case("a thousand layers by name", "A16", coded(ZIPPED, b", ".join([b"gzip"] * 1_000)), FAILED),
    case("a thousand layers of identity", "A16", coded(PAGE, b", ".join([b"identity"] * 1_000)), FAILED | {"stored"}),
)  # fmt: skip

CASES = (*WHOLE, *BROKEN, *BOMBS)
