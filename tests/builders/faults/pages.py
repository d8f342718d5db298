"""Pages of any letters (WHATWG Encoding) and of hostile HTML: read or refused, and never a wrong letter."""

import codecs
from collections.abc import Callable
from functools import partial

from builders.faults.page_case import ANY, DEMO, PageCase

REFUSED = frozenset({"document", "undecodable"})
READ = frozenset({"document"})
LONG = " The rest of the page is long enough to be its main text, which is what is stored of it and looked at here."


def html(text: str, head: str = "", title: str = "A title") -> str:
    return (f"<html><head>{head}<title>{title}</title></head><body><article><h1>{title}</h1>"
            f"<p>{text}{LONG}</p><p>{text} again,"
            f" in a second paragraph.{LONG}</p></article></body></html>")  # fmt: skip


def page(name: str, rule: str, body: bytes, label: str | None, has: str, kinds: frozenset[str] = READ) -> PageCase:
    content_type = "text/html" if label is None else f"text/html; charset={label}"
    return PageCase(name, rule, body, content_type, kinds=kinds, has=(has,) if has else ())


PRECEDENCE = (
    page("a UTF-8 mark over the header", "WHATWG 6, faults 59", codecs.BOM_UTF8 + html("Grüße").encode(), "iso-8859-1",
        "Grüße"),
    page("a UTF-16 mark over the header", "WHATWG 6", codecs.BOM_UTF16_LE + html("Grüße").encode("utf-16-le"), "utf-8",
        "Grüße"),
    page("a UTF-16BE mark alone", "WHATWG 6", codecs.BOM_UTF16_BE + html("Grüße").encode("utf-16-be"), None, "Grüße"),
    page("a mark over a meta tag", "WHATWG 6", codecs.BOM_UTF8 + html("Grüße", "<meta charset=koi8-r>").encode(), None,
        "Grüße"),
    page("the header over a meta tag", "faults 59", html("Привет", "<meta charset=utf-8>").encode("koi8-r"), "koi8-r",
        "Привет"),
    page("a pragma", "HTML 4.2.5.4",
        html("Привет", '<meta http-equiv="Content-Type" content="text/html;charset=windows-1251">').encode("cp1251"),
         None, "Привет"),
    page("a meta tag behind 1,024 bytes", "HTML 13.2.3.5", html("Привет",
        f"<!-- {'x' * 1500} --><meta charset=koi8-r>").encode("koi8-r"), None, "",
         REFUSED),
    page("nothing declared, UTF-8", "docs/extraction", html("Grüße 日本").encode(), None, "Grüße 日本"),
    page("UTF-16 without a mark or a label", "Firefox", html("Grüße 日本").encode("utf-16-le"), None, "Grüße 日本"),
    page("UTF-16BE without a mark or a label", "Firefox", html("Grüße 日本").encode("utf-16-be"), None, "Grüße 日本"),
    *(PageCase(f"windows-1252 that the {by} calls UTF-8", "WHATWG 4.1", html("“Grüße”", head).encode("cp1252"),
        label, kinds=READ, has=("“Grüße”",), is_doubted=True)
      for by, label, head in (("header", "text/html; charset=utf-8", ""),
          ("meta tag", "text/html", "<meta charset=utf-8>"))),
    page("nothing declared, not UTF-8", "docs/extraction", html("Grüße").encode("cp1252"), None, "", REFUSED),
    *(page(f"the header says {label[:20]!r}, which is none", "WHATWG 4.2, A5, A15",
        html("Grüße", "<meta charset=utf-8>").encode(), label, "Grüße")
      for label in ("idna", "utf-7", "none", "", "'", "x" * 4_000, "\udcff\udcfe", "os.path", "utf 8", "шрифт")),
    *(page(f"a meta tag says {label[:20]!r}, which is none", "WHATWG 4.2, A5, A15",
        html("Gruss", f"<meta charset='{label}'>").encode(), None, "Gruss")
      for label in ("idna", "x" * 900, "\0utf-8")),
    *(page(f"the header says {label}, which gives no text", "WHATWG 4.2 (replacement)", html("Gruss").encode(), label,
        "", frozenset({"reject"}))
      for label in ("iso-2022-kr", "hz-gb-2312", "iso-2022-cn", "replacement")),
    page("charset in a parameter of another name", "9110 8.3", html("Grüße").encode(), "utf-8; xcharset=koi8-r",
        "Grüße"),
    page("the first of two charsets in the header", "WHATWG MIME", html("Привет").encode("koi8-r"),
        "koi8-r; charset=utf-8", "Привет"),
    page("a quoted charset", "9110 8.3.1", html("Привет").encode("koi8-r"), '"koi8-r"', "Привет"),
)  # fmt: skip

BROKEN = (
    *(PageCase(f"{name} in UTF-8", "faults 59", html("MARK").encode().replace(b"MARK", bad),
        "text/html; charset=utf-8", kinds=REFUSED)
      for name, bad in (("a lone byte", b"\xe9"), ("an overlong slash", b"\xc0\xaf"), ("a surrogate", b"\xed\xa0\x80"),
          ("half a letter", b"\xe6\x97"),
                        ("a byte beyond", b"\xf5\x80\x80\x80"), ("beyond Unicode", b"\xf4\x90\x80\x80"),
                        ("a NUL", b"a\0b"), ("U+FFFD itself", b"\xef\xbf\xbd"),
                        ("C1 controls", b"\xc2\x85\xc2\x9f"))),
    *(PageCase(f"{entity} in the text", "HTML 13.2.5.80", html(f"A{entity}B", title=f"T{entity}t").encode(),
        kinds=ANYHOW)
      for ANYHOW in (frozenset({"document", "reject"}),) for entity in ("&#0;", "&#xD800;", "&#xDFFF;", "&#x110000;",
          "&#99999999999999;", "&#150;", "&#x80;",
                                                                      "&#x81;", "&#x9f;", "&#xFFFD;", "&#xFFFF;",
                                                                      "&#xFDD0;", "&#x1b;", "&#7;")),
    PageCase("a byte that windows-1252 leaves open", "WHATWG 9", html("MARK").encode().replace(b"MARK",
        b"a\x81b"), "text/html; charset=iso-8859-1",
             kinds=REFUSED),
    PageCase("half a letter of Shift_JIS", "WHATWG 12.3", html("MARK").encode().replace(b"MARK", b"\x81"),
        "text/html; charset=shift_jis", kinds=REFUSED),
    PageCase("an odd byte of UTF-16", "WHATWG 14", b"\xff\xfe" + html("x").encode("utf-16-le") + b"\0",
        kinds=REFUSED),
    PageCase("lone surrogates in UTF-16", "WHATWG 14",
        b"\xff\xfe" + html("aMb").encode("utf-16-le").replace(b"M\0", b"\0\xd8"), kinds=REFUSED),
    PageCase("UTF-16 called UTF-8, without a mark", "faults 59", html("x").encode("utf-16-le"),
        "text/html; charset=utf-8",
             kinds=frozenset({"reject"})),
    PageCase("UTF-7 in the text", "WHATWG", html("+ADw-script+AD4-").encode(), "text/html; charset=utf-7",
        kinds=REFUSED | {"document"}),
)  # fmt: skip

CHARSETS_CASES = (
    *PRECEDENCE,
    *BROKEN,
)


WORDS = b"<p>Some words of a paragraph that a reader may keep.</p>"


def whole(body: Callable[[], bytes]) -> bytes:
    return b"<html><body>" + body()


BODIES = {
    "200,000 nested divs": lambda: b"<div>" * 200_000,
    "100,000 nested lists": lambda: b"<ul><li>" * 50_000,
    "100,000 nested spans": lambda: b"<span>" * 100_000 + WORDS,
    "tables in tables": lambda: b"<table><tr><td>" * 20_000,
    "formatting in formatting": lambda: b"<b><i>" * 50_000,
    "links in formatting": lambda: b"<a href=x><b>" * 30_000,
    "the adoption agency": lambda: b"<b><p>" * 20_000 + b"</b>" * 20_000,
    "selects in selects": lambda: b"<select><option>" * 50_000,
    "nested templates": lambda: b"<template>" * 50_000,
    "nested svg": lambda: b"<svg><g>" * 50_000,
    "nested math": lambda: b"<math><mi>" * 50_000,
    "foreign and back": lambda: b"<svg><foreignObject><p>" * 20_000,
    "nested forms": lambda: b"<form><button>" * 30_000,
    "open comment": lambda: b"<!-- " + b"x " * 500_000,
    "comments": lambda: b"<!---->" * 200_000,
    "plaintext": lambda: b"<plaintext>" + WORDS * 1_000,
    "a frameset": lambda: b"<frameset><frame src=x>" * 10_000,
    "20,000 attributes": lambda: b"<div " + b" ".join(b"a%d=1" % number for number in range(20_000)) + b">x</div>",
    "an attribute of 2 MB": lambda: b'<div title="' + b"x" * 2_000_000 + b'">x</div>',
    "huge spans": lambda: b"<table><tr><td colspan=9000000000000000>x<td rowspan=100000000>y</table>",
    "negative spans": lambda: b"<table><tr><td colspan=-5 rowspan=-9>x<td colspan=0 rowspan=0>y</table>" + WORDS,
    "spans of 1,000 by 65,534": lambda: b"<table>" + b"<tr><td colspan=1000 rowspan=65534>x" * 300 + b"</table>",
    "overlapping spans": lambda: b"<table>" + b"<tr>" + b"<td rowspan=200 colspan=3>x" * 60 + b"</table>" * 2,
    "a table of 400 by 400": lambda: b"<table>" + (b"<tr>" + b"<td>x" * 400) * 400 + b"</table>",
    "a table of one row": lambda: b"<table><tr>" + b"<td>x" * 100_000 + b"</table>",
    "a table of one column": lambda: b"<table>" + b"<tr><td>x" * 100_000 + b"</table>",
    "50,000 paragraphs": lambda: b"<p>A short one.</p>" * 50_000,
    "50,000 headings": lambda: b"<h2>A short one</h2>" * 50_000,
    "50,000 breaks": lambda: b"words<br>" * 50_000,
    "100,000 entities": lambda: b"&amp;&lt;&copy" * 100_000,
    "1 MB of <": lambda: b"<" * 1_000_000,
    "1 MB of &": lambda: b"&" * 1_000_000,
    "a word of 5 MB": lambda: b"x" * 5_000_000,
    "a line of 20 MB": lambda: b"x " * 10_000_000,
    "NULs": lambda: b"\0" * 1_000_000,
    "a doctype of 1 MB": lambda: b"<!doctype " + b"x" * 1_000_000 + b">" + WORDS,
    "a title of 1 MB": lambda: b"<title>" + b"t " * 500_000 + b"</title>" + WORDS,
    "a script of 5 MB": lambda: b"<script>" + b"x=1;" * 1_250_000 + b"</script>" + WORDS,
    "a JSON script without end": lambda: b'<script type="application/json">{"a":' + b"[" * 100_000,
    "a data script of nested lists": lambda: b'<script type="application/json">' + b"[" * 90_000 + b"]" * 90_000,
    "a thousand mains": lambda: b"<main><article>" * 1_000 + WORDS,
    "many of one id": lambda: b"<div id=x class='a b c'>x</div>" * 50_000,
    "hidden in hidden": lambda: b"<div hidden><div aria-hidden=true style='display:none'>" * 20_000 + WORDS,
    "styles without end": lambda: b"<div style='" + b"display:none;" * 50_000 + b"'>x</div>" + WORDS,
    "aria tables in tables": lambda: b"<div role=table><div role=row><div role=cell>" * 10_000,
    "superscripts in superscripts": lambda: b"<sup>" * 50_000 + b"1",
    "definition lists": lambda: b"<dl><dt>x<dd>y" * 20_000,
    "Panel ship a thousand times": lambda: b"<p>Panel ship</p><p>75%</p>" * 20_000,
    "Decision a thousand times": lambda: b"<h2>Decision</h2><table><tr><td>Pricing<td>$1<td>$2</table>" * 3_000,
    "Reviewer scorecard a thousand times": lambda: b"<h2>Reviewer scorecard</h2><p>Builder</p><p>88/100</p>" * 3_000,
    "a title of vs": lambda: b"<h1>" + b"A vs " * 5_000 + b"B</h1><table><tr><td>x<td>y</table>",
}  # fmt: skip

MARKUP_CASES = tuple(
    PageCase(
        f"{name}{where}",
        "faults 62",
        partial(whole, body),
        site=site,
        path=path and path.format(number),
        kinds=ANY,
    )
    for number, (name, body) in enumerate(BODIES.items())
    for where, site, path in (
        ("", "http://other.example", None),
        (", called a comparison", DEMO, "/compare/evil-{}-vs-evil"),
    )
)


CASES = {
    "page encodings": CHARSETS_CASES,
    "hostile markup": MARKUP_CASES,
}
