"""Pages of any letters (WHATWG Encoding) and of hostile HTML: read or refused, and never a wrong letter."""

import tomllib
from functools import partial
from pathlib import Path

from builders.faults.crawl_case import repeat_marked
from builders.faults.page_case import ANY, DEMO, PageCase

DECLARED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
REFUSED = frozenset({"document", "undecodable"})
READ = frozenset({"document"})
LONG = " The rest of the page is long enough to be its main text, which is what is stored of it and looked at here."
UTF_8 = "text/html; charset=utf-8"


def html(text: str, head: str = "", title: str = "A title") -> str:
    paragraphs = f"<p>{text}{LONG}</p><p>{text} again, in a second paragraph.{LONG}</p>"
    article = f"<article><h1>{title}</h1>{paragraphs}</article>"
    return f"<html><head>{head}<title>{title}</title></head><body>{article}</body></html>"


def page(
    name: str,
    rule: str,
    text: str,
    *,
    encoding: str = "utf-8",
    mark: bool = False,
    charset: str | None = None,
    head: str = "",
    refused: bool = False,
) -> PageCase:
    body = ("\ufeff" * mark + html(text, repeat_marked(head))).encode(encoding)
    content_type = "text/html" if charset is None else f"text/html; charset={charset}"
    kinds, has = (REFUSED, ()) if refused else (READ, (text,))
    return PageCase(name, rule, body, content_type, kinds=kinds, has=has)


def within(bad: bytes) -> bytes:
    """A page with these bytes in its text."""
    return html("MARK").encode().replace(b"MARK", bad)


NO_CHARSETS = ("idna", "utf-7", "none", "", "'", "x" * 4_000, "\udcff\udcfe", "os.path", "utf 8", "шрифт")
ENTITIES = ("#0", "#xD800", "#xDFFF", "#x110000", "#99999999999999", "#150", "#x80", "#x81", "#x9f", "#xFFFD", "#xFFFF",
            "#xFDD0", "#x1b", "#7")  # fmt: skip

ENCODINGS = (
    *(page(**declared) for declared in DECLARED["encodings"]),
    *(PageCase(f"windows-1252 that the {by} calls UTF-8", "WHATWG 4.1", html("“Grüße”", head).encode("cp1252"),
               label, kinds=READ, has=("“Grüße”",), is_doubted=True)
      for by, label, head in (("header", UTF_8, ""), ("meta tag", "text/html", "<meta charset=utf-8>"))),
    *(page(f"the header says {label[:20]!r}, which is none", "WHATWG 4.2, A5, A15", "Grüße", charset=label,
           head="<meta charset=utf-8>") for label in NO_CHARSETS),
    *(page(f"a meta tag says {label[:20]!r}, which is none", "WHATWG 4.2, A5, A15", "Gruss",
           head=f"<meta charset='{label}'>") for label in ("idna", "x" * 900, "\0utf-8")),
    *(PageCase(f"the header says {label}, which gives no text", "WHATWG 4.2 (replacement)", html("Gruss").encode(),
               f"text/html; charset={label}", kinds=frozenset({"reject"}))
      for label in ("iso-2022-kr", "hz-gb-2312", "iso-2022-cn", "replacement")),
    *(PageCase(f"{name} in UTF-8", "faults 59", within(bad.encode("latin-1")), UTF_8, kinds=REFUSED)
      for name, bad in DECLARED["bytes"].items()),
    *(PageCase(f"&{entity}; in the text", "HTML 13.2.5.80", html(f"A&{entity};B", title=f"T&{entity};t").encode(),
               kinds=frozenset({"document", "reject"})) for entity in ENTITIES),
    PageCase("a byte that windows-1252 leaves open", "WHATWG 9", within(b"a\x81b"), "text/html; charset=iso-8859-1",
             kinds=REFUSED),
    PageCase("half a letter of Shift_JIS", "WHATWG 12.3", within(b"\x81"), "text/html; charset=shift_jis",
             kinds=REFUSED),
    PageCase("an odd byte of UTF-16", "WHATWG 14", b"\xff\xfe" + html("x").encode("utf-16-le") + b"\0", kinds=REFUSED),
    PageCase("lone surrogates in UTF-16", "WHATWG 14",
             b"\xff\xfe" + html("aMb").encode("utf-16-le").replace(b"M\0", b"\0\xd8"), kinds=REFUSED),
    PageCase("UTF-16 called UTF-8, without a mark", "faults 59", html("x").encode("utf-16-le"), UTF_8,
             kinds=frozenset({"reject"})),
    PageCase("UTF-7 in the text", "WHATWG", html("+ADw-script+AD4-").encode(), "text/html; charset=utf-7",
             kinds=REFUSED),
)  # fmt: skip

WORDS = "<p>Some words of a paragraph that a reader may keep.</p>"
BODIES = {name: partial(repeat_marked, body.replace("{words}", WORDS)) for name, body in DECLARED["markup"].items()} | {
    "20,000 attributes": lambda: "<div " + " ".join(f"a{number}=1" for number in range(20_000)) + ">x</div>",
    "a table of 400 by 400": lambda: "<table>" + ("<tr>" + "<td>x" * 400) * 400 + "</table>",
}


def markup(name: str) -> bytes:
    return f"<html><body>{BODIES[name]()}".encode()


MARKUP = tuple(
    case
    for number, name in enumerate(BODIES)
    for case in (
        PageCase(name, "faults 62", partial(markup, name), kinds=ANY),
        PageCase(f"{name}, called a comparison", "faults 62", partial(markup, name), site=DEMO,
                 path=f"/compare/evil-{number}-vs-evil", kinds=ANY),
    )
)  # fmt: skip

CASES = {"page encodings": ENCODINGS, "hostile markup": MARKUP}
