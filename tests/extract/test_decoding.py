"""Byte-order mark over header over meta tag, as in a browser; and no replacement character in anything that is kept."""

import codecs
import json
from dataclasses import asdict, replace
from datetime import UTC, datetime

import pytest

from builders.renderings import RENDERERS, page_url
from verdicts.demo_site.site_facts import load_facts
from verdicts.extract.model.records import Comparison, Reject
from verdicts.extract.page import extract
from verdicts.fetch.model.snapshot import Snapshot

PAIR = load_facts().pairs[0]
PAGE = RENDERERS["html_semantic"](load_facts(), PAIR).replace('<meta charset="utf-8">', "", 1)
NAME = load_facts().cards(PAIR)[0].name


def read(body: bytes, content_type: str | None = "text/html"):
    headers = () if content_type is None else (("content-type", content_type),)
    return extract(Snapshot(page_url(PAIR), page_url(PAIR), datetime(2026, 11, 1, tzinfo=UTC), 200, headers, body, "c"))


def page(name: str, meta: str = "") -> str:
    return PAGE.replace(NAME, name).replace("<head>", f"<head>{meta}", 1)


WRITTEN = {
    "gb18030 in the header": ("\u667a\u80fd\u5de5\u5177 2.0", "gb18030", "text/html; charset=gb18030", "", b""),
    "shift_jis in the meta tag": ("\u9053\u5177\u7bb1", "shift_jis", "text/html", '<meta charset="shift_jis">', b""),
    "cp1252 that says latin-1": ("Tool \u2019n\u2019 Caf\u00e9", "cp1252", "text/html; charset=iso-8859-1", "", b""),
    "UTF-16 with a mark": ("Caf\u00e9 \u667a", "utf-16-le", "text/html", "", codecs.BOM_UTF16_LE),
    "a mark against the meta tag": ("Caf\u00e9", "utf-8", "text/html", '<meta charset="cp1252">', codecs.BOM_UTF8),
    "the header against the meta tag": (
        "Caf\u00e9",
        "utf-8",
        "text/html; charset=UTF-8",
        '<meta charset="cp1252">',
        b"",
    ),
    "a mark against the header": ("Caf\u00e9", "utf-8", "text/html; charset=windows-1251", "", codecs.BOM_UTF8),
    "Turkish that says latin-5": ("Ba\u015far\u0131\u201d", "cp1254", "text/html; charset=iso-8859-9", "", b""),
    "GBK that says GB 2312": ("\u9555\u4e82\u6697", "gbk", "text/html; charset=gb2312", "", b""),
    "windows-31j that says x-sjis": ("\u2460\u9ad9\u6a4b", "cp932", "text/html", '<meta charset="x-sjis">', b""),
    "a meta tag of UTF-16 in bytes": ("Caf\u00e9", "utf-8", "text/html", '<meta charset="utf-16">', b""),
    "UTF-16 that only its header tells": ("Caf\u00e9 \u667a", "utf-16-le", "text/html; charset=utf-16", "", b""),
    "a meta tag in a comment": ("Caf\u00e9", "utf-8", "text/html", "<!-- <meta charset=koi8-r> -->", b""),
    "a label of Python's alone": ("Caf\u00e9", "utf-8", "text/html; charset=undefined", "", b""),
    "a label of nobody's": ("Caf\u00e9", "utf-8", "text/html; charset=klingon", "", b""),
    "UTF-7, which browsers do not read": ("+2AA-", "utf-8", "text/html; charset=utf-7", "", b""),
    "UTF-16 that nothing tells": ("Caf\u00e9 \u667a", "utf-16-le", "text/html", "", b""),
    "UTF-16, big end first, that nothing tells": ("Caf\u00e9", "utf-16-be", None, '<meta charset="utf-16">', b""),
    "a quoted label": ("Caf\u00e9", "cp1252", 'text/html; charset="windows-1252"', "", b""),
    "nothing said": ("Caf\u00e9 \u667a", "utf-8", None, "", b""),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_name_is_read_in_the_encoding_of_its_page(kind):
    name, encoding, content_type, meta, mark = WRITTEN[kind]
    extracted = read(mark + page(name, meta).encode(encoding, errors="xmlcharrefreplace"), content_type)
    assert isinstance(extracted, Comparison), extracted
    assert extracted.cards[0].name == name
    assert "\ufffd" not in json.dumps(asdict(extracted), ensure_ascii=False)


CAFE, CYRILLIC = page("Caf\u00e9"), "\u0438\u043d\u0441\u0442\u0440\u0443\u043c\u0435\u043d\u0442" * 99
UTF_8 = "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (CAFE.encode().replace(b"Caf\xc3\xa9", b"Caf\xc3\xa9\xe9"), UTF_8),
        (page("Caf\u00e9 Tool").encode("cp1252", errors="replace").replace(b"Tool", b"T\x81l"), "text/html"),
        (page(CYRILLIC).encode("koi8-r", "xmlcharrefreplace"), "text/html"),
        (page("Tool").replace(" ", "\u00a0").encode("cp1252", errors="replace"), "text/html"),
        (page("Caf\ufffd").encode(), UTF_8),
        (page("Caf&#0;").encode(), UTF_8),
        (CAFE.encode("cp1252").replace(b"Caf\xe9", b"Caf\x81"), "text/html; charset=shift_jis"),
        (page("Tool").encode(), "text/html; charset=iso-2022-kr"),
        (page("Tool", "<meta charset=hz-gb-2312>").encode(), "text/html"),
        (b"<html>\x00\x01\x00\x02", "text/html"),
    ],
)
def test_a_page_that_is_not_in_its_encoding_is_refused(body, content_type):
    extracted = read(body, content_type)
    assert isinstance(extracted, Reject)
    assert extracted.reason == "undecodable"


@pytest.mark.parametrize("junk", [b"\xff\xfe", b"<!-- caf\xe9 -->", b"\x00"])
def test_bytes_that_belong_to_no_record_do_not_lose_the_page(junk):
    whole, damaged = read(page("Caf\u00e9").encode()), read(page("Caf\u00e9").encode() + junk)
    assert isinstance(whole, Comparison)
    assert isinstance(damaged, Comparison)
    (told,) = set(damaged.doubts) - set(whole.doubts)
    assert told.rule == "undecodable_bytes"
    assert replace(damaged, doubts=whole.doubts) == whole


@pytest.mark.parametrize(
    ("content_type", "meta", "who"),
    [
        ("text/html; charset=utf-8", "", "the Content-Type header"),
        ("text/html", '<meta charset="utf-8">', "the page itself"),
        ("text/html", "", "nothing names another encoding"),
    ],
)
def test_a_page_of_windows_1252_that_says_utf_8_is_read_and_told(content_type, meta, who):
    body = page("Tool \u2019n\u2019 Caf\u00e9", meta).encode("cp1252", "xmlcharrefreplace")
    extracted = read(body, content_type)
    assert isinstance(extracted, Comparison), extracted
    assert extracted.cards[0].name == "Tool \u2019n\u2019 Caf\u00e9"
    (told,) = [doubt for doubt in extracted.doubts if doubt.rule == "undecodable_bytes"]
    assert told.expected == f"text in utf-8 ({who})"
    assert told.found.endswith(" more places: read as windows-1252")


@pytest.mark.parametrize("control", ["\x81", "\x9f", "&#x81;"])
def test_controls_that_no_browser_shows_are_in_no_name(control):
    extracted = read(page(f"Caf\u00e9{control} Tool").encode())
    assert isinstance(extracted, Comparison)
    assert extracted.cards[0].name == "Caf\u00e9 Tool"


def test_a_letter_that_the_site_itself_lost_in_a_take_is_told_and_its_page_is_kept():
    words = next(take.text for take in load_facts().cards(PAIR)[0].takes)
    lost = words.replace("e", "\ufffd", 1)
    extracted = read(PAGE.replace(words, lost).encode())
    assert isinstance(extracted, Comparison)
    assert lost in json.dumps(asdict(extracted), ensure_ascii=False, default=str)
    assert "undecodable_bytes" in {doubt.rule for doubt in extracted.doubts}
