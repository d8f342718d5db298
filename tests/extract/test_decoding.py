"""Header over byte-order mark over meta tag; and no replacement character in anything that is kept."""

import codecs
import json
from dataclasses import asdict
from datetime import UTC, datetime

import pytest

from builders.renderings import RENDERERS, page_url
from demo_site.facts import load_facts
from extract.model.records import Comparison, Reject
from extract.page import extract
from fetch.model.snapshot import Snapshot

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
    "a mark against the meta tag": (
        "Caf\u00e9",
        "utf-8",
        "text/html",
        '<meta charset="cp1252">',
        codecs.BOM_UTF8,
    ),
    "the header against the meta tag": (
        "Caf\u00e9",
        "utf-8",
        "text/html; charset=UTF-8",
        '<meta charset="cp1252">',
        b"",
    ),
    "nothing said": ("Caf\u00e9 \u667a", "utf-8", None, "", b""),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_name_is_read_in_the_encoding_of_its_page(kind):
    name, encoding, content_type, meta, mark = WRITTEN[kind]
    extracted = read(mark + page(name, meta).encode(encoding, errors="xmlcharrefreplace"), content_type)
    assert isinstance(extracted, Comparison), extracted
    assert extracted.cards[0].name == name
    assert "\ufffd" not in json.dumps(asdict(extracted), ensure_ascii=False)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (page("Caf\u00e9").encode("cp1252", errors="replace"), "text/html; charset=utf-8"),
        (page("Caf\u00e9").encode("cp1252", errors="replace"), "text/html"),
        (page("Tool").encode() + b"\xff\xfe", "text/html"),
        (page("Tool").encode(), "text/html; charset=klingon"),
        (page("Tool").encode(), "text/html; charset=undefined"),
        (page("+2AA-").encode(), "text/html; charset=utf-7"),
    ],
)
def test_a_page_that_is_not_in_its_encoding_is_refused(body, content_type):
    extracted = read(body, content_type)
    assert isinstance(extracted, Reject)
    assert extracted.reason == "undecodable"
