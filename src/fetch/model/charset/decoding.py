"""Bytes to text by the decoders of browsers. Python's differ: GBK alone in 2,278 characters, koi8-u in two letters."""

import endec

from verdicts.fetch.model.charset.declared import declared_encoding

UTF_8_MARK = b"\xef\xbb\xbf"


def decode(body: bytes, encoding: str) -> str:
    """The text without a byte-order mark. `encoding` is WHATWG's name; bytes that it does not have become U+FFFD."""
    if encoding == "utf-8":
        return body.removeprefix(UTF_8_MARK).decode("utf-8", errors="replace")
    return endec.decode(body, encoding, "replace", bom="strip")


def in_utf8(body: bytes, charset: str | None = None, *, is_html: bool = True) -> bytes:
    """A page in UTF-8, for whoever looks for its tags. Bytes that are no text stay as they are in a page of UTF-8.

    `charset`: of its Content-Type.
    """
    encoding = declared_encoding(body, charset, is_html=is_html).encoding
    return body.removeprefix(UTF_8_MARK) if encoding == "utf-8" else decode(body, encoding).encode()
