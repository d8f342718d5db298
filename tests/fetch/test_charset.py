"""Which encoding a page is in, and its text: what a browser shows, in the letters where Python's codecs differ."""

from encodings.aliases import aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdicts.fetch.model.charset import convert_to_utf8, decode, find_encoding, find_encoding_name, read_meta_charset

SHOWN = [
    ("iso-8859-1", b"\x93Tool\x94 \x80", "\u201cTool\u201d \u20ac"),
    ("windows-1253", b"\xaa", "\ufffd"),
    ("gb2312", b"\xe9F\x80", "\u9555\u20ac"),
    ("shift_jis", b"\x87\x40\xfc\x4b", "\u2460\u9ed1"),
    ("iso-2022-jp", b"\x1b$B\x25\x46\x1b(B", "\u30c6"),
    ("x-user-defined", b"\x80", "\uf780"),
    (" UTF8\n", b"\xef\xbb\xbfcaf\xc3\xa9", "caf\u00e9"),
    ("unicode-1-1-utf-8", b"\xe2\x82", "\ufffd"),
    ("utf-16", b"\xff\xfea\x00\x00\xd8", "a\ufffd"),
]


@pytest.mark.parametrize(("label", "body", "text"), SHOWN)
def test_a_label_means_what_browsers_make_of_it(label, body, text):
    encoding = find_encoding_name(label)
    assert encoding is not None
    assert decode(body, encoding) == text


@pytest.mark.parametrize(
    "label", ["idna", "undefined", "unicode_escape", "rot13", "punycode", "hex", "utf-7", "utf_32"]
)
def test_a_codec_of_python_is_no_encoding_of_the_web(label):
    assert label.replace("-", "_") in {*aliases, *aliases.values(), "idna", "undefined", "unicode_escape", "punycode"}
    assert find_encoding_name(label) is None
    assert find_encoding(b"", label).encoding == "utf-8"


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        (b"<meta charset=koi8-r>", "koi8-r"),
        (b"<META/CHARSET = 'Shift_JIS' >", "shift_jis"),
        (b'<meta content="text/html; charset=big5" http-equiv=Content-Type>', "big5"),
        (b'<meta http-equiv="content-type" content="charset = \'gbk\' ">', "gbk"),
        (b'<meta http-equiv="refresh" content="text/html; charset=big5">', None),
        (b'<meta name=description content="charset=big5">', None),
        (b"<meta charset=klingon><meta charset=koi8-r>", "koi8-r"),
        (b"<meta charset=utf-16le>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=big5>", "big5"),
        (b"<!--><meta charset=koi8-r>", "koi8-r"),
        (b"<p title='<meta charset=koi8-r>'><meta charset=big5>", "big5"),
        (b"<title>a < b</title></x y='>'><?pi?><!doctype html><meta charset=koi8-r>", "koi8-r"),
        (b"<meta charset=koi8-r", None),
        (b"<p title='<meta charset=koi8-r>", None),
        (b" " * 1004 + b"<meta charset=koi8-r>", None),
        (b" " * 1000 + b"<meta charset=koi8-r>", "koi8-r"),
        (b'<?xml version="1.0" encoding="koi8-r"?><html>', "koi8-r"),
        (b'<?xml version="1.0" encoding="koi8-r"?><meta charset=big5>', "big5"),
        ("<?xml".encode("utf-16-be"), "utf-16be"),
        (b"charset=koi8-r", None),
    ],
)
def test_a_page_declares_its_encoding_as_the_standard_finds_it(page, encoding):
    assert read_meta_charset(page) == encoding


def test_a_mark_wins_over_the_header_and_the_header_over_the_page():
    meta = b"<meta charset=big5>"
    assert find_encoding(b"\xef\xbb\xbf" + meta, "koi8-r").encoding == "utf-8"
    assert find_encoding(meta, "koi8-r").encoding == "koi8-r"
    assert find_encoding(meta).encoding == "big5"
    assert find_encoding(meta, is_html=False).encoding == "utf-8"


@given(
    st.lists(
        st.sampled_from([b"<meta ", b"charset", b"=", b"'", b'"', b">", b"<!--", b"-->", b"koi8-r", b"/", b"\xff"])
    ),
    st.text(max_size=12),
)
def test_no_bytes_and_no_label_are_ever_an_error(pieces, label):
    body = b"".join(pieces)
    assert convert_to_utf8(body, label).decode(errors="replace") == decode(body, find_encoding(body, label).encoding)
