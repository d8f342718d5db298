"""Labels of charsets as the crawl meets them: its links are found, whatever a page calls its letters (WHATWG Encoding).

What becomes of the letters themselves is tried in `builds`.
"""

from builders.faults.crawl_case import CrawlCase, Night
from builders.faults.plays import bare, html, page

KIND = "charsets"
PYTHON_ONLY = (b"idna", b"undefined", b"utf-7", b"punycode", b"unicode_escape", b"raw_unicode_escape", b"hex",
    b"base64",
               b"rot13", b"zlib", b"bz2", b"mbcs", b"oem", b"cp65001", b"utf_8_sig", b"charmap", b"palmos")  # fmt: skip
"""Codecs of Python that the Encoding standard does not know: to be ignored as unknown labels are."""
STRANGE = (b"none", b"x" * 3_000, b"../../etc", b"os.path", b"utf-8\xff", b"\xd7\xa9", b"utf 8", b"'utf-8", b"-", b"")


def linked(name: str, rule: str, body: bytes, content_type: bytes = b"text/html", follows: bool = True) -> CrawlCase:
    """A page with a link to /next, in letters of ASCII unless the body says otherwise."""
    lines = (b"content-type: " + content_type, b"content-length: %d" % len(body), b"connection: close")
    expect = {"/page": frozenset({"stored"}), **({"/next": frozenset({"stored"})} if follows else {})}
    plays = {"/page": bare(*lines, body=body), "/next": page(text="The next page.")}
    return CrawlCase(KIND, name, rule, (Night(plays, expect, {"/page": body, **({"/next": None} if follows else {})}),))


def meta(label: bytes) -> bytes:
    return (
        b'<html><head><meta charset="%s"><title>T</title></head><body>words <a href="/next">n</a></body></html>' % label
    )


PLAIN = html("/next")
BOTH = PLAIN.decode()

CASES = (
    *(linked(f"the header says {label!r}"[:70], "WHATWG 4.2, A5", PLAIN, b"text/html; charset=" + label)
      for label in (*PYTHON_ONLY, *STRANGE)),
    *(linked(f"a meta tag says {label!r}"[:70], "WHATWG 4.2, A5", meta(label)) for label in (*PYTHON_ONLY, *STRANGE)),
    linked("a meta tag says utf-16 on bytes", "HTML 13.2.3.3, A15", meta(b"utf-16")),
    linked("a meta tag says utf-16be on bytes", "HTML 13.2.3.3, A15", meta(b"utf-16be")),
    linked("a meta tag says x-user-defined", "HTML 13.2.3.3", meta(b"x-user-defined")),
    linked("a meta tag says replacement", "WHATWG 4.2", meta(b"replacement"), follows=False),
    linked("UTF-16 by its mark", "WHATWG 6, A15", b"\xff\xfe" + BOTH.encode("utf-16-le")),
    linked("UTF-16 big end first by its mark", "WHATWG 6, A15", b"\xfe\xff" + BOTH.encode("utf-16-be")),
    linked("a mark against the header", "WHATWG 6, A15", b"\xff\xfe" + BOTH.encode("utf-16-le"),
           b"text/html; charset=utf-8"),
    linked("UTF-16 by its zeros", "Firefox", BOTH.encode("utf-16-le")),
    linked("Latin-1 that the header calls UTF-8", "WHATWG 4.1",
        html("/next", text="Gr\xfc\xdfe").decode().encode("cp1252"), b"text/html; charset=utf-8"),
    linked("UTF-16 by the header", "WHATWG 4.2", BOTH.encode("utf-16-le"), b"text/html; charset=utf-16le"),
    linked("a UTF-8 mark against the header", "WHATWG 6", b"\xef\xbb\xbf" + PLAIN, b"text/html; charset=shift_jis"),
    linked("Shift_JIS with a trailing byte of ASCII", "WHATWG 12.3",
        html("/next", text="\u8868").decode().encode("cp932"),
           b"text/html; charset=shift_jis"),
    linked("ISO-2022-JP", "WHATWG 12.2", html("/next", text="\u8868").decode().encode("iso2022_jp"),
           b"text/html; charset=iso-2022-jp"),
    linked("gb18030", "WHATWG 10", html("/next", text="\U00020000\u4e00").decode().encode("gb18030"),
           b"text/html; charset=gb18030"),
    linked("invalid bytes everywhere", "WHATWG 4.1", PLAIN.replace(b"Words", b"\xff\xfe\xc3\x28\xed\xa0\x80")),
)  # fmt: skip
