"""What an answer is by its status line, headers and bytes (RFC 9110, RFC 9112), most of it in `answers.toml`."""

import codecs
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from builders.fault_server import PAGE, Play, bare, drips, first, hangs, resets, status, when_asked
from builders.faults.crawl_case import FAILED, GOT, NOT_KEPT, CrawlCase, Night, alone, repeat_marked

DECLARED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
LENGTH, TYPE, CLOSE = b"content-length: %d" % len(PAGE), b"content-type: text/html", b"connection: close"
CHUNKED = b"transfer-encoding: chunked"
OUTCOMES = {"failure": FAILED, "not kept": NOT_KEPT}


def write_bytes(text: str) -> bytes:
    """The bytes that a text of `answers.toml` stands for."""
    named = text.replace("{head}", r"HTTP/1.1 200 OK\r\n{type}\r\n").replace("{type}", TYPE.decode())
    escaped = repeat_marked(named.replace("{page}", PAGE.decode())).encode()
    return bytes(codecs.escape_decode(escaped)[0])  # type: ignore[attr-defined]  # of no stub


def _line(text: bytes) -> bytes:
    line, _, more = text.partition(b"\r\n")
    return _whole(TYPE, LENGTH, CLOSE, *([more] if more else []), line=line)


def _whole(*lines: bytes, line: bytes = b"HTTP/1.1 200 OK", body: bytes = PAGE) -> bytes:
    return b"\r\n".join([line, *lines, b"", body])


ANSWERS: dict[str, Callable[[bytes], bytes]] = {
    "line": _line,
    "more": lambda text: _whole(TYPE, LENGTH, CLOSE, text),
    "head": _whole,
    "length": lambda text: _whole(TYPE, b"content-length: " + text, CLOSE),
    "type": lambda text: _whole(b"content-type: " + text, LENGTH, CLOSE),
    "body": lambda text: _whole(TYPE, b"content-length: %d" % len(text), CLOSE, body=text),
    "chunks": lambda text: _whole(TYPE, CHUNKED, CLOSE, body=text),
    "raw": bytes,
}
"""The whole answer that one of its parts makes."""


def make_play(part: str, given: Any) -> Play:
    if part == "drips":
        return drips(*map(write_bytes, given))
    if part == "coding":
        coding, body = map(write_bytes, given)
        return bare(TYPE, b"transfer-encoding: " + coding, CLOSE, body=body)
    if part in ("hangs", "resets"):
        return (hangs if part == "hangs" else resets)(write_bytes(given))
    return when_asked(lambda: ANSWERS[part](write_bytes(given)))


def load_cases(kind: str) -> Iterator[CrawlCase]:
    """The cases of `answers.toml` of a kind."""
    for group in DECLARED[kind]:
        given = dict(group)
        rule, ends, holds = given.pop("rule"), given.pop("ends"), given.pop("holds", None)
        body = PAGE if holds is None else None if holds == "any" else write_bytes(holds)
        outcomes = [OUTCOMES.get(word, word) for word in ends]
        for part, rows in given.items():
            for name, row in rows.items():
                yield alone(name, rule, make_play(part, row), *outcomes, body=body)


REFUSALS = {
    "client_error": (400, 401, 402, 407, 409, 412, 416, 418, 431, 451, 499),
    "blocked": (403,),
    "not_found": (404,),
    "gone": (410,),
    "server_error": (500, 501, 502, 505, 511, 520, 599),
    "throttled": (429,),
    "unexpected_status": (300, 305),
}
REFUSED = tuple(
    alone(f"{code}", "docs/crawling", status(f"{code} No"), outcome)
    for outcome, codes in REFUSALS.items()
    for code in codes
)

RETRY_AFTER = (
    b"0", b"-7", b"0.5", b"soon", b"Sun, 01 Nov 2026 01:30:00 GMT", b"Fri, 31 Feb 2026 99:99:99 XYZ", b"\xff\xb2",
    b"1, 2", b"Thu, 01 Jan 1 00:00:00 +2359", b"",
)  # fmt: skip
LONGER = (b"3600", b"315360000", b"9" * 5000, b"Mon, 31 Dec 9999 23:59:59 GMT")
"""Pauses that are longer than a run waits."""


def pause(code: int, value: bytes) -> Play:
    wait = bare(TYPE, LENGTH, CLOSE, b"retry-after: " + value, status=b"HTTP/1.1 %d Wait" % code)
    return first(wait, status("200 OK"))


PAUSES = tuple(
    alone(f"{code} with Retry-After {value[:24]!r}", "faults 28-30, 9110 10.2.3", pause(code, value), "stored")
    for code in (429, 503)
    for value in RETRY_AFTER
)

LEFT = tuple(
    CrawlCase(f"{code} with Retry-After {value[:24]!r}", "faults 28-30, 9110 10.2.3",
              (Night({"/page": pause(code, value)}, {"/page": frozenset({outcome})}, is_down=True),),
              at_most={"/page": 1})
    for code, outcome in ((429, "throttled"), (503, "server_error"))
    for value in LONGER
)  # fmt: skip

VALIDATORS = {
    "an ETag beyond ASCII": (b'etag: "\xff\xe9\xed\xa0\x80"',),
    "an ETag in UTF-8": ('etag: "日本"'.encode(),),
    "a Last-Modified beyond ASCII": (b"last-modified: d\xe9c 2026",),
    "a Last-Modified that is no date": (b"last-modified: yesterday",),
    "an ETag without quotes": (b"etag: one",),
    "an empty ETag": (b"etag:",),
    "an ETag of 20 KB": (b'etag: "' + b"x" * 20_000 + b'"',),
    "two ETags": (b'etag: "one"', b'etag: "two"'),
    "an ETag with a tab and quotes": (b'etag: "a\t"b""',),
}
"""The same page on two nights: what was kept of its headers is sent back."""


def twice(*lines: bytes) -> tuple[Night, ...]:
    plays = {"/page": bare(TYPE, LENGTH, CLOSE, *lines)}
    return tuple(Night(plays, {"/page": GOT}, {"/page": PAGE}, days=day) for day in (0, 1))


TWICE = tuple(CrawlCase(name, "9110 8.8, A5", twice(*lines)) for name, lines in VALIDATORS.items())

CASES = {"status and headers": (*load_cases("status and headers"), *REFUSED, *PAUSES, *LEFT, *TWICE)}
