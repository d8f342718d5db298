"""The gallery's 120 pages read by ours and by peers in one run: cells, statements and main texts.

uv run python -m benchmarks.gallery

What is right, reported or silent by field: benchmarks.fidelity.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

from benchmarks.measuring import markdown_table, options_of
from builders.gallery.pages import GalleryPage, digest, gallery_pages
from builders.snapshots import html
from verdicts.extract.model.records import Document, SideBySide
from verdicts.extract.page import extract

Said: TypeAlias = frozenset[tuple[str, ...]]
"""Tool, label and value of cells; tool, field and value of statements."""
Rows: TypeAlias = Sequence[Sequence[str]]


def tables(pages: Sequence[GalleryPage]) -> str:
    """Cells of pages whose tools stand in a `<table>`; what is read beside them is a label's, a head's, or wrong."""
    readers = {"verdicts": _our_cells, "pandas.read_html": _pandas_cells}
    keys = {
        page: frozenset(_cell(*cell) for cell in page.answer.cells)
        for page in pages
        if "<table" in page.html and page.answer.cells and "<strong>" not in page.html.partition("<table")[0]
    }
    return _found(f"cells of {len(keys)} pages with tables", keys, readers)


def statements(pages: Sequence[GalleryPage]) -> str:
    """Prices and ratings of pages that state them."""
    readers = {"verdicts": _our_statements, "extruct": _extruct_statements}
    keys = {
        page: frozenset(
            (_words(tool.name), field, value)
            for tool in page.answer.tools
            for field, value in (("price", (tool.price or "").partition(" ")[0]), ("rating", tool.rating))
            if value
        )
        for page in pages
        if "schema.org" in page.html and page.answer.claim
    }
    return _found(f"prices and ratings of {len(keys)} pages that state them", keys, readers)


def main_texts(pages: Sequence[GalleryPage]) -> str:
    """Of the key's paragraphs, and of what stands around the main part or is paid for, those that the text holds."""
    readers: dict[str, Callable[[GalleryPage], str]] = {"verdicts": _our_text, "trafilatura": _trafilatura_text}
    rows = []
    for name, reader in readers.items():
        kept = of_prose = let_in = of_furniture = 0
        for page in pages:
            text = _words(reader(page))
            kept += sum(_words(words) in text for words in page.answer.prose)
            let_in += sum(_words(words) in text for words in page.answer.furniture)
            of_prose, of_furniture = of_prose + len(page.answer.prose), of_furniture + len(page.answer.furniture)
        rows.append((name, f"{kept:,} of {of_prose:,}", f"{let_in:,} of {of_furniture:,}"))
    return markdown_table((f"main text of {len(pages):,} pages", "paragraphs kept", "furniture let in"), rows)


def _found(title: str, keys: Mapping[GalleryPage, Said], readers: Mapping[str, Callable[[GalleryPage], Said]]) -> str:
    rows = []
    for name, reader in readers.items():
        said = {page: reader(page) for page in keys}
        found = sum(len(key & said[page]) for page, key in keys.items())
        beside = sum(len(said[page] - key) for page, key in keys.items())
        rows.append((name, f"{found:,}", f"{sum(map(len, keys.values())):,}", f"{beside:,}"))
    return markdown_table((title, "found", "of", "beside"), rows)


def _compared(page: GalleryPage) -> SideBySide | None:
    document = extract(html(page.html, page.url))
    return document.side_by_side if isinstance(document, Document) else None


def _words(text: object) -> str:
    return " ".join(re.findall(r"\w+", str(text).casefold()))


def _cell(tool: object, label: object, value: object) -> tuple[str, ...]:
    return _words(tool), _words(label), " ".join(str(value).split())


def _our_cells(page: GalleryPage) -> Said:
    compared = _compared(page)
    if compared is None:
        return frozenset()
    return frozenset(
        _cell(tool.name, row.attribute, value)
        for row in compared.rows
        for tool, value in zip(compared.tools, row.values, strict=True)
        if value is not None
    )


def pandas_tables(html: str) -> list[tuple[Rows, Rows, Rows]]:
    """Head, body and foot of what its read_html makes frames of: a frame itself takes numbers for texts."""
    from pandas.io.html import _LxmlFrameParser

    parser = _LxmlFrameParser(io.StringIO(html), re.compile(".+"), None, None, True, None, None)
    try:
        return [*parser.parse_tables()]
    except ValueError:  # no table
        return []


def _pandas_cells(page: GalleryPage) -> Said:
    found = pandas_tables(page.html)
    return frozenset(cell for head, body, foot in found for cell in _of_table(head, [*body, *foot]))


def _of_table(head: Rows, body: Rows) -> Iterator[tuple[str, ...]]:
    """Every value with its row's first text and its column's head, and the other way round."""
    heads, rows = (head, body) if head else (body[:1], body[1:])
    joined = [" ".join(dict.fromkeys(column)) for column in zip(*heads, strict=False)]
    for row in rows:
        for of_column, value in zip(joined[1:], row[1:], strict=False):
            yield _cell(of_column, row[0], value)
            yield _cell(row[0], of_column, value)


def _our_statements(page: GalleryPage) -> Said:
    compared = _compared(page)
    return frozenset(
        (_words(tool.name), field, value)
        for tool in (() if compared is None else compared.tools)
        for field, value in (("price", (tool.price or "").partition(" ")[0]), ("rating", tool.rating))
        if value
    )


def _extruct_statements(page: GalleryPage) -> Said:
    import extruct

    found = extruct.extract(page.html, base_url=page.url, syntaxes=["json-ld", "microdata", "rdfa"])
    by_id = {item["@id"]: item for item in found["rdfa"] if "@id" in item}
    return frozenset(said for part in found.values() for said in _of_items(part, None, by_id))


_FIELDS = {"price": "price", "ratingvalue": "rating"}


def _of_items(found: Any, name: str | None, by_id: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """What items of a name have, and those in them. Items of RDFa are joined by `@id`; reviews are left out."""
    if isinstance(found, list):
        for part in found:
            yield from _of_items(part, name, by_id)
        return
    if not isinstance(found, dict):
        return
    parts = {
        re.split("[/#:]", key)[-1].casefold(): _plain(value) for key, value in found.get("properties", found).items()
    }
    name = parts["name"] if isinstance(parts.get("name"), str) else name
    for key, value in parts.items():
        if key in _FIELDS and name and isinstance(value, str | int | float):
            yield _words(name), _FIELDS[key], str(value)
        elif key != "review":
            joined = by_id.get(value["@id"], value) if isinstance(value, dict) and {*value} == {"@id"} else value
            yield from _of_items(joined, name, by_id)


def _plain(value: Any) -> Any:
    """RDFa's lists of one."""
    only = value[0] if isinstance(value, list) and len(value) == 1 else value
    return only.get("@value", only) if isinstance(only, dict) else only


def _our_text(page: GalleryPage) -> str:
    document = extract(html(page.html, page.url))
    return document.text if isinstance(document, Document) else ""


def _trafilatura_text(page: GalleryPage) -> str:
    import trafilatura

    return trafilatura.extract(page.html, url=page.url) or ""


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--most", type=int, metavar="N", help="the first N pages alone")
    pages = list(islice(gallery_pages(), options.parse_args().most))
    print(f"{len(pages):,} pages, {digest(pages)}\n")
    print(tables(pages), statements(pages), main_texts(pages), sep="\n\n")


if __name__ == "__main__":
    main()
